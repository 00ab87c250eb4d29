"""Random matches by the million."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludotheque.engine import kernels
from ludotheque.engine.game import Game

SLICE = 0.2  # seconds between two reports of progress


@dataclass(frozen=True)
class Simulation:
    """What came of `games` random matches."""

    games: int
    seconds: float
    moves: int
    wins: list[int]  # per seat; a shared victory counts for each who shares it
    points: list[int]  # per seat, summed over all matches

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
    tally = kernels.compiled(game)["tally"]
    start = kernels.blank(game, 2, game.start(seats, game.playout_options | dict(options or {})))
    dice = np.zeros(1, np.int64)
    moves = np.zeros(max(game.moves, game.outcomes), np.int64)
    won = np.zeros(seats, np.int64)
    points = np.zeros(seats, np.int64)
    tally(start, seed, 0, 0, dice, moves, won, points)  # compiles, or loads what was compiled

    begun = time.perf_counter()
    played = made = 0
    chunk = 1
    while played < games:
        chunk = min(chunk, games - played)
        before = time.perf_counter()
        made += tally(start, seed, played, chunk, dice, moves, won, points)
        played += chunk
        progress(played)
        took = time.perf_counter() - before
        chunk = max(1, min(2 * chunk, int(chunk * SLICE / max(took, 1e-9))))
    seconds = time.perf_counter() - begun
    return Simulation(games, seconds, made, won.tolist(), points.tolist())


def warm(game: Game) -> None:
    """Compile the playout kernels of a game, or load them from the cache."""
    simulate(game, game.seats[0], 1)
