"""What other nodes' clients send to this one reaches the table, or goes back to them."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from weakref import ref

import msgspec
import pytest

from folders import HANA, begun, with_tables
from ludotheque.server import messages, questions
from ludotheque.server.nodes import route as routes
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.desk import Desk, Visitor
from ludotheque.server.nodes.refusals import raised
from ludotheque.server.nodes.route import Gone, House, Route
from ludotheque.server.owner import Answer, Owner
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection, Showable
from ludotheque.server.store import Store, Unavailable
from ludotheque.server.tables import Tables
from ludotheque.server.writer import Batch, Lost
from scenes import act, until

HELLO = messages.Request("1", messages.Say("hello"))
ASK = wire.Ask("t", 7, Player("a", "Ann", 1), HELLO, 0.0)


class Echo:
    """An owner to whom everything is done at once."""

    is_alive = True

    def ask(self, _: Player, request: messages.Request, answer: Answer, __: float) -> None:
        answer(messages.Reply(request.id, True))


class Sleepers:
    """The tables of a node that knows nothing of a table, and asks the broker for it."""

    def __init__(self, is_of_another: bool = False, has_lease: bool = True) -> None:
        self._is_of_another = is_of_another
        self._has_lease = has_lease
        self.woken: list[str] = []

    def awake_owner(self, table: str) -> Owner | None:
        return None

    def is_ours(self) -> bool:
        return self._has_lease

    def expect_lease(self) -> None:
        raise AssertionError

    async def owner(self, table_id: str) -> Owner:
        self.woken.append(table_id)
        if self._is_of_another:
            raise Unavailable("another node has it")
        return cast(Owner, Echo())


def test_a_table_that_is_this_nodes_for_the_broker_is_woken_although_the_node_forgot() -> None:
    async def scene() -> None:
        tables, sent = Sleepers(), list[tuple[str, wire.AnyMessage]]()
        Desk(tables, lambda to, message: sent.append((to, message))).take("b.1", ASK)
        await until(lambda: sent)
        assert sent == [("b.1", wire.Answered("t", 7, messages.Reply("1", True)))]
        assert tables.woken == ["t"]

    act(scene)


@pytest.mark.parametrize("has_lease", [True, False])
def test_a_table_of_another_node_is_looked_for_again(has_lease: bool) -> None:
    async def scene() -> None:
        tables, sent = Sleepers(True, has_lease), list[tuple[str, wire.AnyMessage]]()
        Desk(tables, lambda to, message: sent.append((to, message))).take("b.1", ASK)
        await until(lambda: sent)
        assert sent == [("b.1", wire.NotHere("t"))]
        assert tables.woken == ["t"] * has_lease

    act(scene)


CONSULT = wire.Consult("t", 9, questions.Exists())


def expect_gone(sent: list[tuple[str, wire.AnyMessage]]) -> None:
    told = [message for _, message in sent if isinstance(message, wire.Told)]
    assert [message.call for message in told] == [9]
    assert isinstance(raised(told[0]), Gone)


@pytest.mark.parametrize("has_lease", [True, False])
def test_a_question_about_a_table_of_another_node_is_put_again_at_once(has_lease: bool) -> None:
    async def scene() -> None:
        tables, sent = Sleepers(True, has_lease), list[tuple[str, wire.AnyMessage]]()
        Desk(tables, lambda to, message: sent.append((to, message))).take("b.1", CONSULT)
        await until(lambda: sent)
        expect_gone(sent)

    act(scene)


def test_a_question_about_a_table_that_is_handed_over_is_put_again_at_once() -> None:
    sent: list[tuple[str, wire.AnyMessage]] = []
    desk = Desk(Sleepers(), lambda to, message: sent.append((to, message)))
    desk.begin_moving("t")
    desk.take("b.1", CONSULT)
    desk.end_moving("t")
    assert ("b.1", wire.NotHere("t")) in sent
    expect_gone(sent)


def test_a_client_that_leaves_wakes_no_table() -> None:
    async def scene() -> None:
        tables, sent = Sleepers(), list[tuple[str, wire.AnyMessage]]()
        desk = Desk(tables, lambda to, message: sent.append((to, message)))
        desk.take("b.1", wire.Part("t", 3))
        desk.take("b.1", ASK)
        await until(lambda: sent)
        assert (len(sent), tables.woken) == (1, ["t"])

    act(scene)


# Clients that come again while something is being stored


class Awake:
    """The tables of a node with one that is awake."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def awake_owner(self, table: str) -> Owner | None:
        return self._owner

    def is_ours(self) -> bool:
        return True

    def expect_lease(self) -> None:
        raise AssertionError

    async def owner(self, table_id: str) -> Owner:
        raise AssertionError


class SlowStore:
    """Stores at once, and says so when it is told to."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._said: list[Callable[[], object]] = []
        write = store.write

        def write_and_wait(
            batches: list[Batch], done: Callable[[list[Lost | None]], object]
        ) -> None:
            write(batches, lambda lost: self._said.append(lambda: done(lost)))

        monkeypatch.setattr(store, "write", write_and_wait)

    async def say(self) -> None:
        await until(lambda: self._said)
        self._said.pop(0)()


def heard(updates: list[Any]) -> list[str]:
    """The chat that a client has at last."""
    return [line["text"] for update in updates for line in update["chat"]]


def lines(updates: list[Any]) -> int:
    """How many lines of the match a client has at last."""
    told = 0
    for update in updates:
        told = len(update["lines"]) + (0 if update["fresh"] else told)
    return told


def act_in(owner: Owner, seat: int) -> None:
    """Hana says something and makes a move in one of her seats; both are being stored."""
    match = owner.stored.match
    assert match is not None
    move = messages.Play(match.legal_moves(seat)[0], seat)
    commands: list[messages.AnyCommand] = [messages.Say(f"word {seat}"), move]
    for each, command in enumerate(commands):
        owner.ask(HANA, messages.Request(f"{seat}-{each}", command), lambda reply: None)


def test_a_client_of_another_node_that_joins_again_misses_nothing_and_hears_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter to its node was lost, while the owner was storing something."""

    async def scene(tables: Tables, store: Store) -> None:
        owner = await tables.owner(await begun(tables))
        sent: list[wire.Shown] = []
        desk = Desk(Awake(owner), lambda to, message: sent.append(cast(wire.Shown, message)))
        first = wire.Join(owner.table.id, 1, 1, HANA, False, False, messages.Hello())
        desk.take("b.1", first)
        await until(lambda: sent)
        had, slow = sent[0], SlowStore(store, monkeypatch)
        act_in(owner, 0)
        await slow.say()
        await until(lambda: len(sent) == 2)  # which is lost on its way
        act_in(owner, 1)
        await until(lambda: owner.table is not owner.stored)
        hello = messages.Hello(match=had.match, lines=had.lines, chat=had.chat)
        desk.take("b.1", msgspec.structs.replace(first, number=2, hello=hello))
        await slow.say()
        await until(lambda: sent[-1].number == 2 and json.loads(sent[-1].update)["said"] == 3)
        had_at_last = [had, *(shown for shown in sent if shown.number == 2)]
        updates = [json.loads(shown.update) for shown in had_at_last]
        assert heard(updates)[-2:] == ["word 0", "word 1"]
        assert len(heard(updates)) == 3
        match = owner.stored.match
        assert match is not None
        assert lines(updates) == len(match.log)
        assert "table" in updates[1]  # for what it was told of it last may be lost as well

    with_tables(tmp_path, scene)


class Here:
    """A house whose table is always on this node."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    async def locate(self, table: str) -> Owner:
        return self._owner

    def new_number(self) -> int:
        return 1


def test_a_client_of_this_node_that_is_brought_again_hears_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection to the broker was broken, while the owner was storing something."""

    async def scene(tables: Tables, store: Store) -> None:
        owner = await tables.owner(await begun(tables))
        updates: list[Any] = []

        def show(shown: Showable | None) -> None:
            assert shown is not None
            updates.append(json.loads(shown.update_for(connection)))

        route, connection = Route(owner.table.id, cast(House, Here(owner))), Connection(HANA, show)
        await route.place()
        route.join(connection, messages.Hello())
        await until(lambda: updates)
        slow = SlowStore(store, monkeypatch)
        act_in(owner, 0)
        await until(lambda: owner.table is not owner.stored)
        route.lose()
        await route.place()
        await slow.say()
        await until(lambda: updates[-1]["said"] == 2 and owner.stored is owner.table)
        act_in(owner, 1)
        await slow.say()
        await until(lambda: updates[-1]["said"] == 3)
        assert heard(updates)[-2:] == ["word 0", "word 1"]
        assert len(heard(updates)) == 3
        match = owner.stored.match
        assert match is not None
        assert lines(updates) == len(match.log)

    with_tables(tmp_path, scene)


def test_a_client_that_waits_for_a_table_to_wake_and_may_have_left_is_not_let_in() -> None:
    """Its carrier says again which clients it has."""

    class Slow(Sleepers):
        joined = 0

        async def owner(self, table_id: str) -> Owner:
            await wakes.wait()
            return cast(Owner, self)

        is_alive = True

        def join(self, *_: object) -> None:
            self.joined += 1

        def ask(self, _: Player, request: messages.Request, answer: Answer, __: float) -> None:
            answer(messages.Reply(request.id, True))

    async def scene() -> None:
        tables, sent = Slow(), list[tuple[str, wire.AnyMessage]]()
        desk = Desk(tables, lambda to, message: sent.append((to, message)))
        for carrier in ("b.1", "c.1"):
            desk.take(carrier, wire.Join("t", 1, 1, HANA, False, False, messages.Hello()))
        desk.take("b.1", ASK)
        desk.let_go_of("b.1")
        wakes.set()
        await until(lambda: sent)
        assert (tables.joined, desk.carriers_of("t")) == (1, ["c.1"])

    wakes = asyncio.Event()
    act(scene)


class Hidden(Here):
    """A node that cannot say where a table is, for a while."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(owner)
        self.is_hidden = False

    async def locate(self, table: str) -> Owner:
        if self.is_hidden:
            raise Unavailable("the broker does not answer")
        return await super().locate(table)


def test_clients_are_told_that_a_table_cannot_be_reached_and_shown_it_when_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "AWAY_S", 0.0)

    async def scene(tables: Tables, store: Store) -> None:
        owner = await tables.owner(await begun(tables))
        house, told = Hidden(owner), list[str]()

        def show(shown: Showable | None) -> None:
            assert shown is not None
            told.append(json.loads(shown.update_for(connection))["type"])

        route, connection = Route(owner.table.id, cast(House, house)), Connection(HANA, show)
        route.join(connection, messages.Hello())
        await until(lambda: told == ["update"])
        route.tell_away()
        assert told == ["update"]  # it is on this node
        house.is_hidden = True
        route.lose()
        await until(lambda: len(told) == 2)
        route.tell_away()
        house.is_hidden = False
        await until(lambda: len(told) == 3)
        assert told == ["update", "away", "update"]
        route.part(connection)

    with_tables(tmp_path, scene)


@pytest.mark.parametrize(
    "go",
    [
        lambda desk, owner: desk.take("b.1", wire.Part(owner.table.id, 1)),
        lambda desk, owner: desk.let_go_of("b.1"),
        lambda desk, owner: owner.dismiss(HANA.id),
        lambda desk, owner: owner.close(),
    ],
    ids=["parts", "its node is gone", "signs out", "the owner is gone"],
)
def test_a_client_of_another_node_that_is_gone_is_freed_without_the_collector(
    tmp_path: Path, go: Callable[[Desk, Owner], object]
) -> None:
    async def scene(tables: Tables, _: Store) -> None:
        owner = await tables.owner(await begun(tables))
        sent: list[wire.AnyMessage] = []
        desk = Desk(Awake(owner), lambda to, message: sent.append(message))
        desk.take("b.1", wire.Join(owner.table.id, 1, 1, HANA, False, False, messages.Hello()))
        await until(lambda: sent)
        visitor = ref(desk._visitors["b.1", 1])
        go(desk, owner)
        await until(lambda: visitor() is None)

    gc.disable()
    try:
        with_tables(tmp_path, scene)
    finally:
        gc.enable()


class Unwalked(dict[tuple[str, int], Visitor]):
    """The clients of all tables, of which there may be very many."""

    def values(self) -> Any:
        raise AssertionError

    __iter__ = items = values


@pytest.mark.parametrize(
    ("go", "left"),
    [
        (lambda desk, owner: None, ["b.1", "b.1", "c.1"]),
        (lambda desk, owner: desk.take("b.1", wire.Part(owner.table.id, 1)), ["b.1", "c.1"]),
        (lambda desk, owner: desk.let_go_of("b.1"), ["c.1"]),
        (lambda desk, owner: owner.dismiss(HANA.id), []),
        (lambda desk, owner: owner.close(), []),
        (lambda desk, owner: desk.forget_all(), []),
    ],
    ids=["none goes", "parts", "a node is gone", "signs out", "owner is gone", "lease is lost"],
)
def test_who_looks_on_at_a_table_is_known_without_a_look_at_all_clients(
    tmp_path: Path, go: Callable[[Desk, Owner], object], left: list[str]
) -> None:
    """Every table that is handed over asks for it."""

    async def scene(tables: Tables, _: Store) -> None:
        owner = await tables.owner(await begun(tables))
        sent: list[wire.AnyMessage] = []
        desk, table = Desk(Awake(owner), lambda to, message: sent.append(message)), owner.table.id
        for carrier, client in (("b.1", 1), ("b.1", 2), ("c.1", 1)):
            for number in (1, 2):
                hello = messages.Hello()
                desk.take(carrier, wire.Join(table, client, number, HANA, False, False, hello))
        await until(lambda: len(sent) >= 3)
        go(desk, owner)
        await until(lambda: len(desk._visitors) == len(left))
        desk._visitors = Unwalked(desk._visitors)
        assert sorted(desk.carriers_of(table)) == left
        assert len(desk._carriers) == bool(left)

    with_tables(tmp_path, scene)
