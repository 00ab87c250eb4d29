"""Guests and tables over HTTP."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from starlette.requests import Request

from ludotheque.engine.game import slugs
from ludotheque.engine.match_file import replay
from ludotheque.server.api import games
from ludotheque.server.api.endpoint import Handler
from people import WAIT_TIMEOUT_S, NewPerson, Server
from scenes import act


def test_a_guest_has_a_name_and_a_token(person: NewPerson) -> None:
    ann = person("Ann")
    status, guest = ann.call("GET", "/api/me")
    assert status == 200
    assert (guest["id"], guest["name"], guest["avatar"]) == (ann.id, "Ann", 3)


def test_a_guest_may_change_name_and_picture(person: NewPerson) -> None:
    ann = person("Ann")
    assert ann.call("PUT", "/api/me", {"name": "  Anne\n Marie ", "avatar": 5})[0] == 200
    _, guest = ann.call("GET", "/api/me")
    assert (guest["name"], guest["avatar"]) == ("Anne Marie", 5)


def test_every_game_is_listed_with_its_options(server: Server) -> None:
    _, listed = server.call("GET", "/api/games")
    assert tuple(game["game"] for game in listed) == slugs()
    vulture = next(game for game in listed if game["game"] == "stupide_vautour")
    assert vulture["seats"] == [2, 3, 4, 5]
    assert vulture["options"][0]["values"] == ["second best", "unmatched"]


def test_the_pictures_of_the_rules_show_what_the_learner_sees(server: Server) -> None:
    status, pictures = server.call("GET", "/api/games/stupide_vautour/pictures")
    assert status == 200
    assert set(pictures) == {"first/vulture", "first/ties", "first/carried"}
    ties = pictures["first/ties"]
    assert (ties["part"], ties["refused"], ties["match"]["viewer"]) == ("bids", None, 0)
    assert [fact["key"] for fact in ties["facts"]] == ["revealed", "struck", "award"]
    assert ties["match"]["view"]["stake"] == 8  # they are told while the stake still lies there
    assert pictures["first/carried"]["match"]["view"]["stake"] == 2 - 4  # of what begins then


@pytest.mark.parametrize("path", ["pictures", "lessons/first"])
def test_an_unknown_game_has_no_pictures_and_no_lessons(server: Server, path: str) -> None:
    status, problem = server.call("GET", f"/api/games/chess/{path}")
    assert status == 404
    assert problem["error"] == "there is no game 'chess'; GET /api/games lists them"


def test_an_unknown_lesson_is_not_found(server: Server) -> None:
    status, problem = server.call("GET", "/api/games/ubongo/lessons/second")
    assert status == 404
    assert problem["error"] == (
        "there is no lesson 'second' of 'ubongo'; GET /api/games lists them"
    )


@pytest.mark.parametrize(
    ("handler", "work"), [(games.lesson, "told_lesson"), (games.pictures, "drawn_pictures")]
)
def test_lessons_are_played_in_a_thread_while_others_are_answered(
    monkeypatch: pytest.MonkeyPatch, handler: Handler, work: str
) -> None:
    is_answered = threading.Event()

    def play(*_: object) -> bool:
        return is_answered.wait(WAIT_TIMEOUT_S)

    async def scene() -> bytes:
        path = {"game": "stupide_vautour", "lesson": "first"}
        request = Request({"type": "http", "path_params": path})
        asked = asyncio.ensure_future(handler(request, None))
        await asyncio.sleep(0)
        is_answered.set()
        return bytes((await asked).body)

    async def nobody(_: Request) -> None:
        return None

    monkeypatch.setattr(games, "reader_of", nobody)
    monkeypatch.setattr(games, work, play)
    assert act(scene) == b"true"


@pytest.mark.parametrize("language", ["fr", "en", "de"])
def test_words_are_given_in_three_languages(server: Server, language: str) -> None:
    status, words = server.call("GET", f"/api/words/{language}")
    assert status == 200
    assert set(words["games"]) == set(slugs())


def test_a_whole_match_by_http_alone(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    assert bob.do(table, "sit")[0] == 200
    assert ann.do(table, "start")[0] == 200
    while not ann.look(table)["match"]["over"]:
        for player in (ann, bob):
            match = player.look(table)["match"]
            if match["legal"]:
                assert player.do(table, "play", move=match["legal"][0])[0] == 200
    update = ann.look(table)
    assert update["table"]["status"] == "over"
    assert len(update["lines"]) == 45
    status, file = ann.call("GET", f"/api/tables/{table}/match")
    assert status == 200
    assert replay(file).scores == update["match"]["scores"]


def test_moves_may_be_written_in_notation(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "start")
    assert ann.do(table, "play", move="15")[0] == 200
    status, reply = ann.do(table, "play", move="99")
    assert status == 409
    assert "'99' is not a move" in reply["error"]


def test_a_visitor_without_a_name_is_nobody_and_that_is_no_error(server: Server) -> None:
    assert server.call("GET", "/api/me") == (200, None)


def test_only_public_tables_are_listed(person: NewPerson, server: Server) -> None:
    ann = person("Ann")
    hidden = ann.open_table("stupide_vautour")
    shown = ann.open_table("stupide_vautour", is_public=True)
    for table in (hidden, shown):
        ann.connect(table).update()
    _, page = server.call("GET", "/api/tables")
    ids = [table["id"] for table in page["tables"]]
    assert shown in ids
    assert hidden not in ids


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "complaint"),
    [
        ("PUT", "/api/me", {"name": "x"}, 401, "create a guest"),
        ("POST", "/api/tables", {"game": "stupide_vautour"}, 401, "create a guest"),
        ("GET", "/api/tables/nowhere", None, 404, "there is no table 'nowhere'"),
        ("GET", "/api/words/it", None, 404, "there is no language 'it'"),
        ("POST", "/api/guests", {"name": ""}, 400, "a name has 1 to 24 characters"),
        ("POST", "/api/guests", {"name": "x" * 25}, 400, "this one has 25"),
        ("POST", "/api/guests", {"name": "x", "avatar": 99}, 400, "avatar is 99, expected 0 to 23"),
        ("POST", "/api/guests", {"nam": "x"}, 400, "unknown field `nam`"),
        ("POST", "/api/guests", b"{", 400, "the body is not what was expected"),
        ("POST", "/api/guests", b"\xff", 400, "the body is not what was expected"),
        ("GET", "/api/nothing", None, 404, "there is no GET /api/nothing"),
        ("POST", "/api/me", b"", 405, "/api/me takes GET, PUT, DELETE, not POST"),
    ],
)
def test_bad_requests_are_answered_with_one_sentence(
    server: Server, method: str, path: str, body: object, status: int, complaint: str
) -> None:
    found, problem = server.call(method, path, body)
    assert found == status
    assert complaint in problem["error"]


def test_a_body_that_is_nested_too_deeply_is_refused(person: NewPerson) -> None:
    body = b'{"game": "team_up", "options": {"mode": ' + b"[" * 100_000
    status, problem = person("Ann").call("POST", "/api/tables", body)
    assert (status, problem) == (400, {"error": "the body is nested too deeply"})


def test_a_seat_with_thousands_of_digits_is_refused(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("team_up")
    status, problem = ann.call("GET", f"/api/tables/{table}?seat={'9' * 5000}")
    assert status == 400
    assert "expected a number of one or two digits" in problem["error"]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"game": "go"}, "there is no game 'go'"),
        ({"game": "stupide_vautour", "seats": 9}, "for 2 to 5 seats, not 9"),
        ({"game": "stupide_vautour", "options": {"x": 1}}, "has no option 'x'"),
        ({"game": "stupide_vautour", "options": {"ties": 1}}, "option ties is 1, expected"),
        ({"game": "stupide_vautour", "move_seconds": -1}, "the move clock is -1 s, expected 0"),
    ],
)
def test_bad_tables_are_refused(
    person: NewPerson, settings: dict[str, object], complaint: str
) -> None:
    status, problem = person("Ann").call("POST", "/api/tables", settings)
    assert status == 400
    assert complaint in problem["error"]


def test_wrong_tokens_are_nobody(server: Server, person: NewPerson) -> None:
    ann = person("Ann")
    former = f'"{ann.id}".c2lnbmF0dXJl'
    for forged in (ann.token[:-1], f"{ann.token}x", ann.id, "x", former, "\u00e9"):
        assert server.call("GET", "/api/me", Authorization=f"Bearer {forged}") == (200, None)


def test_pages_of_other_hosts_may_not_ask(server: Server) -> None:
    origin = "http://evil.example"
    status, problem = server.call("POST", "/api/guests", {"name": "Eve"}, Origin=origin)
    assert status == 403
    assert "is not from this server" in problem["error"]
    own = f"http://{server.address}"
    assert server.call("POST", "/api/guests", {"name": "Ann"}, Origin=own)[0] == 201


def test_bodies_that_are_too_large_are_refused(server: Server) -> None:
    status, problem = server.call("POST", "/api/guests", {"name": "x" * 300_000})
    assert status == 413
    assert "at most 262144 bytes" in problem["error"]


def test_the_api_describes_itself(server: Server) -> None:
    status, document = server.call("GET", "/api/openapi.json")
    assert status == 200
    assert document["openapi"] == "3.1.0"
    assert "/api/tables/{table}/commands" in document["paths"]
    assert json.dumps(document).count("#/components/schemas/Problem") >= len(document["paths"])


def test_an_address_that_is_too_long_for_a_qr_code_is_told_so(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("team_up")
    status, problem = ann.server.call("GET", f"/api/tables/{table}/qr.svg", Host="x" * 4000)
    assert status == 400
    assert "too long for a QR code" in problem["error"]
