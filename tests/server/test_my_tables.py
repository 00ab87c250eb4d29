"""A guest finds the way back to the tables at which they play."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from halls import BOB, HOST, Hall
from ludotheque.server import messages, tables
from ludotheque.server.writer import Batch, SeatingChanges
from people import NewPerson, Person, Server
from scenes import act


def mine(person: Person) -> list[Any]:
    status, page = person.call("GET", "/api/me/tables")
    assert status == 200
    assert page["next"] == ""
    return list(page["tables"])


def ids(person: Person) -> list[str]:
    return [one["table"]["id"] for one in mine(person)]


def play_out(table: str, *people: Person) -> None:
    while not (match := people[0].look(table)["match"])["over"]:
        for seat in match["awaited"]:
            legal = people[seat].look(table)["match"]["legal"]
            people[seat].do(table, "play", move=legal[0])


def test_a_guest_has_the_tables_where_they_sit_and_no_others(person: NewPerson) -> None:
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.open_table("stupide_vautour", sit=False)
    bob.do(table, "sit")
    eve.connect(table).update()
    assert (ids(ann), ids(bob), ids(eve)) == ([table], [table], [])


def test_a_list_says_whose_turn_it_is(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    assert [(one["you"], one["awaited"]) for one in mine(bob)] == [([1], [])]
    ann.do(table, "start")
    ann.do(table, "play", move=7)
    (told,) = mine(bob)
    assert told["table"] == bob.look(table)["table"] | {
        "seats": [seat | {"is_here": False} for seat in bob.look(table)["table"]["seats"]]
    }
    assert (told["you"], told["awaited"], told["scores"], told["winners"]) == ([1], [1], [], [])


def test_a_list_tells_the_result_of_a_match_that_is_over(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    play_out(table, ann, bob)
    match = ann.look(table)["match"]
    (told,) = mine(ann)
    assert (told["table"]["status"], told["awaited"]) == ("over", [])
    assert (told["scores"], told["winners"]) == (match["scores"], match["winners"])


def test_the_table_used_last_comes_first(person: NewPerson) -> None:
    ann = person("Ann")
    first, second = (ann.open_table("stupide_vautour", seats=2) for _ in range(2))
    assert ids(ann) == [second, first]
    ann.do(first, "start")
    assert ids(ann) == [first, second]


def test_who_leaves_a_table_has_it_no_more(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    bob.do(table, "leave")
    assert (ids(ann), ids(bob)) == ([table], [])


def test_a_guest_taken_off_a_table_no_longer_has_it(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=3)
    bob.do(table, "sit", seat=2)
    ann.do(table, "set", seats=2)
    assert ids(bob) == []


def test_a_seat_that_a_bot_keeps_is_still_listed(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    bob.do(table, "leave")
    (told,) = mine(bob)
    assert (told["you"], told["table"]["seats"][1]["kept_by"]) == ([1], "regular")


def test_a_table_that_was_forgotten_comes_back_with_the_next_match(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    assert bob.call("DELETE", f"/api/me/tables/{table}") == (200, None)
    assert (ids(ann), ids(bob), bob.look(table)["you"]) == ([table], [], [1])
    ann.do(table, "start")
    assert ids(bob) == [table]


def test_a_visitor_without_a_name_has_no_tables(server: Server) -> None:
    for method, path in (("GET", "/api/me/tables"), ("DELETE", "/api/me/tables/x")):
        status, problem = server.call(method, path)
        assert (status, "not signed in" in problem["error"]) == (401, True)


def test_long_lists_come_in_pages(person: NewPerson) -> None:
    ann = person("Ann")
    opened = [ann.open_table("stupide_vautour") for _ in range(tables.MY_PAGE_SIZE + 3)]
    _, first = ann.call("GET", "/api/me/tables")
    assert len(first["tables"]) == tables.MY_PAGE_SIZE
    _, second = ann.call("GET", f"/api/me/tables?after={first['next']}")
    assert second["next"] == ""
    listed = [one["table"]["id"] for page in (first, second) for one in page["tables"]]
    assert (sorted(listed), len(set(listed))) == (sorted(opened), len(opened))


@pytest.mark.parametrize("after", ["x", "-", "1-", "-x", "9" * 40 + "-x"])
def test_an_unknown_page_is_answered_with_the_first_page(person: NewPerson, after: str) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour")
    _, page = ann.call("GET", f"/api/me/tables?after={after}")
    assert [one["table"]["id"] for one in page["tables"]] == [table]


def test_a_damaged_table_does_not_hide_the_others(fresh_server: Server) -> None:
    ann = Person(fresh_server, "Ann")
    good, bad = (ann.open_table("stupide_vautour") for _ in range(2))
    fresh_server.kill()
    with closing(sqlite3.connect(fresh_server.data / "tables.sqlite")) as connection, connection:
        connection.execute("UPDATE events SET body = '{' WHERE \"table\" = ?", (bad,))
    fresh_server.start()
    assert ids(ann) == [good]


def test_a_match_without_a_clock_goes_on_after_everybody_was_away(fresh_server: Server) -> None:
    ann, bob = Person(fresh_server, "Ann"), Person(fresh_server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    ann.do(table, "play", move=7)
    fresh_server.kill()
    fresh_server.start()
    (told,) = mine(bob)
    assert (told["table"]["id"], told["you"], told["awaited"]) == (table, [1], [1])
    assert bob.do(table, "play", move=8)[0] == 200
    back = ann.connect(table).update()
    assert back["table"]["seats"][0]["kept_by"] is None
    assert [fact["kind"] for fact in back["history"]] != []


# What is stored


def test_a_move_stores_events_alone() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        batches: list[Batch] = []
        write = hall.memory.write
        hall.memory.write = lambda b, done: (batches.extend(b), write(b, done))[1]  # type: ignore
        await hall.must(HOST, messages.Sit())
        await hall.must(BOB, messages.Sit())
        await hall.must(HOST, messages.Start())
        await hall.must(HOST, messages.Play(7, 0))
        await hall.must(HOST, messages.Say("hello"))
        stored = [batch for batch in batches if batch.rows]
        assert [batch.seatings for batch in stored] == [
            SeatingChanges(frozenset("h")),
            SeatingChanges(frozenset("b")),
            SeatingChanges(frozenset("hb")),
            SeatingChanges(),
            SeatingChanges(),
        ]
        assert [batch.is_plain for batch in stored] == [False, False, False, True, True]

    act(scene)
