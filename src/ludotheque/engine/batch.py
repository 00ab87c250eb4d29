"""Many matches stepped together from Python: one call plays one move at every awaited seat.

    batch = Batch(game, seats=2, count=4096)
    while learning:
        moves = policy(batch.observations, batch.masks)     # (count, seats) integers
        batch.play(moves)                                   # batch.finished, batch.shares

A match that ends is started again at once, and chance is drawn inside. All arrays are written in
place: copy what is to be kept.

Match n of a seed is the same in every batch, so threads may share the work: `first` is the number
of a batch's first match. Kernels release Python's lock, and the arrays of two batches share no
line of the processor's cache.

In a timed game every `play` takes the game's mean time of a move, for all seats at once. Moves that
are too many to list, and are tried instead (`game.unlisted_moves`) have no marks in the
masks, which begin with the first listed move: an awaited seat may try any of them, and if it is not
legal, nothing happens but that time passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from ludotheque.engine import flattening, kernels, playouts, stepping
from ludotheque.engine.game import Game
from ludotheque.engine.layout import Layout, flattener
from ludotheque.engine.refused import Refused


class Batch:
    """`count` matches of one game.

    states              a structured array, one record a match: full states, secrets included
    masks               (count, seats, listed moves): 1 where an awaited seat may make the move
    observations        (count, seats, layout.size): what each seat may know of the state
    finished            (count,): 1 where the last `play` ended the match, which has been started
                        again
    points, shares      (count, seats): the final scores of the matches that last finished, and each
                        seat's share of the victory, 1 in all if anyone has won
    final_observations  what each seat knew at the end of the match that last finished
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        count: int,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        first: int = 0,
        observe: bool = True,
    ) -> None:
        start = game.start(seats, game.playout_options | dict(options or {}))
        self.game = game
        self.layout = Layout(game, seats)
        self._kernels = kernels.compiled(game, around=kernel_modules(game))
        self._start = kernels.blank(game, 1, start)
        self._view = kernels.blank(game, 1, start)
        self._scratch = kernels.padded((max(game.moves, game.outcomes),), np.int64)
        seen = (count, seats if observe else 0, self.layout.size)
        self.states = kernels.blank(game, count, start)
        self.masks = kernels.padded((count, seats, game.moves - game.unlisted_moves), np.int8)
        self._marked = kernels.padded((count, seats, kernels.marked_sets(game)), np.int64)
        self._streams = kernels.padded((count,), np.int64)
        self._choices = kernels.padded((count, seats), np.int64)
        self.observations = kernels.padded(seen, self.layout.dtype)
        self.final_observations = kernels.padded(seen, self.layout.dtype)
        self.finished = kernels.padded((count,), np.int8)
        self.points = kernels.padded((count, seats), np.int64)
        self.shares = kernels.padded((count, seats), np.float64)
        self._kernels["open_batch"](
            self._start,
            seed,
            first,
            self.states,
            self._streams,
            self._scratch,
            self.masks,
            self._marked,
            self._view,
            self.observations,
        )

    def random_moves(self) -> Any:
        """A legal move for every awaited seat, each equally likely, and 0 for the others.

        The array is written again by the next call.
        """
        self._kernels["choose_batch"](
            self.states, self._streams, self._scratch, self._marked, self._choices
        )
        return self._choices

    def play(self, moves: Any) -> None:
        """Play `moves[match, seat]` at every awaited seat; what others are given is not read.

        Seats move in their order. A move that an earlier seat's has made illegal is passed over.
        """
        given = np.asarray(moves)
        if given.shape != self.points.shape:
            raise Refused(f"moves have the shape {given.shape}, expected {self.points.shape}")
        if not np.issubdtype(given.dtype, np.integer):
            raise Refused(f"moves are {given.dtype}, expected integers")
        choices = np.ascontiguousarray(given, np.int64)
        illegal = self._kernels["first_illegal"](self.states, choices, self.masks)
        if illegal >= 0:
            raise Refused(
                f"match {illegal}: {choices[illegal].tolist()} holds a move that is not legal"
            )
        self._kernels["play_batch"](
            self._start,
            self.states,
            self._streams,
            self._scratch,
            choices,
            self.masks,
            self._marked,
            self.finished,
            self.points,
            self.shares,
            self._view,
            self.observations,
            self.final_observations,
        )


def kernel_modules(game: Game) -> tuple[ModuleType, ...]:
    """What is compiled beside the rules for a batch."""
    return (playouts, flattening, flattener(game), stepping)


def warm(game: Game) -> None:
    """Compile the kernels of a batch, or load them from the cache."""
    batch = Batch(game, game.seats[0], 1)
    batch.play(batch.random_moves())
