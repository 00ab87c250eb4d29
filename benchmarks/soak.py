"""Does the server grow? Tables are opened, played, finished, left and deleted, minute after minute.

python -m benchmarks.soak [MINUTES]
"""

from __future__ import annotations

import json
import random
import re
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, NamedTuple, Protocol

from websockets.sync.client import connect

from benchmarks.abuse import Guest
from benchmarks.judged import Judged
from benchmarks.table_load import FOLDER, free_port, serving
from ludotheque.engine.game import slugs
from ludotheque.server import fate
from ludotheque.server.data_folder import DATABASE
from ludotheque.server.database import sqlite_url
from ludotheque.server.inventory import opened

SECONDS = 20 * 60.0
VISITORS = 8  # at a time
ADDRESSES = 60  # of the visitors, so that nobody meets the limits of an address
LOOKS = 24  # at what the server holds
MOST_MOVES = 400  # of one of our seats in a match
LONGEST_VISIT_S = 40.0
ENDINGS = ("to the end", "to the end", "leave", "delete me", "deleted by the host")
# Tables fall asleep after seconds, and a day of retention is a short one.
START = """
from ludotheque.server import retention, tables
tables.IDLE_S, tables.SWEEP_S = 10.0, 5.0
retention.LOOK_S, retention.PASS_S, retention.DAY_MS = 2.0, 5.0, 20_000
from ludotheque.cli import main; main()
"""
# A race would otherwise last until somebody has laid seven cards.
SETTINGS = {"ubongo": {"options": {"time_limit": 2, "countdown": 0}}}

GROWTH = 0.05  # of the memory, from the second quarter of the time to the last
MORE_FILES = VISITORS  # of what comes and goes with visitors
MORE_THREADS = 2


class Held(NamedTuple):
    """What the server holds at a time."""

    minute: float
    tables: int  # so far
    megabytes: float
    files: int
    threads: int


class Seat(Protocol):
    """A guest's way to a table."""

    def match(self) -> Any:
        """The match as the guest sees it, None if there is none."""

    def play(self, move: int) -> None: ...


def report(seconds: float = SECONDS) -> Judged:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        port = free_port()
        ages = ("--keep-finished-days", "1", "--keep-abandoned-days", "2")
        arguments = ("serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder, *ages)
        with serving([sys.executable, "-c", START, *arguments], port) as server:
            curve = _soak(port, server, Path(folder) / DATABASE, seconds)
            deleted = _deleted(port)
    return judged(curve, deleted)


def judged(curve: list[Held], deleted: int) -> Judged:
    lines = [
        "## Tables that come and go",
        "",
        f"{VISITORS} visitors at a time, for {curve[-1].minute:.0f} minutes: a guest opens a table",
        "of one of the games with bots, over HTTP or a socket, then plays it to the end, leaves it",
        "in the middle, or deletes all that is kept of them; the host or the retention deletes",
        f"tables, {deleted:,} in all.",
        "",
        "| minutes | tables so far | memory, MB | open files | threads |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {h.minute:.1f} | {h.tables:,} | {h.megabytes:.1f} | {h.files} | {h.threads} |"
            for h in curve
        ),
    ]
    goal = (
        f"from the second quarter to the last, memory grows by at most {GROWTH:.0%}, and there are "
        f"at most {MORE_FILES} open files and {MORE_THREADS} threads more"
    )
    return Judged(lines, goal, _growth(curve) + ([] if deleted else ["no table was deleted"]))


def _growth(curve: list[Held]) -> list[str]:
    """What is not flat; the first quarter is for what a server keeps anyway."""
    quarter = len(curve) // 4
    before, after = curve[quarter : 2 * quarter], curve[-quarter:]

    def rise(of: str) -> tuple[float, float]:
        first, last = ([getattr(held, of) for held in part] for part in (before, after))
        return statistics.median(first), statistics.median(last)

    limits = {
        "memory, MB": (rise("megabytes"), rise("megabytes")[0] * GROWTH),
        "open files": (rise("files"), MORE_FILES),
        "threads": (rise("threads"), MORE_THREADS),
    }
    return [
        f"{name}: from {first:.0f} to {last:.0f}"
        for name, ((first, last), most) in limits.items()
        if last - first > most
    ]


def _soak(port: int, server: int, file: Path, seconds: float) -> list[Held]:
    begin, tables, curve = time.monotonic(), count(), []
    is_over = Event()
    with ThreadPoolExecutor(VISITORS) as visitors:
        done = [visitors.submit(_visits, port, file, tables, is_over) for _ in range(VISITORS)]
        for look in range(LOOKS + 1):
            time.sleep(max(0.0, begin + look * seconds / LOOKS - time.monotonic()))
            so_far = next(tables)
            curve.append(_held(server, (time.monotonic() - begin) / 60, so_far))
        is_over.set()
        for each in done:
            each.result()
    return curve


def _visits(port: int, file: Path, tables: Iterator[int], is_over: Event) -> None:
    games = slugs()
    while not is_over.is_set():
        number = next(tables)
        _visit(port, file, games[number % len(games)], number)


def _visit(port: int, file: Path, game: str, number: int) -> None:
    """One guest at one table, from coming to going."""
    rng = random.Random(number)
    guest = Guest(port, f"127.0.2.{number % ADDRESSES + 1}")
    wish = {"game": game, "seats": 2, **SETTINGS.get(game, {})}
    table = _done(*guest.call("POST", "/api/tables", wish))["id"]
    _done(*guest.do(table, "start", bots="novice"))
    ending = rng.choice(ENDINGS)
    with ExitStack() as stack:
        seat = OverSocket(guest, table, stack) if rng.random() < 0.5 else OverHttp(guest, table)
        _play(seat, MOST_MOVES if ending == "to the end" else 3, rng)
    if ending == "leave":
        _done(*guest.do(table, "leave"))
    elif ending == "delete me":
        _done(*guest.call("DELETE", "/api/me"))
    elif ending == "deleted by the host":
        with opened(sqlite_url(file)) as inventory:
            inventory.decide(table, fate.DELETED)


def _done(status: int, answer: Any) -> Any:
    if status not in (200, 201):
        raise ConnectionRefusedError(f"{status}: {answer}")
    return answer


class OverHttp:
    def __init__(self, guest: Guest, table: str) -> None:
        self._guest = guest
        self._table = table

    def match(self) -> Any:
        return _done(*self._guest.call("GET", f"/api/tables/{self._table}"))["match"]

    def play(self, move: int) -> None:
        self._guest.do(self._table, "play", move=move, seat=None)


class OverSocket:
    def __init__(self, guest: Guest, table: str, stack: ExitStack) -> None:
        self._wire = stack.enter_context(
            connect(
                guest.url(table),
                additional_headers=guest.bearer,
                source_address=(guest.address, 0),
                ping_interval=None,
            )
        )
        self._wire.send(json.dumps({"type": "hello"}))
        self._requests = count()
        self._match: Any = {"over": False, "legal": []}

    def match(self) -> Any:
        """What the last update says; nothing more may have come."""
        while True:
            try:
                message = json.loads(self._wire.recv(timeout=0.02))
            except TimeoutError:
                return self._match
            if message["type"] == "update":
                self._match = message["match"]

    def play(self, move: int) -> None:
        command = {"do": "play", "move": move}
        request = {"type": "request", "id": f"s{next(self._requests)}", "command": command}
        self._wire.send(json.dumps(request))


def _play(seat: Seat, moves: int, rng: random.Random) -> None:
    until = time.monotonic() + LONGEST_VISIT_S
    while moves > 0 and time.monotonic() < until:
        match = seat.match()
        if match is None or match["over"]:
            return
        if match["legal"]:
            seat.play(rng.choice(match["legal"]))
            moves -= 1
        time.sleep(0.05)


def _held(server: int, minute: float, tables: int) -> Held:
    process = Path(f"/proc/{server}")
    lines = (line.split(":") for line in (process / "status").read_text().splitlines())
    status = {key: value.split() for key, value in lines}
    return Held(
        minute,
        tables,
        int(status["VmRSS"][0]) / 1024,
        sum(1 for _ in (process / "fd").iterdir()),
        int(status["Threads"][0]),
    )


def _deleted(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        found = re.search(r"^ludotheque_deleted_tables_total (\S+)", answer.read().decode(), re.M)
    return int(float(found[1])) if found else 0


if __name__ == "__main__":
    found = report(float(sys.argv[1]) * 60 if len(sys.argv) > 1 else SECONDS)
    print("\n".join(found))
    sys.exit(1 if found.missed else 0)
