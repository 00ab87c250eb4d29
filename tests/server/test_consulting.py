"""What a node asks another one about a table, whose answer may be late or lost."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from ether import Ether, Shared, with_nodes
from folders import GAME, HANA, ask
from ludotheque.server import messages
from ludotheque.server.bots import Bots
from ludotheque.server.events import Advised
from ludotheque.server.nodes import route as routes
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.route import TRIES
from ludotheque.server.nodes.tables import SharedTables
from ludotheque.server.questions import Advise, Exists
from ludotheque.server.store import Store, Stored, Unavailable
from scenes import until


class Adviser:
    """A strong bot that thinks until it may answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.thoughts = 0
        self.may_answer = asyncio.Event()

        async def advise(*_: object) -> list[object]:
            self.thoughts += 1
            await self.may_answer.wait()
            return []

        monkeypatch.setattr(Bots, "advise", advise)


async def advisable(tables: SharedTables) -> str:
    table = await tables.open(HANA, messages.NewTable(game=GAME, seats=2, hints="on"))
    await ask(tables, table, messages.Start())
    return table


async def advised(store: Store, table: str) -> int:
    return sum(isinstance(each.event, Advised) for each in await store.history(table))


def test_a_hint_that_takes_long_is_thought_about_once_and_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        adviser, table = Adviser(monkeypatch), await advisable(there[1])
        route = await here[1].reach(table)
        asking = asyncio.create_task(route.consult(Advise(HANA, 0)))
        for number in range(1, 2 * TRIES):
            await until(partial(is_consulted, ether, number))
            ask_again(here, there)
        await until(partial(is_consulted, ether, 2 * TRIES))
        adviser.may_answer.set()
        assert await asking == []
        assert (adviser.thoughts, await advised(store, table)) == (1, 1)

    with_nodes(tmp_path, scene)


def test_a_hint_whose_answer_was_lost_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        adviser, table = Adviser(monkeypatch), await advisable(there[1])
        adviser.may_answer.set()
        route = await here[1].reach(table)
        ether.loses = lambda message: isinstance(message, wire.Told) and not ether.lost
        asking = asyncio.create_task(route.consult(Advise(HANA, 0)))
        await until(lambda: ether.lost)
        ask_again(here, there)
        assert await asking == []
        assert await advised(store, table) == 1

    with_nodes(tmp_path, scene)


def test_two_hints_are_told_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        adviser, table = Adviser(monkeypatch), await advisable(there[1])
        adviser.may_answer.set()
        for _ in range(2):
            await (await here[1].reach(table)).consult(Advise(HANA, 0))
        assert (adviser.thoughts, await advised(store, table)) == (2, 2)

    with_nodes(tmp_path, scene)


def is_consulted(ether: Ether, times: int) -> bool:
    return sum(isinstance(message, wire.Consult) for message in ether.carried) == times


def ask_again(here: Shared, there: Shared) -> None:
    """A letter was lost: nobody waits any longer for what it may have said."""
    here[0].take(there[0].lease_id, wire.JoinAgain())


def test_a_question_waits_while_the_owner_cannot_read_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "PAUSE_S", 0.001)

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        table, failures = await advisable(there[1]), list[str]()

        async def fail(_: Store, table: str) -> list[Stored]:
            failures.append(table)
            raise Unavailable("away")

        route = await here[1].reach(table)
        (await there[1].owner(table)).close()  # as if storing had failed
        with monkeypatch.context() as broken:
            broken.setattr(Store, "history", fail)
            asking = asyncio.create_task(route.consult(Exists()))
            await until(lambda: len(failures) > 2 * TRIES)
        assert await asking is None

    with_nodes(tmp_path, scene)
