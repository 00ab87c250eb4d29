"""Bots that think for other nodes, over a real broker: who is asked, what is told, what ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import nats
import pytest

from ludotheque.bots import roster
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.server import elsewhere, warmup
from ludotheque.server.bots import Bots
from ludotheque.server.nodes import answerer, thoughts
from ludotheque.server.nodes.answerer import Answerer
from ludotheque.server.nodes.asker import Asker
from ludotheque.server.nodes.broker import Broker
from ludotheque.server.nodes.thoughts import THINK, WORKER, Asked, Cancel, Think
from ludotheque.server.setting_kinds import Address
from ludotheque.server.thinkers import Thinkers
from nodes import BrokerProcess
from scenes import act, until

GAME = load("stupide_vautour")
HOST, TABLE, HOME = "the host", "the table", "192.0.2.7"
_asked = msgspec.msgpack.Decoder(Asked)


class Bot:
    """Plays the first legal move, or thinks as long as it may."""

    def __init__(self, thinks_long: bool) -> None:
        self.watched: list[Any] = []
        self._thinks_long = thinks_long
        self.is_over = False

    def watch(self, view: Any) -> None:
        self.watched.append(view)

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        while self._thinks_long and deadline.is_ahead:
            pass
        self.is_over = True
        return legal_moves[0]


class Office:
    """One asker, and workers that come and go."""

    def __init__(self, address: str) -> None:
        self._address = Address(address)
        self.hired: list[Bot] = []
        self.asked: list[tuple[str, Asked]] = []
        self.told: list[bytes] = []
        self.is_tapped = True  # then somebody hears what is sent to a worker that is gone
        self.thinks_long = False
        self.thinkers: list[Thinkers] = []
        self.bots = Bots(Thinkers(1), HOST, TABLE)

    def hire(self, *_: object) -> Bot:
        self.hired.append(Bot(self.thinks_long))
        return self.hired[-1]

    @asynccontextmanager
    async def asker(self) -> AsyncIterator[Asker]:
        broker, tap = Broker(self._address, "a"), await nats.connect(self._address.full)
        await broker.open(None)
        asker = Asker(broker, "secret", lambda guest: HOME, thinks_here=False)
        await asker.open()
        elsewhere.helpers = asker

        async def hear(message: Any) -> None:
            self.told.append(message.data)
            self.asked.append((message.subject, _asked.decode(message.data)))

        for subject in (f"{THINK}.>", f"{WORKER}.>") if self.is_tapped else ():
            await tap.subscribe(subject, cb=hear)
        await tap.flush()
        try:
            yield asker
        finally:
            elsewhere.helpers = None
            await asker.close()
            await broker.close()
            await tap.close()

    @asynccontextmanager
    async def worker(self, asker: Asker, name: str) -> AsyncIterator[Answerer]:
        broker, thinkers = Broker(self._address, name), Thinkers(1)
        self.thinkers.append(thinkers)
        await broker.open(None)
        opened = Answerer(broker, thinkers)
        await opened.open()
        running = asyncio.create_task(opened.run())
        await until(lambda: asker.are_ready(GAME))
        try:
            yield opened
        finally:
            running.cancel()
            await opened.close()
            await broker.close()
            thinkers.close()

    async def choose(self, match: Match) -> int:
        return await self.bots.choose(match, 1, roster.NOVICE)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    running = BrokerProcess(Path(tmp_path_factory.mktemp("thoughts")))
    yield running
    running.stop()


@pytest.fixture
def office(broker: BrokerProcess, monkeypatch: pytest.MonkeyPatch) -> Office:
    opened = Office(broker.address)
    monkeypatch.setattr(warmup, "is_ready_here", lambda game: game is GAME)
    monkeypatch.setattr(roster, "hire", opened.hire)
    monkeypatch.setattr(roster, "pause", lambda game, kind, seconds: 0.0)
    return opened


def play(office: Office, scene: Callable[[Asker], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        async with office.asker() as asker:
            await scene(asker)

    act(whole)


def new_match() -> Match:
    return Match(GAME, 2, seeds=Seeds(bytes(32)))


def go_on(office: Office, match: Match, move: int) -> list[Any]:
    """Both seats bid; the views that the bots are shown."""
    shown = []
    for seat, bid in ((1, move), (0, match.legal_moves(0)[0])):
        match.play(seat, bid)
        office.bots.show(match)
        shown.append(match.view(1))
    return shown


def views(match: Match, seat: int) -> list[Any]:
    again, seen = Match(match.game, match.seats, match.options), []
    for entry in match.log:
        again.make(entry.seat, entry.move, entry.at)
        seen.append(again.view(seat))
    return seen


def thinks(office: Office) -> list[tuple[str, Think]]:
    return [(subject, each) for subject, each in office.asked if isinstance(each, Think)]


def test_the_next_thought_goes_to_the_same_bot_with_only_what_is_new(office: Office) -> None:
    async def scene(asker: Asker) -> None:
        async with office.worker(asker, "b") as helper:
            match = new_match()
            known = views(match, 1)
            shown = go_on(office, match, await office.choose(match))
            await office.choose(match)
            await until(lambda: len(thinks(office)) == 2)
            (first, all_), (second, new) = thinks(office)
            assert (first, second) == (f"{THINK}.{GAME.slug}", f"{WORKER}.{helper.address}")
            assert (all_.seen, new.seen) == (0, len(known))
            assert thoughts.views_of(GAME.State, new.views) == [*shown, match.view(1)]
            (bot,) = office.hired
            assert bot.watched == [*known, *shown]

    play(office, scene)


def test_when_its_worker_is_gone_another_one_is_told_everything(office: Office) -> None:
    office.is_tapped = False

    async def scene(asker: Asker) -> None:
        match = new_match()
        async with office.worker(asker, "b"):
            go_on(office, match, await office.choose(match))
        async with office.worker(asker, "c"):
            await office.choose(match)
            assert len(office.hired) == 2
            assert office.hired[1].watched == views(match, 1)

    play(office, scene)


def test_a_thought_that_is_given_up_ends_at_the_worker(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(roster.THINK_S, roster.NOVICE, 3600.0)
    office.thinks_long = True

    async def scene(asker: Asker) -> None:
        async with office.worker(asker, "b"):
            thought = asyncio.create_task(office.choose(new_match()))
            await until(lambda: office.hired and office.thinkers[0].running)
            thought.cancel()
            await until(lambda: office.hired[0].is_over and not office.thinkers[0].running)
            assert any(isinstance(each, Cancel) for _, each in office.asked)

    play(office, scene)


def test_a_worker_that_stops_gives_its_thoughts_back(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(roster.THINK_S, roster.NOVICE, 3600.0)
    monkeypatch.setattr(answerer, "GRACE_S", 0.0)

    async def scene(asker: Asker) -> None:
        office.thinks_long = True
        async with office.worker(asker, "b"):
            thought = asyncio.create_task(office.choose(new_match()))
            await until(lambda: office.hired and office.thinkers[0].running)
            office.thinks_long = False
        assert await thought in new_match().legal_moves(1)
        assert len(office.hired) == 2  # the second one here

    play(office, scene)


def test_a_worker_is_told_what_the_seat_sees_and_not_who_plays_where(office: Office) -> None:
    async def scene(asker: Asker) -> None:
        async with office.worker(asker, "b"):
            match = new_match()
            match.play(0, match.legal_moves(0)[3])  # in secret
            await office.choose(match)
            await until(lambda: thinks(office))
            ((_, think),) = thinks(office)
            told = thoughts.views_of(GAME.State, think.views)
            assert told == [*views(match, 1), match.view(1)]
            assert not any(word.encode() in office.told[0] for word in (HOST, TABLE, HOME))

    play(office, scene)


def test_a_worker_that_fails_at_something_is_asked_all_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(answerer, "BEAT_S", 0.01)
    failures = iter([ValueError("on purpose")])

    def is_ready(game: Game) -> bool:
        for failure in failures:
            raise failure
        return game is GAME

    monkeypatch.setattr(warmup, "is_ready_here", is_ready)

    async def scene(asker: Asker) -> None:
        async with office.worker(asker, "b"):
            assert await office.choose(new_match()) in new_match().legal_moves(1)
            assert len(office.hired) == 1

    play(office, scene)
    assert "on purpose" in caplog.text
