"""A server starts on a folder with 50,000 stored tables, at 200 of which a bot has to move."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from benchmarks.table_load import FOLDER, SERVER_TIMEOUT_S, free_port
from ludotheque.engine.game import load
from ludotheque.server import events, messages, store
from ludotheque.server.decision import Decision
from ludotheque.server.store import Player
from ludotheque.server.table import Table

TABLES = 50_000
LIVE_TABLES = 200
SLUG = "stupide_vautour"
HOST = Player("0123456789abcdef", "Ann", 1)
START = "from ludotheque.cli import main; main()"


def history() -> list[events.AnyEvent]:
    """A table at which a match against bots has begun."""
    options = dict(load(SLUG).complete({}, 4))
    opened = events.Opened(HOST.id, SLUG, 4, options, False, 0, "auto", "5e" * 32)
    table = Table("t")
    table.apply(opened)
    decision = Decision(table, None)
    for command in (messages.Sit(), messages.Start(), messages.Play(7)):
        decision.carry_out(command, HOST)
    return [opened, *decision.events]


async def fill(url: str) -> None:
    storage = store.Store(url)
    await storage.open()
    bodies = [events.encode(event) for event in history()]
    names = [f"{number:08d}" for number in range(TABLES)]
    tables = [
        {"id": name, "created": number, "format": events.FORMAT, "is_live": number < LIVE_TABLES}
        for number, name in enumerate(names)
    ]
    rows = [
        {"table": name, "place": place, "request": "", "body": body}
        for name in names
        for place, body in enumerate(bodies)
    ]
    with storage.engine.begin() as connection:
        connection.execute(sa.insert(store.tables), tables)
        connection.execute(sa.insert(store.events), rows)
    await storage.close()


def start(folder: str) -> tuple[float, float]:
    """Seconds until the server answers, and its memory in MB when the live tables are awake."""
    port = free_port()
    arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder]
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", START, *arguments], stdout=subprocess.DEVNULL)
    try:
        while not _answers(port):
            time.sleep(0.01)
        answered = time.perf_counter() - begun
        time.sleep(SERVER_TIMEOUT_S / 4)
        return answered, _memory(process.pid)
    finally:
        process.terminate()
        process.wait(SERVER_TIMEOUT_S)


def _answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=5).close()
    except OSError:
        return False
    return True


def _memory(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1000


def report() -> list[str]:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        asyncio.run(fill(f"sqlite:///{folder}/tables.sqlite"))
        seconds, memory = start(folder)
    return [
        "## A server that starts",
        "",
        f"{TABLES:,} stored tables, bots to move at {LIVE_TABLES} of them: the first answer after "
        f"{seconds:.2f} s, at most {memory:.0f} MB of memory when these play on.",
    ]


if __name__ == "__main__":
    print("\n".join(report()))
