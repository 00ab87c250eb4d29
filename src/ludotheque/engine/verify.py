"""Check that chance was fair: every draw of a finished match, computed again from its seeds."""

from __future__ import annotations

from typing import Any, NamedTuple

from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE


class Verified(NamedTuple):
    """What was checked: draws that follow from the seeds, and moves that the deal fixed instead."""

    draws: int
    fixed: int
    commitment: str  # of the server seed: compare it with what was published before the match
    clients: int  # how many people added a seed of their own


def verify(match: Match) -> Verified:
    """Check every draw of a match; Refused names the first that does not follow from the seeds."""
    if not match.is_over:
        raise Refused(
            "the match is not over; finish it, then its seeds are told and can be verified"
        )
    if match.seeds is None:
        raise Refused("the match has no seeds, so its draws cannot be verified")
    drawn = check_draws(match, match.seeds.key)
    fixed = min(drawn, len(match.deal))
    return Verified(drawn - fixed, fixed, match.commitment, len(match.seeds.clients))


def check_draws(match: Match, key: bytes) -> int:
    """How many draws there were so far; Refused names the first that does not follow from the key.

    Those that the deal has fixed need not follow from it.
    """
    drawn = 0
    for number, (state, entry) in enumerate(match.steps(), 1):
        if entry.seat == CHANCE:
            drawn += 1
            if drawn > len(match.deal):
                _check(match, state, entry.move, number, key)
    return drawn


def _check(match: Match, state: Any, found: int, number: int, key: bytes) -> None:
    game, possible = match.game, match.game.chance_outcomes(state)
    expected = possible.draw(key)
    if found != expected:
        raise Refused(
            f"move {number} does not follow from the seeds: draw {possible.name} gives "
            f"{game.notation(CHANCE, expected)}, found {game.notation(CHANCE, found)}"
        )
