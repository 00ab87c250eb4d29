"""What the server counts about itself: plain numbers, so that a move costs next to nothing more.

There is one server a process, so there is one `counts`. `metrics.py` tells them to Prometheus.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_REASONS = 200  # there are fewer in the code; a new way to refuse must not grow this for ever


class Distribution:
    """How many values lie at or below each bound, and how large they are together."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Counts:
    def __init__(self) -> None:
        self.moves = 0
        self.move_seconds = Distribution(SECONDS)  # from a player's request until all are told
        self.commit_seconds = Distribution(SECONDS)
        self.commit_events = Distribution(SIZES)
        self.failed_writes = 0
        self.fenced_writes = 0  # of tables that another writer had changed; storage was well
        self.lost_nodes = 0  # found gone by this one
        self.thoughts = 0  # of bots and hints at the tables of all nodes, thought here
        self.deleted_tables = 0  # by retention, or because the host asked for it
        self.refusals: Counter[tuple[str, str]] = Counter()  # by where, and reason
        self.stored_at: float | None = None  # when a write last succeeded, on a monotonic clock
        self.failed_at: float | None = None

    def refuse(self, where: str, reason: str) -> None:
        key = (where, reason or "other")
        if key not in self.refusals and len(self.refusals) >= MOST_REASONS:
            key = (where, "other")
        self.refusals[key] += 1

    def told(self, asked: Iterable[float]) -> None:
        """Moves that were asked for at these times have been told to everyone."""
        now = time.perf_counter()
        for begun in asked:
            self.move_seconds.add(now - begun)

    def committed(self, begun: float, events: int) -> None:
        self.commit_seconds.add(time.perf_counter() - begun)
        self.commit_events.add(events)
        self.stored_at = time.monotonic()

    def failed(self, writes: int = 1) -> None:
        self.failed_writes += writes
        self.failed_at = time.monotonic()


counts = Counts()
