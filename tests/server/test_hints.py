"""Advice at the table: from what the seat has seen, for those who hold it, if the host likes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.words import Words
from people import NewPerson, Person, Server
from slow_game import Gate, write_slow_game


def begun(person: Person, slug: str, **settings: object) -> str:
    table = person.open_table(slug, seats=2, **settings)
    assert person.do(table, "start")[0] == 200
    return table


def hints(person: Person, table: str, query: str = "") -> tuple[int, Any]:
    return person.call("POST", f"/api/tables/{table}/hints{query}")


def progress_beyond(person: Person, slug: str, done: int) -> Any:
    """The first progress that says that more steps are done.

    A step takes as long as it takes, and several answers. Only if the server never ends it, the
    limit of every test does.
    """
    while True:
        status, told = person.call("GET", f"/api/games/{slug}/warmup?after={done}")
        assert status == 200, told
        if told["done"] > done or told["is_warm"]:
            return told


def advice(person: Person, table: str, slug: str) -> Any:
    """The hints, once the adviser is ready: the first time, its code has to be compiled."""
    progress = progress_beyond(person, slug, -1)
    while not progress["is_warm"]:
        progress = progress_beyond(person, slug, progress["done"])
    status, told = hints(person, table)
    assert status == 200, told
    return told


@pytest.mark.parametrize("slug", ["stupide_vautour", "ubongo"])
def test_a_hint_is_a_legal_move_with_a_reason_in_words(person: NewPerson, slug: str) -> None:
    ann = person("Ann")
    table = begun(ann, slug)
    told = advice(ann, table, slug)
    words, view = Words(load(slug), "fr"), ann.look(table)["match"]
    for hint in told:
        assert hint["move"] in view["legal"] or load(slug).unlisted_moves > hint["move"]
        assert words.text("moves", hint["key"], **hint["values"])
        assert words.text("hints", hint["reason"], **hint["because"])


def test_asking_changes_nothing(person: NewPerson) -> None:
    ann = person("Ann")
    table = begun(ann, "ubongo")
    before = ann.look(table)["lines"]
    advice(ann, table, "ubongo")
    mine = [line for line in ann.look(table)["lines"] if line["seat"] == 0]
    assert mine == [line for line in before if line["seat"] == 0]


def test_only_those_who_hold_a_seat_are_advised_and_only_on_that_seat(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = begun(ann, "ubongo")
    assert hints(bob, table) == (400, {"error": "you hold no seat at this table; sit down first"})
    assert hints(ann, table, "?seat=1") == (400, {"error": "you do not hold seat 1"})
    status, problem = hints(ann, table, "?seat=x")
    assert (status, problem["error"][:11]) == (400, "seat is 'x'")


def test_between_people_there_are_no_hints_unless_the_host_wants_them(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    race = ann.open_table("ubongo", seats=2)
    assert ann.look(race)["table"]["has_hints"]
    assert bob.do(race, "sit")[0] == ann.do(race, "start")[0] == 200
    told = {"error": "this table is played without hints", "reason": "off"}
    assert hints(ann, race) == (400, told)
    assert not ann.look(race)["table"]["has_hints"]


def test_people_on_one_side_may_be_advised(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("team_up", seats=2)
    assert bob.do(table, "sit")[0] == 200
    assert ann.look(table)["table"]["has_hints"]


def test_everyone_sees_that_a_hint_was_asked_for(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("ubongo", seats=2, hints="on")
    assert bob.do(table, "sit")[0] == ann.do(table, "start")[0] == 200
    client = bob.connect(table)
    assert client.update()["match"]["advised"] == [0, 0]
    advice(ann, table, "ubongo")
    client.wait(lambda u: u["match"]["advised"] == [1, 0])
    assert ann.look(table)["match"]["advised"] == [1, 0]


def test_a_host_may_have_no_hints(person: NewPerson) -> None:
    ann = person("Ann")
    table = begun(ann, "ubongo", hints="off")
    assert not ann.look(table)["table"]["has_hints"]
    told = {"error": "this table is played without hints", "reason": "off"}
    assert hints(ann, table) == (400, told)


def test_the_host_may_change_it_before_a_match(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("ubongo")
    assert ann.do(table, "set", hints="off")[0] == 200
    assert not ann.look(table)["table"]["has_hints"]
    assert hints(ann, table)[0] == 400


def test_there_is_no_advice_without_a_match(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("ubongo")
    assert hints(ann, table) == (400, {"error": "no match is being played", "reason": "over"})


def test_there_is_no_advice_for_a_player_with_nothing_to_do(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2, hints="on")
    assert bob.do(table, "sit")[0] == ann.do(table, "start")[0] == 200
    assert ann.do(table, "play", move=7)[0] == 200
    told = {"error": "there is nothing for you to do now", "reason": "not_your_turn"}
    assert hints(ann, table) == (400, told)


def test_a_bot_bears_the_name_of_its_character(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=3)
    for seat in (1, 2):
        assert ann.do(table, "seat", seat=seat, bot="master")[0] == 200
    first, second = (seat["name"] for seat in ann.look(table)["table"]["seats"][1:])
    assert first == load("stupide_vautour").words["fr"]["bots"]["master"]["name"]
    assert second != first


def test_a_master_plays_at_the_table(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "seat", seat=1, bot="master")
    client = ann.connect(table)
    client.reply(client.request("start"))
    client.wait(lambda u: bool(u["match"] and u["match"]["legal"]))
    client.reply(client.request("play", move=7))
    client.wait(lambda u: u["match"]["view"]["rounds"] == 2)


# The first time on a machine


@pytest.fixture
def gates(tmp_path: Path) -> list[Gate]:
    (tmp_path / "games").mkdir()
    return write_slow_game("cold_stones", tmp_path / "games", 2)


@pytest.fixture
def ann(gates: list[Gate], tmp_path: Path) -> Iterator[Person]:
    """At a server that knows the game whose adviser is not compiled yet."""
    server = Server(tmp_path / "data", tmp_path / "games")
    yield Person(server, "Ann")
    for gate in gates:
        gate.open()
    server.stop()


def test_a_request_is_kept_until_the_adviser_is_ready(ann: Person, gates: list[Gate]) -> None:
    table = begun(ann, "cold_stones")
    with ThreadPoolExecutor(1) as other:
        answer = other.submit(hints, ann, table)
        assert progress_beyond(ann, "cold_stones", 0) == {"done": 1, "total": 4, "is_warm": False}
        gates[0].open()
        assert progress_beyond(ann, "cold_stones", 1) == {"done": 2, "total": 4, "is_warm": False}
        assert not answer.done()
        gates[1].open()
        assert progress_beyond(ann, "cold_stones", 3) == {"done": 4, "total": 4, "is_warm": True}
        status, (hint,) = answer.result()
    assert (status, hint["reason"]) == (200, "best")
    assert progress_beyond(ann, "cold_stones", 0) == {"done": 4, "total": 4, "is_warm": True}


def test_a_game_without_a_slow_adviser_is_always_ready(person: NewPerson) -> None:
    progress = person("Ann").call("GET", "/api/games/ubongo/warmup?after=7")
    assert progress == (200, {"done": 0, "total": 0, "is_warm": True})


def test_only_a_guest_may_have_a_game_compiled(server: Server) -> None:
    status, problem = server.call("GET", "/api/games/stupide_vautour/warmup")
    assert (status, "not signed in" in problem["error"]) == (401, True)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("go/warmup", (404, "there is no game 'go'; GET /api/games lists them")),
        (
            "ubongo/warmup?after=soon",
            (400, "after is 'soon', expected a number of up to four digits"),
        ),
        ("ubongo/warmup?after=-2", (400, "after is '-2', expected a number of up to four digits")),
    ],
)
def test_progress_is_asked_for_a_game_and_a_number(
    person: NewPerson, path: str, problem: tuple[int, str]
) -> None:
    status, told = person("Ann").call("GET", f"/api/games/{path}")
    assert (status, told["error"]) == problem
