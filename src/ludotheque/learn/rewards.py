"""What a seat is rewarded with when a match ends; before, every reward is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused

SHARE = "share"  # of the victory: 1 divided among the winners
SCORE = "score"  # the points
LEAD = "lead"  # the points more than the best other seat has
REWARDS = (SHARE, SCORE, LEAD)


def checked_reward(reward: str | None, game: Game, seats: int) -> str:
    """The reward that is asked for; by default a share, and the score where nobody is beaten."""
    against_others = seats > 1 and not game.team
    if reward is None:
        return SHARE if against_others else SCORE
    if reward not in REWARDS:
        raise Refused(f"there is no reward {reward!r}; the rewards are: {', '.join(REWARDS)}")
    if reward == LEAD and not against_others:
        raise Refused(f"nobody plays against others in {game.slug} here: there is no lead")
    return reward


def final_rewards(reward: str, points: Any, shares: Any) -> Any:
    """Rewards of every seat, the last axis, from final scores and shares of the victory."""
    if reward == SHARE:
        return np.asarray(shares, np.float64)
    scores = np.asarray(points, np.float64)
    if reward == SCORE:
        return scores
    ranked = np.sort(scores, axis=-1)
    best, second = ranked[..., -1:], ranked[..., -2:-1]
    return scores - np.where(scores == best, second, best)
