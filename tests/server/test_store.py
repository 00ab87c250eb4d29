"""What is stored is stored whole, and stays so whatever happens to the process."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import killing
from ludotheque.engine.refused import Refused
from ludotheque.server.store import Store, metadata

NEWEST = "0002"
OLD = Path(__file__).with_name("schema_0001.sql")
T = TypeVar("T")


def run(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Play a scene in a thread of its own: a browser's test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(lambda: asyncio.run(scene())).result()


def store_in(folder: Path) -> Store:
    return Store(f"sqlite:///{folder / 'tables.sqlite'}")


def open_and_close(folder: Path) -> None:
    async def scene() -> None:
        store = store_in(folder)
        await store.open()
        await store.close()

    run(scene)


def ask(path: Path, question: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def make_old(folder: Path) -> None:
    """A folder as the first version left it, with a player, a table and a secret."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / "tables.sqlite")) as connection:
        connection.executescript(OLD.read_text("utf-8"))


def is_complete(folder: Path) -> bool:
    """Whether the schema is the one that the code uses."""
    engine = sa.create_engine(f"sqlite:///{folder / 'tables.sqlite'}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    version = ask(folder / "tables.sqlite", "SELECT version_num FROM alembic_version")
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
        assert is_complete(folder), folder.name


def test_an_upgrade_that_was_killed_has_lost_nothing_and_starts_again(tmp_path: Path) -> None:
    make_old(tmp_path / "before")
    before = ask(tmp_path / "before" / "tables.sqlite", "SELECT * FROM events")
    folders = killed_folders(tmp_path)
    assert len(folders) > 10
    for folder in folders:
        assert ask(folder / "tables.sqlite", "SELECT * FROM events") == before
        open_and_close(folder)
        assert is_complete(folder), folder.name
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


def test_a_new_folder_and_one_that_is_up_to_date_need_no_backup(tmp_path: Path) -> None:
    for _ in range(2):
        open_and_close(tmp_path)
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    open_and_close(tmp_path)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(Refused, match=r"newer version.*its schema is 9999.*knows 0001, 0002"):
        open_and_close(tmp_path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("a shopping list, for instance" * 100)
    with pytest.raises(Refused, match=r"tables.sqlite cannot be opened: file is not a database"):
        open_and_close(tmp_path)


# Permissions


def test_only_the_owner_may_read_what_is_stored(tmp_path: Path) -> None:
    make_old(tmp_path)
    (tmp_path / "tables.sqlite.before-0000").touch(0o644)

    async def scene() -> set[tuple[str, str]]:
        store = store_in(tmp_path)
        await store.open()
        await store.secret("tokens", "sesame")
        modes = {(path.name, oct(path.stat().st_mode & 0o777)) for path in tmp_path.iterdir()}
        await store.close()
        return modes

    assert run(scene) == {
        ("tables.sqlite", "0o600"),
        ("tables.sqlite-wal", "0o600"),
        ("tables.sqlite-shm", "0o600"),
        ("tables.sqlite.before-0000", "0o600"),
        (f"tables.sqlite.before-{NEWEST}", "0o600"),
    }
