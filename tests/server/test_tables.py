"""Seats, bots, hosts, options, and what survives."""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque.engine.game import load, slugs
from people import NewPerson, Person, Server


def test_bots_fill_the_empty_seats_and_play(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=3)
    client = ann.connect(table)
    client.reply(client.request("start"))
    told = client.wait(is_my_turn_or_over)
    assert [seat["kind"] for seat in told["table"]["seats"]] == ["person", "bot", "bot"]
    client.reply(client.request("play", move=7))
    client.wait(lambda u: u["match"]["view"]["rounds"] == 2)


def test_only_the_host_decides_about_the_table(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.connect(table).update()
    bob.do(table, "sit")
    for command in (
        {"do": "start"},
        {"do": "shuffle_seats"},
        {"do": "set", "seats": 3},
        {"do": "seat", "seat": 0, "bot": ""},
    ):
        status, reply = bob.do(table, **command)
        assert status == 409
        assert "only the host" in reply["error"]


def test_while_the_host_is_away_everyone_with_a_seat_may_begin(person: NewPerson) -> None:
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=3)
    bob.do(table, "sit")
    assert not bob.look(table)["table"]["has_host"]
    status, reply = eve.do(table, "start")
    assert (status, "only the host" in reply["error"]) == (409, True)
    assert bob.do(table, "start")[0] == 200


def test_bots_of_the_level_that_was_asked_for_fill_the_seats(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour")
    status, reply = ann.do(table, "start", bots="genius")
    assert (status, "there is no bot 'genius'" in reply["error"]) == (409, True)
    assert ann.do(table, "start", bots="novice")[0] == 200
    seats = ann.look(table)["table"]["seats"]
    assert [seat.get("level") for seat in seats] == [None, "novice", "novice", "novice"]


def test_seats_are_drawn_by_lot_and_the_shuffle_of_cards_begins_again(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=4)
    bob.do(table, "sit")
    ann.do(table, "seat", seat=2, bot="novice")
    before = ann.look(table)["table"]
    ann.do(table, "contribute", seed="ab" * 16, commitment=before["commitment"])
    orders = set()
    for _ in range(40):
        assert ann.do(table, "shuffle_seats")[0] == 200
        now = ann.look(table)["table"]
        orders.add(tuple(seat and seat["name"] for seat in now["seats"]))
        assert (now["contributors"], now["commitment"] != before["commitment"]) == ([], True)
    assert len(orders) > 1
    names = [seat and seat["name"] for seat in before["seats"]]
    assert {frozenset(order) for order in orders} == {frozenset(names)}


def test_the_host_may_choose_another_game_and_options(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=5)
    assert ann.do(table, "set", options={"ties": "unmatched"}, is_public=True)[0] == 200
    found = ann.look(table)["table"]
    assert (found["options"]["ties"], found["is_public"]) == ("unmatched", True)
    assert ann.do(table, "set", game="whats_up")[0] == 200
    found = ann.look(table)["table"]
    assert (found["game"], len(found["seats"])) == ("whats_up", 4)
    status, reply = ann.do(table, "set", seats=9)
    assert status == 409
    assert "for 2 to 4 seats, not 9" in reply["error"]


def test_a_leaver_is_kept_by_a_bot_and_comes_back(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    assert bob.do(table, "leave")[0] == 200
    assert ann.look(table)["table"]["seats"][1]["kept_by"] == "regular"
    assert bob.do(table, "sit")[0] == 200
    assert ann.look(table)["table"]["seats"][1]["kept_by"] is None
    assert bob.do(table, "leave")[0] == 200
    assert bob.do(table, "play", move=3)[0] == 409
    assert ann.do(table, "give_back", seat=1)[0] == 200
    assert bob.look(table)["you"] == [1]


def test_a_host_who_leaves_hands_over(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "leave")
    assert bob.look(table)["table"]["host"] == bob.id


def test_one_device_may_hold_several_seats(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    assert ann.do(table, "sit", name="Grandma")[0] == 200
    ann.do(table, "start")
    assert ann.look(table)["you"] == [0, 1]
    assert ann.do(table, "play", move=3)[0] == 409
    assert ann.do(table, "play", move=3, seat=1)[0] == 200
    first = ann.connect(table, viewer=0).update()
    second = ann.connect(table, viewer=1).update()
    assert first["match"]["view"]["bids"][:2] == [0, -1]
    assert second["match"]["view"]["bids"][:2] == [0, 3]


def test_a_match_is_played_again_with_the_same_deal(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "sit", name="Bo")
    ann.do(table, "start")
    while not (match := ann.look(table)["match"])["over"]:
        for seat in match["awaited"]:
            legal = ann.call("GET", f"/api/tables/{table}?seat={seat}")[1]["match"]["legal"]
            ann.do(table, "play", move=legal[0], seat=seat)
    cards = [line["move"] for line in ann.look(table)["lines"] if line["seat"] == -1]
    assert ann.do(table, "again", same_deal=True)[0] == 200
    ann.do(table, "start")
    lines = ann.look(table)["lines"]
    assert [line["move"] for line in lines] == cards[:1]
    assert ann.look(table)["table"]["match"] == 2


def test_a_seat_that_thinks_too_long_is_moved_for(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2, move_seconds=1)
    bob.do(table, "sit")
    ann.do(table, "start")
    client = ann.connect(table)
    told = client.update()
    assert 0 < told["match"]["deadline"] <= 1000
    client.wait(lambda u: u["match"]["view"]["rounds"] == 2)


def is_my_turn_or_over(update: Any) -> bool:
    match = update["match"]
    return match is not None and (match["over"] or 0 in match["awaited"])


@pytest.mark.parametrize("slug", slugs())
def test_every_game_is_played_by_bots_and_a_person(person: NewPerson, slug: str) -> None:
    """A few moves of each game at a table, with the words that tell them."""
    game = load(slug)
    ann = person("Ann")
    seats = max(2, game.seats[0])
    table = ann.open_table(slug, seats=seats)
    client = ann.connect(table)
    client.reply(client.request("start"))
    for _ in range(1 if game.timed else 3):
        match = client.wait(is_my_turn_or_over)["match"]
        if match["over"]:
            break
        assert match["prompt"] in game.words["en"]["prompts"]
        version = client.latest["version"]
        client.reply(client.request("play", move=match["legal"][0]))
        client.wait_beyond(version)
    own = [line for line in client.lines if line["seat"] == 0]
    assert all(line["key"] in game.words["en"]["moves"] for line in own)


def test_no_announced_move_is_lost_when_the_server_is_killed(fresh_server: Server) -> None:
    ann, bob = Person(fresh_server, "Ann"), Person(fresh_server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    first, second = ann.connect(table), bob.connect(table)
    for value in (3, 4, 5):
        first.reply(first.request("play", move=value))
        second.reply(second.request("play", move=value))
    first.reply(first.request("play", "unanswered", move=6))
    before = ann.look(table)
    fresh_server.kill()
    fresh_server.start()
    after = ann.look(table)
    assert after["lines"] == before["lines"]
    assert after["match"]["view"] == before["match"]["view"]
    again = ann.connect(table)
    assert again.reply(again.request("play", "unanswered", move=6))["done"]
    assert ann.look(table)["lines"] == before["lines"]
    assert bob.do(table, "play", move=9)[0] == 200


def test_a_race_goes_on_where_it_was_when_the_server_was_killed(fresh_server: Server) -> None:
    for slug in (slug for slug in slugs() if load(slug).timed):
        ann = Person(fresh_server, "Ann")
        table = ann.open_table(slug, seats=1, options={"time_limit": 600})
        ann.do(table, "start")
        ann.do(table, "play", move=ann.look(table)["match"]["legal"][-1])
        before = ann.look(table)["match"]["view"]
        fresh_server.kill()
        fresh_server.start()
        assert ann.look(table)["match"]["view"] == before
