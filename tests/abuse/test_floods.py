"""Sockets that say too much, in words or without any."""

from __future__ import annotations

import json

import pytest
from websockets.frames import Frame, Opcode

from abuse.attackers import NEIGHBOUR, RawSocket, opened_table, send_without_end
from ludotheque.server import limits
from ludotheque.server.sockets import TOO_FAST
from people import Server

MB = 1024 * 1024
TOO_FAST_GONE = {"type": "gone", "error": TOO_FAST, "reason": "too_often"}


def frame(opcode: Opcode, data: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


FLOODS = {
    "pongs": frame(Opcode.PONG) * 1000,
    "pings": frame(Opcode.PING, b"x" * 100) * 100,
    "empty fragments": frame(Opcode.TEXT, b"", fin=False) + frame(Opcode.CONT, fin=False) * 1000,
    "messages": frame(Opcode.TEXT, b'{"type": "ping"}') * 100,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_who_floods_is_told_so_and_dropped(server: Server, flood: bytes) -> None:
    _, table = opened_table(server)
    attacker = RawSocket(server, table)
    attacker.hello()
    attacker.wire.sendall(flood)
    assert attacker.goodbye() == (TOO_FAST_GONE, 1008)


def test_bytes_count_though_they_are_few_messages(server: Server) -> None:
    _, table = opened_table(server)
    attacker = RawSocket(server, table)
    attacker.hello()
    blank = b'{"type": "ping"' + b" " * (limits.LARGEST_MESSAGE_BYTES - 16) + b"}"
    attacker.wire.sendall(frame(Opcode.TEXT, blank) * 12)
    assert attacker.goodbye() == (TOO_FAST_GONE, 1008)


def test_one_message_of_the_largest_size_is_heard(server: Server) -> None:
    _, table = opened_table(server)
    client = RawSocket(server, table)
    client.hello()
    blank = b'{"type": "ping"' + b" " * (limits.LARGEST_MESSAGE_BYTES - 16) + b"}"
    client.send(Opcode.TEXT, blank)
    assert client.message() == {"type": "pong"}


def test_seven_megabytes_of_pongs_are_not_read(server: Server) -> None:
    """The server stops reading, so most of them never leave the attacker; a neighbour plays on."""
    host, table = opened_table(server)
    neighbour = RawSocket(server, table, host.token, NEIGHBOUR)
    neighbour.hello()
    attacker = RawSocket(server, table)
    attacker.hello()
    sent = send_without_end(attacker.wire, frame(Opcode.PONG) * 10_000, 64 * MB)
    assert sent < 64 * MB
    neighbour.send(Opcode.TEXT, json.dumps({"type": "ping"}).encode())
    while neighbour.message() != {"type": "pong"}:
        pass
