"""What honest neighbours notice while somebody attacks the server they play on.

Two neighbours play Stupide Vautour against each other, and a third plays against a master. Each
attack comes from another address and from a process of its own, at the lowest priority: on a real
network attackers use their own processors.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect as connect_sync

from benchmarks.table_load import FOLDER, allow_many_sockets, free_port, serving

GAME = "stupide_vautour"
SECONDS = 10.0  # of each attack, and of the quiet before it
PAUSE_S = 0.05  # between two moves of a neighbour
GOAL = 3.0  # times the quiet p99
NEIGHBOUR, ATTACKER = "127.0.0.3", "127.0.0.2"
START = "from ludotheque.cli import main; main()"
PONGS = Frame(Opcode.PONG, b"").serialize(mask=True) * 10_000
CHUNK = b"10000\r\n" + b" " * 0x10000 + b"\r\n"


# What everyone does


class Guest:
    """Somebody at an address, with a token."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.address = address
        self.token = ""
        self.token = self.call("POST", "/api/guests", {"name": "Ann", "avatar": 1})[1]["token"]
        self._requests = 0

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        there = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(self.address, 0)
        )
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        there.request(method, path, None if body is None else json.dumps(body), headers)
        answer = there.getresponse()
        text = answer.read()
        there.close()
        return answer.status, json.loads(text)

    def do(self, table: str, do: str, **values: object) -> tuple[int, Any]:
        self._requests += 1
        body = {"id": f"h{self._requests}", "command": {"do": do, **values}}
        return self.call("POST", f"/api/tables/{table}/commands", body)

    def open_table(self, **settings: object) -> str:
        status, opened = self.call("POST", "/api/tables", {"game": GAME, **settings})
        if status != 201:
            raise ConnectionRefusedError(opened["error"])
        return str(opened["id"])

    def url(self, table: str) -> str:
        return f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket"

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass
class Noticed:
    """How long neighbours waited, in ms: for their moves to be stored, and for the bot's."""

    moves: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)

    def p(self, hundredth: int) -> float:
        return statistics.quantiles(self.moves, n=100)[hundredth - 1]

    @property
    def bot(self) -> float:
        return statistics.median(self.bots) if self.bots else float("nan")


class Neighbour:
    """Plays at a table with a socket, and has the other moves there made by whom it may concern."""

    def __init__(self, guest: Guest, table: str, pause: float) -> None:
        self._guest = guest
        self._table = table
        self._pause = pause
        self._requests = 0
        self._status = ""
        self._is_host = False
        self._stage = self._asked = (0, "")  # the match, and how it stands
        self._update: dict[str, Any] = {}

    async def play(self, note: Callable[[float, float], None]) -> None:
        """Play match after match; note how long each move and the answer to it took."""
        async with connect(
            self._guest.url(self._table),
            additional_headers=self._guest.bearer,
            local_addr=(self._guest.address, 0),
            ping_interval=None,
        ) as wire:
            await wire.send(json.dumps({"type": "hello"}))
            while True:
                await self._turn(wire)
                await self._move(wire, note)

    async def _turn(self, wire: ClientConnection) -> None:
        """Wait until it is this neighbour's turn; the host begins the next match."""
        while not (self._update.get("match") or {}).get("legal"):
            next_ = {"over": "again", "gathering": "start"}.get(self._status)
            if next_ is not None and self._is_host and self._asked != self._stage:
                self._asked = self._stage
                await self._ask(wire, {"do": next_})
            else:
                await self._hear(wire)

    async def _move(self, wire: ClientConnection, note: Callable[[float, float], None]) -> None:
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.5))
        begun, move = time.perf_counter(), random.choice(self._update["match"]["legal"])
        self._update = {}
        await self._ask(wire, {"do": "play", "move": move})
        stored = time.perf_counter()
        await self._turn(wire)
        note((stored - begun) * 1000, (time.perf_counter() - begun) * 1000)

    async def _ask(self, wire: ClientConnection, command: dict[str, Any]) -> None:
        self._requests += 1
        id_ = f"s{self._requests}"
        await wire.send(json.dumps({"type": "request", "id": id_, "command": command}))
        while (await self._hear(wire)).get("id") != id_:
            pass

    async def _hear(self, wire: ClientConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await wire.recv())
        if message["type"] == "update":
            self._update = message
            if "table" in message:
                table = message["table"]
                self._status, self._is_host = table["status"], 0 in message.get("you", [])
                self._stage = (table["match"], self._status)
        return message


def seat_neighbours(port: int) -> list[tuple[Neighbour, bool]]:
    """Two who play each other, and one who plays a master: True for that one."""
    ann, bob, cid = (Guest(port, NEIGHBOUR) for _ in range(3))
    shared = ann.open_table(seats=2)
    bob.do(shared, "sit")
    ann.do(shared, "start")
    alone = cid.open_table(seats=2)
    cid.do(alone, "seat", seat=1, bot="master")
    cid.do(alone, "start")
    return [
        (Neighbour(ann, shared, PAUSE_S), False),
        (Neighbour(bob, shared, PAUSE_S), False),
        (Neighbour(cid, alone, PAUSE_S), True),
    ]


# Attacks: each goes on until its process is ended


def knock(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 60, (ATTACKER, 0))


def mute(port: int) -> None:
    """1,100 connections that say nothing, opened again as they are dropped."""
    held: list[socket.socket] = []
    while True:
        with suppress(OSError):
            held.append(knock(port))
        if len(held) > 1100:
            held.pop(0).close()
            time.sleep(0.002)


def slow_headers(port: int) -> None:
    """400 connections that send a letter now and then."""
    held = [knock(port) for _ in range(400)]
    while True:
        for number, connection in enumerate(held):
            try:
                connection.sendall(b"X")
            except OSError:
                connection.close()
                with suppress(OSError):
                    held[number] = knock(port)
        time.sleep(0.2)


def endless_bodies(port: int) -> None:
    """Chunks without end, again and again."""
    while True:
        with suppress(OSError), knock(port) as connection:
            connection.sendall(b"POST /api/guests HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(CHUNK)


def pongs(port: int) -> None:
    """As many pongs as the server takes, over one socket after the other."""
    eve = Guest(port, ATTACKER)
    table = eve.open_table()
    while True:
        with (
            suppress(Exception),
            connect_sync(
                eve.url(table), additional_headers=eve.bearer, source_address=(ATTACKER, 0)
            ) as wire,
        ):
            wire.send(json.dumps({"type": "hello"}))
            while True:
                wire.socket.sendall(PONGS)


def hints(port: int) -> None:
    """Hints at 20 tables, as fast as they are given."""
    eve = Guest(port, ATTACKER)
    tables = [eve.open_table(seats=2, hints="on") for _ in range(20)]
    for table in tables:
        eve.do(table, "start")
    while True:
        for table in tables:
            eve.call("POST", f"/api/tables/{table}/hints")


def reads(port: int) -> None:
    """Every word of the page, asked for without a pause over a kept connection."""
    there = http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(ATTACKER, 0))
    while True:
        there.request("GET", "/api/words/fr", headers={"Accept-Encoding": "gzip"})
        there.getresponse().read()


def masters(port: int) -> None:
    """As many tables of masters as one guest may have, and a move at each as soon as it is due."""
    eve = Guest(port, ATTACKER)
    tables: list[str] = []
    while True:
        if len(tables) < 110:
            with suppress(ConnectionRefusedError):
                tables.append(eve.open_table(seats=5))
                for seat in range(1, 5):
                    eve.do(tables[-1], "seat", seat=seat, bot="master")
                eve.do(tables[-1], "start")
        for table in tables:
            eve.do(table, "play", move=random.randrange(1, 16))
            if len(tables) >= 30:
                eve.do(table, "again")


ATTACKS = (mute, slow_headers, endless_bodies, pongs, hints, reads, masters)


def _attack(attack: Callable[[int], None], port: int) -> None:
    os.nice(19)
    attack(port)


@contextmanager
def attacking(attack: Callable[[int], None], port: int) -> Iterator[None]:
    process = get_context("spawn").Process(target=_attack, args=(attack, port), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


# Measuring


async def measure(port: int, seconds: float) -> list[tuple[str, Noticed, Noticed]]:
    """For each attack what was noticed before it, and while it went on."""
    noticed = Noticed()

    def note(plays_a_bot: bool, stored: float, answered: float) -> None:
        noticed.moves.append(stored)
        if plays_a_bot:
            noticed.bots.append(answered)

    def listener(plays_a_bot: bool) -> Callable[[float, float], None]:
        return lambda stored, answered: note(plays_a_bot, stored, answered)

    neighbours = await asyncio.to_thread(seat_neighbours, port)
    tasks = [asyncio.create_task(n.play(listener(is_alone))) for n, is_alone in neighbours]

    async def listen() -> Noticed:
        nonlocal noticed
        noticed = Noticed()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return noticed

    found = []
    await listen()  # until everything is warm
    for attack in ATTACKS:
        quiet = await listen()
        with attacking(attack, port):
            await asyncio.sleep(2)  # for the attack to begin
            found.append((attack.__name__.replace("_", " "), quiet, await listen()))
    for task in tasks:
        task.cancel()
    return found


def report(seconds: float = SECONDS) -> list[str]:
    allow_many_sockets()
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        port = free_port()
        arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder]
        with serving([sys.executable, "-c", START, *arguments], port):
            found = asyncio.run(measure(port, seconds))
    lines = [_line(name, quiet, attacked) for name, quiet, attacked in found]
    worst = max(attacked.p(99) / quiet.p(99) for _, quiet, attacked in found)
    return [
        "## Neighbours of an attacker",
        "",
        f"A move, from sending it to the reply that it is stored, {seconds:g} s in quiet and "
        f"{seconds:g} s under",
        "each attack, one after the other; and a master's answer with its pause.",
        "",
        "| attack | p50 quiet, ms | p50, ms | p99 quiet, ms | p99, ms | times "
        "| master quiet, s | master, s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *lines,
        "",
        f"At worst {worst:.1f} × the quiet p99; the goal is {GOAL:g} ×.",
    ]


def _line(name: str, quiet: Noticed, attacked: Noticed) -> str:
    return (
        f"| {name} | {quiet.p(50):.1f} | {attacked.p(50):.1f} | {quiet.p(99):.1f} "
        f"| {attacked.p(99):.1f} | {attacked.p(99) / quiet.p(99):.1f} "
        f"| {quiet.bot / 1000:.1f} | {attacked.bot / 1000:.1f} |"
    )


if __name__ == "__main__":
    print("\n".join(report(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)))
