"""The one place that orders what happens at a table.

Everything that changes a table is a job of its owner: requests, bots' moves, the alarm of a timed
game, newcomers. The owner decides on copies, and only when what was decided is stored it lets
anyone know. Owners may come to live on other machines: the others use nothing but `ask`, `join`
and `part`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import TypeVar

from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.story import Story
from ludotheque.server import messages, requests, warmup
from ludotheque.server.bots import Bots
from ludotheque.server.clock import Clock
from ludotheque.server.decision import Decision, any_move
from ludotheque.server.events import Attempt, Cleared, Moved, Said, Started
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.snapshot import (
    Connection,
    Presence,
    Snapshot,
    Time,
    Told,
    table_info,
    time_to_alarm,
)
from ludotheque.server.store import (
    Batch,
    Ended,
    Lost,
    Player,
    Row,
    Store,
    Stored,
    Unavailable,
    Unreadable,
    row,
)
from ludotheque.server.table import Table
from ludotheque.server.thinkers import Thinkers

UNREAD = "the table could not be read now; try again"
UNSTORED = "the table could not be stored; nothing has changed, try again"
FAILED = "something went wrong on the server and has been logged; nothing has changed"

Answer = Callable[[messages.Reply], object]
_Job = Callable[[], None]
_numbers = count(1)
_T = TypeVar("_T")
log = logging.getLogger(__name__)


class NotYours(Refused):
    """A seat was asked for that somebody else holds."""


class Owner:
    def __init__(
        self, table: Table, history: list[Stored], commits: GroupCommit, thinkers: Thinkers
    ) -> None:
        self.table = table
        self.stored = table  # as it is on disk, which is all that anyone may know
        self.place = len(history)  # events stored so far
        self.connections: set[Connection] = set()
        self.is_alive = True
        self.is_marked_live: bool | None = None  # in storage, as far as it is known
        self.used_at = asyncio.get_running_loop().time()
        self.number = next(_numbers)  # of all owners there have been
        self._commits = commits
        self._thinkers = thinkers
        self._requests = requests.Requests(s.request for s in history if s.request)
        self._jobs: list[_Job] = []
        self._unstored: list[Row] = []
        self._replies: list[tuple[Answer, messages.Reply]] = []
        self._lookers: list[Connection] = []  # to be told though nothing has changed
        self._is_news = False
        self._known_presence: Presence | None = None
        self._story = None if table.match is None else Story(table.match, from_now=True)
        self._clock = Clock(table.match.now if table.match is not None else 0)
        self._bots = self._new_bots()
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._warming: set[str] = set()  # games whose strong bots this table has had to wait for
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None  # of the move clock, in the event loop's time
        self._clocked: frozenset[tuple[int, int, int]] = frozenset()  # for whom the clock runs
        self._ended: list[Ended] = []
        self._look_ahead()

    @classmethod
    async def open(
        cls, table_id: str, store: Store, commits: GroupCommit, thinkers: Thinkers
    ) -> Owner | None:
        """The owner of a stored table, or None if there is no such table."""
        history = await store.history(table_id)
        if not history:
            return None
        # In a thread: a table at which people have played for months takes its time.
        table = await asyncio.to_thread(replayed, table_id, history)
        return cls(table, history, commits, thinkers)

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks on and nothing will happen by itself."""
        busy = self.connections or self._jobs or self._unstored or self._thinking
        return not busy and self._timer is None

    def info(self) -> messages.TableInfo:
        """What everyone may know of the table now."""
        presence = Presence(self.stored, self.connections)
        return table_info(self.stored, presence.guests, presence.nameless)

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

    async def look(self, player: Player | None, seat: int | None) -> bytes:
        """The update for somebody who looks once, with the whole log; `seat` must be theirs."""
        seen: asyncio.Future[Snapshot | None] = asyncio.get_running_loop().create_future()
        looker = Connection(player, partial(_resolve, seen))
        self._enqueue(partial(self._let_look, looker, seat))
        snapshot = await seen
        if snapshot is None:
            raise Unavailable(UNREAD)
        if seat is not None and looker.viewer != seat:
            held = self.stored.seats_of(player)
            raise NotYours(f"you do not hold seat {seat}; you hold {held}")
        return snapshot.update_for(looker)

    async def advise(self, player: Player, seat: int | None) -> list[messages.Hint]:
        """What a master would do in a seat of this player's; everyone is told that they asked."""
        seat = self.stored.held_seat(player, seat)
        if not self.stored.has_hints:
            raise Refused("this table is played without hints", "off")
        match = self.stored.match
        if match is None or match.is_over:
            raise Refused("no match is being played", "over")
        number = self.stored.matches
        advice = await self._bots.advise(match, seat)
        await self._note_hint(seat, number)
        return [
            messages.Hint(move, *match.game.move_words(seat, move), reason, values)
            for move, reason, values in advice
        ]

    async def _note_hint(self, seat: int, number: int) -> None:
        """Let everyone know that this seat was advised, in the match of this number."""
        noted: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()

        def note() -> None:
            answer = partial(_resolve, noted)
            self._replies.append((answer, self._reply("", lambda: self._hint(seat, number))))

        self._enqueue(note)
        reply = await noted
        if not reply.done:
            raise (
                Unavailable(reply.error)
                if reply.error == UNSTORED
                else Refused(reply.error, "over")
            )

    def _hint(self, seat: int, number: int) -> None:
        if number != self.table.matches:
            raise Refused("the match that was asked about is over")
        decision = Decision(self.table, self._now())
        decision.note_hint(seat)
        self._take_over(decision)

    # One round: work, then tell when it is stored

    def work(self) -> Batch:
        """Do the jobs there are; what has happened at the table is to be stored."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            try:
                job()
            except Refused:
                continue  # a bot or an alarm that came too late
            except Exception:
                log.exception("table %s: a job failed, and changed nothing", self.table.id)
        return Batch(self.table.id, self._unstored, self._new_mark(), tuple(self._ended))

    def tell(self, lost: Lost | None) -> None:
        """Let everyone know. A table that was not stored is read again for the next visitor.

        Those who asked are answered before their connections end.
        """
        stored, self._unstored, self._ended = self._unstored, [], []
        self.place += len(stored)
        self.is_alive = self.is_alive and lost is None
        self._answer_all(lost is not None)
        if self.is_alive:
            self.stored = self.table
            self._look_ahead()
            self._publish()
        else:
            self.close()

    def _answer_all(self, is_lost: bool) -> None:
        replies, self._replies = self._replies, []
        for answer, reply in replies:
            try:
                answer(messages.Reply(reply.id, False, UNSTORED) if is_lost else reply)
            except Exception:  # a connection that fails must not keep the others waiting
                log.exception("table %s: an answer could not be given", self.table.id)

    def _enqueue(self, job: _Job) -> None:
        self._jobs.append(job)
        self._commits.call(self)

    def _carry_out(self, player: Player, request: messages.Request, answer: Answer) -> None:
        reply = self._reply(request.id, lambda: self._decide(player, request))
        self._replies.append((answer, reply))

    def _reply(self, id_: str, job: _Job) -> messages.Reply:
        """Do this, and say how it went."""
        if not self.is_alive:
            return messages.Reply(id_, False, UNSTORED)
        try:
            job()
        except Refused as error:
            return messages.Reply(id_, False, str(error), error.reason)
        except Exception:
            log.exception("table %s: a request failed, and changed nothing", self.table.id)
            return messages.Reply(id_, False, FAILED)
        return messages.Reply(id_, True)

    def _decide(self, player: Player, request: messages.Request) -> None:
        text = requests.text_of(player, request)
        if self._requests.is_known(text):
            return
        decision = Decision(self.table, self._now())
        decision.carry_out(request.command, player)
        self._take_over(decision, text)
        self._requests.remember(text)

    def _let_look(self, looker: Connection, seat: int | None) -> None:
        looker.viewer = self.table.viewer_for(looker.player, seat)
        self._lookers.append(looker)

    def _let_in(self, connection: Connection, hello: messages.Hello) -> None:
        connection.viewer = self.table.viewer_for(connection.player, hello.viewer)
        connection.greet(hello)
        if connection in self.connections:
            self._lookers.append(connection)
            return
        self.connections.add(connection)
        self._change_presence()

    def _let_out(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._change_presence()

    def _take_over(self, decision: Decision, request: str = "") -> None:
        """Make what was decided the state of the table, and keep it to be stored."""
        if not decision.events or not self.is_alive:
            return
        place = self.place + len(self._unstored)
        rows = [
            row(self.table.id, place + i, Stored(request, event))
            for i, event in enumerate(decision.events)
        ]
        before, self.table = self.table, decision.table
        self._unstored += rows
        self._is_news = True
        if any(not isinstance(event, Moved | Said) for event in decision.events):
            self._change_presence()
        if any(isinstance(event, Started | Cleared) for event in decision.events):
            self._begin_match()
        if self.table.results is not before.results:
            self._ended.append(_ended(self.table))
        if self.table.match is not None:
            self._bots.show(self.table.match)

    def _begin_match(self) -> None:
        self._clock = Clock()
        self._story = None if self.table.match is None else Story(self.table.match)
        self._bots = self._new_bots()
        for task in self._thinking.values():
            task.cancel()
        self._thinking = {}

    def _change_presence(self) -> None:
        """Somebody has come or gone, or the table is set in another way."""
        self._known_presence = None
        self._is_news = True

    # Telling

    def _publish(self) -> None:
        """Show everyone what is new, and those who only asked for it what there is."""
        lookers, self._lookers = self._lookers, []
        if self._is_news:
            self._is_news = False
            lookers = [looker for looker in lookers if looker not in self.connections]
            snapshot = self._snapshot(self._presence(), self.connections, self._told())
            for connection in self.connections:
                connection.show(snapshot)
        for looker in lookers:
            presence = Presence(self.table, {*self.connections, looker})
            looker.show(self._snapshot(presence, [looker]))

    def _told(self) -> Told | None:
        """What those who look on are told of the moves that they have not had."""
        match = self.table.match
        if match is None or self._story is None:
            return None
        viewers = {connection.viewer for connection in self.connections}
        return Told(self._story.place, self._story.go_on(match, viewers))

    def _snapshot(
        self, presence: Presence, connections: Iterable[Connection], told: Told | None = None
    ) -> Snapshot:
        deadline = -1
        if self._deadline is not None:
            deadline = max(0, int((self._deadline - asyncio.get_running_loop().time()) * 1000))
        looks = {(connection.viewer, connection.plain) for connection in connections}
        time = Time(self._now() or 0, deadline)
        return Snapshot(self.table, self.place, presence, looks, time, told)

    def _presence(self) -> Presence:
        if self._known_presence is None:
            self._follow_seats()
            self._known_presence = Presence(self.table, self.connections)
            self._wait_for_strong_bots()
        return self._known_presence

    def _wait_for_strong_bots(self) -> None:
        """While weaker bots stand in the table says so; tell everyone when that is over."""
        game = self.table.game
        if game.slug not in self._warming and any(
            warmup.stand_in(game, level) != level for level in self.table.bot_seats().values()
        ):
            self._warming.add(game.slug)
            warmup.when_warm(game, partial(self._enqueue, self._change_presence))

    def _follow_seats(self) -> None:
        """A client whose player has taken or left a seat looks from another place now."""
        for connection in self.connections:
            viewer = self.table.viewer_for(connection.player, connection.viewer)
            if viewer != connection.viewer:
                connection.viewer, connection.lines, connection.match = viewer, 0, -1

    def _send_away(self) -> None:
        for connection in (*self.connections, *self._lookers):
            connection.show(None)
        self.connections.clear()
        self._lookers.clear()

    # Time and bots

    def _new_bots(self) -> Bots:
        return Bots(self._thinkers, self.table.host, self.table.id)

    def _now(self) -> int | None:
        match = self.table.match
        return self._clock.now() if match is not None and match.game.timed else None

    def _new_mark(self) -> bool | None:
        """What storage is to know: whether something happens here without anybody asking."""
        is_live = self._is_due()
        if is_live and self.is_marked_live is not True:
            self.is_marked_live = True
            return True
        if self.is_marked_live and self.table.status == "over":
            self.is_marked_live = False
            return False
        return None

    def _is_due(self) -> bool:
        match = self.table.match
        if match is None or match.is_over:
            return False
        if match.game.timed and match.game.alarm(match.state) >= 0:
            return True
        bots = self._presence().bots
        return self.table.move_seconds > 0 or any(
            match.game.awaits(match.state, seat) for seat in bots
        )

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
                self._wake(delay / 1000, Decision.let_chance_act)
        elif self.table.move_seconds:
            self._run_move_clock()
        for seat, level in self._presence().bots.items():
            if match.game.awaits(match.state, seat) and seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(match, seat, level))

    def _run_move_clock(self) -> None:
        """Start the clock when somebody is awaited for whom it does not run yet."""
        turns = frozenset(self._turns())
        if self._timer is None or not turns <= self._clocked:
            self._stop_timer()
            self._deadline = asyncio.get_running_loop().time() + self.table.move_seconds
            self._wake(self.table.move_seconds, Decision.play_for_the_late)
        self._clocked = turns

    def _turns(self) -> Iterator[tuple[int, int, int]]:
        """The match, each seat that is awaited, and how often that seat has moved."""
        match = self.table.match
        assert match is not None
        for seat in match.awaited():
            yield self.table.matches, seat, sum(entry.seat == seat for entry in match.log)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._deadline = None

    def _wake(self, seconds: float, act: Callable[[Decision], None]) -> None:
        """After this time let the table act by itself, if a match is still being played."""

        def strike() -> None:
            self._timer = None
            self._enqueue(partial(self._act, act))

        self._timer = asyncio.get_running_loop().call_later(seconds, strike)

    def _act(self, act: Callable[[Decision], None]) -> None:
        decision = Decision(self.table, self._now())
        act(decision)
        self._take_over(decision)

    async def _think(self, match: Match, seat: int, level: str) -> None:
        """Let a bot choose its move; only when it is made may its seat think again."""
        turn = _turn(self.table, seat)
        try:
            move = await self._bots.choose(match, seat, level)
        except Exception:  # a table must not stand still because a bot has failed
            log.exception("table %s: the bot in seat %d failed", self.table.id, seat)
            move = any_move(match, seat)
        self._enqueue(partial(self._play_bot, seat, move, turn))

    def _play_bot(self, seat: int, move: int, turn: tuple[int, int]) -> None:
        """Make a bot's move, unless it comes too late: then the bot thinks again."""
        self._thinking.pop(seat, None)
        if _turn(self.table, seat) != turn:
            return
        match = self.table.match
        if match is None or match.is_over or seat not in self.table.bot_seats():
            return
        if match.game.awaits(match.state, seat) and match.game.is_legal(match.state, seat, move):
            self._act(lambda decision: decision.play(seat, move))


def replayed(table_id: str, history: Iterable[Stored]) -> Table:
    """The table that these events make; Unreadable names the first one that does not fit."""
    table = Table(table_id)
    for place, stored in enumerate(history):
        try:
            table.apply(stored.event)
        except Exception as error:
            raise Unreadable(f"event {place} of table {table_id} does not fit: {error}") from error
    return table


def _turn(table: Table, seat: int) -> tuple[int, int]:
    """Which match it is, and how often this seat has moved in it."""
    log_ = table.match.log if table.match is not None else []
    return table.matches, sum(entry.seat == seat for entry in log_)


def _ended(table: Table) -> Ended:
    last = table.results[-1]
    return Ended(last.deal, table.matches, Attempt(last.names, last.scores))


def _resolve(future: asyncio.Future[_T], value: _T) -> None:
    if not future.done():  # nobody waits any more if the request was given up
        future.set_result(value)
