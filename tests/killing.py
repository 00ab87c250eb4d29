"""Open a store again and again: killed at its first SQL statement, at its second, … until it lives.

`python killing.py FOLDER` copies FOLDER/before to FOLDER/1, FOLDER/2 and so on, and opens the n-th
copy in a process that kills itself just before the n-th statement that SQLite would carry out.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ludotheque.server.store import Store


def main(folder: Path) -> None:
    for n in count(1):
        shutil.copytree(folder / "before", folder / str(n))
        if not is_killed(folder / str(n), n):
            return


def is_killed(data: Path, n: int) -> bool:
    child = os.fork()
    if child == 0:
        try:
            die_at_statement(n)
            asyncio.run(Store(f"sqlite:///{data / 'tables.sqlite'}").open())
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), f"the process ended with {status}"
    return status != 0


def die_at_statement(n: int) -> None:
    """Count the statements of every connection from now on, and die at this one."""
    connect: Any = sqlite3.dbapi2.connect
    statements: Iterator[int] = count(1)

    def trace(_: str) -> None:
        if next(statements) == n:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect_and_trace(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(trace)
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = connect_and_trace  # type: ignore[assignment]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
