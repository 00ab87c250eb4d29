"""Tables of four playing Stupide Vautour over sockets, beside boardgame.io's own server.

Both servers get the same load from another process: random bids, everyone at once, at a human pace
or as fast as they may. A move's latency is the time from sending it until the last of the four has
received an update that carries it. Ours stores every move on disk before it tells anyone of it;
boardgame.io keeps its matches in memory, as it does by default.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import sqlalchemy as sa
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from ludotheque.engine import chance
from ludotheque.engine.game import load
from ludotheque.server import events, messages, schema, store
from ludotheque.server.devices import Devices, now_ms
from ludotheque.server.player import Player as Guest
from ludotheque.server.player import new_player_id
from ludotheque.server.table import new_table_id

SLUG = "stupide_vautour"
SEATS = 4
SECONDS = 30.0
HERE = Path(__file__).parent
THEIRS = HERE / "boardgameio"
FOLDER = HERE.parent / ".cache"  # on a disk, where storing takes its time
SERVER_TIMEOUT_S = 60.0  # for a server to start or stop
SETTING_OUT = 300.0  # seconds for everyone to connect, at most
TOGETHER = 25  # tables that connect at the same time
OPEN_FILES = 40_000
P99_LIMIT_MS = 50.0  # up to which a server holds as many players as it can
STEPS = (1000, 2000, 3000, 4000, 5000, 6000, 8000, 10_000)  # numbers of players to try
TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds
# Everyone is at one address here: a client without a pause would soon be told to slow down, and all
# would wait in one line for their turns.
WITHOUT_LIMITS = (
    "from ludotheque.server import limits; "
    "limits.FRAMES_PER_S = limits.BYTES_PER_S = limits.BURST_BYTES = 10**9; "
    "limits.CONNECTIONS_PER_ADDRESS = limits.WORKED_ON_AT_ONCE = 10**6; "
    "limits.MOVES = limits.SEATS = limits.SOCKETS = limits.MOVES._replace("
    "per_guest=10**6, per_address=10**9)"
)

Heard = messages.Update | messages.Reply | messages.Gone | messages.ComeAgain | messages.Away
_decode = msgspec.json.Decoder(Heard).decode
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Level:
    players: int
    pace: float  # seconds between two moves of a player, 0 for no pause
    matches: int = 2  # that boardgame.io has to prepare for a table
    seconds: float = SECONDS
    warmup: float = 4.0
    rounds: int = 2  # of both servers in turn: what else the machine does comes and goes


LEVELS = (
    Level(252, 2.0),
    Level(1000, 2.0),
    Level(2000, 2.0),
    Level(252, 0.0, matches=64, rounds=1),
)


@dataclass(frozen=True)
class Measured:
    """What came of a level: latencies of moves in ms, processor time in ticks."""

    seconds: float
    server: int
    generator: int
    latencies: list[float]

    @property
    def moves_per_second(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def cpu_per_move(self) -> float:
        """Microseconds of the server's processor time."""
        return self.server * TICK / len(self.latencies) * 1e6

    def percentile(self, hundredth: int) -> float:
        return statistics.quantiles(self.latencies, n=100)[hundredth - 1]

    def busy(self, ticks: int) -> float:
        """The part of one core that was used, in percent."""
        return ticks * TICK / self.seconds * 100


def together(rounds: Sequence[Measured]) -> Measured:
    return Measured(
        sum(m.seconds for m in rounds),
        sum(m.server for m in rounds),
        sum(m.generator for m in rounds),
        [latency for m in rounds for latency in m.latencies],
    )


# Servers


@contextmanager
def serving(command: Sequence[str], port: int) -> Iterator[int]:
    """A server as a process of its own; gives its number."""
    environment = os.environ | {"NODE_ENV": "production"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        _wait_for(process, port)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(SERVER_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + SERVER_TIMEOUT_S
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server does not answer: {process.args!r}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ticks(process: int) -> int:
    """Processor time that a process has used, with all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


def stolen() -> tuple[int, int]:
    """Processor time that other virtual machines have taken from this one, and all time."""
    with Path("/proc/stat").open() as lines:
        fields = [int(field) for field in next(lines).split()[1:9]]
    return fields[7], sum(fields)


def allow_many_sockets() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# Our guests and tables, stored before the server starts


@dataclass(frozen=True)
class Seated:
    table: str
    tokens: list[str]  # of the players, by seat; the first is the host


async def prepare(url: str | sa.URL, players: int) -> list[Seated]:
    storage = store.Store(url)
    await storage.open()
    try:
        guests = [Guest(new_player_id(), f"Player {i}", i % 24) for i in range(players)]
        rows = [{"id": g.id, "name": g.name, "avatar": g.avatar, "created": 0} for g in guests]
        with storage.engine.begin() as connection:
            connection.execute(sa.insert(schema.players), rows)
        devices = Devices(storage)
        tokens = {guest.id: await devices.add(guest.id, "") for guest in guests}
        fours = [guests[i : i + SEATS] for i in range(0, players - SEATS + 1, SEATS)]
        return [_seat(storage, tokens, four) for four in fours]
    finally:
        await storage.close()


def _seat(storage: store.Store, tokens: dict[str, str], four: list[Guest]) -> Seated:
    table, options = new_table_id(), dict(load(SLUG).complete({}, SEATS))
    seed = chance.new_server_seed().hex()
    opened = events.Opened(
        SLUG, SEATS, options, False, 0, "auto", host=four[0].id, server_seed=seed
    )
    sat = [events.Sat(seat, p.id, p.name, p.avatar) for seat, p in enumerate(four)]
    happened: list[events.AnyEvent] = [opened, *sat]
    rows = [store.row(table, i, store.Stored("", event)) for i, event in enumerate(happened)]
    with storage.engine.begin() as connection:
        now = now_ms()  # or the server deletes it as one that nobody has used for long
        row = {"id": table, "created": now, "used": now, "format": events.FORMAT, "is_live": False}
        connection.execute(sa.insert(schema.tables), [row])
        connection.execute(sa.insert(schema.events).values(rows))
    return Seated(table, [tokens[player.id] for player in four])


# Our load


@dataclass
class Stopwatch:
    """The latencies of all moves that arrive while it runs."""

    runs: bool = False
    latencies: list[float] = field(default_factory=list)


Move = tuple[int, int, int]  # the match, the seat, and how many moves the seat has made with it


class Table:
    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._sent: dict[Move, tuple[float, int]] = {}

    def send(self, move: Move) -> None:
        self._sent[move] = (time.perf_counter(), SEATS)

    def hear(self, move: Move) -> None:
        """One of the four has received this move."""
        at, unheard = self._sent[move]
        if unheard > 1:
            self._sent[move] = (at, unheard - 1)
            return
        del self._sent[move]
        if self._stopwatch.runs:
            self._stopwatch.latencies.append((time.perf_counter() - at) * 1000)


class Player:
    """One client. The host of a table also begins its matches."""

    def __init__(self, table: Table, seat: int, pace: float) -> None:
        self._table = table
        self._seat = seat
        self._pace = pace
        self._match = 0
        self._heard: Counter[int] = Counter()
        self._bids = 0
        self._requests = 0
        self._asked = (0, "")
        self._update: messages.Update | None = None
        self._info: messages.TableInfo | None = None
        self._may_play = False

    async def connect(self, address: str, token: str) -> None:
        """Join the table and see it."""
        self.socket = await self.dial(address, token)
        await self._receive()

    async def dial(self, address: str, token: str) -> ClientConnection:
        """A socket that has said hello. Compression is on offer, as browsers do."""
        headers = {"Authorization": f"Bearer {token}"}
        socket = await connect(address, additional_headers=headers, ping_interval=None)
        await socket.send(_encode(messages.Hello()), text=True)
        return socket

    async def listen(self) -> None:
        while True:
            await self._receive()
            if self._may_play and self._pace == 0:
                await self._play()

    async def play(self) -> None:
        """Play at this player's own times, one move in every pause."""
        self._may_play = True
        if self._pace == 0:
            await self._play()
            return
        at = time.monotonic() + random.random() * self._pace
        while True:
            await asyncio.sleep(max(0.0, at - time.monotonic()))
            await self._play()
            at += self._pace

    async def _receive(self) -> None:
        await self._take(_decode(await self.socket.recv()))

    async def _take(self, message: Heard) -> None:
        if isinstance(message, messages.Update):
            self._see(message)
            await self._host()
        elif isinstance(message, messages.ComeAgain | messages.Away):
            return  # it is hung up on later, or hears more
        elif isinstance(message, messages.Gone) or not message.done:
            raise RuntimeError(f"the server refused: {message.error}")

    def _see(self, update: messages.Update) -> None:
        self._update = update
        self._info = update.table or self._info
        if self._info is not None and self._info.match != self._match:
            self._match, self._bids = self._info.match, 0
            self._heard.clear()
        told = Counter[int]() if update.fresh else self._heard.copy()
        for seat in (line.seat for line in update.lines if line.seat >= 0):
            told[seat] += 1
            if told[seat] > self._heard[seat]:  # a log that comes whole once more is not news
                self._heard[seat] = told[seat]
                self._table.hear((self._match, seat, told[seat]))

    async def _host(self) -> None:
        assert self._info is not None
        table = self._info
        stage = (table.match, table.status)
        if self._seat != 0 or table.status == "playing" or self._asked == stage:
            return
        self._asked = stage
        await self._request(messages.Start() if table.status == "gathering" else messages.Again())

    async def _play(self) -> None:
        """Lay a random card, unless this seat has done so already."""
        match = self._update.match if self._update is not None else None
        if match is None or not match.legal or self._heard[self._seat] < self._bids:
            return
        self._bids += 1
        self._table.send((self._match, self._seat, self._bids))
        await self._request(messages.Play(random.choice(match.legal)))

    async def _request(self, command: messages.AnyCommand) -> None:
        self._requests += 1
        await self._send(messages.Request(str(self._requests), command))

    async def _send(self, request: messages.Request) -> None:
        await self.socket.send(_encode(request), text=True)


async def gather(
    ports: Sequence[int], tables: list[Seated], pace: float, stopwatch: Stopwatch
) -> list[Player]:
    """Connect everyone, some tables at a time, to these ports in turn."""
    players: list[Player] = []
    for first in range(0, len(tables), TOGETHER):
        some = enumerate(tables[first : first + TOGETHER])
        joining = (_join(_in_turn(ports, n), t, pace, stopwatch) for n, t in some)
        for four in await asyncio.gather(*joining):
            players += four
    return players


def _in_turn(ports: Sequence[int], first: int) -> list[int]:
    """A port for each seat, as a load balancer gives them; another one first at each table."""
    return [ports[(first + seat) % len(ports)] for seat in range(SEATS)]


async def _join(
    ports: Sequence[int], seated: Seated, pace: float, stopwatch: Stopwatch
) -> list[Player]:
    """Connect the players of a table, its host last."""
    table = Table(stopwatch)
    players = [Player(table, seat, pace) for seat in reversed(range(SEATS))]
    for seat, player in zip(reversed(range(SEATS)), players, strict=True):
        await player.connect(address_of(ports[seat], seated.table), seated.tokens[seat])
    return players


def address_of(port: int, table: str) -> str:
    return f"ws://127.0.0.1:{port}/api/tables/{table}/socket"


@asynccontextmanager
async def at_play(players: Sequence[Player]) -> AsyncIterator[None]:
    """Everyone plays; what fails meanwhile is raised at the end."""
    actions = [(player.listen, player.play) for player in players]
    tasks = [asyncio.ensure_future(act()) for both in actions for act in both]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for player in players:
            player.socket.transport.abort()


async def play(port: int, server: int, tables: list[Seated], level: Level) -> Measured:
    stopwatch = Stopwatch()
    async with asyncio.timeout(SETTING_OUT):
        players = await gather([port], tables, level.pace, stopwatch)
    async with at_play(players):
        await asyncio.sleep(level.warmup)
        return await measure([server], level.seconds, stopwatch)


async def measure(servers: Sequence[int], seconds: float, stopwatch: Stopwatch) -> Measured:
    """What happens in this time, and how busy these processes are with it."""
    before = (sum(map(ticks, servers)), ticks(os.getpid()), time.perf_counter())
    stopwatch.runs = True
    await asyncio.sleep(seconds)
    stopwatch.runs = False
    return Measured(
        time.perf_counter() - before[2],
        sum(map(ticks, servers)) - before[0],
        ticks(os.getpid()) - before[1],
        stopwatch.latencies,
    )


def our_server(level: Level) -> Measured:
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory(dir=FOLDER) as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        url = f"sqlite:///{folder}/tables.sqlite"
        tables = runner.run(prepare(url, level.players))
        port = free_port()
        start = f"{WITHOUT_LIMITS}; from ludotheque.cli import main; main()"
        arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", folder]
        with serving([sys.executable, "-c", start, *arguments], port) as server:
            return runner.run(play(port, server, tables, level))


# boardgame.io


def install() -> None:
    subprocess.run(["npm", "ci", "--silent"], cwd=THEIRS, check=True)


def their_server(level: Level) -> Measured:
    port = free_port()
    with serving(["node", str(THEIRS / "server.js"), str(port)], port) as server:
        settings = json.dumps(asdict(level) | {"port": port, "server": server})
        done = subprocess.run(
            ["node", str(THEIRS / "load.js"), settings],
            stdout=subprocess.PIPE,
            check=True,
            timeout=SETTING_OUT + level.warmup + level.seconds,
        )
    return msgspec.json.decode(done.stdout, type=Measured)


# The report


def report(seconds: float = SECONDS, levels: Sequence[Level] = LEVELS) -> list[str]:
    install()
    allow_many_sockets()
    before = stolen()
    lines, ratios = [], []
    for level in (replace(level, seconds=seconds) for level in levels):
        rounds = [(our_server(level), their_server(level)) for _ in range(level.rounds)]
        ours, theirs = (together(measured) for measured in zip(*rounds, strict=True))
        lines += [_line(level, "Ludothèque", ours), _line(level, "boardgame.io", theirs)]
        ratios.append(f"{ours.cpu_per_move / theirs.cpu_per_move:.2f}")
    taken, whole = (after - b for after, b in zip(stolen(), before, strict=True))
    return [
        *_heading(seconds),
        *lines,
        "",
        f"Server CPU a move, ours : boardgame.io's, level by level: {', '.join(ratios)}.",
        f"Meanwhile others took {100 * taken / whole:.1f} % of the machine.",
        "",
        f"Most players at a move each 2 s with p99 at most {P99_LIMIT_MS:g} ms (tried: "
        f"{', '.join(f'{n:,}' for n in STEPS)}): ours {capacity(our_server, seconds):,}, "
        f"boardgame.io's {capacity(their_server, seconds):,}.",
    ]


def capacity(server: Callable[[Level], Measured], seconds: float) -> int:
    """The largest number of players that this server holds within the limit."""
    most = 0
    for players in STEPS:
        measured = server(Level(players, 2.0, seconds=seconds))
        expected = players / 2.0
        if measured.percentile(99) > P99_LIMIT_MS or measured.moves_per_second < 0.9 * expected:
            break
        most = players
    return most


def _heading(seconds: float) -> list[str]:
    package = json.loads((THEIRS / "package.json").read_text("utf-8"))
    node = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True)
    return [
        "## Tables of four over sockets, beside boardgame.io's server",
        "",
        f"Stupide Vautour, one process a server, {seconds:g} s a round, the servers in turn. Ours",
        "has every move on disk before anyone is told; boardgame.io "
        f"{package['dependencies']['boardgame.io']} (Node {node.stdout.strip()[1:]})",
        "keeps its matches in memory. Both check the rules and make a view for every seat. Latency",
        "is from sending a move to the last of four receiving it; busy is part of one core. All",
        "players are at one address, so our limits for an address, its turns too, are lifted.",
        "",
        "| players | pace | server | moves/s | p50, ms | p99, ms | server CPU a move, µs "
        "| server busy | clients busy |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]


def _line(level: Level, name: str, m: Measured) -> str:
    pace = f"a move each {level.pace:g} s" if level.pace else "no pause"
    return (
        f"| {level.players:,} | {pace} | {name} | {m.moves_per_second:,.0f} "
        f"| {m.percentile(50):.1f} | {m.percentile(99):.1f} | {m.cpu_per_move:,.0f} "
        f"| {m.busy(m.server):.0f} % | {m.busy(m.generator):.0f} % |"
    )


if __name__ == "__main__":
    print("\n".join(report(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)))
