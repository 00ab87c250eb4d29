"""What is kept of a guest is handed out on demand, and deleted for good."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from homes import Home, postgresql_home
from people import NewPerson, Person, Server, Socket


@pytest.fixture(scope="module")
def server(server_of_each_kind: Server) -> Server:
    return server_of_each_kind


NAME = "Zanzibara"
SECOND = "Quixotine"
WORDS = "where the porcupines are"


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def play(table: str, *people: Person) -> None:
    """Let these people, in their seats, play to the end."""
    while not (match := people[0].look(table)["match"])["over"]:
        for seat in match["awaited"]:
            people[seat].do(table, "play", move=people[seat].look(table)["match"]["legal"][0])


def evening(server: Server) -> tuple[Person, Person, str, str]:
    """A guest, a friend, a table with a finished match of theirs, and one with a running match."""
    one, bob = Person(server, NAME), Person(server, "Bob")
    done = one.open_table("stupide_vautour", seats=2)
    bob.do(done, "sit")
    one.do(done, "say", text=WORDS)
    one.do(done, "start")
    play(done, one, bob)
    running = bob.open_table("stupide_vautour", seats=3)
    one.do(running, "sit")
    one.do(running, "sit", name="Zanzibara's aunt")
    assert one.call("PUT", "/api/me", {"name": SECOND, "avatar": 5})[0] == 200
    bob.do(running, "start")
    one.do(running, "say", text=WORDS)
    return one, bob, done, running


def test_a_guest_gets_all_that_is_kept_of_them_and_no_secret(server: Server) -> None:
    one, bob, done, running = evening(server)
    status, data = one.call("GET", "/api/me/data")
    assert status == 200
    assert data["guest"][0]["name"] == SECOND
    assert [device["browser"] for device in data["devices"]] == [""]
    tables = {each["table"]: each["events"] for each in data["tables"]}
    assert set(tables) == {done, running}
    said = [e["text"] for events in tables.values() for e in events if e["event"] == "said"]
    assert said == [WORDS, WORDS]
    moves = [m for e in tables[done] if e["event"] == "moved" for m in e["moves"]]
    assert [seat for seat, _, _ in moves] == [0] * 15  # each of their cards, and nobody's else
    text = str(data)
    assert "server_seed" not in text
    assert one.token not in text
    assert bob.id not in text
    assert server.call("GET", "/api/me/data")[0] == 401


def test_nothing_of_a_guest_is_left_in_the_files(fresh_server: Server) -> None:
    one, bob, done, running = evening(fresh_server)
    challenge = bob.call("POST", f"/api/tables/{done}/deal")[1]["id"]
    replay = bob.open_table("stupide_vautour", deal=challenge)
    watching = bob.connect(running)
    watching.update()
    assert NAME.encode() in bytes_in(fresh_server.data)
    assert one.call("DELETE", "/api/me") == (200, None)
    left = bytes_in(fresh_server.data)
    for gone in (NAME, SECOND, WORDS, one.id, one.token):
        assert gone.encode() not in left, gone
    assert b"Bob" in left
    assert one.call("GET", "/api/me") == (200, None)
    # Matches still replay, and the running one goes on with bots.
    seats = bob.look(running)["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Bob", "—", "—"]
    assert [seat["kept_by"] for seat in seats] == [None, "regular", "regular"]
    assert bob.do(running, "play", move=7)[0] == 200
    assert bob.look(done)["match"]["over"]
    assert bob.call("GET", f"/api/tables/{done}/proof")[0] == 200
    attempts = bob.look(replay)["table"]["replay"]
    assert [attempt["names"] for attempt in attempts] == [["—", "Bob"]]
    # The table was read again for those who looked on.
    again = Socket(fresh_server, running, bob.token)
    assert again.update()["table"]["seats"][1]["name"] == "—"
    fresh_server.stop()
    fresh_server.start()
    assert bob.look(done)["match"]["over"]
    assert NAME.encode() not in bytes_in(fresh_server.data)


def rows_in(home: Home) -> str:
    """Every row of every table of a database in PostgreSQL, as text."""
    named = home.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return "\n".join(
        str(row) for (name,) in named for row in home.ask(f'SELECT each::text FROM "{name}" each')
    )


def test_nothing_of_a_guest_is_left_in_the_tables_of_postgresql(tmp_path: Path) -> None:
    home = postgresql_home()
    server = Server(tmp_path, None, *home.flags)
    try:
        one, bob, done, running = evening(server)
        kept = (NAME, SECOND, WORDS, one.id)
        before = rows_in(home)
        assert all(each in before for each in kept)
        assert one.call("DELETE", "/api/me") == (200, None)
        left = rows_in(home)
        assert not [each for each in (*kept, one.token) if each in left]
        assert "Bob" in left
        assert bob.look(done)["match"]["over"]
        assert bob.do(running, "play", move=7)[0] == 200
    finally:
        server.stop()


def test_a_host_who_has_gone_makes_room_for_the_next(server: Server, person: NewPerson) -> None:
    one, bob = person(NAME), person("Bob")
    table = one.open_table("stupide_vautour", seats=2, sit=False)
    assert one.call("DELETE", "/api/me")[0] == 200
    assert bob.do(table, "sit")[0] == 200
    assert bob.look(table)["table"]["host"] == bob.id


def test_nobody_deletes_the_data_of_another(server: Server, person: NewPerson) -> None:
    ann = person("Ann")
    origin = "http://evil.example"
    cookie = {"Cookie": f"ludotheque={ann.token}", "Origin": origin}
    assert server.call("DELETE", "/api/me", **cookie)[0] == 403
    assert server.call("DELETE", "/api/me")[0] == 401
    assert ann.call("GET", "/api/me")[1]["name"] == "Ann"


def test_who_was_at_a_table_that_the_host_has_closed_can_delete_their_data(
    fresh_server: Server,
) -> None:
    ann = Person(fresh_server, "Ann")
    table = ann.open_table("stupide_vautour")
    fresh_server.stop()
    with closing(sqlite3.connect(fresh_server.data / "tables.sqlite")) as connection, connection:
        connection.execute("UPDATE tables SET fate = 'closed' WHERE id = ?", [table])
    fresh_server.launch()
    fresh_server.wait_until_it_answers()
    assert ann.call("DELETE", "/api/me")[0] == 200
    assert ann.id.encode() not in bytes_in(fresh_server.data)


def test_nobody_gains_time_by_deleting_a_friend(server: Server) -> None:
    ann, bob, cy = (Person(server, name) for name in ("Ann", "Bob", "Cy"))
    table = ann.open_table("stupide_vautour", seats=2, move_seconds=3600)
    cy.do(table, "sit")
    cy.do(table, "leave")
    bob.do(table, "sit")
    ann.do(table, "start")
    before = ann.look(table)["match"]["deadline"]
    assert cy.call("DELETE", "/api/me")[0] == 200
    assert 0 < ann.look(table)["match"]["deadline"] <= before


def test_the_seat_of_a_guest_who_is_gone_is_given_back_to_nobody(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    assert bob.call("DELETE", "/api/me")[0] == 200
    status, reply = ann.do(table, "give_back", seat=1)
    assert (status, reply["reason"]) == (409, "gone_for_good")
    assert ann.look(table)["table"]["seats"][1]["kept_by"] is not None
