"""What a seat is rewarded with when a match ends; before, every reward is 0.

Environments call it the reward, OpenSpiel the returns: the names and the numbers are these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused

SHARE = "share"  # of the victory: 1 divided among the winners
SCORE = "score"  # the points
LEAD = "lead"  # the points more than the best other seat has
NET_SHARE = "net_share"  # the share less the mean of all shares, …
NET_SCORE = "net_score"  # … the points less the mean of all points: together they are 0
REWARDS = (SHARE, SCORE, LEAD, NET_SHARE, NET_SCORE)
AGAINST_OTHERS = (LEAD, NET_SHARE, NET_SCORE)


def checked_reward(reward: str | None, game: Game, seats: int) -> str:
    """The reward that is asked for; by default a share, and the score where nobody is beaten."""
    against_others = seats > 1 and not game.team
    if reward is None:
        return SHARE if against_others else SCORE
    if reward not in REWARDS:
        raise Refused(f"there is no reward {reward!r}; the rewards are: {', '.join(REWARDS)}")
    if reward in AGAINST_OTHERS and not against_others:
        raise Refused(
            f"nobody plays against others in {game.slug} here: it has no reward {reward!r}"
        )
    return reward


def final_rewards(reward: str, points: Any, shares: Any) -> Any:
    """Rewards of every seat, the last axis, from final scores and shares of the victory."""
    values = np.asarray(shares if reward in (SHARE, NET_SHARE) else points, np.float64)
    if reward in (NET_SHARE, NET_SCORE):
        return values - values.mean(axis=-1, keepdims=True)
    if reward != LEAD:
        return values
    ranked = np.sort(values, axis=-1)
    best, second = ranked[..., -1:], ranked[..., -2:-1]
    return values - np.where(values == best, second, best)


def match_rewards(reward: str, match: Match) -> list[float]:
    """Rewards of every seat, now."""
    if not match.is_over:
        return [0.0] * match.seats
    found: list[float] = final_rewards(reward, match.scores, match.shares).tolist()
    return found
