"""One guest asks too much: at many tables, over HTTP and sockets, from many addresses."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abuse.attackers import ATTACKER, NEIGHBOUR, ask, serving
from people import WAIT_TIMEOUT_S, Person, Server

GAME = "stupide_vautour"


class StrictServer(Server):
    """Allows a guest little, so that this is soon used up, and regained only in minutes."""

    command = """
from ludotheque.server import limits
limits.HINTS = limits.HINTS._replace(per_guest=3)
limits.CHAT = limits.CHAT._replace(per_guest=4)
limits.SEATS = limits.SEATS._replace(per_guest=30)
limits.TABLES = limits.TABLES._replace(per_guest=6, per_address=12)
limits.READS = limits.READS._replace(per_address=20)
limits.SOCKETS = limits.SOCKETS._replace(per_address=10)
limits.MATCHES_WITH_BOTS = 3
from ludotheque.cli import main; main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(StrictServer, tmp_path_factory.mktemp("data")) as running:
        yield running


def until_refused(act: Any) -> tuple[int, dict[str, str], Any]:
    """Do it again and again; the answer that refuses it."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    while (answer := act())[0] != 429:
        assert time.monotonic() < until, "it may be done without end"
    return answer  # type: ignore[no-any-return]


def expect_told(answer: tuple[int, dict[str, str], Any], doing: str) -> None:
    """A refusal says what, and when again, in words and in its header."""
    _, headers, problem = answer
    seconds = int(headers["retry-after"])
    assert seconds >= 1
    assert problem["reason"] == "too_often"
    assert problem["error"].startswith(f"too much {doing}")
    assert f"try again in {seconds} second" in problem["error"]


def test_hints_are_counted_over_all_tables(server: Server) -> None:
    ann = Person(server, "Ann")
    tables = [ann.open_table(GAME, seats=2, hints="on") for _ in range(3)]
    token = {"Authorization": f"Bearer {ann.token}"}
    asked = 0

    def hint() -> tuple[int, dict[str, str], Any]:
        nonlocal asked
        asked += 1
        path = f"/api/tables/{tables[asked % 3]}/hints"
        return ask(server, "POST", path, **token)

    expect_told(until_refused(hint), "asking for hints")


def test_tables_are_counted_for_the_guest_and_for_the_address(server: Server) -> None:
    def open_table(person: Person) -> tuple[int, dict[str, str], Any]:
        headers = {"Authorization": f"Bearer {person.token}"}
        return ask(server, "POST", "/api/tables", {"game": GAME}, **headers)

    guests = [Person(server, name) for name in ("Eve", "Eva", "Evi")]
    expect_told(until_refused(lambda: open_table(guests[0])), "opening tables;")
    until_refused(lambda: open_table(guests[1]))
    expect_told(open_table(guests[2]), "opening tables from your address;")
    headers = {"Authorization": f"Bearer {guests[2].token}"}
    assert ask(server, "POST", "/api/tables", {"game": GAME}, NEIGHBOUR, **headers)[0] == 201


def test_all_of_ones_data_is_told_twice_in_a_while_and_names_may_change_meanwhile(
    server: Server,
) -> None:
    token = {"Authorization": f"Bearer {Person(server, 'Ann').token}"}
    answers = [ask(server, "GET", "/api/me/data", **token) for _ in range(3)]
    assert [status for status, _, _ in answers] == [200, 200, 429]
    expect_told(answers[2], "getting or deleting one's data;")
    name = {"name": "Anna", "avatar": 2}
    assert ask(server, "PUT", "/api/me", name, **token)[0] == 200


def test_everything_an_address_asks_for_is_counted(tmp_path: Path) -> None:
    class CountingServer(Server):
        command = """
from ludotheque.server import limits
limits.REQUESTS = limits.REQUESTS._replace(per_address=60)
from ludotheque.cli import main; main()
"""

    with serving(CountingServer, tmp_path) as server:
        answer = until_refused(lambda: ask(server, "GET", "/api/words/fr"))
        assert answer[2]["error"].startswith("too much asking from your address; try again in ")
        assert int(answer[1]["retry-after"]) >= 1
        assert ask(server, "GET", "/api/words/fr", source=NEIGHBOUR)[0] == 200


def test_reads_are_counted_for_the_address(server: Server) -> None:
    answer = until_refused(lambda: ask(server, "GET", "/api/tables", source=ATTACKER))
    expect_told(answer, "looking things up from your address")
    assert ask(server, "GET", "/api/tables", source=NEIGHBOUR)[0] == 200


class ReadersServer(Server):
    command = """
from ludotheque.server import limits
limits.READS = limits.READS._replace(per_guest=5)
from ludotheque.cli import main; main()
"""


@pytest.fixture(scope="module")
def readers_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(ReadersServer, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables",
        "/api/tables/TABLE",
        "/api/tables/TABLE/match",
        "/api/tables/TABLE/proof",
        "/api/tables/TABLE/screen",
        "/api/tables/TABLE/qr.svg",
        "/api/deals/nothing",
        "/api/deals/nothing/qr.svg",
        "/api/games/stupide_vautour/lessons/first",
        "/api/games/stupide_vautour/pictures",
        "/api/me/tables",
        "/api/me/devices",
        "/api/me/recovery",
    ],
)
def test_reads_are_counted_for_the_guest_wherever_they_read(
    readers_server: Server, path: str
) -> None:
    ann, bob = Person(readers_server, "Ann"), Person(readers_server, "Bob")
    table = ann.open_table(GAME)
    answer = until_refused(lambda: ask_as(ann, path.replace("TABLE", table)))
    expect_told(answer, "looking things up; ")
    assert ask_as(bob, path.replace("TABLE", table))[0] != 429


def ask_as(person: Person, path: str) -> tuple[int, dict[str, str], Any]:
    request = urllib.request.Request(
        f"http://{person.server.address}{path}",
        headers={"Authorization": f"Bearer {person.token}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=WAIT_TIMEOUT_S) as answer:
            return answer.status, {}, None
    except urllib.error.HTTPError as error:
        headers = {name.lower(): value for name, value in error.headers.items()}
        return error.code, headers, json.loads(error.read())


def test_what_is_said_over_sockets_and_http_at_all_tables_counts_together(server: Server) -> None:
    ann = Person(server, "Ann")
    tables = [ann.open_table(GAME, seats=2) for _ in range(2)]
    sockets = [ann.connect(table) for table in tables]
    replies = []
    for number in range(8):
        socket = sockets[number % 2]
        replies.append(socket.reply(socket.request("say", text=f"line {number}")))
    refused = [reply for reply in replies if not reply["done"]]
    assert len(refused) >= 3
    assert {reply["reason"] for reply in refused} == {"too_often"}
    assert all(reply["error"].startswith("too much talking; try again in ") for reply in refused)
    status, problem = ann.do(tables[0], "say", text="once more")
    assert (status, problem["reason"]) == (429, "too_often")
    # Nothing is lost: the sockets are open, and other things may be done.
    assert sockets[0].reply(sockets[0].request("start"))["done"]
    said = [line["text"] for table in tables for line in ann.look(table)["chat"]]
    done = [number for number, reply in enumerate(replies) if reply["done"]]
    assert sorted(said) == [f"line {number}" for number in done]


def test_taking_seats_is_counted(server: Server) -> None:
    ann = Person(server, "Ann")
    table = ann.open_table(GAME, seats=3)
    until = time.monotonic() + WAIT_TIMEOUT_S
    while True:
        assert time.monotonic() < until, "it may be done without end"
        for do in ("leave", "sit"):
            status, problem = ann.do(table, do)
            if status == 429:
                assert problem["error"].startswith("too much changing seats and settings")
                return


def test_a_host_has_so_many_matches_with_bots_and_no_more(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    tables = [ann.open_table(GAME, seats=2) for _ in range(4)]
    replies = [ann.do(table, "start") for table in tables]
    assert [status for status, _ in replies] == [200, 200, 200, 409]
    assert replies[3][1]["reason"] == "too_often"
    assert "3 matches with bots go on" in replies[3][1]["error"]
    assert bob.do(bob.open_table(GAME, seats=2), "start")[0] == 200


@pytest.mark.parametrize(
    ("path", "source", "status"),
    [("/api/tables/TABLE/socket", "127.0.0.5", 101), ("/api/nowhere", "127.0.0.6", 404)],
)
def test_sockets_are_not_asked_for_without_end(
    server: Server, path: str, source: str, status: int
) -> None:
    if "TABLE" in path:
        path = path.replace("TABLE", Person(server, "Ann").open_table(GAME))
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    until = time.monotonic() + WAIT_TIMEOUT_S
    while (answer := handshake(server, path, upgrade, source))[0] == status:
        assert time.monotonic() < until, "sockets may be opened without end"
    assert answer[0] == 429
    assert int(answer[1]["retry-after"]) >= 1


def handshake(
    server: Server, path: str, upgrade: dict[str, str], source: str
) -> tuple[int, dict[str, str]]:
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=WAIT_TIMEOUT_S, source_address=(source, 0)
    )
    connection.request("GET", path, headers=upgrade)
    answer = connection.getresponse()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}
