"""A player who simulates what may follow, and who solves the end of a match between two."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.bot.rivals import Rivals
from ludotheque.games.stupide_vautour.rules import POINTS, State
from ludotheque.games.stupide_vautour.solver import endgame
from ludotheque.search import searcher
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.searcher import Found, Searcher

EXPLORATION = 0.3  # bids differ by little
GUESSES = 8  # only what lies face down is hidden, and that is chosen anew
FORESEEN = 64  # guesses at what lies face down, where the others' bids are foreseen


class Skill(NamedTuple):
    simulations: int
    policy_share: float = 0.0  # how far it expects one opponent to bid as most people do
    solved: int = 0  # cards in hand from which it plays one opponent exactly
    foresees: bool = False  # whether it thinks of what several opponents think


SKILLS = {
    "expert": Skill(3_000),
    "master": Skill(30_000, policy_share=0.5, solved=7, foresees=True),
}


def warm(game: Game) -> None:
    searcher.warm(game)
    endgame.plan([1], [2], [], 1)


class Thinker:
    """Simulates what may follow each bid; plays the end of a match between two exactly."""

    def __init__(self, game: Game, seat: int, rng: Random, skill: Skill) -> None:
        self._seat = seat
        self._rng = rng
        self._skill = skill
        self._memory = Memory(seat)
        count = skill.simulations
        self._searcher = Searcher(game, seat, count, rng, EXPLORATION, skill.policy_share, GUESSES)
        self._rivals = Rivals(game, seat, self._memory, rng, EXPLORATION)
        self._among_rivals = Searcher(game, seat, count, rng, EXPLORATION, 1.0, FORESEEN)

    def watch(self, view: State) -> None:
        self._memory.watch(view)

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
            return _advice_of_plan(self._plan(view))
        found = self._search(view, legal_moves, deadline)
        ranked = sorted(zip(found.visits, found.moves, strict=True), reverse=True)
        return [
            Advice(card, self._reason(view, card), {"card": card, "share": share})
            for share, card in ((round(100 * v / sum(found.visits)), c) for v, c in ranked[:3])
            if share > 0
        ]

    def _reason(self, view: State, card: int) -> str:
        """What speaks for this card, in a word of [hints]."""
        others = (seat for seat in range(view.seats) if seat != self._seat)
        if all(self._memory.hand(view, seat) >> card == 0 for seat in others):
            return "sure"
        lower = (view.hands[self._seat] & (1 << card) - 1).bit_count()
        if lower < view.hands[self._seat].bit_count() / 3:
            return "duck"
        return "fight" if view.stake >= 0 else "dodge"

    def _can_solve(self, view: State) -> bool:
        few = view.hands[self._seat].bit_count() <= self._skill.solved
        return view.seats == 2 and few and self._memory.is_complete(view)

    def _plan(self, view: State) -> endgame.Plan:
        return endgame.plan(
            numbers(view.hands[self._seat]),
            numbers(self._memory.hand(view, 1 - self._seat)),
            [POINTS[card] for card in numbers(self._memory.pile(view))],
            view.stake,
        )

    def _search(self, view: State, legal_moves: Sequence[int], deadline: Deadline) -> Found:
        if view.seats == 2 or not self._skill.foresees:
            return self._searcher.search(view, legal_moves, self._memory, deadline)
        self._rivals.foresee(view, self._rng, deadline)
        return self._among_rivals.search(view, legal_moves, self._rivals, deadline)


def _advice_of_plan(plan: endgame.Plan) -> list[Advice]:
    ranked = sorted(zip(plan.chances, plan.cards, strict=True), reverse=True)
    value = f"{round(plan.value):+d}".replace("-", "−")
    return [
        Advice(card, "solved", {"card": card, "chance": round(100 * chance), "value": value})
        for chance, card in ranked[:3]
        if chance >= 0.01
    ]
