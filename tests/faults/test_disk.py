"""A disk that is full or read-only: clear refusals, nothing announced, and then all goes on."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from faults.crowd import WITHOUT_BOT, Crowd
from faults.servers import HumbleServer, LoggedServer
from ludotheque.server.api.endpoint import NOT_STORED
from ludotheque.server.owner import UNSTORED
from ludotheque.server.store import UNAVAILABLE
from people import Person, Server, refusal
from scenes import act

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux limits a process that runs, and has capabilities"
)
Record = Callable[[str, object], None]
UNLIMITED = resource.RLIM_INFINITY
INDEX = 32_768  # bytes of the file without which SQLite cannot read; the database is larger
FULL = ("disk I/O error", "database or disk is full")
READ_ONLY = ("attempt to write a readonly database", "unable to open database file")


@contextmanager
def running(server: LoggedServer) -> Iterator[LoggedServer]:
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def no_file_beyond(server: Server, size: int) -> Iterator[None]:
    """Let the server's files grow to this size, and no further."""
    pid, kind = server.process.pid, resource.RLIMIT_FSIZE
    resource.prlimit(pid, kind, (size, UNLIMITED))
    try:
        yield
    finally:
        resource.prlimit(pid, kind, (UNLIMITED, UNLIMITED))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write in the folder, nor into its files."""
    paths = [*folder.iterdir(), folder]
    modes = [path.stat().st_mode for path in paths]
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in zip(paths, modes, strict=True):
            path.chmod(mode)


def has_refused(crowd: Crowd) -> bool:
    """Whether somebody was told so at each of the tables at which only people move."""
    refused = {
        client.game.slug for client in crowd.clients for _, e in client.refused if e == UNSTORED
    }
    return refused >= set(WITHOUT_BOT)


def expect_refusals_over_http(ann: Person) -> None:
    """What has to be stored is refused. To open a table, the server has to read who asks first."""
    server = ann.server
    assert server.call("POST", "/api/guests", {"name": "Eve"}) == (503, {"error": NOT_STORED})
    status, problem = ann.call("POST", "/api/tables", {"game": "team_up"})
    assert status == 503
    assert problem["error"] in (UNSTORED, UNAVAILABLE)
    assert server.call("GET", "/api/games")[0] == 200


def losses(log: str, crowd: Crowd, reasons: tuple[str, ...]) -> set[str]:
    """The tables of which the log tells for one of these reasons that they were not stored."""
    return {
        table
        for table in crowd.ledgers
        for reason in reasons
        if f"table {table} was not stored: {reason}\n" in log
    }


@pytest.mark.parametrize("size", [0, INDEX], ids=["nothing can be read", "all can be read"])
def test_a_full_disk_is_told_to_those_who_ask_and_nothing_is_lost(
    tmp_path: Path, record_property: Record, size: int
) -> None:
    async def scene(server: LoggedServer) -> None:
        crowd, ann = Crowd(server, Random()), Person(server, "Ann")
        async with crowd.playing():
            await crowd.move_everywhere()
            with no_file_beyond(server, size):
                await crowd.until(lambda: has_refused(crowd))
                expect_refusals_over_http(ann)
                crowd.check()
            await crowd.move_everywhere()
        crowd.check()
        crowd.check_refusals()
        crowd.check_states()
        without_bot = {c.table for c in crowd.clients if c.game.slug in WITHOUT_BOT}
        assert losses(server.log, crowd, FULL) >= without_bot
        record_property("counted", f"a full disk, {crowd}")

    with running(LoggedServer(tmp_path)) as server:
        act(lambda: scene(server))
    assert "Traceback" not in server.log


def test_a_folder_that_becomes_read_only_is_told_to_those_who_ask_and_nothing_is_lost(
    tmp_path: Path, record_property: Record
) -> None:
    async def scene(server: LoggedServer) -> None:
        crowd, ann = Crowd(server, Random()), Person(server, "Ann")
        async with crowd.playing():
            with read_only(tmp_path):
                await crowd.move_everywhere()  # its files are open
                with no_file_beyond(server, 0):
                    await crowd.until(lambda: has_refused(crowd))
                expect_refusals_over_http(ann)  # they had to be opened again
                crowd.check()
            await crowd.move_everywhere()
        crowd.check()
        crowd.check_refusals()
        crowd.check_states()
        record_property("counted", f"a read-only folder, {crowd}")

    with running(HumbleServer(tmp_path)) as server:
        act(lambda: scene(server))
    assert any(f"was not stored: {reason}" in server.log for reason in READ_ONLY)
    assert "Traceback" not in server.log


# How a server starts


def test_a_folder_that_may_not_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with read_only(tmp_path):
        told = refusal(tmp_path, server=HumbleServer)
    assert told == f"ludotheque: {tmp_path} cannot hold tables: Permission denied\n"


def test_a_folder_with_tables_that_may_not_be_written_is_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    with running(LoggedServer(tmp_path)):
        pass
    with read_only(tmp_path):
        told = refusal(tmp_path, server=HumbleServer)
    assert told == f"ludotheque: {tmp_path} cannot hold tables: Permission denied\n"


def test_a_database_that_may_not_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with running(LoggedServer(tmp_path)):
        pass
    with read_only(tmp_path):
        (tmp_path / "lock").chmod(0o600)
        told = refusal(tmp_path, server=HumbleServer)
    assert told.startswith(
        f"ludotheque: the database {tmp_path / 'tables.sqlite'} cannot be opened:"
    )
    assert told.count("\n") == 1
