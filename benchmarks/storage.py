"""How fast the writer stores events durably: in SQLite and in PostgreSQL, on the same disk."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from benchmarks.table_load import FOLDER, HERE
from ludotheque.server.database import sqlite_url
from ludotheque.server.events import Said
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.store import Store, Stored, row
from ludotheque.server.writer import Batch, Lost

PRODUCERS = 100
ROUNDS = 3
SECONDS = 3.0  # of each round
MOVE = Stored("0123456789abcdef 12 0123456789abcdef", Said("Ann", 1, "a move takes about as much"))


class Producer:
    """A table that stores an event, and the next one when it is told that it is stored."""

    def __init__(self, name: str, commits: GroupCommit, is_over: Callable[[], bool]) -> None:
        self.name = name
        self.place = 1
        self._commits = commits
        self._is_over = is_over
        self.over = asyncio.Event()

    def work(self) -> Batch:
        return Batch(self.name, [row(self.name, self.place, MOVE)])

    def tell(self, lost: Lost | None) -> None:
        assert lost is None, lost
        self.place += 1
        if self._is_over():
            self.over.set()
        else:
            self._commits.call(self)


async def events_a_second(url: sa.URL, prefix: str, producers: int) -> float:
    store = Store(url)
    await store.open()
    names = [f"{prefix}{number}" for number in range(producers)]
    for name in names:
        await store.create_table(name, 0, [MOVE])
    commits, begun = GroupCommit(store), time.perf_counter()
    made = [
        Producer(name, commits, lambda: time.perf_counter() - begun > SECONDS) for name in names
    ]
    for producer in made:
        commits.call(producer)
    for producer in made:
        await producer.over.wait()
    taken = time.perf_counter() - begun
    await store.close()
    return sum(producer.place - 1 for producer in made) / taken


def measure() -> dict[tuple[str, int], float]:
    """The best of the rounds, which are taken in turn."""
    sys.path.append(str(HERE.parent / "tests"))
    from postgres import postgres, sqlalchemy_url  # noqa: PLC0415

    best: dict[tuple[str, int], float] = {}
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        homes = {
            "SQLite": sqlite_url(Path(folder) / "tables.sqlite"),
            "PostgreSQL": sqlalchemy_url(postgres().new_database()),
        }
        for number in range(ROUNDS):
            for producers in (1, PRODUCERS):
                for name, url in homes.items():
                    rate = asyncio.run(events_a_second(url, f"{number}-{producers}-", producers))
                    best[name, producers] = max(best.get((name, producers), 0.0), rate)
    return best


def report() -> list[str]:
    found = measure()
    lines = [
        "## Storage",
        "",
        "Events that are on disk, a second: one table that waits for each commit, and a hundred",
        "that share commits. PostgreSQL runs on the same machine, by a local socket.",
        "",
        f"| | one table | {PRODUCERS} tables |",
        "| --- | --- | --- |",
    ]
    for name in ("SQLite", "PostgreSQL"):
        rates = " | ".join(f"{found[name, producers]:,.0f}" for producers in (1, PRODUCERS))
        lines.append(f"| {name} | {rates} |")
    return lines


if __name__ == "__main__":
    print("\n".join(report()))
