"""One kernel that plays a move and reports everything the rules say of the state after it.

It is compiled beside a game's rules, so that the conformance suite can hold compiled against plain
after every move with a single compilation.
"""

from __future__ import annotations

from typing import Any

from ludotheque.engine.rulebook import (
    MAX_LEGAL_BITS,
    MOVES,
    OUTCOMES,
    alarm,
    awaits,
    draw_name,
    hide,
    is_legal,
    is_over,
    legal_bits,
    legal_moves,
    objection,
    play,
    score,
    sees,
    shows_score,
    wait,
    weight,
    wins,
)
from ludotheque.engine.seats import CHANCE, NOBODY

__kernels__ = ("audit_wait", "audit_move", "audit_state", "audit_moves")


def audit_wait(states: Any, elapsed: int) -> None:
    wait(states[0], elapsed)


def audit_move(states: Any, seat: int, move: int, seen: Any) -> None:
    """Play in states[0]; write who sees the move into `seen`, the spectator last."""
    s = states[0]
    for viewer in range(s.seats):
        seen[viewer] = sees(s, viewer, seat, move)
    seen[s.seats] = sees(s, NOBODY, seat, move)
    play(s, seat, move)


def audit_state(states: Any, facts: Any) -> None:
    """Write what is known of states[0] into `facts`, a row a seat, and every view after it."""
    s = states[0]
    over = is_over(s)
    for seat in range(s.seats):
        facts[seat, 0] = awaits(s, seat)
        facts[seat, 1] = score(s, seat)
        facts[seat, 2] = over and wins(s, seat)
        facts[seat, 3] = shows_score(s, seat)
        states[1 + seat] = states[0]
        hide(states[1 + seat], seat)
    facts[s.seats, 0] = awaits(s, CHANCE)
    facts[s.seats, 1] = over
    facts[s.seats, 2] = alarm(s)
    facts[s.seats, 3] = draw_name(s) if OUTCOMES > 0 and awaits(s, CHANCE) else 0
    states[1 + s.seats] = states[0]
    hide(states[1 + s.seats], NOBODY)


def audit_moves(states: Any, seat: int, legal: Any, listed: Any) -> int:
    """Mark for every move of a seat whether it is legal, why not, its bit and its weight."""
    s = states[0]
    bits = legal_bits(s, seat) if (MOVES if seat >= 0 else OUTCOMES) <= MAX_LEGAL_BITS else 0
    for move in range(MOVES if seat >= 0 else OUTCOMES):
        legal[move, 0] = is_legal(s, seat, move)
        legal[move, 1] = objection(s, seat, move)
        legal[move, 2] = bits >> (move % 63) & 1
        legal[move, 3] = weight(s, move) if seat < 0 and legal[move, 0] else 0
    return legal_moves(s, seat, listed)
