"""Connections that only stand there, and requests that never end or hold too much."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from websockets.frames import Opcode

from abuse.attackers import (
    ImpatientServer,
    RawSocket,
    allow_many_files,
    ask,
    crowd,
    is_answered,
    knock,
    last_words,
    memory,
    opened_table,
    refused,
    send_without_end,
    serving,
    wait_until_ended,
)
from ludotheque.server import limits
from ludotheque.server.connections import (
    ADDRESS_IS_FULL,
    LARGE_BODY,
    LARGE_HEADERS,
    MANY_CHUNKS,
    NO_HTTP,
)
from people import WAIT_TIMEOUT_S, Server

POST = b"POST /api/guests HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
MB = 1024 * 1024


# Standing there


def test_visitors_get_in_while_an_address_holds_1100_mute_connections(server: Server) -> None:
    with crowd(server, 1100) as mute:
        assert is_answered(server)
        beyond = mute[limits.CONNECTIONS_PER_ADDRESS :]
        assert {refused(last_words(each)) for each in beyond} == {(503, ADDRESS_IS_FULL)}
        wait_until_ended(mute)
    assert is_answered(server, "127.0.0.2")


def test_a_server_that_is_full_lets_mute_connections_go_first(tmp_path: Path) -> None:
    class SmallServer(ImpatientServer):
        """May open 256 files, of which half are for connections; and never loses patience."""

        command = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from ludotheque.server import limits
limits.HEADERS_TIMEOUT_S = 3600
from ludotheque.cli import main; main()
"""

    with serving(SmallServer, tmp_path) as server:
        host, table = opened_table(server)
        player = RawSocket(server, table, host.token, "127.0.0.4")
        assert player.hello()["type"] == "update"
        with crowd(server, 200):
            assert is_answered(server)
            player.send(Opcode.TEXT, b'{"type": "ping"}')
            assert player.message() == {"type": "pong"}


def test_a_server_opens_as_many_files_as_it_may(tmp_path: Path) -> None:
    class LowServer(Server):
        command = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from ludotheque.cli import main; main()
"""

    allow_many_files()
    with serving(LowServer, tmp_path) as server, crowd(server, 400) as mute:
        mute[-1].sendall(b"GET /api/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b" 200 " in last_words(mute[-1])


def test_what_comes_too_slowly_is_dropped(server: Server) -> None:
    beginnings = (
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-a: b\r\n",
        POST + b"Content-Length: 100\r\n\r\n{",
        CHUNKED + b"1\r\n{\r\n",
    )
    with crowd(server, 100 * len(beginnings)) as slow:
        for number, connection in enumerate(slow):
            connection.sendall(beginnings[number % len(beginnings)])
        wait_until_ended(slow)


@pytest.mark.parametrize(
    "beginning",
    [b"GET / HTTP/1.1\r\nX-a: ", POST + b"Content-Length: 100000\r\n\r\n"],
    ids=["headers", "a body"],
)
def test_a_client_that_trickles_is_dropped_though_something_always_comes(
    server: Server, beginning: bytes
) -> None:
    with knock(server) as connection:
        connection.sendall(beginning)
        assert trickle(connection, WAIT_TIMEOUT_S), "the server waits for it without end"


def trickle(connection: socket.socket, seconds: float) -> bool:
    """Send a byte now and then; whether the server has hung up meanwhile."""
    until = time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            connection.sendall(b" ")
            time.sleep(0.05)
    except ConnectionError:
        return True
    return False


def test_empty_lines_keep_no_connection_open(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(65536)
        connection.sendall(b"\r\n")
        wait_until_ended([connection])


def test_a_socket_without_a_hello_is_dropped(server: Server) -> None:
    _, table = opened_table(server)
    gone, code = RawSocket(server, table).goodbye()
    assert (gone["error"], code) == ("no hello came within 2 seconds", 1008)


# Too much


def test_headers_without_end_are_refused(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-a: ")
        send_without_end(connection, b"x" * 8192, 16 * limits.LARGEST_HEADERS_BYTES)
        answer = last_words(connection)
    assert not answer or refused(answer) == (431, LARGE_HEADERS)


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n" + b"X-a: b\r\n" * (limits.MOST_HEADERS + 1) + b"\r\n",
        b"GET / HTTP/1.1\r\nX-a: " + b"x" * limits.LARGEST_HEADERS_BYTES + b"\r\n\r\n",
        b"GET /" + b"x" * limits.LARGEST_HEADERS_BYTES + b" HTTP/1.1\r\n\r\n",
    ],
    ids=["many", "a long one", "a long path"],
)
def test_too_many_headers_are_refused(server: Server, request_: bytes) -> None:
    with knock(server) as connection:
        connection.sendall(request_)
        assert refused(last_words(connection)) == (431, LARGE_HEADERS)


@pytest.mark.parametrize("path", [b"/api/guests", b"/api/nothing", b"/"])
def test_a_chunked_body_without_end_is_refused_and_not_kept(server: Server, path: bytes) -> None:
    before = memory(server)
    with knock(server) as connection:
        connection.sendall(CHUNKED.replace(b"/api/guests", path))
        send_without_end(connection, b"10000\r\n" + b" " * 0x10000 + b"\r\n", 64 * MB)
    assert memory(server) - before < 16
    assert is_answered(server)


def test_who_sends_too_large_a_body_in_chunks_is_told_so(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(CHUNKED)
        for _ in range(5):
            connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        assert refused(last_words(connection)) == (413, LARGE_BODY)


@pytest.mark.parametrize("length", [b"262145", b"99999999999", b"1" * 30])
def test_a_body_that_says_it_is_too_large_is_refused_before_it_comes(
    server: Server, length: bytes
) -> None:
    with knock(server) as connection:
        connection.sendall(POST + b"Content-Length: " + length + b"\r\n\r\n")
        assert refused(last_words(connection))[0] in (400, 413)


def test_thousands_of_tiny_chunks_are_refused(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(CHUNKED + b"1\r\n \r\n" * (limits.MOST_CHUNKS + 1))
        assert refused(last_words(connection)) == (413, MANY_CHUNKS)


def test_thousands_of_requests_at_once_are_not_kept(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n" * 5000)
        answers = last_words(connection).count(b"HTTP/1.1 ")
    assert answers <= limits.MOST_PIPELINED + 1


def test_a_few_requests_at_once_are_answered_in_turn(server: Server) -> None:
    count = limits.MOST_PIPELINED
    last = b"GET /api/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with knock(server) as connection:
        connection.sendall(b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n" * (count - 1) + last)
        assert last_words(connection).count(b"HTTP/1.1 ") == count


def test_what_is_no_http_is_refused(server: Server) -> None:
    with knock(server) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello, TLS?\r\n\r\n")
        assert refused(last_words(connection)) == (400, NO_HTTP)


def test_a_connection_serves_one_request_after_the_other(server: Server) -> None:
    """What is honest stays as it was: bodies of the largest size, in chunks or not."""
    body = b'{"name": "Ann"' + b" " * (limits.LARGEST_BODY_BYTES - 15) + b"}"
    for framed in (
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body),
    ):
        with knock(server) as connection:
            connection.sendall(POST + framed)
            connection.sendall(POST + b"Connection: close\r\n" + framed)
            assert last_words(connection).count(b"HTTP/1.1 201 ") == 2
    assert ask(server, "GET", "/api/games")[0] == 200
