"""Compares placements by trying out how matches go on after them.

The trials go to the placements in rounds: after each round the better half stays. How many trials
there are is fixed, so that the same dice give the same choice on any machine.
"""

from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot import policy, prospects, trials
from ludotheque.games.team_up.parts import COLOUR_CARD, COLOURS, LAYERS, MAX_CARDS, MAX_SHAPES
from ludotheque.games.team_up.rules import DRAW, PLACEMENTS, State, has_target
from ludotheque.games.team_up.solver import pile
from ludotheque.search.deadline import Deadline

AT_ONCE = 300  # trials between two looks at the clock: about 10 ms
WIN = 30  # points that a win is worth where there is a score to reach


class Outlook(NamedTuple):
    """What the team may expect in the end."""

    points: float
    wins: float  # the share of trials that were won

    def worth(self, has_target: bool) -> float:
        return self.points + WIN * self.wins * has_target


class Planner:
    def __init__(self, game: Game, trial_count: int, breadth: int, rng: Random) -> None:
        self._game = game
        self._trial_count = trial_count
        self._breadth = breadth  # placements compared
        self._rng = rng
        self._desk = new_desk(game)

    def placements(self, view: State, deadline: Deadline) -> list[tuple[int, Outlook]]:
        """The placements that looked best, the best one first."""
        kernel, states = compiled(self._game), self._begin(view)
        count = min(self._breadth, kernel["rank"](states, self._desk))
        moves = self._desk.moves[:count].copy()
        found, tried = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
        staying = count
        while staying > 1 and deadline.is_ahead:
            share = max(1, self._trial_count // (staying * rounds(count)))
            while share > 0 and deadline.is_ahead:
                now = min(share, max(1, AT_ONCE // staying))
                kernel["try_out"](states, moves, staying, now, found, self._desk)
                tried[:staying] += now
                share -= now
            order = np.argsort(-self._worth(view, found[:staying], tried[:staying]), kind="stable")
            for row in (moves, found, tried):
                row[:staying] = row[:staying][order]
            staying = (staying + 1) // 2
        return [
            (int(moves[i]), outlook(found[i], tried[i])) for i in range(count) if tried[i] or i == 0
        ]

    def drawing(self, view: State, trial_count: int, deadline: Deadline) -> Outlook:
        """What the team may expect if it draws another card."""
        kernel, states = compiled(self._game), self._begin(view)
        found, tried = np.zeros((1, 2), np.int64), 0
        while tried < trial_count and (tried == 0 or deadline.is_ahead):
            now = min(AT_ONCE, trial_count - tried)
            kernel["try_out"](states, np.array([DRAW]), 1, now, found, self._desk)
            tried += now
        return outlook(found[0], tried)

    def _begin(self, view: State) -> Any:
        self._desk.dice[0] = self._rng.getrandbits(62)
        return kernels.blank(self._game, 2, view)

    def _worth(self, view: State, found: Any, tried: Any) -> Any:
        return (found[:, 0] + WIN * found[:, 1] * has_target(view)) / np.maximum(tried, 1)


def outlook(found: Any, tried: int) -> Outlook:
    return Outlook(float(found[0]) / max(1, tried), float(found[1]) / max(1, tried))


def rounds(count: int) -> int:
    """How often `count` placements are halved until one is left."""
    return max(1, (count - 1).bit_length())


def compiled(game: Game) -> dict[str, Any]:
    return kernels.compiled(game, False, (playouts, pile, prospects, policy, trials))


def new_desk(game: Game) -> policy.Desk:
    def numbers(count: int) -> Any:
        return np.zeros(count, np.int64)

    return policy.Desk(
        low=numbers(LAYERS),
        ragged=numbers(LAYERS),
        even=numbers(3),
        spare=numbers(COLOURS),
        moves=numbers(PLACEMENTS),
        prices=numbers(PLACEMENTS),
        order=numbers(MAX_CARDS),
        dice=numbers(1),
        naming=naming(game),
    )


@cache
def naming(game: Game) -> Any:
    """The cards that name each shape and, from MAX_SHAPES on, each colour."""
    cards = np.zeros(MAX_SHAPES + COLOURS, np.int64)
    for card, (kind, first, second) in enumerate(game.rule("CARDS")):
        for named in {first, second}:
            cards[named + (MAX_SHAPES if kind == COLOUR_CARD else 0)] |= 1 << card
    return cards
