"""Threads are shared fairly, and a thought has its time from the moment it begins."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ludotheque.engine.refused import Refused
from ludotheque.search.deadline import Deadline
from ludotheque.server import thinkers
from ludotheque.server.limits import MATCHES_WITH_BOTS
from ludotheque.server.thinkers import LEAST_SHARE, MANY, NICENESS, Thinkers
from people import WAIT_TIMEOUT_S
from scenes import act, until


class Work:
    """Work that begins when it has a thread, and ends when a test says so."""

    def __init__(self, name: str, begun: list[Work]) -> None:
        self.name = name
        self.begun = begun
        self.deadline: Deadline | None = None
        self.may_end = threading.Event()
        self.has_ended = False

    def __call__(self, deadline: Deadline) -> str:
        self.deadline = deadline
        self.begun.append(self)
        self.may_end.wait(WAIT_TIMEOUT_S)
        self.has_ended = True
        return self.name


class Bench:
    """Thinkers, and all that they have been given to do."""

    def __init__(self, threads: int) -> None:
        self.thinkers = Thinkers(threads)
        self.begun: list[Work] = []
        self.works: list[Work] = []

    async def add(self, guest: str, table: str = "", seconds: float = 1.0) -> asyncio.Task[str]:
        """Queue some work and let it begin if there is a thread for it."""
        work = Work(f"{guest}{table}", self.begun)
        self.works.append(work)
        task = asyncio.create_task(self.thinkers.think(guest, table, seconds, work))
        await asyncio.sleep(0)
        return task

    async def add_first(self, guest: str = "first") -> asyncio.Task[str]:
        """Work that keeps the only thread busy, so that what comes after it has to wait."""
        task = await self.add(guest)
        await until(lambda: self.begun)
        return task

    async def end_one(self) -> str:
        """End the work that has begun last; the name of what begins in its place."""
        count = len(self.begun)
        self.begun[-1].may_end.set()
        await until(lambda: len(self.begun) > count)
        return self.begun[-1].name

    def names(self) -> list[str]:
        return [work.name for work in self.begun]


@asynccontextmanager
async def bench(threads: int) -> AsyncIterator[Bench]:
    opened = Bench(threads)
    try:
        yield opened
    finally:
        for work in opened.works:
            work.may_end.set()
        opened.thinkers.close()


def test_thinking_returns_what_the_work_returns() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            assert await b.thinkers.think("ann", "t", 1.0, lambda _: 42) == 42

    act(scene)


def test_an_error_of_the_work_reaches_the_waiting_caller_and_the_thread_goes_on() -> None:
    def fail(_: Deadline) -> None:
        raise ValueError("no idea")

    async def scene() -> None:
        async with bench(1) as b:
            with pytest.raises(ValueError, match="no idea"):
                await b.thinkers.think("ann", "t", 1.0, fail)
            assert await b.thinkers.think("ann", "t", 1.0, lambda _: 42) == 42

    act(scene)


def test_no_more_works_at_once_than_there_are_threads() -> None:
    async def scene() -> None:
        async with bench(2) as b:
            for _ in range(4):
                await b.add("ann")
            await until(lambda: len(b.begun) == 2)
            b.begun[0].may_end.set()
            await until(lambda: len(b.begun) == 3)
            assert not b.works[3].deadline

    act(scene)


def test_at_a_table_it_is_first_come_first_served() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            for _ in range(4):
                await b.add("ann", "1")
            for _ in range(4):
                await b.end_one()
            assert b.begun == b.works

    act(scene)


def test_the_tables_of_a_guest_take_turns() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            for table in "111223":
                await b.add("ann", table)
            assert [await b.end_one() for _ in range(6)] == [f"ann{table}" for table in "123121"]

    act(scene)


def test_guests_take_turns() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            for guest in ("ann", "ann", "ann", "bob", "bob", "cid"):
                await b.add(guest)
            order = [await b.end_one() for _ in range(6)]
            assert order == ["ann", "bob", "cid", "ann", "bob", "ann"]

    act(scene)


def of_school(guest: str) -> str:
    """The pupils are at one address, the others are at home."""
    return "school" if guest.startswith("pupil") else guest


def test_to_be_many_guests_of_one_home_gives_no_more_turns() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            b.thinkers.home_of = of_school
            await b.add_first("pupil")
            for n in range(60):
                await b.add(f"pupil {n}")
            for _ in range(3):
                await b.add("bob")
                assert "bob" in [await b.end_one() for _ in range(2)]

    act(scene)


def test_the_guests_of_a_home_take_turns() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            b.thinkers.home_of = of_school
            await b.add_first()
            for guest in ("pupil 1", "pupil 1", "pupil 2", "bob", "bob", "bob"):
                await b.add(guest)
            order = [await b.end_one() for _ in range(6)]
            assert order == ["pupil 1", "bob", "pupil 2", "bob", "pupil 1", "bob"]

    act(scene)


def test_a_newcomer_ends_a_thought_of_a_home_that_has_many() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            b.thinkers.home_of = of_school
            await b.add_first("pupil")
            for n in range(MANY + 1):
                await b.add(f"pupil {n}", "", WAIT_TIMEOUT_S)
            assert not is_cancelled(b.works[0])  # pupils do not interrupt each other
            await b.add("bob")
            assert is_cancelled(b.works[0])

    act(scene)


def test_a_guest_with_a_hundred_thoughts_does_not_delay_another() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first("ann")
            for n in range(100):
                await b.add("ann", str(n))
            for _ in range(3):
                await b.add("bob")
                assert "bob" in [await b.end_one() for _ in range(2)]

    act(scene)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that every thought was given, in the order in which they were made."""
    made: list[float] = []

    class Noted(Deadline):
        def __init__(self, seconds: float) -> None:
            super().__init__(seconds)
            made.append(seconds)

    monkeypatch.setattr(thinkers, "Deadline", Noted)
    return made


def test_the_time_of_a_thought_begins_with_the_work(seconds: list[float]) -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            await b.add("ann")
            assert len(seconds) == 1
            await b.end_one()
            assert len(seconds) == 2

    act(scene)


def test_a_thought_for_which_nobody_waits_has_its_full_time(seconds: list[float]) -> None:
    async def scene() -> None:
        async with bench(2) as b:
            await b.add("ann", "1", 0.4)
            await b.add("ann", "2", 0.4)
            await until(lambda: len(b.begun) == 2)
            assert seconds == [0.4, 0.4]

    act(scene)


def test_thoughts_are_shorter_the_more_wait_and_never_below_a_tenth(seconds: list[float]) -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            for _ in range(20):
                await b.add("ann", "", 2.0)
            for _ in range(20):
                await b.end_one()
            waiting = range(19, -1, -1)
            assert seconds[1:] == [max(2.0 * LEAST_SHARE, 2.0 / (1 + n)) for n in waiting]
            assert min(seconds) == 2.0 * LEAST_SHARE == 0.2

    act(scene)


def test_with_more_threads_fewer_have_to_hurry(seconds: list[float]) -> None:
    async def scene() -> None:
        async with bench(2) as b:
            for _ in range(5):
                await b.add("ann", "", 1.0)
            await until(lambda: len(b.begun) == 2)
            b.begun[0].may_end.set()
            await until(lambda: len(b.begun) == 3)
            assert seconds == [1.0, 1.0, 2 / (2 + 2)]

    act(scene)


def test_what_waits_for_a_guest_shortens_the_thoughts_of_others_as_one(
    seconds: list[float],
) -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first("ann")
            for n in range(100):
                await b.add("ann", str(n))
            await b.add("bob")
            while await b.end_one() != "bob":
                pass
            assert seconds[-1] == 1 / (1 + 1)  # ann waits
            await b.end_one()
            assert seconds[-1] == LEAST_SHARE

    act(scene)


def test_what_waits_for_a_home_shortens_the_thoughts_of_another_as_one(
    seconds: list[float],
) -> None:
    async def scene() -> None:
        async with bench(1) as b:
            b.thinkers.home_of = of_school
            await b.add_first("pupil")
            for n in range(10):
                await b.add(f"pupil {n}")
            await b.add("bob")
            await b.end_one()
            await b.end_one()

    act(scene)
    # The first pupil has nobody to wait for; the next leaves nine pupils and bob waiting.
    assert seconds == [1.0, LEAST_SHARE, 1 / 2]


def test_a_guest_with_many_thoughts_has_all_threads_but_one() -> None:
    async def scene() -> None:
        async with bench(2) as b:
            for n in range(20):
                await b.add("ann", str(n))
            b.works[0].may_end.set()
            b.works[1].may_end.set()
            await until(lambda: len(b.begun) == 3)
            await b.add("bob")
            await until(lambda: b.names()[-1] == "bob")
            assert not b.works[2].has_ended

    act(scene)


def test_a_guest_with_a_few_thoughts_may_have_all_threads() -> None:
    async def scene() -> None:
        async with bench(2) as b:
            for n in range(MANY):
                await b.add("ann", str(n))
            for count in range(2, MANY):
                await until(lambda count=count: len(b.begun) == count)  # type: ignore[misc]
                b.works[count - 2].may_end.set()

    act(scene)


def test_a_newcomer_ends_the_thought_of_a_guest_who_has_many() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first("ann")
            for n in range(MANY + 1):
                await b.add("ann", str(n), WAIT_TIMEOUT_S)
            assert not is_cancelled(b.works[0])
            await b.add("bob")
            assert is_cancelled(b.works[0])
            await until(lambda: b.begun)
            b.works[0].may_end.set()

    act(scene)


def test_a_newcomer_lets_a_guest_with_a_few_thoughts_think() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first("ann")
            for n in range(MANY):
                await b.add("ann", str(n))
            await b.add("bob")
            assert not is_cancelled(b.works[0])

    act(scene)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own here")
def test_thoughts_stand_back_for_what_serves_people() -> None:
    def niceness(_: Deadline) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def scene() -> None:
        async with bench(1) as b:
            own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            assert await b.thinkers.think("ann", "t", 1.0, niceness) == min(19, own + NICENESS)

    act(scene)


def test_a_host_has_so_many_matches_with_bots() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            for n in range(MATCHES_WITH_BOTS):
                b.thinkers.expect_room(str(n), "ann")
                b.thinkers.note_match(str(n), "ann", goes_on=True)
                b.thinkers.note_match(str(n), "ann", goes_on=True)
            b.thinkers.expect_room("0", "ann")  # it goes on there already
            b.thinkers.expect_room("new", "bob")
            with pytest.raises(Refused, match="matches with bots go on"):
                b.thinkers.expect_room("new", "ann")
            b.thinkers.note_match("0", "ann", goes_on=False)
            b.thinkers.expect_room("new", "ann")

    act(scene)


def test_cancelled_work_leaves_the_queue(seconds: list[float]) -> None:
    async def scene() -> None:
        async with bench(1) as b:
            await b.add_first()
            tasks = [await b.add("ann", str(n)) for n in range(3)]
            await cancel(tasks[0])
            assert await b.end_one() == "ann1"
            assert seconds == [1.0, 1 / (1 + 1)]
            assert not b.works[1].deadline

    act(scene)


async def cancel(task: asyncio.Task[str]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_cancelling_ends_the_thought_of_running_work() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            task = await b.add("ann", seconds=WAIT_TIMEOUT_S)
            await until(lambda: b.begun)
            await cancel(task)
            assert is_cancelled(b.works[0])

    act(scene)


def is_cancelled(work: Work) -> bool:
    assert work.deadline is not None
    return not work.deadline.is_ahead


def test_a_thread_is_free_only_when_its_work_has_ended_though_it_was_cancelled() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            task = await b.add_first()
            await b.add("ann")
            await cancel(task)
            assert b.names() == ["first"]
            assert await b.end_one() == "ann"

    act(scene)


def test_closing_cancels_all_and_does_not_wait_for_long_thoughts() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            tasks = [await b.add_first(), await b.add("ann"), await b.add("bob", "2")]
            b.thinkers.close()
            for task in tasks:
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert is_cancelled(b.works[0])
            assert not b.works[0].has_ended
            assert b.names() == ["first"]

    act(scene)


def test_the_threads_end_when_their_thoughts_do_after_closing() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            thread = await b.thinkers.think("ann", "t", 1.0, lambda _: threading.current_thread())
            b.thinkers.close()
            await until(lambda: not thread.is_alive())

    act(scene)


def test_closed_thinkers_refuse_more_work() -> None:
    async def scene() -> None:
        async with bench(1) as b:
            b.thinkers.close()
            with pytest.raises(RuntimeError, match="the thinkers are closed"):
                await b.thinkers.think("ann", "t", 1.0, lambda _: 42)

    act(scene)
