"""Connections admitted, counted and bounded, before anything that they say reaches the app."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Protocol, cast

import httptools
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState

from ludotheque.server import limits
from ludotheque.server.counts import counts
from ludotheque.server.guard import HEADERS
from ludotheque.server.proxies import Proxies

EVICTED = 64  # at most, when the server is full: looking for them costs more than ending them

ADDRESS_IS_FULL = "too many connections from your address; close some, or wait a minute"
SERVER_IS_FULL = "the server has no more room; try again in a minute"
LARGE_HEADERS = (
    f"the path and the headers have at most {limits.LARGEST_HEADERS_BYTES} bytes "
    f"and {limits.MOST_HEADERS} lines"
)
LARGE_BODY = f"a body has at most {limits.LARGEST_BODY_BYTES} bytes"
SLOW_HEADERS = f"the headers did not come within {limits.HEADERS_TIMEOUT_S:g} seconds"
SLOW_BODY = f"the body did not come within {limits.BODY_TIMEOUT_S:g} seconds"
MANY_CHUNKS = f"a body has at most {limits.MOST_CHUNKS} chunks"
MANY_PIPELINED = f"at most {limits.MOST_PIPELINED} requests may wait for the answer to the first"
NO_HTTP = "this is not HTTP/1.1"


class Connection(Protocol):
    @property
    def is_idle(self) -> bool:
        """Whether nothing is lost if it ends: no request is under way, nobody is at a table."""

    def drop(self) -> None:
        """End it at once."""


class Connections:
    """All connections by address. When the server is full, idle ones of the busiest go first."""

    def __init__(
        self,
        proxies: Proxies,
        most: int = limits.CONNECTIONS,
        per_address: int = limits.CONNECTIONS_PER_ADDRESS,
    ) -> None:
        self.proxies = proxies
        self.most = most
        self.per_address = per_address
        self._addresses: dict[Connection, str] = {}
        self._connections: dict[str, dict[Connection, None]] = {}  # the oldest first

    def __len__(self) -> int:
        """How many there are now."""
        return len(self._addresses)

    def of(self, address: str) -> int:
        """How many this address has now."""
        return len(self._connections.get(limits.home(address), ()))

    def admit(self, connection: Connection, address: str) -> str:
        """Take it in; otherwise say why not. A proxy may have as many as there are."""
        if self.of(address) >= self.per_address and not self.proxies.trusts(address):
            counts.refuse("connection", "address_is_full")
            return ADDRESS_IS_FULL
        if len(self) >= self.most:
            self._make_room()
        if len(self) >= self.most:
            counts.refuse("connection", "server_is_full")
            return SERVER_IS_FULL
        self._add(connection, address)
        return ""

    def discard(self, connection: Connection) -> None:
        address = self._addresses.pop(connection, None)
        if address is not None:
            del self._connections[address][connection]
            if not self._connections[address]:
                del self._connections[address]

    def _add(self, connection: Connection, address: str) -> None:
        address = limits.home(address)
        self._addresses[connection] = address
        self._connections.setdefault(address, {})[connection] = None

    def _make_room(self) -> None:
        for connections in sorted(self._connections.values(), key=len, reverse=True):
            idle = [connection for connection in connections if connection.is_idle][:EVICTED]
            for connection in idle:
                counts.refuse("connection", "evicted")
                self.discard(connection)
                connection.drop()
            if idle:
                return


class HttpConnection(HttpToolsProtocol):
    """uvicorn's protocol with limits for what it would wait for, and keep, without end."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._all: Connections = app_state["services"].connections
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._is_refused = False
        self._is_in_headers = True
        self._is_in_body = False
        self._header_bytes = 0
        self._body_bytes = 0
        self._chunks = 0
        self._refusal = (400, NO_HTTP, "not_http")

    @property
    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        self._set_timer(None)
        self.transport.abort()

    # What the event loop calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        refusal = self._all.admit(self, self.client[0] if self.client else "")
        if refusal:
            self._is_refused = True
            transport.write(_answer(503, refusal))
            transport.close()
        else:
            self._set_timer(limits.HEADERS_TIMEOUT_S, 408, SLOW_HEADERS, "slow_headers")

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_timer(None)
        if self._reading is not None:
            self._reading.cancel()
        self._all.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        was_in_headers, was_in_body = self._is_in_headers, self._is_in_body
        self._header_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self._set_timer(None)
                self._all.discard(self)  # the socket is admitted when it is known for whom
                self.handle_websocket_upgrade()
                self.parser = None  # type: ignore[assignment]  # it refers to this one
                return
        except httptools.HttpParserError:
            self._refuse(*self._refusal)
            return
        if self._is_in_headers and self._header_bytes > limits.LARGEST_HEADERS_BYTES:
            self._refuse(431, LARGE_HEADERS, "large_headers")
        elif self._is_in_headers and not was_in_headers:
            self._set_timer(limits.HEADERS_TIMEOUT_S, 408, SLOW_HEADERS, "slow_headers")
        elif self._is_in_body and not was_in_body:
            self._set_timer(limits.BODY_TIMEOUT_S, 408, SLOW_BODY, "slow_body")
        elif not self._is_in_headers and not self._is_in_body:
            self._go_on()

    def _go_on(self) -> None:
        """A request is complete; or, after an answer, came nothing but ends of lines."""
        if not self.is_idle:
            self._set_timer(None)
        elif self._timer is None:
            self._set_timer(limits.HEADERS_TIMEOUT_S, 408, SLOW_HEADERS, "slow_headers")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(limits.READING_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()

    # What the parser calls. An error here ends the connection with what _refusal says.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_headers, self._is_in_body = True, False
        self._body_bytes = self._chunks = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._expect(len(self.url) <= limits.LARGEST_HEADERS_BYTES, 431, LARGE_HEADERS)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._expect(len(self.headers) <= limits.MOST_HEADERS, 431, LARGE_HEADERS)
        if name.lower() == b"content-length":
            self._expect(_is_small(value), 413, LARGE_BODY)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        self._expect(size <= limits.LARGEST_HEADERS_BYTES, 431, LARGE_HEADERS)
        self._expect(len(self.pipeline) < limits.MOST_PIPELINED, 429, MANY_PIPELINED)
        self._is_in_headers, self._is_in_body = False, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        self._expect(self._body_bytes <= limits.LARGEST_BODY_BYTES, 413, LARGE_BODY)
        super().on_body(body)

    def on_chunk_header(self) -> None:
        self._chunks += 1
        self._expect(self._chunks <= limits.MOST_CHUNKS, 413, MANY_CHUNKS)

    def on_message_complete(self) -> None:
        self._is_in_body = False
        self._header_bytes = 0
        super().on_message_complete()

    def _expect(self, is_right: bool, status: int, error: str) -> None:
        if not is_right:
            kind = {413: "large_body", 431: "large_headers", 429: "pipelined"}[status]
            self._refusal = (status, error, kind)
            raise ValueError(error)

    # Ending it

    def _set_timer(
        self, seconds: float | None, status: int = 0, error: str = "", kind: str = ""
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._refuse, status, error, kind)

    def _refuse(self, status: int, error: str, kind: str) -> None:
        """Answer with a sentence where one is due, and end the connection.

        What still comes is read for a moment and thrown away: a connection that is closed with
        unread data is reset, and the client might not see why.
        """
        counts.refuse("connection", kind)
        self._is_refused = True
        self._set_timer(None)
        if self.transport.is_closing():
            return
        if not self._owes_an_answer():
            self.transport.abort()
            return
        self._give_up_cycle()
        self.transport.write(_answer(status, error))
        self.transport.write_eof()
        self.loop.call_later(limits.LINGER_S, self.transport.abort)

    def _owes_an_answer(self) -> bool:
        """Whether a request has begun to come, and no answer is under way."""
        if self.pipeline or self._header_bytes == 0:
            return False
        return not self.cycle.response_started if self._is_in_body else self.is_idle

    def _give_up_cycle(self) -> None:
        """To the app it looks as if the client had gone."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()


def peer_of(transport: asyncio.BaseTransport) -> str:
    """The address at the other end; "" if it has gone already."""
    address = get_remote_addr(cast(asyncio.Transport, transport))
    return address[0] if address else ""


def _is_small(length: bytes) -> bool:
    return length.isdigit() and len(length) <= 10 and int(length) <= limits.LARGEST_BODY_BYTES


def _answer(status: int, error: str) -> bytes:
    body = json.dumps({"error": error}).encode()
    lines = {
        **HEADERS,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    if status in (429, 503):
        lines["Retry-After"] = "60"
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return STATUS_LINE[status] + head.encode() + b"\r\n" + body
