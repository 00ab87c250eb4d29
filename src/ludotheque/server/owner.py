"""The one place that orders what happens at a table.

Everything that changes a table is a job of its owner: requests, bots' moves, alarms, and clients
that come and go. The owner makes decisions on copies, and tells nobody of them before they are
stored. The rest of the server uses what `AnyOwner` has, so that owners can be on other machines.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakMethod

from ludotheque.engine.refused import Refused
from ludotheque.server import clock, logs, messages, requests
from ludotheque.server.absences import Absences
from ludotheque.server.audience import Audience
from ludotheque.server.autoplay import Act, Autoplay, Clocks
from ludotheque.server.counts import counts
from ludotheque.server.decision import Decision
from ludotheque.server.events import Cleared, Moved, Said, Started
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.manners import ChatPace
from ludotheque.server.player import Player
from ludotheque.server.questions import NotAdmitted, NotYours, Question
from ludotheque.server.snapshot import Connection, Snapshot
from ludotheque.server.store import Store, Stored, Unavailable, Unreadable
from ludotheque.server.table import Table
from ludotheque.server.table_info import my_table
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.turn_calls import TurnCalls
from ludotheque.server.unstored import Unstored
from ludotheque.server.writer import Batch, Lost, Uncertain

UNREAD = "the table could not be read now; try again"
UNSTORED = "the table could not be stored; nothing has changed, try again"
UNCERTAIN = "it is not known whether this was stored; look at what has changed before you try again"
FAILED = "something went wrong on the server and has been logged; nothing has changed"

Answer = Callable[[messages.Reply], object]
Call = Callable[[str, Table], object]  # calls a guest to their turn at a table
_Job = Callable[[], None]
_T = TypeVar("_T")
_last_number = 0
log = logging.getLogger(__name__)


class AnyOwner(Protocol):
    """The owner of a table, wherever it is."""

    def ask(
        self, player: Player, request: messages.Request, answer: Answer, delay: float = 0.0
    ) -> None:
        """Carry out a request, and answer it when that is stored."""

    def join(self, connection: Connection, hello: messages.Hello) -> None:
        """Let a client look on from one of its seats, or as a spectator."""

    def part(self, connection: Connection) -> None:
        """A client is gone."""

    def measured(self, connection: Connection) -> None:
        """How far away a client is was measured again."""

    async def answer(self, player: Player, request: messages.Request) -> messages.Reply:
        """Ask, and wait for the reply."""

    async def consult(self, question: Question) -> Any:
        """Put a question, and wait for the answer; Refused if there is none."""


class Owner:
    def __init__(
        self,
        table: Table,
        history: list[Stored],
        commits: GroupCommit,
        thinkers: Thinkers,
        call: Call = lambda guest, table: None,
    ) -> None:
        self.table = table
        self.stored = table  # as it is on disk: nobody is told more
        self.is_alive = True
        self.is_marked_live: bool | None = None  # in storage, as far as it is known
        self.used_at = asyncio.get_running_loop().time()
        self.number = _new_number()  # owners that were woken later have higher ones
        self._commits = commits
        self._requests = requests.Requests(s.request for s in history if s.request)
        self._jobs: list[_Job] = []
        self._unstored = Unstored(table.id, len(history))
        self._replies: list[tuple[Answer, messages.Reply]] = []
        self._asked: list[float] = []  # when the moves were asked for that are about to be told
        self._audience = Audience(table)
        act = _weakly(self._act)
        self._autoplay = Autoplay(table, thinkers, act, self._audience.delay_of)
        self._autoplay.look_ahead(table)
        self._absences = Absences(_weakly(self._tell_presence))
        self._chat_pace = ChatPace()
        self._advising: dict[str, asyncio.Task[list[messages.Hint]]] = {}  # by request
        self._retired: asyncio.Future[None] | None = None  # done when this owner has ended
        self.clocks = self._autoplay.clocks(table)  # when it began to retire
        self._call = call
        self._calls = TurnCalls(table, self._audience.guests, _weakly(self._call_to_turn))

    @classmethod
    async def open(
        cls,
        table_id: str,
        store: Store,
        commits: GroupCommit,
        thinkers: Thinkers,
        call: Call,
        known: Known | None = None,
    ) -> Owner | None:
        """The owner of a stored table, or None if there is no such table.

        `known` is the table as it was read before; then only what came later is read.
        """
        if known is None:
            read = await known_of(store, table_id)
        else:
            read = await known.brought_up_to_date(store)
        return None if read is None else cls(*read, commits, thinkers, call)

    @property
    def is_watched(self) -> bool:
        """Whether any client is connected."""
        return bool(self._audience.connections)

    @property
    def connected(self) -> set[str]:
        """The guests with a connection to the table."""
        return self._audience.guests()

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks on and nothing will happen by itself."""
        audience = self._audience
        is_busy = bool(audience.connections or audience.door or self._jobs or self._unstored)
        return not is_busy and self._autoplay.is_idle and self._calls.is_idle

    @property
    def is_needed(self) -> bool:
        """Whether somebody looks on, something is due, or somebody may have to be called."""
        return self.is_watched or bool(self.is_marked_live) or not self._calls.is_idle

    def info(self) -> messages.TableInfo:
        """What everyone may know of the table now."""
        return self._audience.info(self.stored, self._absences)

    def info_for(self, player: Player, active_at: int) -> messages.MyTable | None:
        """What a list of this player's tables tells of it; None if they have no seat here."""
        return my_table(self.stored, self.info(), player, active_at)

    def close(self) -> None:
        self.is_alive = False
        self._autoplay.stop()
        self._calls.stop()
        self._absences.stop()
        self._audience.dismiss()
        if self._retired is not None:
            _resolve(self._retired, None)

    # What others call

    def ask(
        self, player: Player, request: messages.Request, answer: Answer, delay: float = 0.0
    ) -> None:
        """Carry out a request, and answer it when that is stored.

        The same request again does nothing more. A reply that refuses a move carries the game's
        own word for why. `delay` is how many seconds it was on its way, as the server knows itself.
        """
        made, asked = clock.instant() - delay, time.perf_counter()
        command = self._command(player, request, made, asked)
        self._enqueue(partial(self._answer, answer, request.id, command))

    def join(
        self,
        connection: Connection,
        hello: messages.Hello,
        begin: Callable[[], bool] = lambda: True,
    ) -> None:
        """Let a client look on from one of its seats, or as a spectator.

        `begin` is called when that happens, and tells whether it still should. Until then a client
        that is here already may be shown what was on its way to storage, as if it had not asked.
        """
        connection.note_key(self.stored)
        self._enqueue(partial(self._let_in, connection, hello, begin))

    def part(self, connection: Connection) -> None:
        self._enqueue(partial(self._let_out, connection))

    def measured(self, connection: Connection) -> None:
        """Nothing to do: the audience looks at the connection when it matters."""

    async def consult(self, question: Question) -> Any:
        return await question.put_to(self)

    # What others on the same machine call

    def rename(self, player: Player) -> None:
        """A guest has another name or picture now."""
        if self.table.own_seat(player.id) is not None:
            self._act(lambda decision: decision.rename(player))
        self._enqueue(partial(self._audience.rename, player))

    def dismiss(self, guest: str, device: str | None = None) -> None:
        """End the connections of a guest who has signed out, on one device or on all."""
        self._enqueue(partial(self._audience.dismiss_guest, guest, device))

    async def retire(self, act: Act) -> None:
        """Do this last: the table is read again for the next visitor."""
        self._retired = asyncio.get_running_loop().create_future()
        self.clocks = self._autoplay.clocks(self.table)
        self._act(act)
        self._enqueue(self._end)
        await self._retired

    def resume(self, clocks: Clocks) -> None:
        """Continue the clocks of the retired owner, so that nobody gains time."""
        self._autoplay.resume(self.table, clocks)
        self._calls.resume(self.table, clocks.uncalled)

    def _end(self) -> None:
        self.is_alive = False
        self._calls.look(self.table)
        self.clocks = self.clocks._replace(uncalled=self._calls.uncalled)

    def expect_admitted(self, player: Player | None) -> None:
        if not self.stored.admits(player):
            raise NotAdmitted("the host lets people in at this table; open its page to ask")

    async def answer(self, player: Player, request: messages.Request) -> messages.Reply:
        """Ask, and wait for the reply."""
        reply: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()
        self.ask(player, request, partial(_resolve, reply))
        return await reply

    async def look(self, player: Player | None, seat: int | None) -> bytes:
        """The update for a client that looks once, with the whole log; `seat` must be theirs."""
        self.expect_admitted(player)
        if player is not None:
            self._absences.hear(player.id)
        seen: asyncio.Future[Snapshot | None] = asyncio.get_running_loop().create_future()
        looker = Connection(player, partial(_resolve, seen))
        self._enqueue(lambda: self._audience.show_once(looker, seat, self.table))
        snapshot = await seen
        if snapshot is None:
            raise Unavailable(UNREAD)
        if seat is not None and looker.viewer != seat:
            held = self.stored.seats_of(player)
            raise NotYours(f"you do not hold seat {seat}; you hold {held}")
        return snapshot.update_for(looker)

    async def advise(self, player: Player, seat: int | None, id_: str) -> list[messages.Hint]:
        """What a master would do in a seat of this player's; everyone is told that they asked.

        Who asks again under the same id, because no answer came, waits for the same advice.
        """
        request = requests.text_of_hint(player, id_)
        if (begun := self._advising.get(request)) is not None:
            return await asyncio.shield(begun)
        advising = asyncio.create_task(self._advise(player, seat, request))
        self._advising[request] = advising
        try:
            return await advising
        finally:
            del self._advising[request]

    async def _advise(self, player: Player, seat: int | None, request: str) -> list[messages.Hint]:
        seat = self.stored.held_seat(player, seat)
        if not self.stored.has_hints:
            raise Refused("this table is played without hints", "off")
        match = self.stored.match
        if match is None or match.is_over:
            raise Refused("no match is being played", "over")
        number = self.stored.matches
        advice = await self._autoplay.advise(match, seat, player.id)
        await self._note_hint(seat, number, request)
        return [
            messages.Hint(move, *match.game.move_words(seat, move), reason, values)
            for move, reason, values in advice
        ]

    async def _note_hint(self, seat: int, number: int, request: str) -> None:
        """Store and tell, once, that this seat was advised in the match of this number."""
        noted: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()
        moment = clock.instant()

        def note() -> None:
            if not self._requests.is_known(request):
                self._decide(lambda decision: decision.note_hint(seat, number), moment, request)
                self._requests.remember(request)

        self._enqueue(partial(self._answer, partial(_resolve, noted), "", note))
        reply = await noted
        if reply.error in (UNSTORED, UNCERTAIN):
            raise Unavailable(reply.error)
        if not reply.done:
            raise Refused(reply.error, "over")

    # One round: work, then tell when it is stored

    def work(self) -> Batch:
        """Do the jobs that wait, and return what they have changed, to be stored."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            try:
                job()
            except Refused:
                continue  # a bot or an alarm that came too late
            except Exception:
                self._log_failure("a job failed, and changed nothing")
        return self._unstored.batch(self._new_mark())

    def tell(self, lost: Lost | None) -> None:
        """Tell everyone. If storing failed, the table is read again for the next visitor.

        Requests are answered before the connections end.
        """
        self._unstored.clear()
        self.is_alive = self.is_alive and lost is None
        self._send_replies(lost)
        if lost is not None and self._retired is not None and not self._retired.done():
            self._retired.set_exception(lost)
        if self.is_alive:
            self.stored = self.table
            self._autoplay.look_ahead(self.table)
            if self._autoplay.has_other_stand_ins(self.table):
                self._audience.note_presence()
                self._tell_when_warm()
            self._calls.look(self.table)
            self._absences.look(self.table.guests, self._audience.guests())
            time_ = self._autoplay.time(self.table)
            self._audience.publish(self.table, self._unstored.place, time_, self._absences)
            counts.told(self._asked)
            self._asked = []
        else:
            self.close()

    def _new_mark(self) -> bool | None:
        """The new mark of the table in storage, None if it stays: is a bot, alarm or clock due?"""
        if self._autoplay.is_due(self.table) and self.is_marked_live is not True:
            self.is_marked_live = True
            return True
        if self.is_marked_live and self.table.status == "over":
            self.is_marked_live = False
            return False
        return None

    def _send_replies(self, lost: Lost | None) -> None:
        replies, self._replies = self._replies, []
        for answer, reply in replies:
            try:
                answer(reply if lost is None else messages.Reply(reply.id, False, told_of(lost)))
            except Exception:  # a connection that fails must not keep the others waiting
                self._log_failure("an answer could not be given")

    def _log_failure(self, what: str) -> None:
        id_ = self.table.id
        log.exception("table %s: %s", id_, what, **logs.of_table(id_))

    # Jobs

    def _enqueue(self, job: _Job) -> None:
        self._jobs.append(partial(copy_context().run, job))  # so that it logs as its request
        self._commits.call(self)

    def _answer(self, answer: Answer, id_: str, job: _Job) -> None:
        """Do this job, and say how it went when that is stored."""
        self._replies.append((answer, self._reply(id_, job)))

    def _reply(self, id_: str, job: _Job) -> messages.Reply:
        if not self.is_alive:
            return messages.Reply(id_, False, UNSTORED)
        try:
            job()
        except Refused as error:
            counts.refuse("table", error.reason)
            return messages.Reply(id_, False, str(error), error.reason)
        except Exception:
            self._log_failure("a request failed, and changed nothing")
            return messages.Reply(id_, False, FAILED)
        return messages.Reply(id_, True)

    def _command(
        self, player: Player, request: messages.Request, made: float, asked: float
    ) -> _Job:
        """The job that carries out a request, unless that has been done before."""

        def act(decision: Decision) -> None:
            decision.carry_out(request.command, player)

        def carry_out() -> None:
            text = requests.text_of(player, request)
            if not self._requests.is_known(text):
                self._absences.hear(player.id)
                if isinstance(request.command, messages.Say):
                    self._chat_pace.check(player)
                self._decide(act, made, text)
                self._requests.remember(text)
                if isinstance(request.command, messages.Play):
                    self._asked.append(asked)

        return carry_out

    def _act(self, act: Act) -> None:
        """Let the table act by itself in the next round."""
        self._enqueue(partial(self._decide, act, clock.instant()))

    def _let_in(
        self, connection: Connection, hello: messages.Hello, begin: Callable[[], bool]
    ) -> None:
        if begin():
            self._audience.admit(connection, hello, self.table)
            self._tell_when_warm()

    def _let_out(self, connection: Connection) -> None:
        self._audience.let_go(connection)

    # Deciding

    def _decide(self, act: Act, made: float, request: str = "") -> None:
        """Work out what follows from what was asked for at an instant, perhaps before others."""
        audience = self._audience
        decision = Decision(
            self.table,
            self._autoplay.time_at(self.table, made),
            audience.guests(),
            self._absences,
            audience.callers(),
            audience.watchers(self.table),
        )
        act(decision)
        if decision.has_vote:
            audience.note_presence()
        if any(isinstance(event, Started) for event in decision.events):
            self._autoplay.expect_room(decision.table)
        if decision.events and self.is_alive:
            self._unstored.keep(decision, self.table, request)
            self.table = decision.table
            self._note(decision)

    def _note(self, decision: Decision) -> None:
        """Pass on what was decided to the audience, the bots and the clocks."""
        self._audience.note_news()
        if any(not isinstance(event, Moved | Said) for event in decision.events):
            self._audience.note_presence()
            self._audience.mind_the_door(self.table)
            self._autoplay.change_seats(self.table)
            self._tell_when_warm()
        if any(isinstance(event, Started | Cleared) for event in decision.events):
            self._audience.begin_match(self.table)
            self._autoplay.begin_match(self.table)
        self._autoplay.show(self.table)

    def _tell_presence(self) -> None:
        self._enqueue(self._audience.note_presence)

    def _call_to_turn(self, guest: str) -> None:
        self._call(guest, self.stored)

    def _tell_when_warm(self) -> None:
        """If weaker bots stand in for strong ones, tell everyone when that is over."""
        news = partial(self._enqueue, self._audience.note_presence)
        self._autoplay.when_warm(self.table, news)


def told_of(lost: Lost) -> str:
    """What to tell those whose requests were lost."""
    return UNCERTAIN if isinstance(lost, Uncertain) else UNSTORED


def _new_number() -> int:
    """Microseconds since 1970, and never the same twice: on all nodes they are of one order."""
    global _last_number  # noqa: PLW0603
    _last_number = max(_last_number + 1, time.time_ns() // 1000)
    return _last_number


def _weakly(method: Callable[..., object]) -> Callable[..., None]:
    """A call that does not keep alive what it calls.

    What an owner has made refers to it like this, so an owner that nobody needs any more is freed
    at once. Otherwise it would wait for the collector, which leaves old objects alone while people
    play: a server with many tables that come and go would grow all day.
    """
    known = WeakMethod(method)

    def call(*given: object) -> None:
        alive = known()
        if alive is not None:
            alive(*given)

    return call


class Known(NamedTuple):
    """A table as it was read from storage, and the events that it was made of."""

    table: Table
    history: list[Stored]

    async def brought_up_to_date(self, store: Store) -> Known | None:
        """With what has happened since; None if the table is there no more."""
        table, history = self
        later = await store.later(table.id, len(history))
        if later is None:
            return None
        await asyncio.to_thread(_replay, table, later, len(history))
        return Known(table, history + later)


async def known_of(store: Store, table_id: str) -> Known | None:
    """A stored table, or None if there is no such table."""
    history = await store.history(table_id)
    if not history:
        return None
    # In a thread: a table at which people have played for months takes its time.
    table = await asyncio.to_thread(replayed, table_id, history)
    table.code = await store.code(table_id)
    return Known(table, history)


def replayed(table_id: str, history: Iterable[Stored]) -> Table:
    """The table that these events make; Unreadable names the first one that does not fit."""
    table = Table(table_id)
    _replay(table, history)
    return table


def _replay(table: Table, events: Iterable[Stored], first: int = 0) -> None:
    for place, stored in enumerate(events, first):
        try:
            table.apply(stored.event)
        except Exception as error:
            text = f"event {place} of table {table.id} does not fit: {error}"
            raise Unreadable(text) from error


def _resolve(future: asyncio.Future[_T], value: _T) -> None:
    if not future.done():  # it is done if the request was cancelled
        future.set_result(value)
