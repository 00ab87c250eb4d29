"""Copies the tables of a folder to a file, and restores them from one."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ludotheque.engine.refused import Refused
from ludotheque.server.data_folder import database_in, expect_tables, held
from ludotheque.server.sqlite_file import copy, damages, expect_database, opened
from ludotheque.server.upgrade import expect_known

OUR_TABLES = {"alembic_version", "tables", "events", "players"}  # of every version


def back_up(folder: Path, target: Path) -> Path:
    """Write a consistent copy, even while a server runs, and return its file.

    A folder as the target gets a file that is named by the time.
    """
    source = expect_tables(folder)
    if target.is_dir():
        target = target / f"ludotheque-{_stamp()}.sqlite"
    elif target.exists():
        _expect_backup(target, source)  # an older one is replaced, and nothing else
    try:
        with _copied(source, target) as ready:
            ready.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"the backup {target} was not written: {_reason(error)}") from None
    return target


def restore(source: Path, folder: Path, is_forced: bool) -> Path | None:
    """Replace the tables of a folder by those of a backup; where the former ones are kept."""
    expect_database(source)
    expect_sound(source)
    with held(folder):
        target = database_in(folder)
        if target.exists() and not is_forced:
            raise Refused(
                f"there are tables in {folder} already; with --force they are replaced, "
                "and kept beside the restored ones"
            )
        try:
            with _copied(source, target) as ready:
                kept = _set_aside(target)
                ready.replace(target)
        except (OSError, sqlite3.Error) as error:
            raise Refused(f"{source} was not restored: {_reason(error)}") from None
    return kept


@contextmanager
def _copied(source: Path, target: Path) -> Iterator[Path]:
    """A sound copy beside the target, in a folder of its own: no file there is in its way."""
    with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        ready = Path(folder) / target.name
        try:
            copy(source, ready, lambda part: expect_sound(part, source))
        except sqlite3.DatabaseError as error:
            if damages(source):
                raise _damaged(source, str(error)) from None
            raise
        yield ready


def _expect_backup(path: Path, source: Path) -> None:
    """Refuse to replace anything but a backup of ours."""
    expect_database(path)
    if path.samefile(source):
        raise Refused(f"{path} holds the tables themselves; name another file for the backup")
    try:
        with closing(opened(path)) as connection:
            found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error:
        found = set()
    if OUR_TABLES - found:
        raise Refused(f"{path} is no backup of Ludothèque; name another file for the backup")


def _set_aside(path: Path) -> Path | None:
    """Rename the files of a database, with what SQLite keeps beside it."""
    if path.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=5)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # all of it in one file, if possible
    kept = path.with_name(f"{path.name}.before-restore-{_stamp()}")
    beside = [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "")]
    for file in beside:
        if file.exists():
            file.replace(kept.with_name(kept.name + file.name.removeprefix(path.name)))
    return kept if kept.exists() else None


def expect_sound(path: Path, origin: Path | None = None) -> None:
    """Refuse a file that is damaged, or that this version does not understand.

    Of a copy, people are told about its origin.
    """
    found = damages(path)
    if found:
        raise _damaged(origin or path, found[0])
    expect_known(schema_of(path, origin), str(origin or path))


def _damaged(path: Path, found: str) -> Refused:
    return Refused(f"{path} is damaged: {found}")


def schema_of(path: Path, origin: Path | None = None) -> str:
    """The revision of the schema of a database; Refused if it is not one of ours."""
    name = origin or path
    try:
        with closing(opened(path)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise Refused(f"{name} holds no tables of Ludothèque: {error}") from None
    if row is None:
        raise Refused(f"{name} holds no tables of Ludothèque: its schema has no version")
    return str(row[0])


def _stamp() -> str:
    return time.strftime("%Y%m%d-%H%M%S")


def _reason(error: OSError | sqlite3.Error) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
