"""The one task that orders what happens at a table.

Everything that changes a table goes through its owner's queue: requests, bots' moves, the alarm of
a timed game, newcomers. The owner decides, stores, and only then lets anyone know. Later owners
may live on other machines: whoever reaches a table uses nothing but `ask`, `join` and `part`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from ludotheque.bots import roster
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY
from ludotheque.server import messages
from ludotheque.server.clock import Clock
from ludotheque.server.crew import Crew
from ludotheque.server.events import AnyEvent, Moved, Started
from ludotheque.server.store import Lost, Player, Store, Stored
from ludotheque.server.table import Table
from ludotheque.server.telling import Connection, Snapshot, time_to_alarm

REMEMBERED = 500  # requests of a table that are known if they come again
LONGEST_ID = 40  # characters that a client may give to a request

_Job = Callable[[], Coroutine[Any, Any, None]]


class Owner:
    def __init__(self, table: Table, place: int, store: Store, requests: list[str]) -> None:
        self.table = table
        self.place = place  # events stored so far
        self.store = store
        self.connections: set[Connection] = set()
        self._requests = OrderedDict.fromkeys(requests[-REMEMBERED:])
        self._queue: asyncio.Queue[tuple[_Job, asyncio.Future[None]]] = asyncio.Queue()
        self._clock = Clock(table.match.now if table.match is not None else 0)
        self._crew = Crew(table.match) if table.match is not None else None
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None  # of the move clock, in the event loop's time
        self._clocked = (0, 0)  # the match and the move that the move clock runs for
        self._task = asyncio.create_task(self._run())
        self._look_ahead()

    @classmethod
    async def open(cls, table_id: str, store: Store) -> Owner | None:
        """The owner of a stored table, or None if there is no such table."""
        history = await store.history(table_id)
        if not history:
            return None
        table = Table(table_id)
        for stored in history:
            table.apply(stored.event)
        return cls(table, len(history), store, [s.request for s in history if s.request])

    @property
    def is_alive(self) -> bool:
        return not self._task.done()

    async def close(self) -> None:
        for task in [self._task, *self._thinking.values()]:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        for connection in self.connections:
            connection.show(None)

    # What others call

    async def ask(self, player: Player, request: str, command: messages.AnyCommand) -> None:
        """Carry out a command; Refused says why not. The same request again does nothing more."""
        if len(request) > LONGEST_ID:
            raise Refused(f"a request id has at most {LONGEST_ID} characters, not {len(request)}")
        await self._submit(lambda: self._carry_out(player, f"{player.id} {request}", command))

    async def join(self, connection: Connection, hello: messages.Hello) -> None:
        """Let a client look on from one of its seats, or as a spectator."""

        async def enter() -> None:
            seats = self.table.seats_of(connection.player.id)
            wanted = hello.viewer
            connection.viewer = wanted if wanted in seats else (seats[0] if seats else NOBODY)
            connection.match, connection.lines = hello.match, hello.lines
            connection.chat = hello.chat
            newcomer = connection not in self.connections
            self.connections.add(connection)
            self._publish(None if newcomer else connection)

        await self._submit(enter)

    async def look(self, looker: Connection) -> bytes:
        """The update for somebody who looks once."""
        seen = bytearray()

        async def glance() -> None:
            self.connections.add(looker)
            try:
                seen.extend(self._snapshot().update_for(looker))
            finally:
                self.connections.discard(looker)

        await self._submit(glance)
        return bytes(seen)

    async def answer(self, player: Player, request: messages.Request) -> messages.Reply:
        """Carry out a request and say how it went, with the game's own word for a refused move."""
        try:
            await self.ask(player, request.id, request.command)
        except Refused as error:
            objection = self._objection(player, request.command)
            return messages.Reply(request.id, False, str(error), objection)
        except Lost:
            error_text = "the table could not be stored; nothing has changed, try again"
            return messages.Reply(request.id, False, error_text)
        return messages.Reply(request.id, True)

    def _objection(self, player: Player, command: messages.AnyCommand) -> str:
        match = self.table.match
        if match is None or not isinstance(command, messages.Play):
            return ""
        seats = self.table.seats_of(player.id)
        seat = command.seat if command.seat is not None else (seats[0] if seats else NOBODY)
        move = command.move
        if seat not in seats or not isinstance(move, int) or not 0 <= move < match.game.moves:
            return ""
        return match.game.objections[match.game.objection(match.view(seat), seat, move)]

    async def part(self, connection: Connection) -> None:
        async def exit_() -> None:
            self.connections.discard(connection)
            self._publish()

        await self._submit(exit_)

    async def _submit(self, job: _Job) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._queue.put((job, done))
        await done

    # The task

    async def _run(self) -> None:
        while True:
            job, done = await self._queue.get()
            try:
                await job()
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(None)

    async def _carry_out(self, player: Player, request: str, command: Any) -> None:
        if request in self._requests:
            return
        await self._settle(self.table.decide(command, player, self._now()), request)

    async def _settle(self, events: list[AnyEvent], request: str = "") -> None:
        """Apply, store, tell. A table that cannot be stored is read anew by its next visitor."""
        for event in events:
            if not isinstance(event, Moved):
                self.table.apply(event)
        if any(isinstance(event, Started) for event in events):
            assert self.table.match is not None
            self._clock = Clock()
            self._crew = Crew(self.table.match)
            events += self.table.let_chance_act(self._now())
        if not events:
            return
        try:
            await self.store.append(self.table.id, self.place, [Stored(request, e) for e in events])
        except Lost:
            await self.close()
            raise
        self.place += len(events)
        if request:
            self._requests[request] = None
            if len(self._requests) > REMEMBERED:
                self._requests.popitem(last=False)
        if self._crew is not None:
            self._crew.show()
        self._follow_seats()
        self._look_ahead()
        self._publish()

    def _snapshot(self) -> Snapshot:
        deadline = -1
        if self._deadline is not None:
            deadline = max(0, int((self._deadline - asyncio.get_running_loop().time()) * 1000))
        return Snapshot(self.table, self.place, self.connections, self._now() or 0, deadline)

    def _publish(self, only: Connection | None = None) -> None:
        snapshot = self._snapshot()
        for connection in [only] if only else self.connections:
            connection.show(snapshot)

    def _follow_seats(self) -> None:
        """Whoever has taken or left a seat looks from another place now."""
        for connection in self.connections:
            seats = self.table.seats_of(connection.player.id)
            if connection.viewer not in seats:
                connection.viewer = seats[0] if seats else NOBODY
                connection.lines = 0
                connection.match = -1

    # Time and bots

    def _now(self) -> int | None:
        match = self.table.match
        return self._clock.now() if match is not None and match.game.timed else None

    def _look_ahead(self) -> None:
        """Set the alarm or the move clock, and the bots, for the state there is now."""
        match = self.table.match
        if match is None or match.is_over:
            self._stop_timer()
            return
        if match.game.timed:
            self._stop_timer()
            delay = time_to_alarm(match, self._clock.now())
            if delay >= 0:
                self._wake(delay / 1000, self._strike)
        elif self.table.move_seconds and self._clocked != (self.table.matches, len(match.log)):
            self._stop_timer()
            self._clocked = (self.table.matches, len(match.log))
            self._deadline = asyncio.get_running_loop().time() + self.table.move_seconds
            self._wake(self.table.move_seconds, self._time_out)
        for seat, kind in self.table.bot_seats().items():
            if match.game.awaits(match.state, seat) and seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat, kind))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._deadline = None

    def _wake(self, seconds: float, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, lambda: self._enqueue(job))

    def _enqueue(self, job: _Job) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.add_done_callback(lambda future: future.exception())
        self._queue.put_nowait((job, done))

    async def _strike(self) -> None:
        if self.table.status == "playing":
            await self._settle(self.table.let_chance_act(self._now()))
            self._look_ahead()

    async def _time_out(self) -> None:
        """The move clock has run out: a bot moves for everyone the table still waits for."""
        match = self.table.match
        if match is None or match.is_over:
            return
        for seat in match.awaited():
            view = match.view(seat)
            bot = roster.hire(roster.CHAOTIC, match.game, seat)
            move = bot.choose(view, match.game.legal_moves(view, seat))
            await self._settle(self.table.make(seat, move, self._now()))

    async def _think(self, seat: int, kind: str) -> None:
        """Let a bot choose and make its move; only then may its seat begin to think anew."""
        assert self._crew is not None
        try:
            move = await self._crew.choose(seat, kind)
            with contextlib.suppress(Refused, Lost):
                await self._submit(lambda: self._play_bot(seat, move))
        finally:
            self._thinking.pop(seat, None)
        self._look_ahead()

    async def _play_bot(self, seat: int, move: int) -> None:
        """Make a bot's move, unless the seat has been given back or the move is no longer legal."""
        match = self.table.match
        if match is None or match.is_over or seat not in self.table.bot_seats():
            return
        if not match.game.awaits(match.state, seat):
            return
        if match.game.is_legal(match.state, seat, move):
            await self._settle(self.table.make(seat, move, self._now()))
