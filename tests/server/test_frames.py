"""The frames of a socket, whole and in pieces, right and wrong."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from ludotheque.server.keepalive import Keepalive
from ludotheque.server.messages import Reply
from ludotheque.server.sockets import TableSocket, text_frame
from people import Person, Server
from scenes import act

PING = b'{"type": "ping"}'
PONG = {"type": "pong"}
DONE = text_frame(b'{"type":"reply","id":"1","done":true,"error":"","reason":""}')
NESTED = b'{"type": "request", "id": "", "command": {"do": "set", "options": {"x": ' + b"[" * 60_000


def masked(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


class Client:
    """A client that sends whatever bytes a test likes."""

    def __init__(self, server: Server, path: str, **headers: str) -> None:
        address = ("127.0.0.1", server.port)
        self.wire = server.sockets.enter_context(socket.create_connection(address, 10))
        self.framing = ClientProtocol(parse_uri(f"ws://{server.address}{path}"))
        request = self.framing.connect()
        request.headers.update(headers)
        self.framing.send_request(request)
        self.send(b"".join(self.framing.data_to_send()))
        self.response = cast(Response, self.event())

    def send(self, data: bytes) -> None:
        self.wire.sendall(data)

    def event(self) -> Any:
        while not self.framing.events:
            self.framing.receive_data(self.wire.recv(65536))
        return self.framing.events.pop(0)

    def message(self) -> Any:
        frame = self.event()
        assert frame.opcode is Opcode.TEXT, frame
        return json.loads(frame.data)

    def close_code(self) -> int | None:
        while self.framing.close_rcvd is None:
            self.event()
        return self.framing.close_rcvd.code


@pytest.fixture(scope="module")
def path(server: Server) -> str:
    return f"/api/tables/{Person(server, 'Ann').open_table('stupide_vautour')}/socket"


@pytest.fixture
def client(server: Server, path: str) -> Client:
    """Somebody who has said hello and been told of the table."""
    connected = Client(server, path)
    connected.send(masked(Opcode.TEXT, b'{"type": "hello"}'))
    assert connected.message()["type"] == "update"
    return connected


def test_a_message_may_come_byte_by_byte(client: Client) -> None:
    for byte in masked(Opcode.TEXT, PING):
        client.send(bytes((byte,)))
    assert client.message() == PONG
    client.send(masked(Opcode.TEXT, PING))
    assert client.message() == PONG


def test_several_messages_may_come_at_once(client: Client) -> None:
    client.send(masked(Opcode.TEXT, PING) * 3 + masked(Opcode.TEXT, PING + b" " * 200))
    assert [client.message() for _ in range(4)] == [PONG] * 4
    client.send(masked(Opcode.TEXT, PING))
    assert client.message() == PONG


def test_a_message_may_come_in_fragments_with_a_ping_between(client: Client) -> None:
    client.send(masked(Opcode.TEXT, PING[:5], fin=False))
    client.send(masked(Opcode.PING, b"there?"))
    pong = client.event()
    assert (pong.opcode, pong.data) == (Opcode.PONG, b"there?")
    client.send(masked(Opcode.CONT, PING[5:8], fin=False) + masked(Opcode.CONT, PING[8:]))
    assert client.message() == PONG


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (masked(Opcode.TEXT, b'{"type": "\xff"}'), CloseCode.INVALID_DATA),
        (masked(Opcode.TEXT, b"{}"), CloseCode.POLICY_VIOLATION),
        (masked(Opcode.TEXT, NESTED), CloseCode.POLICY_VIOLATION),
        (masked(Opcode.BINARY, PING), CloseCode.UNSUPPORTED_DATA),
        (masked(Opcode.TEXT, b" " * 65537), CloseCode.MESSAGE_TOO_BIG),
        (
            masked(Opcode.TEXT, b" " * 65000, fin=False) + masked(Opcode.CONT, b" " * 600),
            CloseCode.MESSAGE_TOO_BIG,
        ),
        (Frame(Opcode.TEXT, PING).serialize(mask=False), CloseCode.PROTOCOL_ERROR),
        (masked(Opcode.CONT, PING), CloseCode.PROTOCOL_ERROR),
        (masked(Opcode.TEXT, PING, fin=False) + masked(Opcode.TEXT, PING), 1002),
        (b"\x83\x80\0\0\0\0", CloseCode.PROTOCOL_ERROR),
        (b"\xc1\x80\0\0\0\0", CloseCode.PROTOCOL_ERROR),
        (b"\x89\xfe\0\x7e\0\0\0\0" + bytes(126), CloseCode.PROTOCOL_ERROR),
        (masked(Opcode.CLOSE, b"\x03\xe8"), CloseCode.NORMAL_CLOSURE),
        (masked(Opcode.TEXT, b"{}") + masked(Opcode.CLOSE, b"\x03\xe8"), 1000),
    ],
    ids=[
        "not UTF-8",
        "not a message",
        "nested too deeply",
        "binary",
        "too large",
        "too large together",
        "not masked",
        "nothing to continue",
        "not continued",
        "no such opcode",
        "reserved bit",
        "long ping",
        "goodbye",
        "nonsense, goodbye",
    ],
)
def test_what_ends_a_socket_has_its_code(client: Client, data: bytes, code: int) -> None:
    client.send(data)
    assert client.close_code() == code


def test_a_text_in_the_middle_of_fragments_is_an_error(client: Client) -> None:
    client.send(masked(Opcode.TEXT, PING, fin=False))
    client.send(masked(Opcode.TEXT, PING))
    assert client.close_code() == CloseCode.PROTOCOL_ERROR


def test_pages_of_other_hosts_get_no_socket(server: Server, path: str) -> None:
    assert Client(server, path, Origin="http://evil.example").response.status_code == 403
    assert Client(server, path, Origin=f"http://{server.address}").response.status_code == 101


def test_there_are_sockets_only_at_tables(server: Server) -> None:
    assert Client(server, "/api/tables").response.status_code == 404


def test_a_cookie_says_who_comes(server: Server, path: str) -> None:
    bob = Person(server, "Bob")
    client = Client(server, path, Cookie=f"x=y; ludotheque={bob.token}")
    client.send(masked(Opcode.TEXT, b'{"type": "hello"}'))
    assert client.message()["me"] == bob.id


class Wire:
    """A transport that remembers."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_reading = True
        self.is_aborted = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.is_aborted

    def abort(self) -> None:
        self.is_aborted = True

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True


class Told:
    """A snapshot that says its number."""

    is_whole = True
    race = 0

    def __init__(self, number: int) -> None:
        self.number = number

    def update_for(self, _: object) -> bytes:
        return str(self.number).encode()


@pytest.fixture
def lonely() -> tuple[TableSocket, Wire]:
    """A socket that is open, on a wire that goes nowhere."""
    services, wire = SimpleNamespace(keepalive=Keepalive()), Wire()
    state = cast(Any, SimpleNamespace(connections=set()))
    made = TableSocket(cast(Any, None), state, {"services": services})
    made.connection_made(cast(Any, wire))
    made._framing = ServerProtocol(state=State.OPEN)
    made._is_open = True
    made._connection = cast(Any, None)
    return made, wire


def test_a_slow_client_is_shown_only_the_latest(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    made.pause_writing()
    assert not wire.is_reading
    for number in range(3):
        made.show(cast(Any, Told(number)))
    made.resume_writing()
    assert wire.written == [Frame(Opcode.TEXT, b"2").serialize(mask=False)]
    assert wire.is_reading


async def answered(made: TableSocket, then: Callable[[], None]) -> None:
    """Answer a request, then let something happen in the same turn of the event loop."""
    made._reply(Reply("1", True))
    then()
    await asyncio.sleep(0)


def test_a_reply_follows_the_update_in_the_same_packet(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    act(lambda: answered(made, lambda: made.show(cast(Any, Told(7)))))
    assert wire.written == [text_frame(b"7") + DONE]


def test_a_reply_without_an_update_is_sent_by_itself(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    act(lambda: answered(made, lambda: None))
    assert wire.written == [DONE]


def test_a_reply_is_sent_before_the_socket_closes(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    act(lambda: answered(made, lambda: made.show(None)))
    close = Close(CloseCode.SERVICE_RESTART, "").serialize()
    assert wire.written == [DONE, Frame(Opcode.CLOSE, close).serialize(mask=False)]


def test_a_silent_client_is_asked_and_then_dropped(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    made.check()
    assert not wire.written
    made.check()
    assert wire.written == [Frame(Opcode.PING, b"").serialize(mask=False)]
    made.check()
    assert wire.is_aborted


def test_who_answers_is_not_dropped(lonely: tuple[TableSocket, Wire]) -> None:
    made, wire = lonely
    for _ in range(4):
        made.check()
        made.data_received(masked(Opcode.PONG, b""))
    assert not wire.is_aborted
