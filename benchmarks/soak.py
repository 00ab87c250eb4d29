"""Does the server grow? For twenty minutes tables are opened, played, finished, left, deleted."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple

from benchmarks.abuse import START, Guest
from benchmarks.table_load import FOLDER, free_port, serving

SECONDS = 20 * 60.0
GAMES = ("stupide_vautour", "whats_up", "up_and_down", "team_up")
VISITORS = 8  # at a time
LOOKS = 10  # at what the server holds
MOST_MOVES = 400  # of one of our seats in a match


class Held(NamedTuple):
    """What the server holds at a time."""

    minute: float
    tables: int  # so far
    megabytes: float
    files: int
    threads: int


def report(seconds: float = SECONDS) -> list[str]:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        port = free_port()
        arguments = ("serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder)
        with serving([sys.executable, "-c", START, *arguments], port) as server:
            curve = _soak(port, server, seconds)
    return [
        "## Twenty minutes of tables that come and go",
        "",
        f"{VISITORS} visitors at a time: a guest opens a table of some game with bots, then plays",
        "it to the end, leaves it in the middle, or deletes all that is kept of them.",
        "",
        "| minutes | tables so far | memory, MB | open files | threads |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {h.minute:.1f} | {h.tables:,} | {h.megabytes:.1f} | {h.files} | {h.threads} |"
            for h in curve
        ),
    ]


def _soak(port: int, server: int, seconds: float) -> list[Held]:
    begin, tables, curve = time.monotonic(), count(), []
    is_over = Event()
    with ThreadPoolExecutor(VISITORS) as visitors:
        done = [visitors.submit(_visits, port, tables, is_over) for _ in range(VISITORS)]
        for look in range(LOOKS + 1):
            time.sleep(max(0.0, begin + look * seconds / LOOKS - time.monotonic()))
            so_far = next(tables)
            curve.append(_held(server, (time.monotonic() - begin) / 60, so_far))
        is_over.set()
        for each in done:
            each.result()
    return curve


def _visits(port: int, tables: Iterator[int], is_over: Event) -> None:
    while not is_over.is_set():
        number = next(tables)
        _visit(port, GAMES[number % len(GAMES)], random.Random(number))


def _visit(port: int, game: str, rng: random.Random) -> None:
    """One guest at one table, from coming to going."""
    guest = Guest(port, "127.0.0.1")
    status, opened = guest.call("POST", "/api/tables", {"game": game, "seats": 2})
    if status != 201:
        raise ConnectionRefusedError(opened["error"])
    table = opened["id"]
    guest.do(table, "start", bots="novice")
    ending = rng.choice(("to the end", "to the end", "leave", "delete"))
    _play(guest, table, MOST_MOVES if ending == "to the end" else 3, rng)
    if ending == "leave":
        guest.do(table, "leave")
    elif ending == "delete":
        guest.call("DELETE", "/api/me")


def _play(guest: Guest, table: str, moves: int, rng: random.Random) -> None:
    until = time.monotonic() + 20
    while moves > 0 and time.monotonic() < until:
        match = guest.call("GET", f"/api/tables/{table}")[1]["match"]
        if match is None or match["over"]:
            return
        if match["legal"]:
            guest.do(table, "play", move=rng.choice(match["legal"]), seat=None)
            moves -= 1
        else:
            time.sleep(0.1)


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
