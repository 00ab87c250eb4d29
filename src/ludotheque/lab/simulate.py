"""Random matches by the million."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludotheque.engine import kernels
from ludotheque.engine.chunks import timed_chunks
from ludotheque.engine.game import Game

PROGRESS_INTERVAL_S = 0.2


@dataclass(frozen=True)
class Simulation:
    """The totals of `games` random matches."""

    games: int
    seconds: float
    moves: int
    wins: list[int]  # by seat; a shared victory counts for each winner
    points: list[int]  # by seat, summed over all matches

    def to_json(self) -> dict[str, Any]:
        seconds = max(self.seconds, 1e-9)
        return {
            "games": self.games,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(self.games / seconds, 1),
            "moves_per_second": round(self.moves / seconds, 1),
            "wins": self.wins,
            "mean_scores": [round(p / self.games, 4) for p in self.points],
        }


def simulate(
    game: Game,
    seats: int,
    games: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Simulation:
    """Play `games` random matches on one thread; the same seed gives the same result.

    `progress` is told how many have been played, a few times a second.
    """
    play_matches = kernels.compiled(game)["play_matches"]
    start = kernels.blank(game, 2, game.start(seats, game.playout_options | dict(options or {})))
    dice = np.zeros(1, np.int64)
    moves = np.zeros(max(game.moves, game.outcomes), np.int64)
    won = np.zeros(seats, np.int64)
    points = np.zeros(seats, np.int64)
    play_matches(start, seed, 0, 0, dice, moves, won, points)  # compiles, or loads from the disk

    begun = time.perf_counter()
    made = 0
    for first, count in timed_chunks(games, PROGRESS_INTERVAL_S):
        made += play_matches(start, seed, first, count, dice, moves, won, points)
        progress(first + count)
    seconds = time.perf_counter() - begun
    return Simulation(games, seconds, made, won.tolist(), points.tolist())


def warm(game: Game) -> None:
    """Compile the playout kernels of a game, or load them from the cache."""
    simulate(game, game.seats[0], 1)
