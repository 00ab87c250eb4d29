"""Tables work together, and nobody is told of anything that is not stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.types import Receive, Scope, Send

from ludotheque.server import messages
from ludotheque.server.app import Doorbell
from ludotheque.server.beat import CROWD, DISTANCE, Beat
from ludotheque.server.events import Opened, Said, Sat
from ludotheque.server.owner import UNSTORED, Owner
from ludotheque.server.store import Lost, Player, Row, Store, Stored, row
from ludotheque.server.table import Table
from ludotheque.server.telling import Connection, Snapshot


def act(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Play a scene in a thread of its own: a browser's test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as stage:
        stage.submit(lambda: asyncio.run(scene())).result()


ANN = Player("a", "Ann", 1)
Done = Callable[[list[Lost | None]], object]


class SlowStore:
    """Keeps what it is given until a test lets it be stored."""

    def __init__(self) -> None:
        self.writes: list[tuple[Sequence[list[Row]], Done]] = []

    def write(self, batches: Sequence[list[Row]], done: Done) -> None:
        self.writes.append((batches, done))

    def finish(self, lost: Lost | None = None) -> None:
        batches, done = self.writes.pop(0)
        done([lost] * len(batches))


def beat_of(store: SlowStore) -> Beat:
    return Beat(cast(Store, store))


class Clerk:
    """Has one row to store."""

    def __init__(self, name: str, is_able: bool = True) -> None:
        self.name = name
        self.is_able = is_able
        self.told: list[Lost | None] = []

    def work(self) -> list[Row]:
        return [(self.name, 0, "", "{}")]

    def tell(self, lost: Lost | None) -> None:
        if not self.is_able:
            raise RuntimeError("lost for words")
        self.told.append(lost)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.001)


def test_all_who_wait_share_one_commit() -> None:
    async def scene() -> None:
        store = SlowStore()
        beat, clerks = beat_of(store), [Clerk("x"), Clerk("y")]
        for clerk in (*clerks, clerks[0]):
            beat.call(clerk)
        await until(lambda: store.writes)
        assert [batch[0][0] for batch in store.writes[0][0]] == ["x", "y"]
        assert [clerk.told for clerk in clerks] == [[], []]
        store.finish()
        assert [clerk.told for clerk in clerks] == [[None], [None]]

    act(scene)


def test_who_comes_during_a_commit_has_the_next_one() -> None:
    async def scene() -> None:
        store = SlowStore()
        beat = beat_of(store)
        beat.call(Clerk("x"))
        await until(lambda: store.writes)
        beat.call(Clerk("y"))
        await asyncio.sleep(2 * DISTANCE)
        assert len(store.writes) == 1
        store.finish()
        await until(lambda: store.writes)
        assert store.writes[0][0] == [[("y", 0, "", "{}")]]

    act(scene)


def test_beats_keep_their_distance_but_the_first_does_not_wait() -> None:
    async def scene() -> None:
        store, loop = SlowStore(), asyncio.get_running_loop()
        beat = beat_of(store)
        beat.call(Clerk("x"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(store.writes) == 1
        began = loop.time()
        store.finish()
        beat.call(Clerk("y"))
        await until(lambda: store.writes)
        assert loop.time() - began >= DISTANCE / 2

    act(scene)


class Speaker(Clerk):
    """Sends a word in the next round of the event loop, as sockets do."""

    def __init__(self, name: str, diary: list[str]) -> None:
        super().__init__(name)
        self.diary = diary

    def tell(self, lost: Lost | None) -> None:
        asyncio.get_running_loop().call_soon(self.diary.append, "sent")


def diary_of_a_beat(
    monkeypatch: pytest.MonkeyPatch, tables: int, *, visited: bool = False
) -> list[str]:
    """What happens when so many tables tell: words are sent, and the server rests or does not."""
    diary: list[str] = []

    def sleep(seconds: float) -> None:
        assert 0 < seconds <= DISTANCE
        diary.append("rest")

    async def scene() -> None:
        store = SlowStore()
        beat = beat_of(store)
        for i in range(tables):
            beat.call(Speaker(str(i), diary))
        await until(lambda: store.writes)
        if visited:
            beat.stay_awake()
        store.finish()
        for _ in range(5):
            await asyncio.sleep(0)

    with monkeypatch.context() as patch:
        patch.setattr("time.sleep", sleep)
        act(scene)
    return diary


def test_when_many_tables_play_the_server_sends_what_was_told_and_rests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert diary_of_a_beat(monkeypatch, CROWD) == ["sent"] * CROWD + ["rest"]


def test_when_few_tables_play_the_server_does_not_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert diary_of_a_beat(monkeypatch, CROWD - 1) == ["sent"] * (CROWD - 1)


def test_the_server_stays_awake_for_those_who_ask_over_http(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert diary_of_a_beat(monkeypatch, CROWD, visited=True) == ["sent"] * CROWD


def test_every_request_over_http_keeps_the_server_awake() -> None:
    visits: list[str] = []
    services = SimpleNamespace(tables=SimpleNamespace(expect_requests=lambda: visits.append("")))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        visits.append(scope["path"])

    async def never(*_: object) -> Any:
        raise AssertionError("nothing is received or sent")

    async def scene() -> None:
        scope: Scope = {"type": "http", "path": "/here", "state": {"services": services}}
        await Doorbell(app)(scope, never, never)

    act(scene)
    assert visits == ["", "/here"]


def test_one_who_cannot_tell_does_not_silence_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> None:
        store, other = SlowStore(), Clerk("y")
        beat = beat_of(store)
        beat.call(Clerk("x", is_able=False))
        beat.call(other)
        await until(lambda: store.writes)
        store.finish()
        assert other.told == [None]
        beat.call(other)
        await until(lambda: store.writes)

    act(scene)
    assert "lost for words" in caplog.text


class Scene:
    """A table for two at which Ann sits and looks on, with the hello still to be stored."""

    def __init__(self) -> None:
        self.store = SlowStore()
        table = Table("t")
        table.apply(Opened("a", "stupide_vautour", 2, {}, False, 0))
        table.apply(Sat(0, "a", "Ann", 1))
        self.owner = Owner(table, 2, beat_of(self.store), [])
        self.shown: list[Snapshot | None] = []
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
        await asyncio.sleep(2 * DISTANCE)
        assert (table.replies, len(table.shown)) == ([], 1)
        table.store.finish()
        assert table.replies == [messages.Reply("1", True)]
        assert table.shown[1] is not None
        assert table.shown[1].said == 1

    act(scene)


def test_what_is_asked_twice_in_one_beat_is_done_once() -> None:
    async def scene() -> None:
        table = Scene()
        for _ in range(2):
            table.ask("1", messages.Say("hello"))
        await until(lambda: table.store.writes)
        (batch,) = table.store.writes[0][0]
        assert batch == [row("t", 2, Stored("a 1", Said("Ann", 1, "hello")))]
        table.store.finish()
        assert table.replies == [messages.Reply("1", True)] * 2

    act(scene)


def test_several_moves_of_a_table_are_stored_in_one_beat_and_told_in_one_update() -> None:
    async def scene() -> None:
        table = Scene()
        await until(lambda: len(table.shown) == 1)
        for text in ("one", "two"):
            table.ask(text, messages.Say(text))
        await until(lambda: table.store.writes)
        assert [r[1:3] for r in table.store.writes[0][0][0]] == [(2, "a one"), (3, "a two")]
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


def test_a_batch_that_clashes_is_lost_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        await store.open()
        said = Stored("", Said("Ann", 1, "hello"))
        for table in ("x", "y"):
            await store.create_table(table, 0, said)
        losses: list[list[Lost | None]] = []
        rows = [row("x", 1, said), row("x", 2, said)], [row("y", 0, said)]
        store.write(rows, losses.append)
        await until(lambda: losses)
        assert losses[0][0] is None
        assert "UNIQUE" in str(losses[0][1])
        assert len(await store.history("x")) == 3
        assert len(await store.history("y")) == 1
        await store.close()

    act(scene)
