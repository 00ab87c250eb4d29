"""How a server starts: alone in its folder, in private, and without waiting for its tables."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludotheque.server.app import create_app
from ludotheque.server.events import Said
from ludotheque.server.store import Store, Stored
from ludotheque.server.tables import Tables
from people import Server, refusal
from scenes import act

HELLO = Stored("", Said("Ann", 1, "hello"))


@contextmanager
def serving(data: Path, kind: type[Server] = Server) -> Iterator[Server]:
    server = kind(data)
    try:
        yield server
    finally:
        server.stop()


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


# One server a folder


def test_a_second_server_on_the_same_folder_is_refused(fresh_server: Server) -> None:
    folder = fresh_server.data
    assert refusal(folder) == (
        f"ludotheque: {folder} is in use by another server; "
        "stop that one, or choose another folder with --data\n"
    )
    assert fresh_server.call("GET", "/api/games")[0] == 200


def test_a_folder_is_free_again_when_its_server_was_killed(fresh_server: Server) -> None:
    for _ in range(2):
        fresh_server.kill()
        fresh_server.start()
    assert fresh_server.call("GET", "/api/games")[0] == 200


def test_nothing_is_brought_up_to_date_where_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refusal(tmp_path, "--port", str(port))
    reason = "cannot be used (Address already in use); choose another with --port"
    assert told == f"ludotheque: port {port} on 127.0.0.1 {reason}\n"
    assert {path.name for path in tmp_path.iterdir()} <= {"lock"}


@pytest.mark.parametrize("host", ["192.0.2.1", "a..b"])
def test_an_address_of_another_machine_is_refused(tmp_path: Path, host: str) -> None:
    told = refusal(tmp_path, "--host", host)
    assert told.startswith(f"ludotheque: {host} is no address of this machine (")
    assert told.endswith("); choose another with --host\n")


# Folders and files


def test_a_new_folder_and_its_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with serving(folder):
        assert mode(folder) == "0o700"
        modes = {path.name: mode(path) for path in folder.iterdir()}
    names = ("lock", "tables.sqlite", "tables.sqlite-shm", "tables.sqlite-wal")
    assert modes == dict.fromkeys(names, "0o600")


def test_a_folder_that_was_there_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with serving(tmp_path):
        assert mode(tmp_path) == "0o755"


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "été? 100%25 #1"
    with serving(folder):
        assert (folder / "tables.sqlite").stat().st_size > 0


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = refusal(tmp_path / "file")
    assert told == f"ludotheque: {tmp_path / 'file'} cannot hold tables: File exists\n"


def test_a_database_that_cannot_be_opened_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("a shopping list, for instance" * 100)
    expected = f"ludotheque: the database {path} cannot be opened: file is not a database\n"
    assert refusal(tmp_path) == expected


# Tables wake while the server already answers


class Waking(Server):
    """Never has all its tables."""

    command = """
import asyncio
from ludotheque.cli import main
from ludotheque.server.tables import Tables
Tables.run = lambda self: asyncio.sleep(3600)
main()
"""


def test_a_server_answers_while_it_restores_tables(tmp_path: Path) -> None:
    with serving(tmp_path, Waking) as server:
        assert server.call("GET", "/api/games")[0] == 200


async def start_until(is_seen: Callable[[], bool], folder: Path) -> None:
    app = create_app(f"sqlite:///{folder / 'tables.sqlite'}")
    async with app.router.lifespan_context(app), asyncio.timeout(60):
        while not is_seen():
            await asyncio.sleep(0.01)


def test_tables_that_cannot_be_restored_do_not_keep_the_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run(_: Tables) -> None:
        raise RuntimeError("a table fell over")

    monkeypatch.setattr(Tables, "run", run)
    act(lambda: start_until(lambda: "a table fell over" in caplog.text, tmp_path))
    assert "Traceback" in caplog.text


def test_a_start_reads_no_table_that_is_not_live(tmp_path: Path) -> None:
    async def prepare() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        await store.open()
        await store.create_table("t", 0, [HELLO])
        await store.close()

    statements: list[str] = []

    def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    act(prepare)
    sa.event.listen(sa.Engine, "before_cursor_execute", listen)
    try:
        act(lambda: start_until(lambda: any("is_live" in s for s in statements), tmp_path))
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", listen)
    assert [statement for statement in statements if "events" in statement] == []
