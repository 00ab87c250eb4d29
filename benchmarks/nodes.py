"""Several nodes that share tables: what they carry, and what clients notice when one of them ends.

The load is that of `table_load`: tables of four, and clients that a load balancer has spread over
the nodes in turn. `python -m benchmarks.nodes --quick` tries it out and writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import uvloop

from benchmarks import node_ends
from benchmarks.node_ends import percentile
from benchmarks.node_site import Site, bytes_an_event, owned_by, site
from benchmarks.table_load import (
    P99_LIMIT_MS,
    SEATS,
    SETTING_OUT,
    TICK,
    Level,
    Measured,
    Player,
    Seated,
    Stopwatch,
    allow_many_sockets,
    at_play,
    gather,
    measure,
    our_server,
    prepare,
    stolen,
)

PACE_S = 2.0  # seconds between two moves of a player who thinks fast
RECEIVED = struct.Struct("=120xQQ")  # in Linux's tcp_info: bytes that were sent and came


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    players: int  # at a human pace
    hasty: int  # players without a pause
    seconds: float
    kills: int
    stops: int
    tables: int  # at each kill and each stop
    idle_tables: int
    most: int  # players up to which the limit of one core is looked for
    step: int


FULL = Size(600, 100, 6.0, kills=20, stops=4, tables=8, idle_tables=500, most=6000, step=500)
QUICK = Size(200, 60, 3.0, kills=3, stops=3, tables=2, idle_tables=100, most=1000, step=500)


@dataclass(frozen=True)
class Observed:
    """What a load has led to; `passed` is by how much the counters have risen."""

    measured: Measured
    passed: dict[str, float]

    def a_move(self, name: str) -> float:
        return self.passed.get(name, 0.0) / len(self.measured.latencies)

    def cpu_a_move(self, name: str) -> float:
        """Microseconds of processor time of a part beside the nodes."""
        return self.a_move(name) * TICK * 1e6


async def observe(
    where: Site, ports: Sequence[int], tables: list[Seated], level: Level
) -> Observed:
    stopwatch = Stopwatch()
    async with asyncio.timeout(SETTING_OUT):
        players = await gather(ports, tables, level.pace, stopwatch)
    async with at_play(players):
        await asyncio.sleep(level.warmup)
        before = where.counters() | traffic(players)
        measured = await measure(where.processes, level.seconds, stopwatch)
        after = where.counters() | traffic(players)
    return Observed(measured, {name: after[name] - before[name] for name in after})


def traffic(players: Sequence[Player]) -> dict[str, float]:
    """Bytes that clients have sent and got, compressed as they were."""
    told = [_tcp_bytes(player) for player in players]
    return {"sent": sum(sent for sent, _ in told), "got": sum(got for _, got in told)}


def _tcp_bytes(player: Player) -> tuple[int, int]:
    connection = player.socket.transport.get_extra_info("socket")
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RECEIVED.size)
    sent, got = RECEIVED.unpack(told)
    return sent, got


# What is measured


@dataclass(frozen=True)
class Row:
    name: str
    paced: Observed
    hasty: Observed


def loads(name: str, where: Site, size: Size, run: asyncio.Runner) -> Row:
    levels = [
        Level(size.players, PACE_S, seconds=size.seconds),
        Level(size.hasty, 0.0, seconds=size.seconds),
    ]
    found = []
    for level in levels:
        tables = run.run(prepare(where.url, level.players))
        found.append(run.run(observe(where, where.ports, tables, level)))
    return Row(name, *found)


def hop(where: Site, size: Size, run: asyncio.Runner) -> tuple[Observed, Observed]:
    """Clients of the node that owns their tables, and clients of another one."""
    level = Level(size.players, PACE_S, seconds=size.seconds)
    found = []
    for port in where.ports[:2]:
        tables = run.run(prepare(where.url, level.players))
        owned_by(where.nodes[0], tables)
        found.append(run.run(observe(where, [port], tables, level)))
    return found[0], found[1]


@dataclass(frozen=True)
class Memory:
    """Of one server: MB when it has just started, kB for each table and each connection."""

    empty: float
    table: float
    connection: float


def memory(size: Size, run: asyncio.Runner) -> Memory:
    with site(1, is_on_postgresql=False) as where:
        players = size.idle_tables * SEATS
        first, tables = (run.run(prepare(where.url, n)) for n in (SEATS, players))
        _begin_matches(where, first)  # what is loaded with the first match is no table's
        empty = _memory(where)
        _begin_matches(where, tables)
        awake = _memory(where)
        connected = run.run(gather(where.ports, tables, PACE_S, Stopwatch()))
        busy = _memory(where)
        for player in connected:
            player.socket.transport.abort()
    return Memory(empty / 1000, (awake - empty) / size.idle_tables, (busy - awake) / players)


def _begin_matches(where: Site, tables: Sequence[Seated]) -> None:
    body = {"id": "begin", "command": {"do": "start"}}
    for seated in tables:
        token = f"Bearer {seated.tokens[0]}"
        path = f"/api/tables/{seated.table}/commands"
        status, told = where.nodes[0].call("POST", path, body, Authorization=token)
        assert status == 200, told


def _memory(where: Site) -> float:
    """kB of the first node's memory."""
    lines = Path(f"/proc/{where.processes[0]}/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith("VmRSS")).split()[1])


@dataclass(frozen=True)
class Most:
    """The most players that one server holds within the limit, and how busy it is with them."""

    players: int
    busy: float  # percent of a core


def most_players(size: Size) -> Most:
    """By bisection: everyone is heard within the limit, and nobody has to wait with a move."""
    held, low, high = Most(0, 0.0), 0, size.most // size.step + 1
    while high - low > 1:
        middle = (low + high) // 2
        players = middle * size.step
        found = our_server(Level(players, PACE_S, seconds=size.seconds))
        is_fast = found.moves_per_second > 0.9 * players / PACE_S
        if is_fast and found.percentile(99) <= P99_LIMIT_MS:
            held, low = Most(players, found.busy(found.server)), middle
        else:
            high = middle
    return held


# The report


def report(seconds: float = FULL.seconds, size: Size = FULL) -> list[str]:
    allow_many_sockets()
    size = replace(size, seconds=seconds)
    before = stolen()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as run:
        found = carried(size, run)
        ends = ended(size, run)
        idle = memory(size, run)
    most = most_players(size)
    taken, whole = (after - b for after, b in zip(stolen(), before, strict=True))
    return [
        *_heading(size),
        *(_line(row) for row in found.rows),
        "",
        *_passed(found),
        "",
        *_hop(found.near, found.far),
        "",
        *ends,
        "",
        f"Memory: {idle.empty:.0f} MB for a server with one table; {idle.table:.1f} kB more for "
        "each table that is awake",
        f"with a match of four, and {idle.connection:.1f} kB for each connection.",
        "",
        f"Most players of one process with its file, on one core, at a move each {PACE_S:g} s with "
        f"p99 at most {P99_LIMIT_MS:g} ms",
        f"(looked for up to {size.most:,} in steps of {size.step:,}): {most.players:,}, with "
        f"{most.busy:.0f} % of the core busy.",
        "",
        f"Meanwhile others took {100 * taken / whole:.1f} % of the machine.",
    ]


@dataclass(frozen=True)
class Carried:
    rows: list[Row]
    near: Observed  # clients of the owner's node
    far: Observed
    event_bytes: float  # on PostgreSQL's disk
    subscriptions: int  # of four nodes


def carried(size: Size, run: asyncio.Runner) -> Carried:
    rows = []
    for name, nodes, is_on_postgresql in (
        ("1, SQLite", 1, False),
        ("1, PostgreSQL", 1, True),
        ("2, SQLite", 2, False),
        ("2, PostgreSQL", 2, True),
        ("4, PostgreSQL", 4, True),
    ):
        with site(nodes, is_on_postgresql) as where:
            rows.append(loads(name, where, size, run))
            if name == "2, PostgreSQL":
                near, far = hop(where, size, run)
            if nodes == 4:
                stored, subscriptions = bytes_an_event(where), where.subscriptions
    return Carried(rows, near, far, stored, subscriptions)


def ended(size: Size, run: asyncio.Runner) -> list[str]:
    with site(3) as where:

        def tables(number: int) -> list[Seated]:
            return run.run(prepare(where.url, number * size.tables * SEATS))

        kills = run.run(node_ends.kills(where, tables(size.kills), size.kills))
        near, far = (
            run.run(node_ends.stops(where, tables(size.stops), size.stops, is_on_it))
            for is_on_it in (True, False)
        )
    return [
        f"Takeover after `kill -9`, {size.kills} times, {len(kills)} tables, clients on a living "
        f"node: p50 {percentile(kills, 50):.2f} s, p99 {percentile(kills, 99):.2f} s,",
        f"longest {max(kills):.2f} s.",
        "",
        f"Longest wait for a move when a node is stopped with SIGTERM, {size.stops} times each: "
        f"{1000 * max(far):.0f} ms for clients of",
        f"another node, {1000 * max(near):.0f} ms for clients who had to come back through "
        "another one.",
    ]


def _heading(size: Size) -> list[str]:
    rough = ["These figures are rough: a small run.", ""] if size.kills < FULL.kills else []
    return [
        "## Several nodes",
        "",
        *rough,
        f"Tables of four, as beside boardgame.io's server, {size.seconds:g} s a row, spread over "
        "the nodes as a load balancer does it;",
        "more than one node with NATS. Everything shares this machine, the clients too, so that "
        "more nodes are not more cores.",
        f"At a human pace {size.players} players make a move each {PACE_S:g} s; without a pause "
        f"there are {size.hasty}.",
        "",
        "| nodes | moves/s | p50, ms | p99, ms | CPU a move, µs: nodes | PostgreSQL | NATS "
        "| moves/s without a pause | CPU a move, µs: all |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]


def _line(row: Row) -> str:
    paced, hasty = row.paced.measured, row.hasty.measured
    beside = [row.paced.cpu_a_move(part) for part in ("PostgreSQL", "NATS")]
    hurried = hasty.cpu_per_move + sum(row.hasty.cpu_a_move(p) for p in ("PostgreSQL", "NATS"))
    return (
        f"| {row.name} | {paced.moves_per_second:,.0f} | {paced.percentile(50):.1f} "
        f"| {paced.percentile(99):.1f} | {paced.cpu_per_move:,.0f} | {beside[0]:,.0f} "
        f"| {beside[1]:,.0f} | {hasty.moves_per_second:,.0f} | {hurried:,.0f} |"
    )


def _passed(found: Carried) -> list[str]:
    paced = found.rows[-1].paced
    return [
        f"A move on four nodes: {paced.a_move('events'):.2f} events in "
        f"{paced.a_move('commits'):.2f} commits; {paced.a_move('in_msgs'):.2f} letters to NATS",
        f"and {paced.a_move('out_msgs'):.2f} from it, {paced.a_move('in_bytes'):,.0f} and "
        f"{paced.a_move('out_bytes'):,.0f} bytes; {paced.a_move('sent'):,.0f} bytes from clients",
        f"and {paced.a_move('got'):,.0f} to all four. An event takes {found.event_bytes:,.0f} "
        "bytes in PostgreSQL, its index included.",
        f"The four nodes have {found.subscriptions} subscriptions at the broker.",
    ]


def _hop(near: Observed, far: Observed) -> list[str]:
    here, there = near.measured, far.measured
    return [
        f"The extra hop, two nodes: clients of the owner's node wait {here.percentile(50):.1f} ms "
        f"(p99 {here.percentile(99):.1f}), those of the other one",
        f"{there.percentile(50):.1f} ms (p99 {there.percentile(99):.1f}); CPU of the nodes "
        f"{here.cpu_per_move:,.0f} and {there.cpu_per_move:,.0f} µs a move.",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small run, to try it out")
    chosen = QUICK if parser.parse_args().quick else FULL
    print("\n".join(report(chosen.seconds, chosen)))
