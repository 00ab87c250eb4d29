"""What is refused before the app hears of it is in the metrics too."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.frames import Opcode

from abuse.attackers import (
    RawSocket,
    crowd,
    knock,
    opened_table,
    serving,
    wait_until_ended,
)
from people import WAIT_TIMEOUT_S, Person, Server

FEW = 5
PROXY = "127.0.0.9"  # whose clients are told apart when they have shaken hands


class StrictServer(Server):
    options = ("--trusted-proxy", PROXY)
    command = f"""
from ludotheque.server import limits
limits.HEADERS_TIMEOUT_S = limits.BODY_TIMEOUT_S = 2
limits.CONNECTIONS_PER_ADDRESS = {FEW}
limits.CHAT = limits.CHAT._replace(per_guest=2)
limits.SOCKETS = limits.SOCKETS._replace(per_address={4 * FEW})
from ludotheque.cli import main; main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(StrictServer, tmp_path_factory.mktemp("data")) as running:
        yield running


def counted(server: Server, where: str, reason: str) -> int:
    """How many refusals of this kind the metrics tell."""
    begin = f'ludotheque_refusals_total{{reason="{reason}",where="{where}"}} '
    with urllib.request.urlopen(f"http://{server.address}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(int(float(line.removeprefix(begin))) for line in lines if line.startswith(begin))


def expect_rise(server: Server, where: str, reason: str, before: int, rise: int = 1) -> None:
    """They are told a second late."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    while counted(server, where, reason) < before + rise:
        assert time.monotonic() < until, f"{where}, {reason} is not counted"
        time.sleep(0.1)


REQUESTS = {
    ("connection", "slow_headers"): b"GET / HT",
    ("connection", "slow_body"): b"POST /api/guests HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
    ("connection", "large_body"): b"POST / HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n",
    ("connection", "large_headers"): b"GET / HTTP/1.1\r\n" + b"X-a: b\r\n" * 101 + b"\r\n",
    ("connection", "not_http"): b"\x16\x03\x01 hello, TLS?\r\n\r\n",
}


@pytest.mark.parametrize(("kind", "request_"), REQUESTS.items(), ids=[k[1] for k in REQUESTS])
def test_connections_that_are_ended_are_counted(
    server: Server, kind: tuple[str, str], request_: bytes
) -> None:
    before = counted(server, *kind)
    with knock(server) as connection:
        connection.sendall(request_)
        wait_until_ended([connection])
    expect_rise(server, *kind, before)


def test_connections_that_are_not_let_in_are_counted(server: Server) -> None:
    before = counted(server, "connection", "address_is_full")
    with crowd(server, FEW + 3) as mute:
        wait_until_ended(mute)
    expect_rise(server, "connection", "address_is_full", before, rise=3)


def test_bodies_that_cannot_be_read_are_counted(server: Server) -> None:
    before = counted(server, "http", "undecodable")
    assert server.call("POST", "/api/guests", b"{")[0] == 400
    assert server.call("POST", "/api/guests", b"[" * 100_000)[0] == 400
    expect_rise(server, "http", "undecodable", before, rise=2)


def test_what_is_asked_too_often_over_a_socket_is_counted_with_its_limit(server: Server) -> None:
    where, which = counted(server, "socket", "too_often"), counted(server, "limit", "chat")
    ann = Person(server, "Ann")
    socket = ann.connect(ann.open_table("stupide_vautour"))
    done = [socket.reply(socket.request("say", text="hello"))["done"] for _ in range(4)]
    assert done == [True, True, False, False]
    expect_rise(server, "socket", "too_often", where, rise=2)
    expect_rise(server, "limit", "chat", which, rise=2)


def test_handshakes_that_are_refused_are_counted(server: Server) -> None:
    host, table = opened_table(server)
    before = {
        status: counted(server, "handshake", status) for status in ("403", "404", "429", "503")
    }
    statuses = [RawSocket(server, "no/where").status]
    statuses.append(RawSocket(server, table, Origin="http://evil.example").status)
    client = {"X_Forwarded_For": "192.0.2.50"}
    sockets = [RawSocket(server, table, host.token, PROXY, **client) for _ in range(FEW + 1)]
    statuses.append(sockets[-1].status)
    assert statuses == [404, 403, 503]
    until = time.monotonic() + WAIT_TIMEOUT_S
    while RawSocket(server, "no/where").status != 429:
        assert time.monotonic() < until, "sockets may be asked for without end"
    for status, so_far in before.items():
        expect_rise(server, "handshake", status, so_far)


def test_floods_are_counted(server: Server) -> None:
    before = counted(server, "connection", "socket_flood")
    host, table = opened_table(server)
    attacker = RawSocket(server, table, host.token, "127.0.0.8")
    attacker.hello()
    for _ in range(100):
        attacker.send(Opcode.PING, b"")
    attacker.goodbye()
    expect_rise(server, "connection", "socket_flood", before)
