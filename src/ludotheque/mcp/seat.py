"""A seat at a table over its socket: what a browser there is sent, kept word for word."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ludotheque.engine.refused import Refused
from ludotheque.mcp.house import TIMEOUT_S, House, away

MOST_UNREAD = 500  # updates that are kept for one who does not look


class Seat:
    """A guest's place at one table. `unread` are the updates that nobody has looked at yet, but for
    those that are `missed`, since there were too many."""

    def __init__(self, house: House, table: str, language: str) -> None:
        self.house = house
        self.table = table
        self.language = language
        self.unread: deque[str] = deque(maxlen=MOST_UNREAD)
        self.missed = 0
        self.latest: dict[str, Any] = {}  # the last update, with what it left out as it was before
        self._last = ""  # as it came
        self._lines = self._chat = 0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._replies: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._changed = asyncio.Event()
        self._requests = 0
        self._goodbye = ""

    @property
    def match(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.latest.get("match")
        return found

    @property
    def is_awaited(self) -> bool:
        """Whether the table waits for this guest, or for nobody any more."""
        match = self.match
        if match is None:
            return False
        return bool(match["over"] or set(match["awaited"]) & set(self.latest.get("you", ())))

    async def open(self) -> None:
        """Connect, unless it is; a client that returns says what it has had."""
        if self._socket is not None and self._reader is not None and not self._reader.done():
            return
        try:
            self._socket = await connect(
                f"{self.house.socket_address}/api/tables/{self.table}/socket",
                additional_headers={"Authorization": f"Bearer {self.house.token}"},
                max_size=None,
            )
        except (OSError, WebSocketException) as error:
            raise away(self.house.address, error) from None
        self._goodbye = ""
        hello = {"type": "hello", "plain": self.language, "lines": self._lines, "chat": self._chat}
        hello["match"] = self.latest.get("table", {}).get("match", 0) if self._lines else 0
        await self._socket.send(json.dumps(hello))
        self._changed.clear()
        self._reader = asyncio.create_task(self._read(self._socket))
        await self._next_change(TIMEOUT_S)
        if self._goodbye or not self.latest:
            raise Refused(self._goodbye or f"the server at {self.house.address} hung up; try again")

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader
        self._socket = self._reader = None

    async def do(self, command: str, **values: object) -> None:
        """Ask for something at the table; Refused has the server's own reason."""
        await self.open()
        assert self._socket is not None
        self._requests += 1
        name = f"mcp-{id(self):x}-{self._requests}"
        reply = self._replies[name] = asyncio.get_running_loop().create_future()
        request = {"type": "request", "id": name, "command": {"do": command, **values}}
        try:
            await self._socket.send(json.dumps(request))
            answer = await asyncio.wait_for(reply, TIMEOUT_S)
        except (OSError, WebSocketException, TimeoutError) as error:
            raise away(self.house.address, error) from None
        finally:
            del self._replies[name]
        if not answer["done"]:
            raise Refused(answer["error"])

    async def wait(self, seconds: float) -> bool:
        """Wait until the table waits for this guest or the match is over: whether that came."""
        await self.open()
        until = asyncio.get_running_loop().time() + seconds
        while not self.is_awaited:
            left = until - asyncio.get_running_loop().time()
            if left <= 0 or not await self._next_change(left):
                return False
            if self._goodbye:
                raise Refused(self._goodbye)
        return True

    def look(self) -> list[str]:
        """The updates since the last look, word for word; the last one again if there are none."""
        updates = list(self.unread) or [self._last]
        self.unread.clear()
        self.missed = 0
        return updates

    async def _next_change(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        self._changed.clear()
        return True

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                self._take(str(text))
        except (OSError, WebSocketException):
            pass  # the next request connects again
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(OSError("the connection was closed"))
        self._changed.set()

    def _take(self, text: str) -> None:
        message = json.loads(text)
        kind = message["type"]
        if kind == "reply" and message["id"] in self._replies:
            self._replies[message["id"]].set_result(message)
        elif kind == "update":
            self._update(text, message)
        elif kind == "at_door":
            self._goodbye = f"the host of the table has not let you in: {message['reason']}"
        elif kind == "gone":
            self._goodbye = str(message["error"])
        if kind != "reply":
            self._changed.set()

    def _update(self, text: str, message: dict[str, Any]) -> None:
        self.missed += len(self.unread) == self.unread.maxlen
        self.unread.append(text)
        self._last = text
        kept = {key: self.latest[key] for key in ("table", "you", "me") if key in self.latest}
        self.latest = kept | message
        if "table" in message:
            self.latest["you"] = message.get("you", [])
        self._lines = len(message["lines"]) + (0 if message["fresh"] else self._lines)
        self._chat = message["said"]
