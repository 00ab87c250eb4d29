"""How players behave in a simulation, unless a game's policy.py knows better.

A game defines any of these again in its policy.py, written as rules are: plain Python that is
compiled beside them.
"""

from __future__ import annotations

from typing import Any

from ludotheque.engine.playouts import random_move
from ludotheque.engine.rulebook import score, wins

__defaults__ = True

CLEAR_WIN_POINTS = 10  # a lead this large is about as good as it gets
WIN_SHARE = 0.5  # of a value that is about who wins; the rest is about by how many points


def playout_move(s: Any, seat: int, stream: Any, moves: Any) -> int:
    """The move that this seat makes in a playout."""
    return random_move(s, seat, stream, moves)


def is_settled(root: Any, s: Any) -> bool:
    """Whether a simulation that began at `root` has gone far enough, though the match has not."""
    return False


def evaluate(root: Any, s: Any, seat: int) -> float:
    """How good it is for this seat to be where the simulation has ended, from 0 to 1."""
    rivals = -1000000
    winners = 0
    for other in range(s.seats):
        winners += wins(s, other)
        if other != seat:
            rivals = max(rivals, score(s, other))
    lead = score(s, seat) - rivals
    ahead = 0.5 + 0.5 * lead / (abs(lead) + CLEAR_WIN_POINTS)
    victory = wins(s, seat) / max(winners, 1)
    return WIN_SHARE * victory + (1 - WIN_SHARE) * ahead
