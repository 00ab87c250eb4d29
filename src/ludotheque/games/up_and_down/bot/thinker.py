"""A player who compares its moves in trials against models of the others.

The master also updates its beliefs about the others: of which kind each of them is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels
from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.bot.hints import advice_on
from ludotheque.games.up_and_down.bot.memory import Memory, stream_from
from ludotheque.games.up_and_down.bot.opponents import BEST_RESPONSE, EQUILIBRIUM, KINDS
from ludotheque.games.up_and_down.bot.plan_search import ROUNDS, Plan, PlanSearch, Tried
from ludotheque.games.up_and_down.bot.trials import AS_IT_LIES, CASES, Workspace
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    MAX_SEATS,
    NO_CARD,
    OVER,
    State,
    planned_deals,
    tricks_played,
)
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.warmup import Step, opening

MAX_HINTS = 3
ODDS_RATIOS = (2.0, 1.35, 1.25, 1.2)  # of one trick more, by the deals still to come, 3 or more
SMOOTHING_TRIALS = 0.5  # added for every card, so that a card never laid in trials is possible
MIN_BELIEF = 0.05  # no kind of player is ever ruled out


class Skill(NamedTuple):
    """How strongly a level plays."""

    kind: int  # its own
    prior: tuple[float, float, float]  # how likely others are of each kind
    learns_kinds: bool  # whether it updates that
    trials: int  # of each plan, if all plans were tried equally
    card_tricks: int  # to learn utilities from before it lays a card
    change_tricks: int  # the same, for each way in which the rules may change


SKILLS = {
    "expert": Skill(
        BEST_RESPONSE,
        (1.0, 0.0, 0.0),
        learns_kinds=False,
        trials=30,
        card_tricks=0,
        change_tricks=100,
    ),
    "master": Skill(
        EQUILIBRIUM,
        (0.4, 0.3, 0.3),
        learns_kinds=True,
        trials=1200,
        card_tricks=2000,
        change_tricks=400,
    ),
}


def warm_steps(game: Game) -> list[Step]:
    match = opening(game)
    seat = match.awaited()[0]
    search = Thinker(game, seat, Random(0), SKILLS["master"]).search_from(match.view(seat))
    plans = [Plan(move, NO_CARD) for move in match.legal_moves(seat)]
    return [
        partial(search.learn, AS_IT_LIES, match.view(seat), 0),
        partial(search.compare, plans, ROUNDS, Deadline(0)),
    ]


class Thinker:
    def __init__(self, game: Game, seat: int, rng: Random, skill: Skill) -> None:
        self._seat = seat
        self._memory = Memory(seat)
        self._game = game
        self._rng = rng
        self._skill = skill
        self._beliefs = np.array([skill.prior] * MAX_SEATS)  # by seat and kind
        self._beliefs[seat] = np.eye(KINDS)[skill.kind]
        self._expected: tuple[tuple[int, int], Any] | None = None  # a trick, and who may lay what

    def watch(self, view: State) -> None:
        if view.phase == OVER:
            return
        self._memory.watch(view)
        if self._expected is not None and (view.deal, tricks_played(view)) != self._expected[0]:
            self._update_beliefs(view, self._expected[1])
            self._expected = None

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if len(legal_moves) == 1:
            self.watch(view)
            return legal_moves[0]
        return self.compare(view, legal_moves, deadline)[0].move

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        best = self.compare(view, legal_moves, deadline)[:MAX_HINTS]
        unshown, is_forced = self._memory.unshown(), len(legal_moves) == 1
        return [advice_on(view, self._seat, unshown, tried, is_forced) for tried in best]

    def compare(self, view: State, legal_moves: Sequence[int], deadline: Deadline) -> list[Tried]:
        """All moves, the best in trials first."""
        self.watch(view)
        search = self.search_from(view)
        if view.phase == CHANGING:
            search.learn_changes(legal_moves, self._skill.change_tricks, deadline)
            plans = search.plans(legal_moves, self._skill.kind)
        else:
            search.learn(AS_IT_LIES, view, self._skill.card_tricks)
            plans = [Plan(move, NO_CARD) for move in legal_moves]
        tried = search.compare(plans, self._skill.trials, deadline)
        if view.phase == CHOOSING and self._skill.learns_kinds:
            self._expected = ((view.deal, tricks_played(view)), search.laid)
        return tried

    def search_from(self, view: State) -> PlanSearch:
        return PlanSearch(self._game, view, self._workspace(view))

    def beliefs_about(self, seat: int) -> list[float]:
        """How likely the player in this seat is of each kind."""
        beliefs: list[float] = self._beliefs[seat].tolist()
        return beliefs

    def _workspace(self, view: State) -> Workspace:
        return Workspace(
            viewer=self._seat,
            unshown=self._memory.unshown(),
            seed=self._rng.getrandbits(62),
            odds_ratio=odds_ratio(view),
            states=kernels.blank(self._game, 3, view),
            beliefs=(1000 * self._beliefs).astype(np.int64),
            kinds=np.zeros(MAX_SEATS, np.int64),
            utilities=np.zeros((CASES, KINDS, MAX_SEATS, CARDS)),
            laid=np.zeros((KINDS, MAX_SEATS, CARDS)),
            stream=stream_from(self._rng),
        )

    def _update_beliefs(self, view: State, laid: Any) -> None:
        """Bayes' rule: a kind is likelier the more often it laid the shown card in trials."""
        for seat in range(view.seats):
            if seat != self._seat:
                count = laid[:, seat, view.trick[seat]] + SMOOTHING_TRIALS
                trials = laid[:, seat].sum(axis=1) + SMOOTHING_TRIALS * CARDS
                posterior = self._beliefs[seat] * count / trials
                posterior = np.maximum(posterior / posterior.sum(), MIN_BELIEF)
                self._beliefs[seat] = posterior / posterior.sum()


def odds_ratio(view: State) -> float:
    """How much one trick more is worth: the less, the more deals are still to come."""
    to_come = max(0, planned_deals(view) - view.deal - 1)
    return ODDS_RATIOS[min(to_come, len(ODDS_RATIOS) - 1)]
