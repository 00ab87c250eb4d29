"""Compares placements by playouts, which sequential halving shares out.

In each round every placement left gets the same number of playouts, and the better half stays. The
number of playouts is fixed, so the same seed gives the same choice on any machine.
"""

from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot import goals, policy, trials
from ludotheque.games.team_up.parts import COLOUR_CARD, COLOURS, LAYERS, MAX_CARDS, MAX_SHAPES
from ludotheque.games.team_up.rules import DRAW, PLACEMENTS, State, has_target
from ludotheque.games.team_up.solver import pile
from ludotheque.search.deadline import Deadline
from ludotheque.search.warmup import Step, opening

TRIALS_PER_CHECK = 300  # between two checks of the deadline: about 10 ms
WIN_POINTS = 30  # what a win is worth where there is a score to reach


class Estimate(NamedTuple):
    """The mean result of some playouts."""

    points: float
    wins: float  # the share of playouts that were won

    def value(self, has_target: bool) -> float:
        return self.points + WIN_POINTS * self.wins * has_target


class Planner:
    def __init__(self, game: Game, trial_count: int, candidates: int, rng: Random) -> None:
        self._game = game
        self._trials = trial_count
        self._candidates = candidates  # placements compared
        self._rng = rng
        self._work = new_workspace(game)

    def placements(self, view: State, deadline: Deadline) -> list[tuple[int, Estimate]]:
        """The placements compared, the best one first; an only one is not tried."""
        kernel, states = compiled(self._game), self._begin(view)
        count = min(self._candidates, kernel["rank_placements"](states, self._work))
        moves = self._work.moves[:count].copy()
        found, tried = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
        survivors = count
        while survivors > 1 and deadline.is_ahead:
            share = max(1, self._trials // (survivors * rounds(count)))
            while share > 0 and deadline.is_ahead:
                now = min(share, max(1, TRIALS_PER_CHECK // survivors))
                kernel["run_trials"](states, moves, survivors, now, found, self._work)
                tried[:survivors] += now
                share -= now
            order = np.argsort(
                -self._values(view, found[:survivors], tried[:survivors]), kind="stable"
            )
            for row in (moves, found, tried):
                row[:survivors] = row[:survivors][order]
            survivors = (survivors + 1) // 2
        return [
            (int(moves[i]), estimate(found[i], tried[i]))
            for i in range(count)
            if tried[i] or i == 0
        ]

    def after(self, view: State, move: int, trial_count: int, deadline: Deadline) -> Estimate:
        """The mean result of playouts after drawing a card or making a placement."""
        kernel, states = compiled(self._game), self._begin(view)
        found, tried = np.zeros((1, 2), np.int64), 0
        while tried < trial_count and (tried == 0 or deadline.is_ahead):
            now = min(TRIALS_PER_CHECK, trial_count - tried)
            kernel["run_trials"](states, np.array([move]), 1, now, found, self._work)
            tried += now
        return estimate(found[0], tried)

    def _begin(self, view: State) -> Any:
        self._work.stream[0] = self._rng.getrandbits(62)
        return kernels.blank(self._game, 2, view)

    def _values(self, view: State, found: Any, tried: Any) -> Any:
        return (found[:, 0] + WIN_POINTS * found[:, 1] * has_target(view)) / np.maximum(tried, 1)


def estimate(found: Any, tried: int) -> Estimate:
    return Estimate(float(found[0]) / max(1, tried), float(found[1]) / max(1, tried))


def rounds(count: int) -> int:
    """How many times `count` placements are halved until one is left."""
    return max(1, (count - 1).bit_length())


def warm_steps(game: Game) -> list[Step]:
    planner, match, no_time = Planner(game, 1, 1, Random(0)), opening(game), Deadline(0)
    before_card = match.view(0)
    match.play(0, DRAW)
    return [
        partial(planner.placements, match.view(0), no_time),
        partial(planner.after, before_card, DRAW, 1, no_time),
    ]


def compiled(game: Game) -> dict[str, Any]:
    return kernels.compiled(game, False, (playouts, pile, goals, policy, trials))


def new_workspace(game: Game) -> policy.Workspace:
    def numbers(count: int) -> Any:
        return np.zeros(count, np.int64)

    return policy.Workspace(
        low=numbers(LAYERS),
        steps=numbers(LAYERS),
        even=numbers(3),
        spare=numbers(COLOURS),
        moves=numbers(PLACEMENTS),
        costs=numbers(PLACEMENTS),
        order=numbers(MAX_CARDS),
        stream=numbers(1),
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
