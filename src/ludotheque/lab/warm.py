"""Compile games ahead, on all cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from ludotheque.bots import roster
from ludotheque.engine.game import load
from ludotheque.lab import simulate


def warm(slug: str) -> str:
    """Compile what simulations and strong bots of a game need, or load it from the disk."""
    game = load(slug)
    simulate.warm(game)
    roster.warm(game)
    return slug


def warm_all(slugs: Sequence[str]) -> Iterator[str]:
    """Compile these games, as many at a time as there are cores; gives every game that is done."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(warm, slug) for slug in slugs]):
            yield done.result()
