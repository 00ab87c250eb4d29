"""Tables share commits without waiting for a clock, and nobody is told what is not stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

import pytest

from halls import Idle
from ludotheque.server import messages
from ludotheque.server.events import Opened, Said, Sat
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.owner import FAILED, UNCERTAIN, UNSTORED, Owner, replayed
from ludotheque.server.player import Player
from ludotheque.server.requests import text_of
from ludotheque.server.snapshot import Connection, Showable, Snapshot
from ludotheque.server.store import Store, Stored, row
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.writer import Batch, Lost, Moved, Uncertain
from scenes import act, until

ANN = Player("a", "Ann", 1)
SEED = "00" * 32
Done = Callable[[list[Lost | None]], object]


class SlowStore:
    """Keeps what it is given until a test lets it be stored."""

    def __init__(self) -> None:
        self.writes: list[tuple[Sequence[Batch], Done]] = []

    def write(self, batches: Sequence[Batch], done: Done) -> None:
        self.writes.append((batches, done))

    def finish(self, lost: Lost | None = None) -> None:
        batches, done = self.writes.pop(0)
        done([lost] * len(batches))


def commits_of(store: SlowStore) -> GroupCommit:
    return GroupCommit(cast(Store, store))


class Clerk:
    """Has one row to store."""

    def __init__(self, name: str, is_able: bool = True) -> None:
        self.name = name
        self.is_able = is_able
        self.told: list[Lost | None] = []

    def work(self) -> Batch:
        return Batch(self.name, [(self.name, 0, "", "{}")])

    def tell(self, lost: Lost | None) -> None:
        if not self.is_able:
            raise RuntimeError("lost for words")
        self.told.append(lost)


def test_all_who_wait_share_one_commit() -> None:
    async def scene() -> None:
        store = SlowStore()
        commits, clerks = commits_of(store), [Clerk("x"), Clerk("y")]
        for clerk in (*clerks, clerks[0]):
            commits.call(clerk)
        await until(lambda: store.writes)
        assert [batch.table for batch in store.writes[0][0]] == ["x", "y"]
        assert [clerk.told for clerk in clerks] == [[], []]
        store.finish()
        assert [clerk.told for clerk in clerks] == [[None], [None]]

    act(scene)


def test_a_table_that_comes_during_a_commit_has_the_next_one() -> None:
    async def scene() -> None:
        store = SlowStore()
        commits = commits_of(store)
        commits.call(Clerk("x"))
        await until(lambda: store.writes)
        commits.call(Clerk("y"))
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(store.writes) == 1
        store.finish()
        await until(lambda: store.writes)
        assert store.writes[0][0] == [Batch("y", [("y", 0, "", "{}")])]

    act(scene)


def test_the_next_commit_begins_as_soon_as_the_last_one_ends() -> None:
    async def scene() -> None:
        store = SlowStore()
        commits = commits_of(store)
        for name in ("x", "y", "z"):
            commits.call(Clerk(name))
            for _ in range(3):
                await asyncio.sleep(0)
            assert len(store.writes) == 1
            store.finish()

    act(scene)


def test_one_who_cannot_tell_does_not_silence_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> None:
        store, other = SlowStore(), Clerk("y")
        commits = commits_of(store)
        commits.call(Clerk("x", is_able=False))
        commits.call(other)
        await until(lambda: store.writes)
        store.finish()
        assert other.told == [None]
        commits.call(other)
        await until(lambda: store.writes)

    act(scene)
    assert "lost for words" in caplog.text


class Scene:
    """A table for two at which Ann sits and looks on, with the hello still to be stored."""

    def __init__(self) -> None:
        self.store = SlowStore()
        history = [
            Stored(
                "", Opened("stupide_vautour", 2, {}, False, 0, "auto", host="a", server_seed=SEED)
            ),
            Stored("", Sat(0, "a", "Ann", 1)),
        ]
        table = replayed("t", history)
        self.owner = Owner(table, history, commits_of(self.store), cast(Thinkers, Idle()))
        self.shown: list[Showable | None] = []
        self.replies: list[messages.Reply] = []
        self.connection = Connection(ANN, self.shown.append)
        self.owner.join(self.connection, messages.Hello())

    def ask(self, id_: str, command: messages.AnyCommand) -> None:
        self.owner.ask(ANN, messages.Request(id_, command), self.replies.append)


def test_nothing_is_told_before_it_is_stored() -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        for _ in range(50):
            await asyncio.sleep(0)
        assert (table.replies, len(table.shown)) == ([], 1)
        table.store.finish()
        assert table.replies == [messages.Reply("1", True)]
        assert isinstance(table.shown[1], Snapshot)
        assert table.shown[1].said == 1

    act(scene)


def test_what_is_asked_twice_in_one_round_is_done_once() -> None:
    async def scene() -> None:
        table = Scene()
        for _ in range(2):
            table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        (batch,) = table.store.writes[0][0]
        request = text_of(ANN, messages.Request("1", messages.Say("hello")))
        assert batch.rows == [row("t", 2, Stored(request, Said("Ann", 1, "hello", guest=ANN.id)))]
        table.store.finish()
        assert table.replies == [messages.Reply("1", True)] * 2

    act(scene)


def test_several_moves_of_a_table_are_stored_in_one_round_and_told_in_one_update() -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        for text in ("one", "two"):
            table.ask(text, messages.Say(text))
        await until(lambda: table.store.writes)
        assert [place for _, place, _, _ in table.store.writes[0][0][0].rows] == [2, 3]
        table.store.finish()
        assert len(table.shown) == 2

    act(scene)


def test_a_table_that_could_not_be_stored_says_so_and_ends() -> None:
    async def scene() -> None:
        table = Scene()
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        table.ask("2", messages.Say("hello again"))
        table.store.finish(Lost("the disk is full"))
        await until(lambda: len(table.replies) == 2)
        assert [(r.id, r.done, r.error) for r in table.replies] == [
            ("1", False, UNSTORED),
            ("2", False, UNSTORED),
        ]
        assert table.shown[-1] is None
        assert not table.owner.is_alive
        assert table.store.writes == []

    act(scene)


def test_an_asker_is_told_that_the_table_could_not_be_stored_before_their_connection_ends() -> None:
    async def scene() -> None:
        table = Scene()
        heard: list[object] = []
        table.connection.show = heard.append
        table.owner.ask(ANN, messages.Request("1", messages.Say("hello")), heard.append)
        await until(lambda: table.store.writes)
        table.store.finish(Lost("the disk is full"))
        assert heard == [messages.Reply("1", False, UNSTORED), None]

    act(scene)


@pytest.mark.parametrize("lost", [Uncertain("the connection was lost"), Moved()])
def test_an_asker_is_not_told_that_nothing_has_changed_if_that_is_not_known(lost: Lost) -> None:
    async def scene() -> None:
        table = Scene()
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        table.store.finish(lost)
        assert table.replies == [messages.Reply("1", False, UNCERTAIN)]

    act(scene)


def fail(*_: object) -> None:
    raise RuntimeError("a defect")


def test_an_asker_is_answered_when_the_server_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        monkeypatch.setattr("ludotheque.server.manners._say", fail)
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.replies)
        assert table.replies == [messages.Reply("1", False, FAILED)]
        monkeypatch.undo()
        table.ask("2", messages.Say("hello"))
        await until(lambda: table.store.writes)
        table.store.finish()
        assert table.replies[1:] == [messages.Reply("2", True)]

    act(scene)


def test_an_asker_is_answered_when_the_table_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        monkeypatch.setattr("ludotheque.server.audience.Audience.publish", fail)
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        table.store.finish()
        assert table.replies == [messages.Reply("1", True)]

    act(scene)


def test_what_cannot_be_worked_out_is_neither_stored_nor_answered_as_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        monkeypatch.setattr("ludotheque.server.owner.Owner._new_mark", fail)
        table.ask("1", messages.Say("hello"))
        await until(lambda: table.replies)
        assert table.replies == [messages.Reply("1", False, UNSTORED)]
        assert table.store.writes == []
        assert not table.owner.is_alive

    act(scene)
