"""The one place that orders what happens at a table.

Everything that changes a table is a job of its owner: requests, bots' moves, the alarm of a timed
game, newcomers. At a beat the owner does its jobs, and only when what came of them is stored it
lets anyone know. Later owners may live on other machines: whoever reaches a table uses nothing but
`ask`, `join` and `part`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from ludotheque.bots import roster
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY
from ludotheque.server import messages
from ludotheque.server.beat import Beat
from ludotheque.server.clock import Clock
from ludotheque.server.crew import Crew, NoAdvice
from ludotheque.server.events import AnyEvent, Moved, Said, Started
from ludotheque.server.store import Lost, Player, Row, Store, Stored, row
from ludotheque.server.table import Table
from ludotheque.server.telling import Company, Connection, Snapshot, time_to_alarm

REMEMBERED = 500  # requests of a table, at least, that are known if they come again
LONGEST_ID = 40  # characters that a client may give to a request
UNSTORED = "the table could not be stored; nothing has changed, try again"

Answer = Callable[[messages.Reply], object]
_Job = Callable[[], None]
_T = TypeVar("_T")


class Owner:
    def __init__(self, table: Table, place: int, beat: Beat, requests: list[str]) -> None:
        self.table = table
        self.place = place  # events stored so far
        self.connections: set[Connection] = set()
        self.is_alive = True
        self._beat = beat
        self._jobs: list[_Job] = []
        self._unstored: list[Row] = []
        self._replies: list[tuple[Answer, messages.Reply]] = []
        self._lookers: list[Connection] = []  # who is to be told though nothing has changed
        self._is_news = False
        self._requests = dict.fromkeys(requests[-REMEMBERED:])
        self._known_company: Company | None = None
        self._clock = Clock(table.match.now if table.match is not None else 0)
        self._crew = Crew(table.match) if table.match is not None else None
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None  # of the move clock, in the event loop's time
        self._clocked = (0, 0)  # the match and the move that the move clock runs for
        self._look_ahead()

    @classmethod
    async def open(cls, table_id: str, store: Store, beat: Beat) -> Owner | None:
        """The owner of a stored table, or None if there is no such table."""
        history = await store.history(table_id)
        if not history:
            return None
        table = Table(table_id)
        for stored in history:
            table.apply(stored.event)
        return cls(table, len(history), beat, [s.request for s in history if s.request])

    @property
    def stored_match(self) -> Match | None:
        """The match, unless it has come to where nobody may know of it yet."""
        return None if self._unstored else self.table.match

    def close(self) -> None:
        self.is_alive = False
        for task in self._thinking.values():
            task.cancel()
        self._stop_timer()
        self._send_away()

    # What others call

    def ask(self, player: Player, request: messages.Request, answer: Answer) -> None:
        """Carry out a request, and answer it when that is stored.

        The same request again does nothing more. A reply that refuses a move carries the game's
        own word for why.
        """
        self._enqueue(partial(self._carry_out, player, request, answer))

    def join(self, connection: Connection, hello: messages.Hello) -> None:
        """Let a client look on from one of its seats, or as a spectator."""
        self._enqueue(partial(self._let_in, connection, hello))

    def part(self, connection: Connection) -> None:
        self._enqueue(partial(self._let_out, connection))

    # What others on the same machine call

    async def answer(self, player: Player, request: messages.Request) -> messages.Reply:
        """Ask, and wait for the reply."""
        reply: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()
        self.ask(player, request, partial(_resolve, reply))
        return await reply

    async def look(self, player: Player, viewer: int) -> bytes:
        """The update for somebody who looks once, with the whole log."""
        seen: asyncio.Future[Snapshot | None] = asyncio.get_running_loop().create_future()
        looker = Connection(player, partial(_resolve, seen))
        looker.viewer = viewer
        self._enqueue(partial(self._let_look, looker))
        snapshot = await seen
        if snapshot is None:
            raise Refused(UNSTORED)
        return snapshot.update_for(looker)

    async def advise(self, player: Player, seat: int | None) -> list[messages.Hint]:
        """What a master would do in one of this player's seats."""
        seats = self.table.seats_of(player.id)
        seat = seats[0] if seat is None and seats else seat
        if seat not in seats:
            raise Refused(f"you do not hold seat {seat}" if seats else "you hold no seat here")
        if not self.table.has_hints:
            raise NoAdvice("off", "this table is played without hints")
        match = self.stored_match
        if match is None or match.is_over or self._crew is None:
            raise NoAdvice("over", "no match is being played")
        return [
            messages.Hint(move, *match.game.move_words(seat, move), reason, values)
            for move, reason, values in await self._crew.advise(seat)
        ]

    # At a beat

    def work(self) -> list[Row]:
        """Do the jobs there are; what has happened at the table is to be stored."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            try:
                job()
            except Refused:
                continue  # a bot or an alarm that came too late
            except Exception:
                logging.getLogger(__name__).exception("table %s failed", self.table.id)
                self.close()  # whatever it did by halves is not stored
                self._unstored = []
        return self._unstored

    def tell(self, lost: Lost | None) -> None:
        """Let everyone know. A table that could not be stored is read anew by its next visitor."""
        stored, self._unstored = self._unstored, []
        self.place += len(stored)
        if lost is not None:
            self.close()
        if self.is_alive:
            self._look_ahead()
            self._publish()
        else:
            self._send_away()
        replies, self._replies = self._replies, []
        for answer, reply in replies:
            answer(reply if self.is_alive else messages.Reply(reply.id, False, UNSTORED))

    def _enqueue(self, job: _Job) -> None:
        self._jobs.append(job)
        self._beat.call(self)

    def _carry_out(self, player: Player, request: messages.Request, answer: Answer) -> None:
        try:
            self._decide(player, request)
        except Refused as error:
            objection = self._objection(player, request.command)
            reply = messages.Reply(request.id, False, str(error), objection)
        else:
            reply = messages.Reply(request.id, True)
        self._replies.append((answer, reply))

    def _decide(self, player: Player, request: messages.Request) -> None:
        if len(request.id) > LONGEST_ID:
            found = len(request.id)
            raise Refused(f"a request id has at most {LONGEST_ID} characters, not {found}")
        key = f"{player.id} {request.id}"
        if key in self._requests or not self.is_alive:
            return
        self._settle(self.table.decide(request.command, player, self._now()), key)
        self._requests[key] = None
        if len(self._requests) > 2 * REMEMBERED:
            self._requests = dict.fromkeys(list(self._requests)[REMEMBERED:])

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

    def _let_in(self, connection: Connection, hello: messages.Hello) -> None:
        seats = self.table.seats_of(connection.player.id)
        wanted = hello.viewer
        connection.viewer = wanted if wanted in seats else (seats[0] if seats else NOBODY)
        connection.match, connection.lines, connection.chat = hello.match, hello.lines, hello.chat
        if connection in self.connections:
            self._lookers.append(connection)
            return
        self.connections.add(connection)
        self._change_company()

    def _let_out(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._change_company()

    def _let_look(self, looker: Connection) -> None:
        self._lookers.append(looker)

    def _settle(self, events: list[AnyEvent], request: str = "") -> None:
        """Apply what has happened, and keep it to be stored."""
        for event in events:
            if not isinstance(event, Moved):
                self.table.apply(event)
                if not isinstance(event, Said):
                    self._change_company()
        if events and isinstance(events[-1], Started):
            assert self.table.match is not None
            self._clock = Clock()
            self._crew = Crew(self.table.match)
            events += self.table.let_chance_act(self._now())
        if not events or not self.is_alive:
            return
        place = self.place + len(self._unstored)
        self._unstored += [
            row(self.table.id, place + i, Stored(request, event)) for i, event in enumerate(events)
        ]
        self._is_news = True
        if self._crew is not None:
            self._crew.show()

    def _change_company(self) -> None:
        """Somebody has come or gone, or the table is set anew."""
        self._known_company = None
        self._is_news = True

    # Telling

    def _publish(self) -> None:
        """Show everyone what is new, and those who only asked for it what there is."""
        lookers, self._lookers = self._lookers, []
        if self._is_news:
            self._is_news = False
            lookers = [looker for looker in lookers if looker not in self.connections]
            snapshot = self._snapshot(self._company(), self.connections)
            for connection in self.connections:
                connection.show(snapshot)
        for looker in lookers:
            company = Company(self.table, {*self.connections, looker})
            looker.show(self._snapshot(company, [looker]))

    def _snapshot(self, company: Company, connections: Iterable[Connection]) -> Snapshot:
        deadline = -1
        if self._deadline is not None:
            deadline = max(0, int((self._deadline - asyncio.get_running_loop().time()) * 1000))
        viewers = {connection.viewer for connection in connections}
        return Snapshot(self.table, self.place, company, viewers, self._now() or 0, deadline)

    def _company(self) -> Company:
        if self._known_company is None:
            self._follow_seats()
            self._known_company = Company(self.table, self.connections)
        return self._known_company

    def _follow_seats(self) -> None:
        """Whoever has taken or left a seat looks from another place now."""
        for connection in self.connections:
            seats = self.table.seats_of(connection.player.id)
            if connection.viewer not in seats:
                connection.viewer = seats[0] if seats else NOBODY
                connection.lines = 0
                connection.match = -1

    def _send_away(self) -> None:
        for connection in (*self.connections, *self._lookers):
            connection.show(None)
        self.connections.clear()
        self._lookers.clear()

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
        for seat, kind in self._company().bots.items():
            if match.game.awaits(match.state, seat) and seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat, kind))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._deadline = None

    def _wake(self, seconds: float, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, lambda: self._enqueue(job))

    def _strike(self) -> None:
        if self.table.status == "playing":
            self._settle(self.table.let_chance_act(self._now()))

    def _time_out(self) -> None:
        """The move clock has run out: a bot moves for everyone the table still waits for."""
        match = self.table.match
        if match is None or match.is_over:
            return
        for seat in match.awaited():
            view = match.view(seat)
            bot = roster.hire(roster.CHAOTIC, match.game, seat)
            move = bot.choose(view, match.game.legal_moves(view, seat))
            self._settle(self.table.make(seat, move, self._now()))

    async def _think(self, seat: int, kind: str) -> None:
        """Let a bot choose its move; only when it is made may its seat begin to think anew."""
        assert self._crew is not None
        try:
            move = await self._crew.choose(seat, kind)
        except BaseException:
            self._thinking.pop(seat, None)
            raise
        self._enqueue(partial(self._play_bot, seat, move))

    def _play_bot(self, seat: int, move: int) -> None:
        """Make a bot's move, unless the seat has been given back or the move is no longer legal."""
        self._thinking.pop(seat, None)
        match = self.table.match
        if match is None or match.is_over or seat not in self.table.bot_seats():
            return
        if not match.game.awaits(match.state, seat):
            return
        if match.game.is_legal(match.state, seat, move):
            self._settle(self.table.make(seat, move, self._now()))


def _resolve(future: asyncio.Future[_T], value: _T) -> None:
    if not future.done():  # nobody waits any more if the request was given up
        future.set_result(value)
