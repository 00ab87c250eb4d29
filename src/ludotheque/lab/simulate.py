"""Random matches by the million."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game, load
from ludotheque.lab import recorded
from ludotheque.lab.pieces import Doer, Saved, done_or_saved, on_threads
from ludotheque.lab.tally import Tally

PIECES = 256  # of a run, to tell how far it is; fewer if it is short …
LARGEST_PIECE = 50_000  # … and more if it is long: a thread has done one before anyone gets bored
CACHE_LINE = 64  # bytes that threads must not share


@dataclass(frozen=True)
class Matches:
    """Random matches of one game, in pieces. It can be sent to other processes."""

    slug: str
    parts: Any  # a host's own cards or boxes, None for ours
    seats: int
    options: Mapping[str, object]
    seed: int
    games: int
    piece_size: int

    @property
    def header(self) -> dict[str, Any]:
        """What tells its results from others'."""
        return asdict(self) | {"rules_version": self.game.version}

    @property
    def game(self) -> Game:
        return load(self.slug) if self.parts is None else Game(self.slug, self.parts)

    def __call__(self, piece: int) -> dict[str, Any]:
        """The tally of one piece, as JSON."""
        first = piece * self.piece_size
        return self._tally(first, min(self.piece_size, self.games - first)).to_json()

    @property
    def pieces(self) -> int:
        return -(-self.games // self.piece_size)

    def games_in(self, piece: int) -> int:
        return min(self.piece_size, self.games - piece * self.piece_size)

    def compile(self) -> None:
        """Compile what the matches need, or load it from the disk."""
        self._tally(0, 0)

    def _tally(self, first: int, count: int) -> Tally:
        game = self.game
        options = game.playout_options | dict(self.options)
        start = kernels.blank(game, 2, game.start(self.seats, options))
        stream = np.zeros(CACHE_LINE // 8, np.int64)
        moves = np.zeros(max(game.moves, game.outcomes), np.int64)
        won = np.zeros((count, self.seats), np.int64)
        points, lengths = np.zeros_like(won), np.zeros(count, np.int64)
        play = kernels.compiled(game, around=(playouts, recorded))["record_matches"]
        play(start, self.seed, first, stream, moves, won, points, lengths)
        return Tally.of(won, points, lengths)


@dataclass(frozen=True)
class Simulation:
    """The totals of random matches."""

    tally: Tally
    seconds: float
    played: int  # in these seconds: fewer than there are if a run was resumed

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def moves(self) -> int:
        return self.tally.moves

    @property
    def wins(self) -> list[int]:
        return self.tally.wins

    @property
    def points(self) -> list[int]:
        return self.tally.points

    def to_json(self) -> dict[str, Any]:
        tally, rate = self.tally, self.played / max(self.seconds, 1e-9)
        return {
            "games": tally.games,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(rate, 1),
            "moves_per_second": round(rate * tally.moves / tally.games, 1),
            "wins": tally.wins,
            "victory_shares": [tally.victory_share(s).to_json() for s in range(len(tally.wins))],
            "mean_scores": [round(p / tally.games, 4) for p in tally.points],
            "mean_moves": round(tally.moves / tally.games, 4),
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row a seat, for a table."""
        return [self._row(seat) for seat in range(len(self.tally.wins))]

    def _row(self, seat: int) -> dict[str, Any]:
        share, score = self.tally.victory_share(seat), self.tally.mean_score(seat)
        return {
            "seat": seat,
            "games": self.tally.games,
            "wins": self.tally.wins[seat],
            "victory_share": share.mean,
            "victory_share_low": share.low,
            "victory_share_high": share.high,
            "mean_score": score.mean,
            "mean_score_low": score.low,
            "mean_score_high": score.high,
        }


def matches_of(
    game: Game,
    seats: int,
    games: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    smallest_piece: int = 1,
) -> Matches:
    """Random matches, in pieces whose size does not depend on who does them."""
    size = max(smallest_piece, min(LARGEST_PIECE, -(-games // PIECES)))
    return Matches(game.slug, game.parts, seats, dict(options or {}), seed, games, size)


def simulate(
    game: Game,
    seats: int,
    games: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int], None] = lambda played: None,
    jobs: int = 1,
) -> Simulation:
    """Play `games` random matches; the same seed gives the same result on any number of threads."""
    return run(matches_of(game, seats, games, seed, options), on_threads(jobs), progress)


def run(
    matches: Matches,
    do: Doer[dict[str, Any]],
    progress: Callable[[int], None] = lambda played: None,
    saved: Saved | None = None,
) -> Simulation:
    """Play what a file has not yet; `progress` is told how many there are."""
    tally = Tally.empty(matches.seats)
    had = sum(map(matches.games_in, saved.results if saved is not None else ()))
    matches.compile()
    begun = time.perf_counter()
    for _, result in done_or_saved(matches, matches.pieces, do, saved):
        tally += Tally.from_json(result)
        progress(tally.games)
    return Simulation(tally, time.perf_counter() - begun, tally.games - had)


def warm(game: Game) -> None:
    """Compile the playout kernels of a game, or load them from the cache."""
    simulate(game, game.seats[0], 1)
