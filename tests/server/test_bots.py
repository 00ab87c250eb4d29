"""The bots of a match: what they see, how long they think, and who they are."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ludotheque.bots import roster
from ludotheque.bots.bot import Bot
from ludotheque.bots.chaotic import Chaotic
from ludotheque.bots.roster import EXPERT, MASTER, REGULAR, THINK_S
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.search import deadline as deadlines
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.server import bots as module
from ludotheque.server import warmup
from ludotheque.server.bots import Bots
from ludotheque.server.thinkers import LEAST_SHARE, Thinkers
from people import WAIT_TIMEOUT_S
from scenes import act, until

GAME = load("stupide_vautour")


def played(*bids: int, seats: int = 2) -> Match:
    """A match after these bids, by the seats in turn; always the same deal, in a new object."""
    match = Match(GAME, seats, seeds=Seeds(bytes(32)))
    for place, bid in enumerate(bids):
        match.play(place % seats, GAME.parse(0, str(bid)))
    return match


def seen(match: Match, seat: int) -> list[Any]:
    """Every view that this seat has had, one for each entry of the log."""
    again, views = Match(match.game, match.seats, match.options), []
    for entry in match.log:
        again.make(entry.seat, entry.move, entry.at)
        views.append(again.view(seat))
    return views


class FakeBot:
    """Notes what it is shown, and plays the first legal move."""

    def __init__(self, level: str, seat: int) -> None:
        self.level = level
        self.seat = seat
        self.watched: list[Any] = []
        self.may_choose = threading.Event()
        self.may_choose.set()
        self.is_choosing = False
        self.view: Any = None

    def watch(self, view: Any) -> None:
        self.watched.append(view)

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.view, self.is_choosing = view, True
        assert self.may_choose.wait(WAIT_TIMEOUT_S)
        return legal_moves[0]

    def advise(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        self.view = view
        return [Advice(legal_moves[0], "why", {})]


class Agency:
    """Stands for the roster: hires fake bots that need no pause, and remembers them."""

    def __init__(self) -> None:
        self.hired: list[FakeBot] = []
        self.may_hire = threading.Event()
        self.may_hire.set()
        self.is_warm = True

    def hire(self, level: str, game: Game, seat: int) -> FakeBot:
        bot = FakeBot(level, seat)
        self.hired.append(bot)
        assert self.may_hire.wait(WAIT_TIMEOUT_S)
        return bot

    async def becomes_warm(self, _: Game) -> bool:
        return self.is_warm


@pytest.fixture
def agency(monkeypatch: pytest.MonkeyPatch) -> Agency:
    opened = Agency()
    monkeypatch.setattr(roster, "hire", opened.hire)
    monkeypatch.setattr(roster, "pause", lambda game, level, bot: 0.0)
    monkeypatch.setattr(warmup, "is_warm", lambda game: opened.is_warm)
    monkeypatch.setattr(warmup, "becomes_warm", opened.becomes_warm)
    return opened


def play(scene: Callable[[Bots], Any]) -> None:
    """Play a scene with the bots of one match."""

    async def opened() -> None:
        thinkers = Thinkers(1)
        try:
            await scene(Bots(thinkers, "ann", "table"))
        finally:
            thinkers.close()

    act(opened)


# Seeing


def test_a_bot_that_sits_down_has_seen_all_that_its_seat_has(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        match = played(3, 4, 5, 6)
        await bots.choose(match, 1, MASTER)
        assert agency.hired[0].watched == seen(match, 1)
        assert agency.hired[0].view == match.view(1)

    play(scene)


def test_a_bot_plays_one_of_its_legal_moves(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        match = played(3, 4)
        assert await bots.choose(match, 1, MASTER) == match.legal_moves(1)[0]

    play(scene)


def test_the_same_level_keeps_its_memory_and_sees_only_what_is_new(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        await bots.choose(played(3), 1, MASTER)
        before = len(agency.hired[0].watched)
        later = [played(3, 4), played(3, 4, 5)]
        for match in later:
            bots.show(match)
        await bots.choose(later[-1], 1, MASTER)
        assert len(agency.hired) == 1
        assert agency.hired[0].watched[before:] == [match.view(1) for match in later]

    play(scene)


def test_another_level_is_another_bot_that_has_seen_all(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        await bots.choose(played(3), 1, MASTER)
        match = played(3, 4, 5)
        bots.show(match)
        await bots.choose(match, 1, REGULAR)
        assert [bot.level for bot in agency.hired] == [MASTER, REGULAR]
        assert agency.hired[1].watched == seen(match, 1)

    play(scene)


def test_every_seat_has_a_bot_of_its_own(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        match = played()
        await asyncio.gather(bots.choose(match, 0, MASTER), bots.choose(match, 1, MASTER))
        bots.show(played(3))
        await bots.choose(played(3), 1, MASTER)
        assert [bot.seat for bot in agency.hired] == [0, 1]
        assert agency.hired[1].watched[-1] == played(3).view(1)

    play(scene)


def test_what_happens_while_a_bot_sits_down_is_not_lost(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        agency.may_hire.clear()
        choice = asyncio.create_task(bots.choose(played(), 1, MASTER))
        await until(lambda: agency.hired)
        bots.show(played(3))
        agency.may_hire.set()
        await choice
        assert agency.hired[0].watched == seen(played(), 1)
        await bots.choose(played(3), 1, MASTER)
        assert agency.hired[0].watched == [*seen(played(), 1), played(3).view(1)]

    play(scene)


def test_a_bot_never_sees_further_than_the_match_it_chooses_in(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        await bots.choose(played(), 1, MASTER)
        before = len(agency.hired[0].watched)
        bots.show(played(3))
        bots.show(played(3, 4))
        await bots.choose(played(3), 1, MASTER)
        assert agency.hired[0].watched[before:] == [played(3).view(1)]
        await bots.choose(played(3, 4), 1, MASTER)
        assert agency.hired[0].watched[before + 1 :] == [played(3, 4).view(1)]

    play(scene)


def test_showing_a_match_without_bots_does_not_touch_it() -> None:
    async def scene(bots: Bots) -> None:
        bots.show(cast(Match, None))

    play(scene)


def test_nothing_keeps_a_match(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        match = played()
        await bots.choose(match, 1, MASTER)
        bots.show(match)
        await bots.advise(match, 0, "ann")
        gone = weakref.ref(match)
        del match
        gc.collect()
        assert gone() is None

    play(scene)


def test_a_bot_whose_thought_was_cancelled_is_replaced_by_one_that_has_seen_all(
    agency: Agency,
) -> None:
    async def scene(bots: Bots) -> None:
        await bots.choose(played(), 1, MASTER)
        first = agency.hired[0]
        first.is_choosing = False
        first.may_choose.clear()
        choice = asyncio.create_task(bots.choose(played(3), 1, MASTER))
        await until(lambda: first.is_choosing)
        choice.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choice
        first.may_choose.set()
        await bots.choose(played(3), 1, MASTER)
        assert len(agency.hired) == 2
        assert agency.hired[1].watched == seen(played(3), 1)

    play(scene)


# Standing in


def test_a_weaker_bot_stands_in_until_the_game_is_warm(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        agency.is_warm = False
        await bots.choose(played(), 1, EXPERT)
        agency.is_warm = True
        await bots.choose(played(3), 1, EXPERT)
        assert [bot.level for bot in agency.hired] == [REGULAR, EXPERT]

    play(scene)


# Time


class FakeLoop:
    """Stands for asyncio where the bots pause: its clock moves only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def get_running_loop(self) -> FakeLoop:
        return self

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.mark.parametrize(("waited", "pause"), [(0.0, 3.0), (2.0, 1.0), (5.0, -2.0)])
def test_the_time_in_the_queue_counts_towards_the_pause(
    agency: Agency, monkeypatch: pytest.MonkeyPatch, waited: float, pause: float
) -> None:
    loop = FakeLoop()
    monkeypatch.setattr(module, "asyncio", loop)
    monkeypatch.setattr(roster, "pause", lambda game, level, bot: 3.0)

    def hire(level: str, game: Game, seat: int) -> Bot:
        loop.now += waited
        return FakeBot(level, seat)

    monkeypatch.setattr(roster, "hire", hire)

    async def scene(bots: Bots) -> None:
        await bots.choose(played(), 1, MASTER)
        assert loop.slept == [pause]

    play(scene)


@pytest.mark.parametrize(("is_alone", "pause"), [(False, 0.0), (True, 7.0)])
def test_bots_wait_for_those_who_watch_where_nobody_plays(
    agency: Agency, monkeypatch: pytest.MonkeyPatch, is_alone: bool, pause: float
) -> None:
    loop = FakeLoop()
    monkeypatch.setattr(module, "asyncio", loop)
    monkeypatch.setattr(roster, "pause_alone", lambda game: 7.0)

    async def scene(bots: Bots) -> None:
        await bots.choose(played(), 1, MASTER, is_alone)
        assert loop.slept == [pause]

    play(scene)


class Busy:
    """A machine on which time passes only by hiring and thinking, with one thread for both."""

    def __init__(self) -> None:
        self.now = 0.0
        self.deadlines: list[float] = []  # seconds that each one had when it began

    def monotonic(self) -> float:
        return self.now

    def hire(self, level: str, game: Game, seat: int) -> Bot:
        self.now += THINK_S[level] / 2  # more than a thought has under load
        return BusyBot(self)


class BusyBot(Chaotic):
    """Thinks as long as it may."""

    def __init__(self, machine: Busy) -> None:
        super().__init__(1)
        self._machine = machine

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        begun = self._machine.now
        while deadline.is_ahead:
            self._machine.now += 1 / 1024
        self._machine.deadlines.append(self._machine.now - begun)
        return super().choose(view, legal_moves, deadline)


def test_twenty_tables_of_four_masters_all_have_time_to_think(
    agency: Agency, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Busy()
    monkeypatch.setattr(roster, "hire", machine.hire)
    monkeypatch.setattr(deadlines, "time", machine)

    async def scene() -> None:
        thinkers = Thinkers(1)
        tables = [Bots(thinkers, f"guest {n % 5}", f"table {n}") for n in range(20)]
        for match in (played(seats=4), played(1, 2, 3, 4, seats=4)):
            await asyncio.gather(
                *(bots.choose(match, seat, MASTER) for bots in tables for seat in range(4))
            )
        thinkers.close()

    act(scene)
    assert len(machine.deadlines) == 2 * 20 * 4
    assert min(machine.deadlines) >= LEAST_SHARE * THINK_S[MASTER] == 0.1
    assert max(machine.deadlines) >= THINK_S[MASTER]  # of the last, for which nobody waits


def test_thoughts_take_turns_by_guest_and_table(agency: Agency) -> None:
    asked: list[tuple[str, str, float]] = []

    async def think(guest: str, table: str, seconds: float, work: Callable[[Any], Any]) -> Any:
        asked.append((guest, table, seconds))
        return work(NO_DEADLINE)

    async def scene() -> None:
        bots = Bots(cast(Thinkers, SimpleNamespace(think=think)), "ann", "table")
        await bots.choose(played(), 1, EXPERT)
        assert set(asked) == {("ann", "table", THINK_S[EXPERT])}

    act(scene)


# Advising


def test_advice_is_what_a_master_says_who_has_seen_all_that_the_seat_has(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        match = played(3, 4)
        advice = await bots.advise(match, 0, "ann")
        (master,) = agency.hired
        assert advice == [Advice(match.legal_moves(0)[0], "why", {})]
        assert (master.level, master.seat, master.view) == (MASTER, 0, match.view(0))
        assert master.watched == seen(match, 0)

    play(scene)


def test_advice_is_thought_of_on_the_account_of_the_guest_who_asks(agency: Agency) -> None:
    guests: list[str] = []

    async def think(guest: str, table: str, seconds: float, work: Callable[[Any], Any]) -> Any:
        guests.append(guest)
        return work(NO_DEADLINE)

    async def scene() -> None:
        bots = Bots(cast(Thinkers, SimpleNamespace(think=think)), "the host", "table")
        await bots.advise(played(), 0, "who asks")
        assert set(guests) == {"who asks"}

    act(scene)


def test_there_is_no_advice_for_a_seat_that_is_not_awaited(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        with pytest.raises(Refused, match="there is nothing for you to do now") as caught:
            await bots.advise(played(3), 0, "ann")
        assert caught.value.reason == "not_your_turn"

    play(scene)


def test_there_is_no_advice_if_the_game_cannot_be_warm(agency: Agency) -> None:
    async def scene(bots: Bots) -> None:
        agency.is_warm = False
        with pytest.raises(Refused, match="its code could not be compiled") as caught:
            await bots.advise(played(), 0, "ann")
        assert caught.value.reason == "not_ready"
        assert agency.hired == []

    play(scene)


def test_a_bot_that_cannot_say_why_gives_no_advice(
    agency: Agency, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "hire", lambda level, game, seat: Chaotic())

    async def scene(bots: Bots) -> None:
        with pytest.raises(Refused, match="there are no hints for cards or boxes of your own"):
            await bots.advise(played(), 0, "ann")

    play(scene)
