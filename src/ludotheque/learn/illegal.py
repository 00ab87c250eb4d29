"""What an illegal action does where an environment must go on: checkers sample without masks.

A random legal move is played in its place, and costs ILLEGAL_REWARD. A move that is tried rather
than listed (`game.unlisted_moves`: laying a card anywhere) is refused instead, as it is at a
table: nothing happens but that time passes, and it costs nothing else. `aec` alone ends the match.
"""

from __future__ import annotations

import numpy as np

from ludotheque.learn.episode import Episode

ILLEGAL_REWARD = -1.0


def play_or_substitute(episode: Episode, seat: int, move: int, rng: np.random.Generator) -> bool:
    """Play the move, or what takes its place; whether another one took its place."""
    if episode.is_legal(seat, move):
        episode.play(seat, move)
        return False
    if move < episode.match.game.unlisted_moves:
        episode.skip(seat)
        return False
    episode.play(seat, int(rng.choice(episode.match.legal_moves(seat))))
    return True
