"""Many matches stepped together from Python: one call plays one move at every awaited seat.

    batch = Batch(game, seats=2, count=4096)
    while learning:
        moves = policy(batch.states, batch.masks)     # (count, seats) integers
        batch.play(moves)                             # batch.finished, batch.points

A match that ends is started again at once, and chance is drawn inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludotheque.engine import kernels
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused


class Batch:
    """`count` matches of one game.

    states    a structured array, one record a match: full states, secrets included
    masks     (count, seats, moves): 1 where an awaited seat may make the move
    finished  (count,): 1 where the last `play` ended the match, which has been started again
    points    (count, seats): the final scores of the matches that last finished
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        count: int,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
    ) -> None:
        if game.timed:
            raise Refused(f"{game.slug} runs on a clock, which a batch does not have; use simulate")
        self.game = game
        self._kernels = kernels.compiled(game)
        self._start = kernels.blank(game, 1, game.start(seats, options))
        self._dice = np.zeros(count, np.int64)
        self._scratch = np.zeros(max(game.moves, game.outcomes), np.int64)
        self.states = kernels.blank(game, count, game.start(seats, options))
        self.masks = np.zeros((count, seats, game.moves), np.uint8)
        self.finished = np.zeros(count, np.uint8)
        self.points = np.zeros((count, seats), np.int64)
        self._kernels["open_batch"](
            self._start, seed, self.states, self._dice, self._scratch, self.masks
        )

    def random_moves(self) -> Any:
        """A legal move for every awaited seat, each equally likely, and 0 for the others."""
        choices = np.zeros(self.points.shape, np.int64)
        self._kernels["choose_batch"](self.states, self._dice, self._scratch, choices)
        return choices

    def play(self, moves: Any) -> None:
        """Play `moves[match, seat]` at every awaited seat; what others are given is not read."""
        choices = np.ascontiguousarray(moves, np.int64)
        if choices.shape != self.points.shape:
            raise Refused(f"moves have the shape {choices.shape}, expected {self.points.shape}")
        illegal = self._kernels["first_illegal"](choices, self.masks)
        if illegal >= 0:
            raise Refused(
                f"match {illegal}: {choices[illegal].tolist()} holds a move that is not legal"
            )
        self._kernels["play_batch"](
            self._start,
            self.states,
            self._dice,
            self._scratch,
            choices,
            self.masks,
            self.finished,
            self.points,
        )
