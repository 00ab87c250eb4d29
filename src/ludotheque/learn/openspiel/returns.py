"""What players get at the end of a match: victories, points, or the lead over the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pyspiel

from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused

Utility = pyspiel.GameType.Utility
NAMES = ("wins", "points", "lead")


class Returns(NamedTuple):
    """Which kind of utility it is, between which bounds, and what a finished match gives."""

    utility: Any
    low: float
    high: float
    of: Callable[[Match], list[float]]


def returns_named(name: str, start: Match) -> Returns:
    game, seats = start.game, start.seats
    if name not in NAMES:
        raise Refused(f"returns is {name!r}, expected one of {', '.join(NAMES)}")
    if name == "wins":
        if game.team:
            return Returns(Utility.IDENTICAL, 0, 1, team_wins)
        return Returns(Utility.ZERO_SUM, -1, 1, wins)
    if game.scores is None:
        raise Refused(
            f"returns is {name!r}, but the rules of {game.slug} do not state their SCORES"
        )
    lowest, highest = game.scores[0], game.scores[-1]
    if name == "points":
        utility = Utility.IDENTICAL if game.team else Utility.GENERAL_SUM
        return Returns(utility, lowest, highest, points)
    if game.team or seats == 1:
        raise Refused(f"returns is 'lead', but nobody leads in {game.slug} with {seats} seats")
    return Returns(Utility.ZERO_SUM, lowest - highest, highest - lowest, lead)


def team_wins(match: Match) -> list[float]:
    return [float(bool(match.winners))] * match.seats


def wins(match: Match) -> list[float]:
    """The winners share 1, and everyone pays an equal part of it."""
    winners = match.winners
    if not winners:
        return [0.0] * match.seats
    return [(seat in winners) / len(winners) - 1 / match.seats for seat in range(match.seats)]


def points(match: Match) -> list[float]:
    return [float(score) for score in match.scores]


def lead(match: Match) -> list[float]:
    """The points beyond the mean of the others."""
    scores, others = match.scores, match.seats - 1
    return [score - (sum(scores) - score) / others for score in scores]
