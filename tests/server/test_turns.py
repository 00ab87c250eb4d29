"""What one address asks for is done in turn; nobody else waits for it."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ludotheque.server.guard import Guard
from ludotheque.server.limits import WORKED_ON_AT_ONCE, Pace
from ludotheque.server.nodes.route import House, Route
from ludotheque.server.store import Unavailable
from ludotheque.server.turns import Turns
from scenes import act

ATTACKER, NEIGHBOUR = "192.0.2.1", "192.0.2.2"


# Messages


def test_messages_of_one_address_are_spread_over_passes_of_the_loop() -> None:
    done: list[str] = []

    async def scene() -> list[list[str]]:
        turns, passes = Turns(at_once=2), []
        for number in range(5):
            turns.do(ATTACKER, lambda number=number: done.append(str(number)))  # type: ignore[misc]
        turns.do(NEIGHBOUR, lambda: done.append("neighbour"))
        for _ in range(3):
            passes.append(done.copy())
            await asyncio.sleep(0)
        assert len(turns) == 0
        return passes

    first = ["0", "1", "neighbour"]
    assert act(scene) == [first, [*first, "2", "3"], [*first, "2", "3", "4"]]


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_message_that_fails_keeps_no_other_from_its_turn(at_once: int) -> None:
    done: list[str] = []
    failures: list[Any] = []

    def fail() -> None:
        raise ValueError("on purpose")

    async def scene() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: failures.append(told))
        turns = Turns(at_once)
        for name in ("first", "second"):
            turns.do(ATTACKER, partial(done.append, name))
        turns.do(ATTACKER, fail)
        turns.do(ATTACKER, partial(done.append, "last"))
        for _ in range(5):
            await asyncio.sleep(0)
        return len(turns)

    assert act(scene) == 0
    assert done == ["first", "second", "last"]
    assert [str(told["exception"]) for told in failures] == ["on purpose"]


# Requests


class Requests:
    """Requests that pass the guard and take some passes of the event loop."""

    def __init__(self, passes: int = 3) -> None:
        self.passes = passes
        self.answered: list[str] = []
        self.at_once = 0
        self.most = 0
        self.turns = Turns()
        self._services = SimpleNamespace(turns=self.turns, pace=Pace())
        self._guard = Guard(self._app)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/body":
            await receive()
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        for _ in range(self.passes):
            await asyncio.sleep(0)
        self.at_once -= 1
        self.answered.append(scope["client"][0])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def ask(self, address: str, path: str = "/", body: Any = None) -> asyncio.Task[None]:
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "headers": []}
        scope |= {"client": (address, 1), "state": {"services": self._services}}

        async def receive() -> Any:
            await body.wait()
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            pass

        return asyncio.create_task(self._guard(scope, receive, send))


@pytest.mark.parametrize("passes", [0, 3])
def test_a_neighbour_does_not_wait_for_a_hundred_requests_of_one_address(passes: int) -> None:
    async def scene() -> Requests:
        requests = Requests(passes)
        tasks = [requests.ask(ATTACKER) for _ in range(100)]
        tasks.append(requests.ask(NEIGHBOUR))
        await asyncio.gather(*tasks)
        await asyncio.sleep(0)
        return requests

    requests = act(scene)
    assert requests.answered.index(NEIGHBOUR) <= WORKED_ON_AT_ONCE
    assert requests.answered.count(ATTACKER) == 100
    assert requests.most <= WORKED_ON_AT_ONCE + 1
    assert len(requests.turns) == 0


def test_slow_bodies_keep_nobody_of_the_same_address_waiting() -> None:
    async def scene() -> list[str]:
        requests, body = Requests(), asyncio.Event()
        slow = [requests.ask(ATTACKER, "/body", body) for _ in range(10)]
        await asyncio.sleep(0)
        await requests.ask(ATTACKER)
        answered = requests.answered.copy()
        body.set()
        await asyncio.gather(*slow)
        await asyncio.sleep(0)
        assert len(requests.turns) == 0
        return answered

    assert act(scene) == [ATTACKER]


class Lookups(Requests):
    """Requests that look for a table, of which some have no owner for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.is_owned = False
        self._routes: dict[str, Route] = {}

    async def locate(self, table: str) -> str:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        for _ in range(self.passes):
            await asyncio.sleep(0)
        self.at_once -= 1
        if table == "/orphan" and not self.is_owned:
            raise Unavailable("its node is gone")
        return "b.1"

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        table = scope["path"]
        route = self._routes.setdefault(table, Route(table, cast(House, self)))
        await route.place()
        self.answered.append(table)


def test_a_table_without_an_owner_keeps_nobody_of_the_same_address_waiting() -> None:
    async def scene() -> list[str]:
        lookups = Lookups()
        stuck = [lookups.ask(ATTACKER, "/orphan") for _ in range(10)]
        await lookups.ask(ATTACKER, "/owned")
        lookups.is_owned = True
        await asyncio.gather(*stuck)
        await asyncio.sleep(0)
        assert len(lookups.turns) == 0
        return lookups.answered

    assert act(scene) == ["/owned", *["/orphan"] * 10]


def test_tables_are_looked_for_in_turn() -> None:
    async def scene() -> Lookups:
        lookups = Lookups()
        await asyncio.gather(*(lookups.ask(ATTACKER, f"/{number}") for number in range(10)))
        return lookups

    lookups = act(scene)
    assert (len(lookups.answered), lookups.most) == (10, WORKED_ON_AT_ONCE)


def test_a_request_that_is_given_up_in_line_takes_no_turn() -> None:
    async def scene() -> tuple[int, int]:
        requests = Requests()
        tasks = [requests.ask(ATTACKER) for _ in range(6)]
        await asyncio.sleep(0)
        for task in tasks[2:5]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        return len(requests.answered), len(requests.turns)

    assert act(scene) == (3, 0)
