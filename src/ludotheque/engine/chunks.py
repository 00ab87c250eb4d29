"""Long compiled work in pieces of about equal time, to check the clock in between."""

from __future__ import annotations

import time
from collections.abc import Iterator


def timed_chunks(
    total: int, seconds: float, first: int = 1, smallest: int = 1
) -> Iterator[tuple[int, int]]:
    """Split 0 … total − 1 into pieces, each as its first number and its size.

    A piece grows to at most twice the one before, until one takes about this many seconds.
    """
    done, size = 0, first
    while done < total:
        size = min(size, total - done)
        begun = time.perf_counter()
        yield done, size
        took = max(time.perf_counter() - begun, 1e-6)
        done += size
        size = max(smallest, min(2 * size, int(size * seconds / took)))
