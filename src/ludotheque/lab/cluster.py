"""Work shared by the machines of a Ray cluster.

A piece that dies with its worker is done again. Starting takes seconds, so this pays for long runs
alone, in large pieces.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from ludotheque.engine.refused import Refused
from ludotheque.lab.pieces import Doer, Work

SMALLEST_PIECE = 50_000  # matches
TRIES = 10  # of a piece whose worker dies
AHEAD = 4  # tasks that wait for each core, so that none is idle
TASKS = 32  # for each core at most, of a run in many small pieces: a deal of the arena is one


def on_ray(address: str) -> Doer[Any]:
    """Share work among the machines of the cluster at this address; "auto" finds it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise Refused("a cluster needs an extra: pip install 'ludotheque[cluster]'") from None
    if address != "auto" and not address.startswith("ray://"):
        raise Refused(f"--on is {address!r}, expected auto or ray://ADDRESS:PORT")
    try:
        ray.init(address, log_to_driver=False, configure_logging=False, ignore_reinit_error=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise Refused(f"there is no Ray cluster at {address}: {reason}") from None
    return _on_cluster


def _on_cluster(work: Work[Any], numbers: Iterable[int]) -> Iterator[tuple[int, Any]]:
    ray: Any = import_module("ray")
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    tasks = list(chunks(list(numbers), cores))
    task, shared = ray.remote(max_retries=TRIES)(_do), ray.put(work)
    waiting: dict[Any, Sequence[int]] = {}
    while tasks or waiting:
        while tasks and len(waiting) < AHEAD * cores:
            chunk = tasks.pop(0)
            waiting[task.remote(shared, chunk)] = chunk
        for done in ray.wait(list(waiting))[0]:
            yield from zip(waiting.pop(done), ray.get(done), strict=True)


def chunks(numbers: Sequence[int], cores: int) -> Iterator[Sequence[int]]:
    """Pieces that are sent together; each core gets enough of these to be busy to the end."""
    size = max(1, -(-len(numbers) // (TASKS * cores)))
    for first in range(0, len(numbers), size):
        yield numbers[first : first + size]


def _do(work: Work[Any], numbers: Sequence[int]) -> list[Any]:
    return [work(number) for number in numbers]
