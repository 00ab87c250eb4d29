"""How long things take, on a machine that is also doing something else."""

from __future__ import annotations

import time
from collections.abc import Callable

ROUNDS = 5


def rates(*jobs: Callable[[], int]) -> list[float]:
    """Items per second of each job, the best of several rounds in which the jobs take turns.

    A job does its work and returns how many items that were. Taking turns spreads what else the
    machine does over all of them, so that their ratios hold.
    """
    best = [0.0] * len(jobs)
    for _ in range(ROUNDS):
        for place, job in enumerate(jobs):
            begun = time.perf_counter()
            items = job()
            best[place] = max(best[place], items / (time.perf_counter() - begun))
    return best
