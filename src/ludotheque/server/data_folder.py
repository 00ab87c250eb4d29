"""The folder in which a server keeps its tables, and the lock that keeps others out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ludotheque.engine.refused import Refused
from ludotheque.server.sqlite_file import PRIVATE

DATABASE = "tables.sqlite"


def database_in(folder: Path) -> Path:
    return folder / DATABASE


def expect_tables(folder: Path) -> Path:
    """The database of a folder that has one; Refused if there is none."""
    path = database_in(folder)
    if not path.is_file():
        raise Refused(f"there are no tables in {folder}; name the folder with --data")
    _expect_owner(path)
    return path


def _expect_owner(path: Path) -> None:
    """Refuse to act as another user: files that SQLite made beside it would lock its owner out."""
    owner = path.stat().st_uid
    if hasattr(os, "geteuid") and os.geteuid() != owner:
        raise Refused(f"{path} belongs to another user (number {owner}); run this as that user")


@contextmanager
def held(folder: Path, is_shared: bool = False) -> Iterator[None]:
    """Keep servers out of the folder. The system frees it again, however this process ends.

    Nodes share a folder: they keep out servers that are none, and those keep them out.
    """
    if is_shared:
        with _shared(folder):
            yield
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(folder / "lock", timeout=0, mode=PRIVATE, fallback_to_soft=False)
        acquired = lock.acquire()
    except Timeout:
        raise Refused(
            f"{folder} is in use by another server; "
            "stop that one, or choose another folder with --data"
        ) from None
    except OSError as error:
        raise Refused(f"{folder} cannot hold tables: {error.strerror}") from None
    with acquired:
        yield


@contextmanager
def _shared(folder: Path) -> Iterator[None]:
    try:
        import fcntl  # noqa: PLC0415  # Windows has none
    except ImportError:
        raise Refused("nodes cannot share a folder on this system; use --database") from None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as error:
        raise Refused(f"{folder} cannot hold tables: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Refused(
            f"{folder} is in use by a server without a broker; "
            "stop that one, or choose another folder with --data"
        ) from None
    finally:
        os.close(file)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other node that shares the folder is starting."""
    with FileLock(folder / "starting", mode=PRIVATE, fallback_to_soft=False):
        yield


def is_served(folder: Path) -> bool:
    """Whether a server uses the folder now."""
    if not (folder / "lock").exists():
        return False
    lock = FileLock(folder / "lock", timeout=0, mode=PRIVATE, fallback_to_soft=False)
    try:
        with lock:
            return False
    except Timeout:
        return True
