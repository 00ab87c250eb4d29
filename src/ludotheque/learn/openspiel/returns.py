"""What OpenSpiel asks of rewards ahead: whose gain is whose loss, and between which bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyspiel

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.learn.rewards import LEAD, NET_SHARE, SCORE, SHARE, checked_reward

Utility = pyspiel.GameType.Utility


class Returns(NamedTuple):
    """The name of a reward, which kind of utility it is, and its bounds."""

    reward: str
    utility: Any
    low: float
    high: float


def default_returns(game: Game) -> str:
    """Of zero sum, for the algorithms that ask for it, unless nobody is beaten."""
    return SHARE if game.team or game.seats[0] == 1 else NET_SHARE


def returns_named(name: str, start: Match) -> Returns:
    game, seats = start.game, start.seats
    checked_reward(name, game, seats)
    return Returns(name, _utility(name, game, seats), *_bounds(name, game))


def _utility(reward: str, game: Game, seats: int) -> Any:
    if game.team:
        return Utility.IDENTICAL
    is_of_general_sum = reward in (SHARE, SCORE) or (reward == LEAD and seats > 2)
    return Utility.GENERAL_SUM if is_of_general_sum else Utility.ZERO_SUM


def _bounds(reward: str, game: Game) -> tuple[float, float]:
    if reward in (SHARE, NET_SHARE):
        return (0 if reward == SHARE else -1), 1
    if game.scores is None:
        raise Refused(
            f"returns is {reward!r}, but the rules of {game.slug} do not state their SCORES"
        )
    lowest, highest = game.scores[0], game.scores[-1]
    return (lowest, highest) if reward == SCORE else (lowest - highest, highest - lowest)
