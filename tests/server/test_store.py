"""What is stored is stored whole, and stays so whatever happens to the process."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any, TypeVar, cast

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import killing
from homes import Home, postgresql_home, sqlite_home
from ludotheque.engine.refused import Refused
from ludotheque.server import database
from ludotheque.server.counts import Counts
from ludotheque.server.devices import Devices
from ludotheque.server.events import FORMAT, Attempt, Left, Said, Sat
from ludotheque.server.player import Player
from ludotheque.server.schema import metadata
from ludotheque.server.store import (
    Seating,
    Store,
    Stored,
    Unavailable,
    Unreadable,
    row,
)
from ludotheque.server.upgrade import upgrade
from ludotheque.server.writer import FENCED, Batch, Ended, Fenced, Lost, SeatingChanges

NEWEST = "0008"
OLD = Path(__file__).with_name("schema_0001.sql")
HELLO = Stored("", Said("Ann", 1, "hello"))
BYE = Stored("", Said("Ann", 1, "good-bye"))
T = TypeVar("T")


def with_store(folder: Path, scene: Callable[[Store], Awaitable[T]]) -> T:
    return sqlite_home(folder).with_store(scene)


def open_and_close(folder: Path) -> None:
    with_store(folder, lambda _: asyncio.sleep(0))


async def written(store: Store, batches: Sequence[Batch]) -> list[Lost | None]:
    done: asyncio.Future[list[Lost | None]] = asyncio.get_running_loop().create_future()
    store.write(batches, done.set_result)
    return await done


def reasons(losses: list[Lost | None]) -> list[str]:
    return [str(lost or "") for lost in losses]


def ask(path: Path, question: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def make_old(folder: Path) -> None:
    """A folder as the first version left it, with a player, a table and a secret."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / "tables.sqlite")) as connection:
        connection.executescript(OLD.read_text("utf-8"))


def is_complete(home: Home) -> bool:
    """Whether the schema is the one that the code uses."""
    engine = sa.create_engine(home.url)
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    version = home.ask("SELECT version_num FROM alembic_version")
    return differences == [] and version == [(NEWEST,)]


def killed_folders(folder: Path) -> list[Path]:
    """Copies of FOLDER/before, each opened by a process that was killed a statement later."""
    script = str(killing.__file__)
    subprocess.run([sys.executable, script, str(folder)], check=True)
    copies = [path for path in folder.iterdir() if path.name != "before"]
    return sorted(copies, key=lambda path: int(path.name))


# Migrations


def test_a_folder_whose_first_start_was_killed_starts_again(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    folders = killed_folders(tmp_path)
    assert len(folders) > 10
    for folder in folders:
        open_and_close(folder)
        assert is_complete(sqlite_home(folder)), folder.name


def test_an_upgrade_that_was_killed_has_lost_nothing_and_starts_again(tmp_path: Path) -> None:
    make_old(tmp_path / "before")
    before = ask(tmp_path / "before" / "tables.sqlite", "SELECT * FROM events")
    folders = killed_folders(tmp_path)
    assert len(folders) > 10
    for folder in folders:
        assert ask(folder / "tables.sqlite", "SELECT * FROM events") == before
        open_and_close(folder)
        assert is_complete(sqlite_home(folder)), folder.name
        assert ask(folder / "tables.sqlite", "SELECT * FROM events") == before
        assert ask(folder / f"tables.sqlite.before-{NEWEST}", "SELECT * FROM events") == before


def test_an_upgrade_keeps_a_backup_of_what_was_there(tmp_path: Path) -> None:
    make_old(tmp_path)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("INSERT INTO players VALUES ('b1', 'Bob', 4, 3000)")
        connection.commit()  # and only the write-ahead log has it
        open_and_close(tmp_path)
    backup = tmp_path / f"tables.sqlite.before-{NEWEST}"
    assert ask(backup, "SELECT version_num FROM alembic_version") == [("0001",)]
    assert ask(backup, "SELECT name FROM players") == [("Ann",), ("Bob",)]
    assert ask(tmp_path / "tables.sqlite", "SELECT name FROM players") == [("Ann",), ("Bob",)]
    assert ask(tmp_path / "tables.sqlite", "SELECT format, is_live FROM tables") == [(1, 0)]


def test_what_a_killed_backup_has_left_is_not_taken_for_one(tmp_path: Path) -> None:
    make_old(tmp_path)
    backup = tmp_path / f"tables.sqlite.before-{NEWEST}"
    for ending in (".part", ".part-journal", ".part-wal"):
        backup.with_name(backup.name + ending).write_text("half a page" * 1000)
    open_and_close(tmp_path)
    assert ask(backup, "PRAGMA integrity_check") == [("ok",)]
    assert {path.name for path in tmp_path.iterdir()} == {"tables.sqlite", backup.name}


def test_a_new_folder_and_one_that_is_up_to_date_need_no_backup(tmp_path: Path) -> None:
    for _ in range(2):
        open_and_close(tmp_path)
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_database_of_a_newer_version_is_refused(home: Home) -> None:
    home.with_store(lambda _: asyncio.sleep(0))
    home.ask("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        Refused,
        match=r"newer version.*its schema is 9999.*knows 0001, .*, 0006, 0007",
    ):
        home.with_store(lambda _: asyncio.sleep(0))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("a shopping list, for instance" * 100)
    with pytest.raises(Refused, match=r"tables.sqlite cannot be opened: file is not a database"):
        open_and_close(tmp_path)


def test_an_upgrade_finds_out_who_sits_where(tmp_path: Path) -> None:
    async def scene(store: Store) -> None:
        sat = [Stored("", Sat(seat, guest, guest, 1)) for seat, guest in enumerate("ab")]
        left, again = Stored("", Left(0)), Stored("", Sat(0, "c", "c", 1))
        await store.create_table("x", 5, [*sat, HELLO, left, again])
        await store.create_table("y", 6, [*sat, *sat])
        await store.create_table("z", 7, sat)

    with_store(tmp_path, scene)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection, connection:
        connection.execute("DROP TABLE seatings")
        connection.execute("DROP TABLE subscriptions")
        connection.execute("DROP TABLE devices")
        connection.execute("DROP TABLE recoveries")
        connection.execute("ALTER TABLE players DROP COLUMN has_former_token")
        connection.execute("DROP INDEX tables_by_code")
        for index in ("tables_by_use", "decided_tables"):
            connection.execute(f"DROP INDEX {index}")
        for column in ("code", "used", "fate"):
            connection.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
        connection.execute('UPDATE events SET body = \'{"event":"sat"\' WHERE place = 3')
        connection.execute("UPDATE tables SET format = iif(id = 'z', 1, 2)")
    open_and_close(tmp_path)
    assert is_complete(sqlite_home(tmp_path))
    found = ask(tmp_path / "tables.sqlite", 'SELECT guest, "table", used FROM seatings')
    assert sorted(found) == [("a", "y", 6), ("b", "x", 5), ("b", "y", 6), ("c", "x", 5)]


# Permissions


def test_only_the_owner_may_read_what_is_stored(tmp_path: Path) -> None:
    make_old(tmp_path)
    (tmp_path / "tables.sqlite.before-0000").touch(0o644)

    async def scene(store: Store) -> set[tuple[str, str]]:
        await store.secret("tokens", "sesame")
        return {(path.name, oct(path.stat().st_mode & 0o777)) for path in tmp_path.iterdir()}

    assert with_store(tmp_path, scene) == {
        ("tables.sqlite", "0o600"),
        ("tables.sqlite-wal", "0o600"),
        ("tables.sqlite-shm", "0o600"),
        ("tables.sqlite.before-0000", "0o600"),
        (f"tables.sqlite.before-{NEWEST}", "0o600"),
    }


# Tables


def test_a_table_is_created_with_its_first_events(home: Home) -> None:
    async def scene(store: Store) -> None:
        await store.create_table("old", 1, [HELLO])
        await store.create_table("new", 5, [HELLO, HELLO])
        assert await store.history("new") == [HELLO, HELLO]

    home.with_store(scene)
    chosen = home.ask("SELECT id, created, format, is_live FROM tables")
    assert sorted(chosen) == [("new", 5, FORMAT, 0), ("old", 1, FORMAT, 0)]


def test_a_table_that_cannot_be_created_whole_is_not_created(home: Home) -> None:
    async def scene(store: Store) -> None:
        broken = Stored(cast(str, None), HELLO.event)
        with pytest.raises(Lost, match=r"(?i)not.null"):
            await store.create_table("t", 1, [HELLO, broken])
        assert await store.history("t") == []

    home.with_store(scene)


def test_a_table_has_one_id(home: Home) -> None:
    async def scene(store: Store) -> None:
        await store.create_table("t", 1, [HELLO])
        with pytest.raises(Lost, match=r"(?i)unique"):
            await store.create_table("t", 2, [HELLO, HELLO])
        assert await store.history("t") == [HELLO]

    home.with_store(scene)


def test_there_is_no_history_without_a_table(home: Home) -> None:
    assert home.with_store(lambda store: store.history("nowhere")) == []


def test_what_came_later_is_read_alone(home: Home) -> None:
    long = Stored("a 1", HELLO.event)

    async def scene(store: Store) -> None:
        await store.create_table("t", 1, [HELLO, long])
        assert await store.later("t", 0) == [HELLO, long]
        assert await store.later("t", 1) == [long]
        assert await store.later("t", 2) == []
        assert await store.later("nowhere", 0) is None

    home.with_store(scene)
    home.ask("UPDATE tables SET fate = 'closed' WHERE id = 't'")
    assert home.with_store(lambda store: store.later("t", 1)) is None


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("DELETE FROM events WHERE place = 1", "event 1 of table 't' is missing"),
        ("DELETE FROM events", "event 0 of table 't' is missing"),
        ("UPDATE events SET body = '{' WHERE place = 2", "event 2 of table 't' cannot be read: "),
        (
            'UPDATE events SET body = \'{"event":"danced"}\' WHERE place = 2',
            "event 2 of table 't' cannot be read: Invalid value 'danced'",
        ),
        (
            f"UPDATE tables SET format = {FORMAT - 1}",
            f"written by an older version: its format is {FORMAT - 1}, this version reads {FORMAT}",
        ),
        (
            f"UPDATE tables SET format = {FORMAT + 1}",
            f"written by a newer version: its format is {FORMAT + 1}, this version reads {FORMAT}",
        ),
    ],
)
def test_a_history_that_is_damaged_says_where(home: Home, damage: str, complaint: str) -> None:
    home.with_store(lambda store: store.create_table("t", 1, [HELLO, HELLO, HELLO]))
    home.ask(damage)
    with pytest.raises(Unreadable) as unreadable:
        home.with_store(lambda store: store.history("t"))
    assert complaint in str(unreadable.value)


def test_a_history_whose_text_is_damaged_says_so(tmp_path: Path) -> None:
    """PostgreSQL takes no such text."""
    with_store(tmp_path, lambda store: store.create_table("t", 0, [HELLO]))
    sqlite_home(tmp_path).ask("UPDATE events SET body = CAST(x'ff' AS TEXT)")
    with pytest.raises(Unreadable, match="table 't' cannot be read: Could not decode to UTF-8"):
        with_store(tmp_path, lambda store: store.history("t"))


def test_of_a_damaged_database_the_log_says_what_to_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with_store(tmp_path, lambda store: store.create_table("t", 0, [HELLO]))
    path = tmp_path / "tables.sqlite"

    async def scene(store: Store) -> None:
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
        with pytest.raises(Unavailable):
            await store.live_tables()

    with suppress(Lost, Refused):
        with_store(tmp_path, scene)
    said = "storage cannot be read: database disk image is malformed; run `ludotheque doctor`"
    assert any(record.getMessage().startswith(said) for record in caplog.records), caplog.text


def test_a_history_that_cannot_be_read_now_is_read_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, elsewhere = tmp_path / "tables.sqlite", tmp_path / "elsewhere"

    async def scene(store: Store) -> None:
        path.rename(elsewhere)
        path.mkdir()
        with pytest.raises(Unavailable, match="try again"):
            await store.history("t")
        path.rmdir()
        elsewhere.rename(path)
        assert await store.history("t") == [HELLO]

    with_store(tmp_path, lambda store: store.create_table("t", 0, [HELLO]))
    with_store(tmp_path, scene)
    assert "storage cannot be read: unable to open database file" in caplog.text


def test_live_tables_are_known_without_reading_the_others(home: Home) -> None:
    async def scene(store: Store) -> None:
        for created, table in enumerate(["x", "y", "z"]):
            await store.create_table(table, created, [HELLO])
        assert await store.live_tables() == []
        flags = [Batch("z", [], True), Batch("x", [], True), Batch("y", [])]
        assert await written(store, flags) == [None, None, None]
        assert await store.live_tables() == ["x", "z"]
        assert await written(store, [Batch("x", [row("x", 1, HELLO)], False)]) == [None]
        assert await store.live_tables() == ["z"]
        assert await written(store, [Batch("z", [row("z", 1, HELLO)])]) == [None]
        assert await store.live_tables() == ["z"]

    home.with_store(scene)
    if not home.is_postgresql:  # which plans by how much there is
        question = "EXPLAIN QUERY PLAN SELECT id FROM tables WHERE is_live = 1 ORDER BY created"
        (step,) = home.ask(question)
        assert step[3] == "SCAN tables USING INDEX live_tables"


def test_seatings_are_stored_with_the_events_that_change_them(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(1)
    monkeypatch.setattr("ludotheque.server.writer._now_ms", lambda: next(ticks))

    async def scene(store: Store) -> None:
        for table in ("x", "y"):
            await store.create_table(table, 0, [Stored("", Sat(0, "a", "Ann", 1))])
        assert await store.seatings("a", 10, None) == [Seating("y", 2), Seating("x", 1)]
        used = Batch("x", [row("x", 1, HELLO)], seatings=SeatingChanges(frozenset("ab")))
        assert await written(store, [used]) == [None]
        assert await store.seatings("a", 10, None) == [Seating("x", 3), Seating("y", 2)]
        assert await store.seatings("a", 10, Seating("x", 3)) == [Seating("y", 2)]
        clash = Batch("x", [row("x", 1, HELLO)], seatings=SeatingChanges(left=frozenset("a")))
        assert reasons(await written(store, [clash])) != [""]
        assert await store.seatings("b", 10, None) == [Seating("x", 3)]
        left = Batch("x", [row("x", 2, HELLO)], seatings=SeatingChanges(left=frozenset("a")))
        assert await written(store, [left]) == [None]
        assert await store.seatings("a", 10, None) == [Seating("y", 2)]
        await store.forget_seating("a", "y")
        assert await store.seatings("a", 10, None) == []

    home.with_store(scene)


# Deals


def test_a_deal_names_a_match_and_is_saved_once(home: Home) -> None:
    async def scene(store: Store) -> None:
        await store.create_table("t", 1, [HELLO])
        for created in (5, 6):
            await store.save_deal("d", "t", 3, created)
        assert await store.deal("d") == ("t", 3)
        assert await store.deal("e") is None
        with pytest.raises(Lost, match=r"(?i)foreign key"):
            await store.save_deal("e", "nowhere", 1, 5)

    home.with_store(scene)


@pytest.mark.parametrize("body", ["{", '{"names": ["Ann"], "scores": []}', "[]"])
def test_a_result_that_cannot_be_read_does_not_hide_the_others(home: Home, body: str) -> None:
    async def scene(store: Store) -> None:
        await store.create_table("t", 1, [HELLO])
        for match in (1, 2):
            ended = Ended("d", match, Attempt(["Ann"], [match]))
            await written(store, [Batch("t", [row("t", match, HELLO)], None, (ended,))])
        home.ask("UPDATE results SET body = ? WHERE match = 1", body)
        assert [attempt.scores for attempt in await store.attempts("d", 10)] == [[2]]

    home.with_store(scene)


def test_the_latest_attempts_at_a_deal_are_kept_with_the_events_that_end_them(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(1)
    monkeypatch.setattr("ludotheque.server.writer.time.time", lambda: next(ticks))

    async def scene(store: Store) -> None:
        await store.create_table("t", 1, [HELLO])
        for match, deal in enumerate(("d", "e", "d", "d"), 1):
            ended = Ended(deal, match, Attempt([f"Ann {match}"], [match]))
            batch = Batch("t", [row("t", match, HELLO)], None, (ended,))
            assert await written(store, [batch]) == [None]
        clash = Ended("d", 5, Attempt(["Bob"], [9]))
        assert reasons(await written(store, [Batch("t", [row("t", 1, HELLO)], None, (clash,))]))
        assert [a.scores for a in await store.attempts("d", 10)] == [[1], [3], [4]]
        assert [a.scores for a in await store.attempts("d", 2)] == [[3], [4]]

    home.with_store(scene)


# Players and secrets


def test_a_player_is_kept_and_may_change(home: Home) -> None:
    async def scene(store: Store) -> None:
        await Devices(store).enter(Player("a", "Ann", 1), "")
        await Devices(store).rename(Player("a", "Anne", 2))
        assert await store.players("ab") == [Player("a", "Anne", 2)]

    home.with_store(scene)


def test_of_two_who_make_a_secret_at_once_one_wins(home: Home) -> None:
    async def scene(store: Store) -> list[str]:
        other = home.store()
        await other.open()
        asked = [
            (each.secret(f"s{i}", f"{i} {each is store}"))
            for i in range(20)
            for each in (store, other)
        ]
        found = await asyncio.gather(*asked)
        await other.close()
        return found

    found = home.with_store(scene)
    kept = dict(home.ask("SELECT name, value FROM secrets"))
    assert found == [kept[f"s{i}"] for i in range(20) for _ in range(2)]


# Writing


def test_a_batch_that_clashes_is_lost_alone(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(store: Store) -> None:
        for table in ("x", "y"):
            await store.create_table(table, 0, [HELLO])
        batches = [
            Batch("x", [row("x", 1, HELLO), row("x", 2, HELLO)], True),
            Batch("y", [row("y", 1, HELLO), row("y", 0, HELLO)], True),
            Batch("nowhere", [row("nowhere", 0, HELLO)]),
        ]
        losses = await written(store, batches)
        assert losses[0] is None
        assert isinstance(losses[1], Fenced)
        assert "foreign key" in str(losses[2]).lower()
        assert not isinstance(losses[2], Fenced)
        assert await store.history("x") == [HELLO] * 3
        assert await store.history("y") == [HELLO]
        assert await store.live_tables() == ["x"]

    home.with_store(scene)
    fenced, lost = [(r.levelno, r.getMessage()) for r in caplog.records]
    assert fenced == (logging.WARNING, f"table y was not stored: {FENCED}")
    assert lost[0] == logging.ERROR
    assert lost[1].startswith("table nowhere was not stored: ")


def test_a_stale_writer_is_fenced_and_leaves_nothing_of_its_batch(home: Home) -> None:
    ended = (Ended("d", 1, Attempt(["Ann"], [1])),)
    stale = Batch("t", [row("t", 1, BYE)], True, ended, SeatingChanges(frozenset("a")), 9)

    async def scene(store: Store) -> None:
        other = home.store()
        await store.create_table("t", 0, [HELLO])
        assert await written(other, [Batch("t", [row("t", 1, HELLO)])]) == [None]
        (lost,) = await written(store, [stale])
        assert isinstance(lost, Fenced)
        assert await store.history("t") == [HELLO, HELLO]
        assert await store.live_tables() == []
        assert await store.seatings("a", 10, None) == []
        assert await store.attempts("d", 10) == []
        await other.close()

    home.with_store(scene)


@pytest.mark.parametrize("table", ["t", "nowhere"])
def test_a_batch_that_is_lost_keeps_nobody_from_storing(home: Home, table: str) -> None:
    """To keep the error is to keep the cursor that failed, which must hold no lock."""

    async def scene(store: Store) -> None:
        await store.create_table("t", 0, [HELLO])
        kept = await written(store, [Batch(table, [row(table, 0, HELLO)])])
        assert kept != [None]
        assert await written(store, [Batch("t", [row("t", 1, HELLO)])]) == [None]
        await asyncio.to_thread(home.ask, "UPDATE tables SET used = 9")

    home.with_store(scene)


def test_a_fence_does_not_say_that_storage_has_failed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counts()
    monkeypatch.setattr("ludotheque.server.writer.counts", counted)

    async def scene(store: Store) -> None:
        await store.create_table("t", 0, [HELLO])
        await written(store, [Batch("t", [row("t", 0, HELLO)])])

    home.with_store(scene)
    assert (counted.fenced_writes, counted.failed_writes, counted.failed_at) == (1, 0, None)


def test_a_row_that_no_driver_can_take_is_lost_alone(home: Home) -> None:
    async def scene(store: Store) -> None:
        await store.create_table("x", 0, [HELLO])
        await store.create_table("y", 0, [HELLO])
        batches = [Batch("x", [("x", 1, "\ud800", "{}")]), Batch("y", [row("y", 1, HELLO)])]
        losses = await written(store, batches)
        assert "surrogates not allowed" in str(losses[0])
        assert losses[1] is None

    home.with_store(scene)


class Trouble:
    """Makes each new connection of a store fail to write, until it ends."""

    def __init__(self, store: Store, *pragmas: str) -> None:
        self.pragmas = pragmas
        sa.event.listen(store.engine, "connect", self._prepare)

    def _prepare(self, connection: Any, _record: Any) -> None:
        for pragma in self.pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def end(self) -> None:
        self.pragmas = ()


@pytest.mark.parametrize(
    ("pragma", "reason"),
    [
        ("max_page_count=1", "database or disk is full"),
        ("query_only=ON", "attempt to write a readonly database"),
    ],
)
def test_a_store_that_could_not_write_works_again_when_the_cause_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pragma: str, reason: str
) -> None:
    long = Stored("", Said("Ann", 1, "x" * 100_000))
    batches = [Batch("t", [row("t", 1, long)], True), Batch("u", [row("u", 1, long)])]

    async def prepare(store: Store) -> None:
        for table in ("t", "u"):
            await store.create_table(table, 0, [HELLO])

    async def scene(store: Store) -> None:
        trouble = Trouble(store, pragma)
        with pytest.raises(Lost, match=reason):
            await store.create_table("v", 0, [long])
        assert reasons(await written(store, batches)) == [reason] * 2
        trouble.end()
        assert await store.history("v") == []
        assert await store.history("t") == [HELLO]
        await store.create_table("v", 0, [long])
        assert await written(store, batches) == [None, None]
        assert await store.history("t") == [HELLO, long]
        assert await store.live_tables() == ["t"]

    with_store(tmp_path, prepare)
    with_store(tmp_path, scene)
    for table in ("t", "u", "v"):
        assert f"table {table} was not stored: {reason}" in caplog.text


def test_a_database_that_another_program_has_locked_is_said_to_be_locked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with_store(tmp_path, lambda store: store.create_table("t", 0, [HELLO]))

    async def scene(store: Store) -> None:
        trouble = Trouble(store, "busy_timeout=1")
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Lost, match="database is locked"):
                await Devices(store).enter(Player("a", "Ann", 1), "")
            losses = await written(store, [Batch("t", [row("t", 1, HELLO)])])
            assert reasons(losses) == ["database is locked"]
        trouble.end()
        await Devices(store).enter(Player("a", "Ann", 1), "")
        assert await written(store, [Batch("t", [row("t", 1, HELLO)])]) == [None]

    with_store(tmp_path, scene)
    assert "player a was not stored: database is locked" in caplog.text
    assert "table t was not stored: database is locked" in caplog.text


def test_a_log_tells_no_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(store: Store) -> None:
        Trouble(store, "query_only=ON")
        with pytest.raises(Lost):
            await store.secret("tokens", "sesame")

    with_store(tmp_path, scene)
    assert "secret tokens was not stored: attempt to write a readonly database" in caplog.text
    assert "sesame" not in caplog.text


def test_what_is_written_when_the_store_closes_is_stored(home: Home) -> None:
    losses: list[list[Lost | None]] = []

    async def scene(store: Store) -> None:
        await store.create_table("t", 0, [HELLO])
        for place in range(1, 50):
            store.write([Batch("t", [row("t", place, HELLO)])], losses.append)

    home.with_store(scene)
    assert losses == [[None]] * 49
    assert len(home.ask("SELECT place FROM events")) == 50


def test_a_change_that_is_given_up_does_not_stop_the_writer(home: Home) -> None:
    async def scene(store: Store) -> None:
        for wait in range(3):
            change = asyncio.create_task(Devices(store).enter(Player("a", "Ann", wait), ""))
            for _ in range(wait):
                await asyncio.sleep(0)
            change.cancel()
        await Devices(store).enter(Player("b", "Bob", 2), "")
        assert await store.players("b") == [Player("b", "Bob", 2)]

    home.with_store(scene)


def test_a_change_that_is_given_up_and_lost_is_logged(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    has_begun, is_given_up = Event(), Event()

    def fail(*_: object) -> None:
        has_begun.set()
        is_given_up.wait(60)
        raise Lost("the disk is on fire")

    async def scene(store: Store) -> None:
        monkeypatch.setattr(store._writer, "_commit", fail)
        change = asyncio.create_task(Devices(store).enter(Player("a", "Ann", 1), ""))
        await asyncio.to_thread(has_begun.wait, 60)
        change.cancel()
        await asyncio.wait([change])
        is_given_up.set()

    home.with_store(scene)
    assert "player a was not stored: the disk is on fire" in caplog.text


def test_a_new_database_gets_the_schema_that_the_code_uses(home: Home) -> None:
    home.with_store(lambda _: asyncio.sleep(0))
    assert is_complete(home)


def test_nodes_that_start_at_once_make_one_schema() -> None:
    home = postgresql_home()
    with ThreadPoolExecutor(4) as nodes:
        assert list(nodes.map(upgrade, [home.url] * 4)) == [None] * 4
    assert is_complete(home)


# Durability


def test_the_writer_synchronises_in_full(tmp_path: Path) -> None:
    """Write-ahead log with full synchronisation: what is stored survives a power cut."""
    pragmas = with_store(tmp_path, lambda store: store.durability())
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_postgresql_answers_a_commit_when_it_is_on_disk_whatever_is_its_default() -> None:
    home = postgresql_home()
    home.ask(f"ALTER DATABASE {home.url.database} SET synchronous_commit = off")
    found = home.with_store(lambda store: store.durability())
    assert found == {"synchronous_commit": "on", "fsync": "on"}


def test_a_writer_that_does_not_synchronise_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = [pragma.replace("FULL", "OFF") for pragma in database.PRAGMAS]
    monkeypatch.setattr(database, "PRAGMAS", careless)
    pragmas = with_store(tmp_path, lambda store: store.durability())
    assert pragmas["synchronous"] == 0
