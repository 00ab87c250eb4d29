"""What the server counts, as Prometheus reads it; no label names a table, a player, an address."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Protocol

from ludotheque.server.counts import Counts, Distribution, counts
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.thinkers import Thinkers

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FRESH_S = 1.0  # within which the same text is told again


class Told(Protocol):
    async def text(self) -> bytes:
        """What is counted, for Prometheus."""
        ...


class Exposition:
    """The text for Prometheus. Its library is imported when the first one asks."""

    def __init__(self) -> None:
        self._registry: Any = None
        self._text = b""
        self._told_at = float("-inf")

    async def text(self) -> bytes:
        now = time.monotonic()
        if now - self._told_at > FRESH_S:
            self._told_at = now
            await self._look()
            self._text = self._latest()
        return self._text

    async def _look(self) -> None:
        """Find out what is not known in memory."""

    def _now(self) -> Iterator[Any]:
        """What is the case now."""
        raise NotImplementedError

    def _latest(self) -> bytes:
        from prometheus_client import CollectorRegistry, ProcessCollector  # noqa: PLC0415
        from prometheus_client.exposition import generate_latest  # noqa: PLC0415

        if self._registry is None:
            self._registry = CollectorRegistry(auto_describe=False)
            self._registry.register(self)
            ProcessCollector(registry=self._registry)
        return bytes(generate_latest(self._registry))

    def describe(self) -> list[Any]:
        """Nothing, so that the library does not collect once only to learn the names."""
        return []

    def collect(self) -> Iterator[Any]:
        yield from self._now()
        yield from _so_far(counts)


def thinking(thinkers: Thinkers) -> dict[str, tuple[str, int]]:
    return {
        "bots_thinking": ("Bots and hints at work.", thinkers.running),
        "bots_queued": ("Bots and hints that wait for a thread.", thinkers.waiting),
    }


def gauges(told: dict[str, tuple[str, int]]) -> Iterator[Any]:
    from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415

    for name, (text, value) in told.items():
        yield GaugeMetricFamily(f"ludotheque_{name}", text, value)


def named(node: str) -> Any:
    from prometheus_client.core import InfoMetricFamily  # noqa: PLC0415

    family = InfoMetricFamily("ludotheque_node", "Which of several nodes this is.")
    family.add_metric((), {"node": node})
    return family


class Metrics(Exposition):
    """Of a server with tables."""

    def __init__(self, store: Store, tables: Tables, keepalive: Keepalive) -> None:
        super().__init__()
        self._store = store
        self._tables = tables
        self._keepalive = keepalive
        self._stored = 0  # tables

    async def _look(self) -> None:
        self._stored = await self._store.table_count()

    def _now(self) -> Iterator[Any]:
        tables = self._tables
        told = {
            "tables_awake": ("Tables in memory.", tables.awake),
            "tables_stored": ("Tables in storage.", self._stored),
            "tables_set_aside": ("Tables that could not be read since the start.", tables.broken),
            "players_connected": ("Guests with an open page at a table.", tables.connected),
            "sockets": ("Open sockets.", len(self._keepalive)),
            **thinking(tables.thinkers),
            "nodes": ("Nodes that share the tables, this one too.", tables.nodes),
        }
        if tables.node:
            told["lease_held"] = ("1 while this node may answer for tables.", int(tables.is_ours()))
        yield from gauges(told)
        if tables.node:
            yield named(tables.node)


def _so_far(counted: Counts) -> Iterator[Any]:
    from prometheus_client.core import CounterMetricFamily  # noqa: PLC0415

    counters = {
        "moves": ("Moves made, by people and bots.", counted.moves),
        "failed_writes": ("Writes to storage that failed.", counted.failed_writes),
        "fenced_writes": (
            "Writes refused because another writer had changed the table.",
            counted.fenced_writes,
        ),
        "lost_nodes": ("Other nodes that this one has found gone.", counted.lost_nodes),
        "thoughts": ("Thoughts of bots and hints for all nodes, thought here.", counted.thoughts),
        "deleted_tables": ("Tables deleted by retention or the host.", counted.deleted_tables),
    }
    for name, (text, value) in counters.items():
        yield CounterMetricFamily(f"ludotheque_{name}", text, value)
    refusals = CounterMetricFamily(
        "ludotheque_refusals", "What was refused, by place and reason.", labels=("where", "reason")
    )
    for labels, number in tuple(counted.refusals.items()):
        refusals.add_metric(labels, number)
    yield refusals
    yield _histogram(
        "move_seconds",
        "From a player's request to a move until all are told.",
        counted.move_seconds,
    )
    yield _histogram("commit_seconds", "How long commits take.", counted.commit_seconds)
    yield _histogram("commit_events", "Events that share a commit.", counted.commit_events)


def _histogram(name: str, text: str, found: Distribution) -> Any:
    from prometheus_client.core import HistogramMetricFamily  # noqa: PLC0415

    buckets, below = [], 0
    for bound, number in zip((*found.bounds, float("inf")), tuple(found.counts), strict=True):
        below += number
        buckets.append((str(bound) if bound != float("inf") else "+Inf", below))
    return HistogramMetricFamily(f"ludotheque_{name}", text, buckets, found.total)
