"""How fast legal moves are listed; compiled beside a game's rules."""

from __future__ import annotations

from typing import Any

from ludotheque.engine.rulebook import legal_moves


def list_all(states: Any, seats: Any, moves: Any, times: int) -> int:
    """List the moves of seats[i] in states[i], several times over; return how many in all."""
    total = 0
    for _ in range(times):
        for i in range(len(states)):
            total += legal_moves(states[i], seats[i], moves)
    return total
