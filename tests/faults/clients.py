"""People who play as the page lets them: they come back, and ask again what was not answered."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ludotheque.engine.game import Game
from people import WAIT_TIMEOUT_S, Person

PAUSE_S = (0.03, 0.12)  # before a request: a socket may send 30 messages a second
FIRST_TIMEOUT_S = 0.2  # without an answer, before a client gives up its socket
TIMEOUT_FACTOR = (
    1.7  # times longer each time that was in vain, so that a slow machine comes to an end
)
TALKATIVE = 0.2  # how often a client says something instead of playing
TRIES = 20  # at a move that is not listed

Address = Callable[[], str]


class Told(NamedTuple):
    """An update as its client had it."""

    version: int
    match: int  # which one at the table, 0 without one
    viewer: int
    is_over: bool
    first: int  # the place in the log of the first of the lines
    lines: list[dict[str, Any]]
    said: int
    chat: list[dict[str, Any]]


class Client:
    """One person's page at one table. A host also begins the matches there."""

    def __init__(
        self, person: Person, table: str, game: Game, address: Address, rng: Random
    ) -> None:
        self.person = person
        self.table = table
        self.game = game
        self.asked: dict[str, dict[str, Any]] = {}  # every command so far, by request id
        self.pending: dict[str, dict[str, Any]] = {}  # those that are not answered
        self.done: list[str] = []
        self.refused: list[tuple[str, str]] = []  # with the sentence
        self.told: list[Told] = []
        self.moves = 0  # made, as far as it was told
        self.repeated = 0  # requests that were sent again
        self.longest_wait_s = 0.0  # from a request to its answer
        self._address = address
        self._rng = rng
        self._latest: dict[str, Any] = {}
        self._setting: dict[str, Any] = {}  # what updates leave out if it is as it was
        self._lines = 0
        self._match = 0
        self._heard = 0  # lines of chat
        self._timeout_s = FIRST_TIMEOUT_S
        self._asked_at = 0.0

    @property
    def answers(self) -> int:
        return len(self.done) + len(self.refused)

    async def run(self) -> None:
        """Play, over as many sockets as it takes."""
        while True:
            try:
                await self._visit()
            except TimeoutError:
                self._timeout_s = min(WAIT_TIMEOUT_S, self._timeout_s * TIMEOUT_FACTOR)
            except (OSError, WebSocketException):
                pass  # the connection is lost
            await asyncio.sleep(self._rng.uniform(0.02, 0.2))

    async def _visit(self) -> None:
        url = f"ws://{self._address()}/api/tables/{self.table}/socket"
        headers = {"Authorization": f"Bearer {self.person.token}"}
        async with connect(
            url,
            additional_headers=headers,
            open_timeout=self._timeout_s,
            close_timeout=self._timeout_s,
            ping_interval=None,
        ) as socket:
            self._latest = {}
            await self._stay(socket)

    async def _stay(self, socket: ClientConnection) -> None:
        hello = {"type": "hello", "match": self._match, "lines": self._lines, "chat": self._heard}
        await self._send(socket, hello)
        is_new = True
        while True:
            await self._hear(socket)
            if self._latest and is_new:
                is_new = False
                for id_ in self.pending:
                    self.repeated += 1
                    await self._request(socket, id_)
            if self._latest and not self.pending:
                await self._act(socket)

    async def _hear(self, socket: ClientConnection) -> None:
        """Take the next message. In silence ask whether the server is there, then give it up."""
        try:
            message = await self._receive(socket)
        except TimeoutError:
            await self._send(socket, {"type": "ping"})
            message = await self._receive(socket)
        if message["type"] == "update":
            self._take(message)
        elif message["type"] == "reply":
            self._settle(message)

    async def _receive(self, socket: ClientConnection) -> dict[str, Any]:
        async with asyncio.timeout(self._timeout_s):
            message: dict[str, Any] = json.loads(await socket.recv())
        return message

    async def _send(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        await socket.send(json.dumps(message))

    def _take(self, update: dict[str, Any]) -> None:
        if "table" in update:
            self._setting = {"table": update["table"], "you": update.get("you", [])}
        self._latest = update | self._setting
        match = self._latest["match"]
        first = 0 if update["fresh"] else self._lines
        self._match = self._setting["table"]["match"] if match else 0
        self._lines = first + len(update["lines"])
        self._heard = update["said"]
        self.told.append(
            Told(
                version=update["version"],
                match=self._match,
                viewer=match["viewer"] if match else 0,
                is_over=bool(match and match["over"]),
                first=first,
                lines=update["lines"],
                said=update["said"],
                chat=update["chat"],
            )
        )

    def _settle(self, reply: dict[str, Any]) -> None:
        command = self.pending.pop(reply["id"], None)
        if command is None:
            return  # answered before
        self.longest_wait_s = max(self.longest_wait_s, time.monotonic() - self._asked_at)
        self._timeout_s = FIRST_TIMEOUT_S
        if reply["done"]:
            self.done.append(reply["id"])
            self.moves += command["do"] == "play"
        else:
            self.refused.append((reply["id"], reply["error"]))

    async def _act(self, socket: ClientConnection) -> None:
        """Do what there is to do, after a moment."""
        await asyncio.sleep(self._rng.uniform(*PAUSE_S))
        command = self._wish()
        if command is not None:
            id_ = f"{self.table}-{len(self.asked)}"
            self.asked[id_] = self.pending[id_] = command
            self._asked_at = time.monotonic()
            await self._request(socket, id_)

    async def _request(self, socket: ClientConnection, id_: str) -> None:
        command = self.asked[id_]
        await self._send(socket, {"type": "request", "id": id_, "command": command})

    def _wish(self) -> dict[str, Any] | None:
        table, match = self._latest["table"], self._latest["match"]
        is_host = table["host"] == self.person.id
        if self._rng.random() < TALKATIVE:
            return {"do": "say", "text": f"line {len(self.asked)} of {self.person.id}"}
        if match is None:
            return {"do": "start"} if is_host else None
        if match["over"]:
            return {"do": "again", "same_deal": self._rng.random() < 0.3} if is_host else None
        if match["viewer"] not in match["awaited"]:
            return None
        return {"do": "play", "move": self._move(match), "seat": match["viewer"]}

    def _move(self, match: dict[str, Any]) -> int:
        """A legal move, seldom one that proposes to stop."""
        moves: list[int] = self._unlisted(match) or match["legal"]
        wanted = self._rng.choices(moves, k=3)
        return max(wanted, key=lambda move: self.game.notation(match["viewer"], move) != "stop")

    def _unlisted(self, match: dict[str, Any]) -> list[int]:
        """Some legal moves of those that the game leaves to be tried; half of the time."""
        if not self.game.unlisted_moves or self._rng.random() < 0.5:
            return []
        view = self.game.State.from_json(match["view"])
        tries = [self._rng.randrange(self.game.unlisted_moves) for _ in range(TRIES)]
        return [move for move in tries if self.game.is_legal(view, match["viewer"], move)]
