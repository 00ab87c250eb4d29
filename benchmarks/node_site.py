"""Nodes as processes of their own, with the database and the broker that they share."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from benchmarks.table_load import FOLDER, WITHOUT_LIMITS, Seated, free_port, ticks
from ludotheque.server.database import sqlite_url

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from nodes import BrokerProcess, NodeProcess
from people import WAIT_TIMEOUT_S, Server
from postgres import postgres, sqlalchemy_url

START = f"{WITHOUT_LIMITS}; from ludotheque.cli import main; main()"


class One(Server):
    """A server without others."""

    command = START


class Node(NodeProcess):
    command = START


class Site:
    def __init__(self, folder: Path, nodes: int, is_on_postgresql: bool = True) -> None:
        data, options = folder / "data", list[str]()
        data.mkdir()
        self.url: sa.URL = sqlite_url(data / "tables.sqlite")
        self.is_on_postgresql = is_on_postgresql
        if is_on_postgresql:
            address = postgres().new_database()
            self.url = sqlalchemy_url(address)
            options += ["--database", address]
        self.broker: BrokerProcess | None = None
        self.nodes: list[Server] = []
        if nodes == 1:
            self.nodes.append(One(data, None, *options))
            return
        self._monitor = free_port()
        told = f"http: 127.0.0.1:{self._monitor}"
        (folder / "broker").mkdir()
        self.broker = BrokerProcess(folder / "broker", told)
        self._of_nobody = self._subscriptions()  # the broker's own
        for name in "abcd"[:nodes]:
            self.launch(Node(data, self.broker.address, name, *options))

    def launch(self, node: NodeProcess) -> None:
        """One after the other: the first makes the schema."""
        node.launch()
        node.wait_until_it_is_ready()
        self.nodes.append(node)

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
        if self.broker is not None:
            self.broker.stop()

    @property
    def ports(self) -> list[int]:
        return [node.port for node in self.nodes]

    @property
    def processes(self) -> list[int]:
        return [node.process.pid for node in self.nodes]

    def counters(self) -> dict[str, float]:
        """What the parts have done so far: processor time in ticks, commits, what passed NATS."""
        found: dict[str, float] = {"events": 0.0, "commits": 0.0}
        for node in self.nodes:
            told = _samples(node)
            found["events"] += told["ludotheque_commit_events_sum"]
            found["commits"] += told["ludotheque_commit_events_count"]
        if self.is_on_postgresql:
            found["PostgreSQL"] = _ticks_of_postgresql()
        if self.broker is not None:
            found["NATS"] = ticks(self.broker.process.pid)
            passed = self._varz()
            for name in ("in_msgs", "in_bytes", "out_msgs", "out_bytes"):
                found[name] = passed[name]
        return found

    @property
    def subscriptions(self) -> int:
        """Of all nodes, at the broker."""
        return self._subscriptions() - self._of_nobody

    def _subscriptions(self) -> int:
        return int(self._varz()["subscriptions"])

    def _varz(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(_read(f"http://127.0.0.1:{self._monitor}/varz"))
        return told


@contextmanager
def site(nodes: int, is_on_postgresql: bool = True) -> Iterator[Site]:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        running = Site(Path(folder), nodes, is_on_postgresql)
        try:
            yield running
        finally:
            running.stop()


def owned_by(node: Server, tables: Sequence[Seated]) -> None:
    """Let a node own these tables, as the first that is asked for them."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    for seated in tables:
        token, path = f"Bearer {seated.tokens[0]}", f"/api/tables/{seated.table}"
        while (answer := node.call("GET", path, Authorization=token))[0] != 200:
            # A node whose broker is slow to answer asks its clients to come again.
            assert answer[0] == 503, answer
            assert time.monotonic() < until, answer
            time.sleep(0.1)


def bytes_an_event(where: Site) -> float:
    """What an event takes on PostgreSQL's disk, its index included."""
    engine = sa.create_engine(where.url)
    with engine.connect() as connection:
        size = sa.text("SELECT pg_total_relation_size('events') * 1.0 / count(*) FROM events")
        found = float(connection.execute(size).scalar_one())
    engine.dispose()
    return found


def _read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=WAIT_TIMEOUT_S) as answer:
        return str(answer.read().decode())


def _samples(node: Server) -> dict[str, float]:
    lines = _read(f"http://{node.address}/metrics").splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def _ticks_of_postgresql() -> int:
    """Of the server and all its processes, also those that have ended."""
    first = int((postgres().folder / "postmaster.pid").read_text().splitlines()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    ended = Path(f"/proc/{first}/stat").read_text().rpartition(") ")[2].split()[13:15]
    return ticks(first) + sum(ticks(int(child)) for child in children) + sum(map(int, ended))
