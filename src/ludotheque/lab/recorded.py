"""Random matches with the result of each, written as rules are and compiled beside them."""

from __future__ import annotations

from typing import Any

from ludotheque.engine.playouts import playout, stream_start
from ludotheque.engine.rulebook import score, wins

__kernels__ = ("record_matches",)


def record_matches(
    start: Any, seed: int, first: int, stream: Any, moves: Any, won: Any, points: Any, lengths: Any
) -> None:
    """Play matches first, first + 1 …, one for each row of the results.

    start[0] is the state they all begin from, start[1] the one they are played in.
    """
    for i in range(len(lengths)):
        start[1] = start[0]
        stream[0] = stream_start(seed, first + i)
        lengths[i] = playout(start[1], stream, moves)
        for seat in range(start[1].seats):
            won[i, seat] = wins(start[1], seat)
            points[i, seat] = score(start[1], seat)
