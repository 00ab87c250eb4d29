"""A database of SQLite as a file: private, copied while it is in use, and checked."""

from __future__ import annotations

import glob
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ludotheque.engine.refused import Refused

PRIVATE = 0o600  # the database holds the keys of chance and the secret that signs tokens
HEADER = b"SQLite format 3\0"

Check = Callable[[Path], None]


def copy(source: Path, target: Path, check: Check = lambda part: None) -> None:
    """Copy a database through SQLite, which includes what is still in the write-ahead log.

    The copy gets its name when it is complete and has passed the check, so a file of that name is
    a good copy. A server that writes meanwhile does not have to wait.
    """
    part = target.with_name(f"{target.name}.part")
    _delete(part)  # what a copy that was killed has left
    part.touch(PRIVATE)
    try:
        with closing(opened(source)) as origin, closing(sqlite3.connect(part)) as twin:
            origin.backup(twin)
            twin.execute("PRAGMA journal_mode = DELETE")  # one file, complete by itself
        check(part)
        part.replace(target)
    finally:
        _delete(part)


def _delete(path: Path) -> None:
    """Delete a database with what SQLite keeps beside it, and no other file."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def opened(path: Path) -> sqlite3.Connection:
    """A connection that cannot change the database."""
    connection = sqlite3.connect(path, timeout=5)
    connection.execute("PRAGMA query_only = ON")
    return connection


def damages(path: Path) -> list[str]:
    """What SQLite finds wrong with a database."""
    try:
        with closing(opened(path)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
            loose = connection.execute("PRAGMA foreign_key_check").fetchmany(20)
    except sqlite3.Error as error:
        return [str(error)]
    return [text for text in found if text != "ok"] + [
        f"row {row[1]} of {row[0]} belongs to a row of {row[2]} that is missing" for row in loose
    ]


def expect_database(path: Path) -> None:
    """Refuse anything but a database of SQLite."""
    try:
        with path.open("rb") as file:
            is_one = file.read(len(HEADER)) == HEADER
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    if not is_one:
        raise Refused(f"{path} is not an SQLite database")


def make_private(path: Path) -> None:
    """Allow only the owner to read the database, its backups, and SQLite's other files."""
    path.touch(PRIVATE)  # SQLite gives its other files the permissions of this one
    for file in files_of(path):
        file.chmod(PRIVATE)


def files_of(path: Path) -> list[Path]:
    """A database, its backups, and SQLite's other files."""
    return list(path.parent.glob(f"{glob.escape(path.name)}*"))
