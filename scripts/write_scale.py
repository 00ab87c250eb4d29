"""docs/scale.md: what a million players would need, computed from results.md.

`python scripts/write_scale.py` writes the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ludotheque.server.limits import CONNECTIONS
from ludotheque.server.nodes.lease import RENEW_S

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.md"
PAGE = ROOT / "docs" / "scale.md"

PLAYERS = 1_000_000
SEATS = 4
PACE_S = 10  # between two moves of a player
BUSY = 0.5  # of a core: beyond it moves begin to queue
NUMBER = r"([\d,.]*\d)"
SEVERAL, STORAGE = "Several nodes", "Storage"


def section(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@dataclass(frozen=True)
class Row:
    """A line of the table: moves a second, waits in ms, processor time a move in µs."""

    moves: float
    p50: float
    p99: float
    nodes: float
    postgresql: float
    nats: float
    hasty_moves: float
    hasty_cpu: float

    @property
    def cpu(self) -> float:
        return self.nodes + self.postgresql + self.nats


class Results:
    """The figures that the page needs, as results.md has them."""

    def __init__(self, text: str) -> None:
        self._lines = section(text, SEVERAL).splitlines()
        self._text = " ".join(section(text, SEVERAL).split())
        self._stored = section(text, STORAGE)
        [self.subscriptions] = self.find("The four nodes have # subscriptions")
        self.is_rough = "These figures are rough" in self._text

    def row(self, name: str) -> Row:
        [line] = [line for line in self._lines if line.startswith(f"| {name} | ")]
        return Row(*(_number(cell) for cell in line.strip("| ").split(" | ")[1:]))

    def find(self, pattern: str) -> list[float]:
        """The numbers that stand for each # of a phrase."""
        found = re.search(re.escape(pattern).replace(r"\#", NUMBER), self._text)
        assert found is not None, pattern
        return [_number(each) for each in found.groups()]

    def stored(self, name: str) -> tuple[float, float]:
        """Events a second of one table, and of many that share commits."""
        [line] = [line for line in self._stored.splitlines() if line.startswith(f"| {name} | ")]
        one, many = line.strip("| ").split(" | ")[1:]
        return _number(one), _number(many)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def page(results: Results) -> str:
    parts = (_head, _core, _end_of_a_node, _million, _what_breaks)
    return "\n".join(line for part in parts for line in part(results))


def _head(results: Results) -> list[str]:
    rough = (
        ["The figures are rough so far: they come from a small run on a busy machine.", ""]
        if results.is_rough
        else []
    )
    return [
        "# Scale",
        "",
        "What a core carries, and what one million players would need, by arithmetic from",
        "[benchmarks/results.md](../benchmarks/results.md). Nobody has run a million: one machine "
        "was measured, on which nodes,",
        "PostgreSQL, NATS and the clients share the cores. `python scripts/write_scale.py` writes "
        "this page.",
        "",
        *rough,
    ]


def _core(results: Results) -> list[str]:
    names = ("1, SQLite", "1, PostgreSQL", "2, SQLite", "2, PostgreSQL", "4, PostgreSQL")
    rows = {name: results.row(name) for name in names}
    one, two, four = (rows[name] for name in ("1, SQLite", "2, SQLite", "4, PostgreSQL"))
    most, busy = results.find("): #, with # % of the core busy")
    held = [
        f"One process with its file held {most:,.0f} players with a move each 2 s and p99 at most "
        f"50 ms, {busy:.0f} % of its core busy.",
        "",
    ]
    near, _, far, _ = results.find(
        "owner's node wait # ms (p99 #), those of the other one # ms (p99 #);"
    )
    return [
        "## What a core carries",
        "",
        *(held if most else ()),
        "| nodes | processor time a move, µs | of it nodes | PostgreSQL | NATS "
        "| players a core, half busy |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {name} | {row.cpu:,.0f} | {row.nodes:,.0f} | {row.postgresql:,.0f} "
            f"| {row.nats:,.0f} | {about(_players_a_core(row.cpu))} |"
            for name, row in rows.items()
        ),
        "",
        f"The last column is for people, who take {PACE_S} s for a move. A process has at most "
        f"{CONNECTIONS:,} connections. When there is",
        f"more to do, moves share commits and letters: without a pause, one process needs "
        f"{one.hasty_cpu:,.0f} µs a move and four nodes",
        f"{four.hasty_cpu:,.0f} µs, all parts together.",
        "",
        f"A move on four nodes takes {four.cpu / one.cpu:.1f} times the processor time of one in a "
        "single process: three of four clients are",
        "on another node than their table's owner, and each letter to them is packed, passed on "
        f"and unpacked. They waited {far:.1f} ms",
        f"for a move (p50), those on the owner's node {near:.1f} ms. Two workers with a file carry "
        f"{2 * one.cpu / two.cpu:.1f} times as many people as one process.",
        "So the first thing to do about a full core is a faster one, and to have bots think "
        "elsewhere (`--role bots`); several",
        "workers or nodes come next, then also for upgrades without an interruption. A load "
        "balancer that sends all clients of a",
        "table to one node saves the hop.",
        "",
    ]


def _end_of_a_node(results: Results) -> list[str]:
    _, _, median, _, longest = results.find(
        "Takeover after `kill -9`, # times, # tables, clients on a living node: p50 # s, p99 # s, "
        "longest # s."
    )
    _, far, near = results.find(
        "stopped with SIGTERM, # times each: # ms for clients of another node, # ms for clients "
        "who had to come back through another one."
    )
    return [
        "## When a node ends",
        "",
        "No move that anyone was told of is lost, and none is made twice.",
        "",
        "- **It is stopped**, for an upgrade: it hands its tables over, with their clocks. Players "
        f"of other nodes waited {far:,.0f} ms",
        "  for a move at most; pages that were connected to it come back through another one, and "
        f"theirs waited {near:,.0f} ms at most.",
        "- **It dies**: others take over its tables when its lease has run out. Players of other "
        "nodes keep their sockets, and",
        f"  waited {median:.1f} s (p50), {longest:.1f} s at most; pages that were connected to it "
        "come back through another one.",
        "",
    ]


def about(number: float) -> str:
    """Two digits, as far as such figures go."""
    return f"{float(f'{number:.1e}'):,.0f}"


def _players_a_core(cpu: float) -> float:
    return BUSY * 1e6 / cpu * PACE_S


@dataclass(frozen=True)
class Need:
    """What a million players ask of each part."""

    moves: float
    cores: float
    events: float
    commits: float
    letters_in: float
    letters_out: float
    letter_bytes: float
    memory_gb: float
    postgresql: float  # cores
    nats: float
    beats: float  # a second, to all nodes
    got: float  # bytes
    sent: float
    stored: float  # bytes
    subscriptions: float


def need(results: Results) -> Need:
    moves, four = PLAYERS / PACE_S, results.row("4, PostgreSQL")
    events, commits, letters_in, letters_out, _, bytes_out, sent, got, stored = results.find(
        "# events in # commits; # letters to NATS and # from it, # and # bytes; # bytes from "
        "clients and # to all four. An event takes # bytes in PostgreSQL"
    )
    empty, table, connection = results.find(
        "Memory: # MB for a server with one table; # kB more for each table that is awake with "
        "a match of four, and # kB for each connection"
    )
    cores = moves * four.nodes / 1e6 / BUSY
    return Need(
        moves,
        cores,
        moves * events,
        moves * commits,
        moves * letters_in,
        moves * letters_out,
        moves * bytes_out,
        (cores * empty * 1000 + PLAYERS * connection + PLAYERS / SEATS * table) / 1e6,
        moves * four.postgresql / 1e6 / BUSY,
        moves * four.nats / 1e6 / BUSY,
        cores * cores / RENEW_S,
        moves * got,
        moves * sent,
        moves * events * stored,
        cores * results.subscriptions / 4,
    )


def _million(results: Results) -> list[str]:
    told, subscriptions = need(results), results.subscriptions
    return [
        "## One million players",
        "",
        f"All of them at play at once, in fours, with a move every {PACE_S} s: "
        f"{told.moves:,.0f} moves a second. Cores are half busy.",
        "",
        "| part | what passes it | what it takes |",
        "| --- | --- | --- |",
        f"| nodes | {told.moves:,.0f} moves a second, {PLAYERS:,} sockets, {PLAYERS // SEATS:,} "
        f"tables | {about(told.cores)} nodes with a core each, {about(told.memory_gb)} GB of "
        "memory |",
        f"| database | {about(told.events)} events a second in up to {about(told.commits)} "
        f"commits, {about(told.stored / 1e6)} MB a second | {about(told.postgresql)} cores, and a "
        f"disk that grows by {about(told.stored * 3600 / 1e9)} GB an hour |",
        f"| broker | {about(told.letters_in)} letters a second in and {about(told.letters_out)} "
        f"out; {about(told.beats)} beats a second, since every node tells every other one that it "
        f"lives | {about(told.nats)} cores for the letters |",
        f"| subjects | {about(told.subscriptions)} subscriptions, {subscriptions / 4:.0f} of each "
        f"node; {PLAYERS // SEATS:,} keys, one for each table | memory of the broker |",
        f"| network | {_gigabits(told.got):.1f} Gbit/s to clients and {_gigabits(told.sent):.1f} "
        f"from them, {_gigabits(told.letter_bytes):.1f} Gbit/s between nodes and broker | "
        f"{told.got / told.cores / 1e6:.1f} MB a second for each node |",
        "",
    ]


def _gigabits(bytes_: float) -> float:
    return bytes_ * 8 / 1e9


def _what_breaks(results: Results) -> list[str]:
    told = need(results)
    _, many = results.stored("PostgreSQL")
    _, of_file = results.stored("SQLite")
    per_event = told.events / told.moves
    held = many / per_event * PACE_S
    assert held < PLAYERS, "the page says that the database breaks first"
    cells = -(-PLAYERS // int(held))
    cores = of_file * PACE_S / _players_a_core(results.row("2, SQLite").cpu)
    return [
        "## What breaks first",
        "",
        f"**The database.** One PostgreSQL here stored {many:,.0f} events a second from one node, "
        "which waits for the disk before",
        f"anyone is told: enough for {about(held)} people. Several nodes commit at the same time, "
        "and a better disk does more, but every",
        "move of everyone goes through one log.",
        "",
        "**The broker** is the other part that all nodes share. NATS carries the letters on "
        f"{about(told.nats)} cores, but beats grow with the",
        f"square of the nodes: {about(told.cores)} nodes have "
        + (
            "more of them than letters. "
            if told.beats > told.letters_out
            else f"{told.beats / told.letters_out:.1f} of them for each letter. "
        )
        + "Each list of public tables asks all nodes, too.",
        "",
        "Memory, sockets and network grow with the nodes, and stay small for each of them.",
        "",
        "## What would be done about it",
        "",
        "None of this is built.",
        "",
        "- **The log by table.** Events have the key (table, place), and nothing orders two "
        "tables against each other. So the log",
        "  is cut by a hash of the table into as many databases as it takes; a node has a writer "
        "for each, and a commit still",
        "  holds only events of one of them. Guests, devices and the lists of one's own tables "
        "stay in a database of their own:",
        "  they change rarely.",
        "- **Cells.** A broker, a database and the nodes that share them are a cell for "
        f"{about(held)} people; a million are {cells:,} of them. A",
        "  table's address names its cell, and the load balancer sends its clients there, so that "
        "beats, letters, leases and",
        "  limits stay within: as many clusters of NATS as cells. Only signing in and the list of "
        "public tables ask all of them.",
        "- **Clients to their owner.** A load balancer that hashes the table's address spares most "
        "moves the hop, and with it most",
        "  letters.",
        "",
        "## SQLite or PostgreSQL",
        "",
        f"A file of SQLite stored {of_file:,.0f} events a second where PostgreSQL stored "
        f"{many:,.0f}, on the same disk. At {PACE_S} s a move that",
        f"is {about(of_file * PACE_S)} people, for whom workers need {about(cores)} cores: on a "
        "smaller machine the file is not what is short. PostgreSQL is",
        "asked for when nodes run on several machines, or when others look after your databases.",
        "",
    ]


def main() -> None:
    PAGE.write_text(page(Results(RESULTS.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
