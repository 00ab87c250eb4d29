"""Finds the best placements for a known order of the cards.

First comes one broad beam search that accepts losses. Then, if a perfect pallet is still possible,
come attempts at one. Each evaluates piles with weights of its own, because a pile that one set of
weights misjudges is found by another. When few boxes are left, an attempt tries to fill the pallet
in any order, and then checks whether the cards allow it. The number of an attempt determines its
weights, so the same number of attempts gives the same answer on any machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import exp, inf
from random import Random
from typing import Any

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.engine.kernels import blank
from ludotheque.games.team_up.pallet import COLUMNS
from ludotheque.games.team_up.parts import (
    COLOUR_CARD,
    COLOURS,
    DEPTH,
    LAYERS,
    MAX_BOXES,
    MAX_SHAPES,
    SHAPE_CARD,
    TWO_SHAPES_CARD,
    WIDTH,
)
from ludotheque.games.team_up.rules import (
    DECIDE,
    LAYER_POINTS,
    PERFECT,
    PLACE,
    PLAIN,
    State,
    placement,
)
from ludotheque.games.team_up.solver import beam as beams
from ludotheque.games.team_up.solver import beam_search, bounds, filling, gaps, pile
from ludotheque.games.team_up.solver.beam import BEST, KEPT, PRUNED, WINNER, Beam, Search, Task
from ludotheque.games.team_up.solver.gaps import DEEP, FOOTPRINT, WIDE
from ludotheque.search.deadline import Deadline
from ludotheque.search.warmup import Step

COMPILED = (playouts, pile, beams, bounds, beam_search, gaps, filling)  # compiled beside the rules
CELLS = WIDTH * DEPTH * LAYERS

# The weights of steps, single cells and lanes, each by layer; then of level, waste, cell, base,
# loss, lack, stuck and waiting. Found by trying many.
# fmt: off
BROAD_WEIGHTS = (
    2.45, 2.1, 1.66, 1.92, 0.77, 0.84, 0.48, 0.12, 0.41, -0.3, -1.2, -0.53, 0.0, -0.38, 0.09,
    0.57, 2.78, -2.46, 0.0, 1.0, 27.7, 5.0, 1.0,
)
FLAWLESS_WEIGHTS = (
    0.25, 1.28, 9.8, 11.5, 0.16, 1.11, 0.09, -0.17, -0.06, -6.45, -0.31, 0.47, 0.09, 11.0, 0.74,
    1.46, 6.66, -0.77, 0.0, 0.0, 6.32, 110.0, 0.98,
)
# fmt: on
WEIGHT_DEVIATION = 0.6  # standard deviation of their logarithms, from attempt to attempt

BROAD_WIDTH = 200  # piles in the first beam; four times as many in each further one
FLAWLESS_WIDTH = 150  # piles in an attempt; every 2nd, 4th, 8th … has 2, 4, 8 … times as many …
MAX_WIDTH_FACTOR = 32  # … up to this factor
FILL_BOXES = 15  # with so few left an attempt tries to fill the pallet
MAX_FILL_STEPS = 3000  # boxes placed before a pile counts as undecided
PILES_PER_CHECK = 10  # filled between two checks of the deadline: in 5 ms as a rule, 50 at most
FEW_TO_COME = 8  # cards or boxes that allow a complete search …
COMPLETE_WIDTH = 20_000  # … with this many piles


def before_card(state: State) -> State:
    """The state before the open card was drawn, or before a stop was proposed."""
    before: State = state.copy()
    if before.phase == PLACE:
        before.deck |= 1 << before.card
    before.phase, before.agreed = DECIDE, 0
    return before


@dataclass
class Plan:
    """The best placements found, in their order."""

    points: int
    placements: list[int] = field(default_factory=list)
    is_complete: bool = False  # nothing was pruned: there is no better plan


class Optimiser:
    """Searches for placements from a state before a card, for the cards in this order."""

    def __init__(self, game: Game, state: State, order: tuple[int, ...]) -> None:
        self._game, self._state, self._order = game, state, order
        self._kernel = kernels.compiled(game, False, COMPILED)
        self._pairs = sorted({c[1:] for c in game.rule("CARDS") if c[0] == TWO_SHAPES_CARD})
        self._card_counts_upto = self._card_counts()
        self.best = Plan(game.score(state, 0))
        self._gaps = self._new_gaps()

    def warm_up(self) -> None:
        for step in self.warm_steps():
            step()

    def warm_steps(self) -> list[Step]:
        """What compiles all that a search needs, or loads it from the disk: nothing is searched."""
        search = Search(self._new_beam(1), self._task(BROAD_WEIGHTS, False, False), 0, 0, 1)
        return [
            partial(self._kernel["advance"], search, 0),
            partial(self._kernel["fill"], search, 0, 0, MAX_FILL_STEPS),
            partial(self._kernel["keep"], search, 0),
        ]

    def run(self, deadline: Deadline, attempts: float = inf) -> Plan:
        """Search until nothing better is possible, time is up, or all attempts are made."""
        most = self.bound()
        if min(len(self._order), self._boxes()) <= FEW_TO_COME:
            self._pass(COMPLETE_WIDTH, BROAD_WEIGHTS, deadline, is_exact=True)
        number = 0
        while self.best.points < most and not self.best.is_complete and deadline.is_ahead:
            if number > attempts:
                break
            if number == 0 or not self.may_be_flawless():
                self._pass(BROAD_WIDTH * 4 ** min(number, 4), BROAD_WEIGHTS, deadline)
            else:
                self.attempt(number, deadline)
            number += 1
        return self.best

    def attempt(self, number: int, deadline: Deadline) -> None:
        """Search for a perfect pallet, with the weights of this number.

        Some decks are solved by many narrow beams, others by one wide beam, and nothing tells which
        beforehand: so each width gets its share of the time.
        """
        rng = Random(number)
        spread = WEIGHT_DEVIATION if number > 1 else 0.0
        weights = tuple(weight * exp(rng.gauss(0, spread)) for weight in FLAWLESS_WEIGHTS)
        width = FLAWLESS_WIDTH * min(number & -number, MAX_WIDTH_FACTOR)
        self._pass(width, weights, deadline, is_flawless=True)

    def may_be_flawless(self) -> bool:
        """Whether all boxes could be placed and fill the pallet."""
        volume = sum(self._volumes()) + sum(self._state.heights)
        return (
            volume == CELLS
            and max(self._state.heights) <= LAYERS
            and len(self._order) >= self._boxes()
        )

    def bound(self) -> int:
        """An upper bound of the points: the largest boxes, one for each card, without any loss."""
        volumes = sorted(self._volumes(), reverse=True)
        filled = sum(min(height, LAYERS) for height in self._state.heights)
        points = [self._game.score(self._state, 0)]
        for placed in range(1, min(len(volumes), len(self._order)) + 1):
            layers = min(LAYERS, (filled + sum(volumes[:placed])) // (WIDTH * DEPTH))
            points.append(LAYER_POINTS * layers - (len(volumes) - placed) - self._state.lost)
        return max(points)

    def _pass(
        self,
        width: int,
        weights: tuple[float, ...],
        deadline: Deadline,
        *,
        is_flawless: bool = False,
        is_exact: bool = False,
    ) -> None:
        """One beam search through all the cards."""
        beam, task = self._new_beam(width), self._task(weights, is_flawless, is_exact)
        side, kept, is_pruned = 0, 1, False
        for at in range(len(self._order)):
            if not deadline.is_ahead:
                return
            self._kernel["advance"](Search(beam, task, side, at, width), kept)
            side, kept = 1 - side, int(beam.found[KEPT])
            is_pruned = is_pruned or bool(beam.found[PRUNED])
            if kept and beam.found[BEST] > self.best.points:
                self.best = self._plan(beam.states[side, beam.found[WINNER]], beam.found[BEST])
            if is_flawless and self._boxes() - at - 1 <= FILL_BOXES:
                kept = self._fill(Search(beam, task, side, at + 1, width), kept, deadline)
            if kept == 0:
                break
        self.best.is_complete = is_exact and not is_pruned

    def _fill(self, search: Search, count: int, deadline: Deadline) -> int:
        """Try to finish the piles; return how many are left that may still be finished."""
        for first in range(0, count, PILES_PER_CHECK):
            if not deadline.is_ahead:
                return 0
            if self._kernel["fill"](
                search, first, min(first + PILES_PER_CHECK, count), MAX_FILL_STEPS
            ):
                self.best = self._plan(search.beam.states[1 - search.side, 0], PERFECT)
                return 0
        return int(self._kernel["keep"](search, count))

    def _task(self, weights: tuple[float, ...], is_flawless: bool, is_exact: bool) -> Task:
        return Task(
            np.array(self._order, np.int64),
            self._card_counts_upto,
            np.array(self._pairs or [(0, 0)], np.int64)[: len(self._pairs)],
            np.array(weights),
            is_flawless,
            is_exact,
        )

    def _plan(self, record: Any, points: int) -> Plan:
        """The placements that were added, with colours for the open ones."""
        left = record["left"].tolist()
        placements = []
        for box in range(self._state.placed, int(record["placed"])):
            shape, colour = int(record["box_shape"][box]), int(record["box_colour"][box])
            if colour == PLAIN:
                colour = next(c for c in range(COLOURS) if left[shape][c] > 0)
                left[shape][colour] -= 1
            turned = int(record["box_width"][box] != self._game.rule("SHAPES")[shape][0])
            x, y = int(record["box_x"][box]), int(record["box_y"][box])
            placements.append(placement(shape, colour, turned, x, y))
        return Plan(int(points), placements)

    def _volumes(self) -> list[int]:
        """The cells of every box that is left."""
        return [
            width * depth * height
            for (width, depth, height), left in zip(
                self._game.rule("SHAPES"), self._state.left, strict=False
            )
            for _ in range(sum(left))
        ]

    def _boxes(self) -> int:
        return sum(map(sum, self._state.left))

    def _card_counts(self) -> Any:
        """How many cards of each kind come before each card: shapes, colours, pairs of shapes."""
        kinds = np.zeros((len(self._order) + 1, MAX_SHAPES + COLOURS + len(self._pairs)), np.int64)
        for at, card in enumerate(self._order):
            kinds[at + 1 :, self._kind(card)] += 1
        return kinds

    def _kind(self, card: int) -> int:
        kind, first, second = self._game.rule("CARDS")[card]
        if kind == SHAPE_CARD:
            return int(first)
        if kind == COLOUR_CARD:
            return int(MAX_SHAPES + first)
        return MAX_SHAPES + COLOURS + self._pairs.index((first, second))

    def _new_beam(self, room: int) -> Beam:
        def zeros(*shape: int) -> Any:
            return np.zeros(shape, np.int64)

        beam = Beam(
            states=np.zeros((2, room), self._game.State.dtype()),
            spares=zeros(2, room, MAX_SHAPES),
            costs=np.zeros((2, room)),
            hashes=zeros(2, room),
            heap=zeros(room),
            ranks=np.zeros(room),
            paid=np.zeros(room),
            child_hashes=zeros(room),
            parents=zeros(room),
            moves=zeros(room),
            seen=zeros(1 << (16 * room).bit_length()),
            low=zeros(LAYERS),
            after=zeros(LAYERS),
            roughness=np.zeros(LAYERS),
            need=zeros(self._card_counts_upto.shape[1]),
            found=zeros(4),
            gaps=self._gaps,
            scratch=np.zeros(1, self._game.State.dtype()),
            below=zeros(MAX_BOXES),
            ground=zeros(MAX_BOXES),
            picks=zeros(MAX_BOXES + 1),
        )
        self._state.store(beam.states[0, :1][0])
        beam.spares[0, 0, : len(self._state.left)] = [sum(left) for left in self._state.left]
        beam.hashes[0, 0] = 1
        return beam

    def _new_gaps(self) -> Any:
        """An array of one record, as `gaps` describes it."""
        boxes = oriented_shapes(self._game.rule("SHAPES"))
        cells = [
            (box, cell) for box in range(len(boxes)) for cell in numbers(boxes[box][FOOTPRINT])
        ]
        rows, kinds = MAX_BOXES + 1, len(boxes)
        sizes: dict[str, tuple[int, ...]] = {
            "boxes": (kinds, FOOTPRINT + 1),
            "cells": (len(cells), 2),
            "beside": (kinds, COLUMNS, kinds),
            "above": (kinds, COLUMNS, kinds),
            "low": (rows, LAYERS),
            "barred": (rows, LAYERS + 1, kinds),
            "choices": (rows, len(cells) + 1),
            "untried": (rows,),
            "taken": (rows,),
            "even": (max(box[WIDE] for box in boxes), max(box[DEEP] for box in boxes)),
            "corners": (kinds,),
        }
        record = np.zeros(1, [(name, np.int64, size) for name, size in sizes.items()])
        record[0]["boxes"], record[0]["cells"] = boxes, cells
        self._kernel["list_clones"](record, blank(self._game, 1, self._state))
        return record


def oriented_shapes(shapes: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """SHAPE … FOOTPRINT of every shape, turned and not."""
    return [
        (shape, wide, deep, high, sum(((1 << wide) - 1) << y * WIDTH for y in range(deep)))
        for shape, (width, depth, high) in enumerate(shapes)
        for wide, deep in dict.fromkeys(((width, depth), (depth, width)))
        if deep <= DEPTH
    ]
