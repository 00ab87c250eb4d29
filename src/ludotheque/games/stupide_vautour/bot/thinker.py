"""A player who searches a tree of what may follow, and solves the end of a match between two."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.hints import advice_on_plan, advice_on_search
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.bot.opponents import OpponentModel
from ludotheque.games.stupide_vautour.rules import POINTS, State
from ludotheque.games.stupide_vautour.solver import endgame
from ludotheque.search import searcher
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.remembering import Remembering
from ludotheque.search.searcher import Found, Searcher
from ludotheque.search.warmup import Step

EXPLORATION = 0.3  # low, since the values of bids differ by little
GUESSES = 8  # few, since only face-down bids are hidden, and the search chooses those itself
MODEL_GUESSES = 64  # more, where the opponent model lays a bid in each of them


class Skill(NamedTuple):
    """How strongly a level plays."""

    simulations: int
    policy_share: float = 0.0  # of one opponent's bids that it expects to follow the policy
    solved_cards: int = 0  # hands of this size or smaller are played exactly between two
    models_opponents: bool = False  # when there are several


SKILLS = {
    "expert": Skill(3_000),
    "master": Skill(30_000, policy_share=0.5, solved_cards=7, models_opponents=True),
}


def warm_steps(game: Game) -> list[Step]:
    return [partial(searcher.warm, game), partial(endgame.plan, [1], [2], [], 1)]


class Thinker(Remembering[Memory]):
    def __init__(self, game: Game, seat: int, rng: Random, skill: Skill) -> None:
        super().__init__(seat, rng, Memory(seat))
        self._skill = skill
        count = skill.simulations
        self._searcher = Searcher(game, seat, count, rng, EXPLORATION, skill.policy_share, GUESSES)
        self._opponents = OpponentModel(game, seat, self._memory, rng, EXPLORATION)
        self._model_searcher = Searcher(game, seat, count, rng, EXPLORATION, 1.0, MODEL_GUESSES)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        if len(legal_moves) == 1:
            return legal_moves[0]
        if self._can_solve(view):
            plan = self._plan(view)
            return self._rng.choices(plan.cards, plan.chances)[0]
        return self._search(view, legal_moves, deadline).best()

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        self.watch(view)
        if self._can_solve(view):
            return advice_on_plan(self._plan(view))
        found = self._search(view, legal_moves, deadline)
        return advice_on_search(view, self._seat, self._memory, found)

    def _can_solve(self, view: State) -> bool:
        is_small = view.hands[self._seat].bit_count() <= self._skill.solved_cards
        return view.seats == 2 and is_small and self._memory.is_complete(view)

    def _plan(self, view: State) -> endgame.Plan:
        return endgame.plan(
            numbers(view.hands[self._seat]),
            numbers(self._memory.hand(view, 1 - self._seat)),
            [POINTS[card] for card in numbers(self._memory.pile(view))],
            view.stake,
        )

    def _search(self, view: State, legal_moves: Sequence[int], deadline: Deadline) -> Found:
        if view.seats == 2 or not self._skill.models_opponents:
            return self._searcher.search(view, legal_moves, self._memory, deadline)
        self._opponents.predict(view, self._rng, deadline)
        return self._model_searcher.search(view, legal_moves, self._opponents, deadline)
