"""What happens at a table without a request: alarms, the move clock, and the moves of bots."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ludotheque.engine.match import Match
from ludotheque.search.advice import Advice
from ludotheque.server import clock, elsewhere, logs, warmup
from ludotheque.server.bots import Bots
from ludotheque.server.clock import Clock
from ludotheque.server.decision import Decision, any_move
from ludotheque.server.elsewhere import GiveUp
from ludotheque.server.match_info import Time, time_to_alarm
from ludotheque.server.table import Person, Table
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.turn import Turn, turn_of

Act = Callable[[Decision], None]

SHUFFLE_SECONDS = 3.0  # for the pages of those present to add to the shuffle of a rematch

log = logging.getLogger(__name__)


class Clocks(NamedTuple):
    match: Clock
    deadline: float | None  # of the move clock, in the event loop's time
    turns: frozenset[Turn]  # it runs for
    number: int  # of the match
    uncalled: frozenset[Turn] = frozenset()  # people who are away may have to be called to these


class Autoplay:
    """Acts for a table when the time has come.

    Every decision replaces the table by a copy, so each call is given the table it is about.
    `decide` has the owner of the table make a decision in its next round. `delay_of` tells how many
    seconds what a guest sends may be on its way.
    """

    def __init__(
        self,
        table: Table,
        thinkers: Thinkers,
        decide: Callable[[Act], None],
        delay_of: Callable[[str], float],
    ) -> None:
        self._thinkers = thinkers
        self._table = table.id
        self._decide = decide
        self._delay_of = delay_of
        self._clock = Clock(table.match.now if table.match is not None else 0)
        self._bots = Bots(thinkers, table.host, table.id)
        self._levels = table.bot_seats()
        self._thinking: dict[int, asyncio.Task[None]] = {}  # by seat
        self._warming: dict[str, GiveUp] = {}  # games whose strong bots it has had to wait for
        self._playing: dict[str, str] = {}  # who stood in for which level when this was last told
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None  # of the move clock, in the event loop's time
        self._clocked: frozenset[Turn] = frozenset()  # turns the clock runs for

    @property
    def is_idle(self) -> bool:
        return self._timer is None and not self._thinking

    def clocks(self, table: Table) -> Clocks:
        """What its successor at the same table goes on with."""
        return Clocks(self._clock, self._deadline, self._clocked, table.matches)

    def resume(self, table: Table, clocks: Clocks) -> None:
        """Go on with the clocks of the one before, unless another match has begun since."""
        if clocks.number != table.matches:
            return
        self._clock = max(self._clock, clocks.match, key=Clock.now)
        if clocks.deadline is not None:
            self._stop_timer()
            self._deadline, self._clocked = clocks.deadline, clocks.turns
            left = clocks.deadline - asyncio.get_running_loop().time()
            self._wake(max(0.0, left), Decision.play_for_the_late)
        self.look_ahead(table)

    def time_at(self, table: Table, moment: float) -> int | None:
        """The time in the match at an instant, for games on a clock."""
        is_timed = table.match is not None and table.match.game.timed
        return self._clock.at(moment) if is_timed else None

    def time(self, table: Table) -> Time:
        """What the clocks of the table show."""
        deadline = -1
        if self._deadline is not None:
            deadline = max(0, int((self._deadline - asyncio.get_running_loop().time()) * 1000))
        return Time(self.time_at(table, clock.instant()) or 0, deadline)

    async def advise(self, match: Match, seat: int, guest: str) -> list[Advice]:
        """What the strongest bot would play in this seat, and why, for the guest who asks."""
        return await self._bots.advise(match, seat, guest)

    # What the owner tells

    def begin_match(self, table: Table) -> None:
        """Another match begins, or the table is cleared for one."""
        self._clock = Clock()
        self._bots = Bots(self._thinkers, table.host, table.id)
        self._stop_thinking()
        self._stop_timer()
        self._note_match(table)

    def change_seats(self, table: Table) -> None:
        """Other bots may sit at the table now."""
        self._levels = table.bot_seats()

    def show(self, table: Table) -> None:
        """The match may have changed: bots look at it when they think."""
        if table.match is not None:
            self._bots.show(table.match)

    def when_warm(self, table: Table, callback: Callable[[], object]) -> None:
        """If weaker bots stand in for strong ones, call back when the strong ones are ready."""
        game = table.game
        if game.slug not in self._warming and any(
            warmup.stand_in(game, level) != level for level in self._levels.values()
        ):

            def tell() -> None:
                if elsewhere.helpers is not None:  # nodes that are ready may go again
                    self._warming.pop(game.slug, None)
                callback()

            self._warming[game.slug] = warmup.when_warm(game, tell)

    def has_other_stand_ins(self, table: Table) -> bool:
        """Whether the bots have others to stand in for them, since other nodes came or went."""
        if elsewhere.helpers is None:
            return False
        levels = set(self._levels.values())
        playing = {level: warmup.stand_in(table.game, level) for level in levels}
        is_new, self._playing = playing != self._playing, playing
        return is_new

    def is_due(self, table: Table) -> bool:
        """Whether something will happen without a request."""
        match = table.match
        if match is None or match.is_over:
            return table.is_beginning
        if match.game.timed and match.game.alarm(match.state) >= 0:
            return True
        return table.settings.move_seconds > 0 or any(
            match.game.awaits(match.state, seat) for seat in self._levels
        )

    def look_ahead(self, table: Table) -> None:
        """Set the alarm or the move clock, and start the bots that are awaited."""
        match = table.match
        self._note_match(table)
        if match is None or match.is_over:
            self._look_ahead_between(table)
            return
        if match.game.timed:
            self._set_alarm(table, match)
        elif table.settings.move_seconds:
            self._run_move_clock(table, match)
        for seat, level in self._levels.items():
            if match.game.awaits(match.state, seat) and seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(table, match, seat, level))

    def _look_ahead_between(self, table: Table) -> None:
        """Between matches only one that has been asked for begins by itself."""
        if not table.is_beginning:
            self._stop_timer()
        elif self._timer is None:
            self._wake(SHUFFLE_SECONDS, Decision.begin_rematch)

    def expect_room(self, table: Table) -> None:
        """Refuse a match with bots if its host has very many running."""
        if table.bot_seats():
            self._thinkers.expect_room(table.id, table.host)

    def _note_match(self, table: Table) -> None:
        goes_on = table.match is not None and not table.match.is_over and bool(self._levels)
        self._thinkers.note_match(table.id, table.host, goes_on)

    def stop(self) -> None:
        self._thinkers.note_match(self._table, "", False)
        self._stop_thinking()
        self._stop_timer()
        while self._warming:
            self._warming.popitem()[1]()

    # Timers

    def _set_alarm(self, table: Table, match: Match) -> None:
        self._stop_timer()
        delay = time_to_alarm(match, self._clock.now())
        if delay >= 0:
            self._wake(delay / 1000 + self._grace_s(table, match), Decision.let_chance_act)

    def _grace_s(self, table: Table, match: Match) -> float:
        """How long a move that was made before an alarm may still be on its way."""
        if not match.game.race:
            return 0.0
        awaited = [table.seats[seat] for seat in match.awaited()]
        guests = [one.guest for one in awaited if isinstance(one, Person) and one.keeper is None]
        return max((self._delay_of(guest) for guest in guests), default=0.0)

    def _run_move_clock(self, table: Table, match: Match) -> None:
        """Start the clock when a seat is awaited for which it does not run yet."""
        turns = frozenset(turn_of(table.matches, match, seat) for seat in match.awaited())
        if self._timer is None or not turns <= self._clocked:
            self._stop_timer()
            seconds = table.settings.move_seconds
            self._deadline = asyncio.get_running_loop().time() + seconds
            self._wake(seconds, Decision.play_for_the_late)
        self._clocked = turns

    def _wake(self, seconds: float, act: Act) -> None:
        def strike() -> None:
            self._timer = None
            self._decide(act)

        self._timer = asyncio.get_running_loop().call_later(seconds, strike)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._deadline = None

    # Bots

    async def _think(self, table: Table, match: Match, seat: int, level: str) -> None:
        """Have a bot choose its move; the seat does not think again before the move is made."""
        turn = turn_of(table.matches, match, seat)
        is_alone = len(table.bot_seats()) == match.seats
        try:
            move = await self._bots.choose(match, seat, level, is_alone)
        except Exception:  # a table must not stand still because a bot has failed
            told = logs.of_table(table.id)
            log.exception("table %s: the bot in seat %d failed", table.id, seat, **told)
            move = any_move(match, seat)
        self._decide(partial(self._play, move, turn))

    def _play(self, move: int, turn: Turn, decision: Decision) -> None:
        """Make a bot's move. If it comes too late nothing happens, and the bot thinks again."""
        seat = turn.seat
        self._thinking.pop(seat, None)
        table, match = decision.table, decision.table.match
        if match is None or match.is_over or seat not in table.bot_seats():
            return
        is_awaited = match.game.awaits(match.state, seat)
        is_same_turn = turn_of(table.matches, match, seat) == turn
        if is_awaited and is_same_turn and match.game.is_legal(match.state, seat, move):
            decision.play(seat, move)

    def _stop_thinking(self) -> None:
        for task in self._thinking.values():
            task.cancel()
        self._thinking = {}
