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
import re
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect as connect_sync

from benchmarks.judged import Judged
from benchmarks.table_load import FOLDER, allow_many_sockets, free_port, serving
from ludotheque.server.app import STATIC
from ludotheque.server.code import new_code
from ludotheque.server.text import CHAT_LENGTH

GAME = "stupide_vautour"
SECONDS = 10.0  # of each attack, and of the quiet before it
PAUSE_S = 0.05  # between two moves of a neighbour
GOAL = 3.0  # times the quiet p99
NEIGHBOUR = "127.0.0.3"
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
        status, guest = self.call("POST", "/api/guests", {"name": "Ann", "avatar": 1})
        if status != 201:
            raise ConnectionRefusedError(guest["error"])
        self.token = guest["token"]
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


class Target(NamedTuple):
    """Where the server is, and the address from which it is attacked."""

    port: int
    attacker: str

    def knock(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 60, (self.attacker, 0))

    def guest(self) -> Guest:
        return Guest(self.port, self.attacker)


def mute(at: Target) -> None:
    """1,100 connections that say nothing, opened again as they are dropped."""
    held: list[socket.socket] = []
    while True:
        with suppress(OSError):
            held.append(at.knock())
        if len(held) > 1100:
            held.pop(0).close()
            time.sleep(0.002)


def slow_headers(at: Target) -> None:
    """400 connections that send a letter now and then."""
    held = [at.knock() for _ in range(400)]
    while True:
        for number, connection in enumerate(held):
            try:
                connection.sendall(b"X")
            except OSError:
                connection.close()
                with suppress(OSError):
                    held[number] = at.knock()
        time.sleep(0.2)


def endless_bodies(at: Target) -> None:
    """Chunks without end, again and again."""
    while True:
        with suppress(OSError), at.knock() as connection:
            connection.sendall(b"POST /api/guests HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(CHUNK)


def pongs(at: Target) -> None:
    """As many pongs as the server takes, over one socket after the other."""
    eve = at.guest()
    table = eve.open_table()
    while True:
        with (
            suppress(Exception),
            connect_sync(
                eve.url(table), additional_headers=eve.bearer, source_address=(at.attacker, 0)
            ) as wire,
        ):
            wire.send(json.dumps({"type": "hello"}))
            while True:
                wire.socket.sendall(PONGS)


def hints(at: Target) -> None:
    """Hints at 20 tables, as fast as they are given."""
    eve = at.guest()
    tables = [eve.open_table(seats=2, hints="on") for _ in range(20)]
    for table in tables:
        eve.do(table, "start")
    while True:
        for table in tables:
            eve.call("POST", f"/api/tables/{table}/hints")


def reads(at: Target) -> None:
    """Every word of the page, asked for without a pause over a kept connection."""
    there = http.client.HTTPConnection("127.0.0.1", at.port, 60, source_address=(at.attacker, 0))
    while True:
        there.request("GET", "/api/words/fr", headers={"Accept-Encoding": "gzip"})
        there.getresponse().read()


def downloads(at: Target) -> None:
    """The largest file of the page over 50 connections, each as fast as it comes."""
    files = sorted((STATIC / "assets").iterdir(), key=lambda path: path.stat().st_size)
    request = _get(f"/assets/{files[-1].name}")
    asyncio.run(_ask_again_and_again(at, lambda: request, 50))


def looks(at: Target) -> None:
    """A table looked at over 200 connections, each as fast as it is shown."""
    eve = at.guest()
    request = _get(f"/api/tables/{_table_with_a_match(eve)}")
    asyncio.run(_ask_again_and_again(at, lambda: request, 200))


def pictures(at: Target) -> None:
    """The picture of a link over 100 connections, each as fast as it is drawn."""
    eve = at.guest()
    request = _get(f"/api/tables/{eve.open_table()}/qr.svg")
    asyncio.run(_ask_again_and_again(at, lambda: request, 100))


def new_tables(at: Target) -> None:
    """Tables opened over 50 connections, each as fast as it is answered."""
    opening = _post("/api/tables", at.guest(), lambda: {"game": GAME, "seats": 2})
    asyncio.run(_ask_again_and_again(at, opening, 50))


def seats(at: Target) -> None:
    """A seat taken and left at once, over 50 connections."""
    eve, turns = at.guest(), count()
    commands = ({"do": "leave"}, {"do": "sit"})
    _command(at, eve, eve.open_table(seats=2), lambda: commands[next(turns) % 2])


def chat(at: Target) -> None:
    """Lines of the greatest length, over 50 connections."""
    eve = at.guest()
    _command(at, eve, eve.open_table(seats=2), lambda: {"do": "say", "text": "x" * CHAT_LENGTH})


def moves(at: Target) -> None:
    """Moves at a table of one's own, legal or not, over 50 connections."""
    eve = at.guest()
    table = _table_with_a_match(eve)
    _command(at, eve, table, lambda: {"do": "play", "move": random.randrange(1, 16)})


def new_guests(at: Target) -> None:
    """Guests made over 50 connections."""
    making = _post("/api/guests", None, lambda: {"name": "Eve", "avatar": 1})
    asyncio.run(_ask_again_and_again(at, making, 50))


def codes(at: Target) -> None:
    """Codes of tables tried over 50 connections."""
    asyncio.run(_ask_again_and_again(at, lambda: _get(f"/api/codes/{new_code()}"), 50))


def connecting(at: Target) -> None:
    """Sockets opened and left, 50 at a time, again and again."""
    eve = at.guest()
    url = eve.url(_table_with_a_match(eve))

    async def come_and_go() -> None:
        while True:
            with suppress(Exception):
                async with connect(
                    url, local_addr=(at.attacker, 0), additional_headers=eve.bearer
                ) as wire:
                    await wire.send('{"type": "hello"}')
                    await wire.recv()

    async def crowd() -> None:
        await asyncio.gather(*(come_and_go() for _ in range(50)))

    asyncio.run(crowd())


def _command(at: Target, guest: Guest, table: str, make: Callable[[], dict[str, Any]]) -> None:
    ids = count()
    asking = _post(
        f"/api/tables/{table}/commands",
        guest,
        lambda: {"id": f"a{next(ids)}", "command": make()},
    )
    asyncio.run(_ask_again_and_again(at, asking, 50))


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode()


def _post(
    path: str, guest: Guest | None, make: Callable[[], dict[str, Any]]
) -> Callable[[], bytes]:
    bearer = f"Authorization: Bearer {guest.token}\r\n" if guest is not None else ""

    def request() -> bytes:
        body = json.dumps(make())
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\n{bearer}Content-Length: {len(body)}\r\n\r\n"
        return f"{head}{body}".encode()

    return request


async def _ask_again_and_again(at: Target, make: Callable[[], bytes], connections: int) -> None:
    async def ask() -> None:
        there = await asyncio.open_connection("127.0.0.1", at.port, local_addr=(at.attacker, 0))
        while True:
            there[1].write(make())
            head = await there[0].readuntil(b"\r\n\r\n")
            if b"chunked" in head:
                await there[0].readuntil(b"\r\n0\r\n\r\n")
            else:
                await there[0].readexactly(_length(head))

    async def insist() -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await ask()

    await asyncio.gather(*(insist() for _ in range(connections)))


def _length(head: bytes) -> int:
    found = re.search(rb"content-length: (\d+)", head.lower())
    return int(found[1]) if found else 0


def hellos(at: Target) -> None:
    """200 sockets that ask again and again to be shown a table, as often as a socket may."""
    eve = at.guest()
    url = eve.url(_table_with_a_match(eve))

    async def look() -> None:
        async with connect(url, local_addr=(at.attacker, 0), ping_interval=None) as wire:
            while True:
                for _ in range(25):
                    await wire.send('{"type": "hello"}')
                await asyncio.sleep(1)

    async def insist() -> None:
        while True:
            with suppress(Exception):
                await look()
            await asyncio.sleep(0.1)

    async def crowd() -> None:
        await asyncio.gather(*(insist() for _ in range(200)))

    asyncio.run(crowd())


def _table_with_a_match(guest: Guest) -> str:
    table = guest.open_table(seats=2)
    guest.do(table, "start", bots="novice")
    return table


def crowd_of_guests(at: Target) -> None:
    """60 guests of one address, each at a table of masters with a move as soon as it is due."""
    tables: list[tuple[Guest, str]] = []
    while True:
        if len(tables) < 60:
            with suppress(ConnectionRefusedError):
                eve = at.guest()
                table = eve.open_table(seats=5)
                for seat in range(1, 5):
                    eve.do(table, "seat", seat=seat, bot="master")
                eve.do(table, "start")
                tables.append((eve, table))
        for eve, table in tables:
            eve.do(table, "play", move=random.randrange(1, 16))


def masters(at: Target) -> None:
    """As many tables of masters as one guest may have, and a move at each as soon as it is due."""
    eve = at.guest()
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


Attack = Callable[[Target], None]

ATTACKS: tuple[Attack, ...] = (
    mute,
    slow_headers,
    endless_bodies,
    pongs,
    hints,
    reads,
    downloads,
    looks,
    pictures,
    hellos,
    new_tables,
    seats,
    chat,
    moves,
    new_guests,
    codes,
    connecting,
    masters,
    crowd_of_guests,
)


def _attack(attack: Attack, at: Target) -> None:
    os.nice(19)
    attack(at)


@contextmanager
def attacking(attack: Attack, port: int) -> Iterator[None]:
    """Each attack has an address of its own: what one has used up does not weaken the next."""
    at = Target(port, f"127.0.1.{ATTACKS.index(attack) + 1}")
    process = get_context("spawn").Process(target=_attack, args=(attack, at), daemon=True)
    process.start()
    try:
        yield
        if not process.is_alive():
            raise RuntimeError(f"the attack {attack.__name__} has ended by itself")
    finally:
        process.kill()
        process.join()


# Measuring


Measured = tuple[str, Noticed, Noticed]  # an attack, what was noticed before it and meanwhile


async def measure(port: int, seconds: float) -> list[Measured]:
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


def report(seconds: float = SECONDS) -> Judged:
    return judged(measured(seconds), seconds)


def measured(seconds: float) -> list[Measured]:
    allow_many_sockets()
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        port = free_port()
        arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder]
        with serving([sys.executable, "-c", START, *arguments], port):
            return asyncio.run(measure(port, seconds))


def judged(found: list[Measured], seconds: float) -> Judged:
    lines = [
        "## Neighbours of an attacker",
        "",
        f"A move, from sending it to the reply that it is stored, {seconds:g} s in quiet and "
        f"{seconds:g} s under",
        "each attack, one after the other; and a master's answer with its pause.",
        "",
        "| attack | p50 quiet, ms | p50, ms | p99 quiet, ms | p99, ms | times "
        "| master quiet, s | master, s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(_line(*each) for each in found),
    ]
    missed = [
        f"{name}, {times:.1f} × the quiet p99"
        for name, quiet, attacked in found
        if (times := attacked.p(99) / quiet.p(99)) > GOAL
    ]
    return Judged(lines, f"a p99 of at most {GOAL:g} × its quiet value", missed)


def _line(name: str, quiet: Noticed, attacked: Noticed) -> str:
    return (
        f"| {name} | {quiet.p(50):.1f} | {attacked.p(50):.1f} | {quiet.p(99):.1f} "
        f"| {attacked.p(99):.1f} | {attacked.p(99) / quiet.p(99):.1f} "
        f"| {quiet.bot / 1000:.1f} | {attacked.bot / 1000:.1f} |"
    )


if __name__ == "__main__":
    found = report(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
    print("\n".join(found))
    sys.exit(1 if found.missed else 0)
