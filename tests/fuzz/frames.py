"""Bytes that a client sends to a table's socket, which the server's own protocol takes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from uvicorn import Config
from uvicorn.server import ServerState

from ludotheque.server.sockets import TableSocket

PATIENCE = 50  # looks, a millisecond apart, at whether the client was shown the table
HANDSHAKE = (
    "GET /api/tables/{table}/socket HTTP/1.1\r\nHost: fuzz\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {token}\r\n\r\n"
)


class Wire(asyncio.Transport):
    """A transport that leads nowhere."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.written = b""
        self._is_closed = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        self._is_closed = True

    abort = close

    def pause_reading(self) -> None:
        """Nothing is read anyway."""

    resume_reading = pause_reading


async def take_frames(services: Any, address: str, handshake: bytes, data: bytes) -> bytes:
    """Connect, send this and go; what the server has said."""
    wire = Wire(address)
    state = cast(ServerState, SimpleNamespace(connections=set()))
    socket = TableSocket(cast(Config, None), state, {"services": services})
    socket.connection_made(wire)
    socket.data_received(handshake)
    socket.data_received(data)
    for _ in range(PATIENCE):
        if wire.is_closing() or b'"type":"update"' in wire.written or not data:
            break
        await asyncio.sleep(0.001)
    socket.connection_lost(None)
    await asyncio.sleep(0)
    return wire.written


def serialized(frame: Any) -> bytes:
    """A frame as [first byte, text], masked; anything else as it would be written."""
    if not (isinstance(frame, list) and len(frame) == 2 and isinstance(frame[0], int)):
        return str(frame).encode("utf-8", "surrogatepass")
    first, text = frame
    payload = str(text).encode("utf-8", "surrogatepass")
    if len(payload) < 126:
        length = bytes([0x80 | len(payload)])
    elif len(payload) < 65536:
        length = b"\xfe" + len(payload).to_bytes(2, "big")
    else:
        length = b"\xff" + len(payload).to_bytes(8, "big")
    return bytes([first & 0xFF]) + length + b"\0\0\0\0" + payload
