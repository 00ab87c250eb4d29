"""What the server counts, as Prometheus reads it; no label names a table, a player, an address."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request

from ludotheque.server.counts import Counts, Distribution, counts
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FRESH_S = 1.0  # within which the same text is told again
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_local(request: Request) -> bool:
    """Whether a program on this machine asks, and not a proxy on it for someone else."""
    client = request.client.host if request.client else ""
    name = request.headers.get("host", "").rpartition(":")
    host = name[0] if name[2].isdecimal() and name[0] else request.headers.get("host", "")
    is_forwarded = any(header in request.headers for header in FORWARDED)
    return client in LOOPBACK and host in LOCAL_NAMES and not is_forwarded


class Metrics:
    """The text for Prometheus. Its library is imported when the first one asks."""

    def __init__(self, store: Store, tables: Tables, keepalive: Keepalive) -> None:
        self._store = store
        self._tables = tables
        self._keepalive = keepalive
        self._registry: Any = None
        self._stored = 0  # tables
        self._text = b""
        self._told_at = float("-inf")

    async def text(self) -> bytes:
        now = time.monotonic()
        if now - self._told_at > FRESH_S:
            self._told_at = now
            self._stored = await self._store.table_count()
            self._text = self._latest()
        return self._text

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

    def _now(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415

        tables = self._tables
        gauges = {
            "tables_awake": ("Tables in memory.", tables.awake),
            "tables_stored": ("Tables in storage.", self._stored),
            "tables_set_aside": ("Tables that could not be read since the start.", tables.broken),
            "players_connected": ("Guests with an open page at a table.", tables.connected),
            "sockets": ("Open sockets.", len(self._keepalive)),
            "bots_thinking": ("Bots and hints at work.", tables.thinkers.running),
            "bots_queued": ("Bots and hints that wait for a thread.", tables.thinkers.waiting),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(f"ludotheque_{name}", text, value)


def _so_far(counted: Counts) -> Iterator[Any]:
    from prometheus_client.core import CounterMetricFamily  # noqa: PLC0415

    counters = {
        "moves": ("Moves made, by people and bots.", counted.moves),
        "failed_writes": ("Writes to storage that failed.", counted.failed_writes),
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
