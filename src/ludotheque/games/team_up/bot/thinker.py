"""A player that compares moves by playouts, and plans where the order of the cards is known."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.goals import is_short_of_target
from ludotheque.games.team_up.bot.greedy import decision
from ludotheque.games.team_up.bot.hints import MAX_HINTS, decision_hints, placement_hint
from ludotheque.games.team_up.bot.planner import Estimate, Planner
from ludotheque.games.team_up.rules import DRAW, PERFECT, PLACE, State, has_target
from ludotheque.games.team_up.solver.optimise import Optimiser, before_card
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

ONE_MOVE_TRIALS_PART = 8  # one move by itself takes this part of the playouts that compare all
MANY_BOXES = 14  # with more of them left it always draws


class Skill(NamedTuple):
    trials: int  # playouts for a placement
    candidates: int  # placements that are compared
    attempts: int  # at a perfect pallet, where the order of the cards is known


SKILLS = {"expert": Skill(150, 8, 0), "master": Skill(5000, 32, 6)}


class Thinker:
    def __init__(self, game: Game, seat: int, rng: Random, skill: Skill) -> None:
        self._game = game
        self._seat = seat
        self._skill = skill
        self._planner = Planner(game, skill.trials, skill.candidates, rng)
        self._plan: dict[tuple[tuple[int, ...], ...], int] = {}  # the next placement, by pile

    def watch(self, view: State) -> None:
        """Everything lies open: there is nothing to remember."""

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if view.phase != PLACE:
            return decision(view, self._draws(view, deadline))
        planned = self._planned(view, deadline)
        if planned in legal_moves:
            return planned
        return self._planner.placements(view, deadline)[0][0]

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        if view.phase != PLACE:
            return self._advise_decision(view, deadline)
        planned = self._planned(view, deadline)
        if planned in legal_moves:
            return [Advice(planned, "planned", {"score": PERFECT})]
        return [
            placement_hint(self._game, view, self._seat, move, estimate)
            for move, estimate in self._ranked(view, deadline)[:MAX_HINTS]
        ]

    def _advise_decision(self, view: State, deadline: Deadline) -> list[Advice]:
        if self._planned(view, deadline) >= 0:
            return [Advice(decision(view, True), "planned", {"score": PERFECT})]
        drawing = self._drawing(view, deadline)
        return decision_hints(self._game, view, drawing, self._is_better(view, drawing))

    def _ranked(self, view: State, deadline: Deadline) -> list[tuple[int, Estimate]]:
        """The placements compared, the best one first, each with a result."""
        ranked = self._planner.placements(view, deadline)
        if len(ranked) > 1:
            return ranked
        only = ranked[0][0]
        return [(only, self._planner.after(view, only, self._few_trials, deadline))]

    # Whether to draw

    def _draws(self, view: State, deadline: Deadline) -> bool:
        if sum(map(sum, view.left)) > MANY_BOXES or self._is_puzzle(view):
            return True
        if is_short_of_target(view, self._game.score(view, 0)):
            return True
        return self._is_better(view, self._drawing(view, deadline))

    def _drawing(self, view: State, deadline: Deadline) -> Estimate:
        return self._planner.after(view, DRAW, self._few_trials, deadline)

    @property
    def _few_trials(self) -> int:
        return max(1, self._skill.trials // ONE_MOVE_TRIALS_PART)

    def _is_better(self, view: State, drawing: Estimate) -> bool:
        """Whether drawing is worth more than stopping here."""
        stopping = Estimate(self._game.score(view, 0), float(self._game.wins(view, 0)))
        return drawing.value(has_target(view)) > stopping.value(has_target(view))

    # The puzzle, in which the order of the cards is known

    def _is_puzzle(self, view: State) -> bool:
        return bool(self._game.rule("is_puzzle")(view))

    def _planned(self, view: State, deadline: Deadline) -> int:
        """The placement that leads to a perfect pallet, or −1 if none is known."""
        if not self._is_puzzle(view) or view.lost > 0:
            return -1
        if boxes_on(view) not in self._plan:
            self._make_plan(before_card(view), deadline)
        return self._plan.get(boxes_on(view), -1)

    def _make_plan(self, view: State, deadline: Deadline) -> None:
        order = numbers(view.deck)
        found = Optimiser(self._game, view, order).run(deadline, self._skill.attempts)
        if found.points == PERFECT:
            for card, move in zip(order, found.placements, strict=False):
                view.card, view.phase = card, PLACE
                self._plan[boxes_on(view)] = move
                self._game.play(view, view.turn, move)


def boxes_on(view: State) -> tuple[tuple[int, ...], ...]:
    """The boxes on the pallet, in an order that does not depend on when they came."""
    rows = zip(view.box_shape, view.box_x, view.box_y, view.box_level, view.box_width, strict=True)
    return tuple(sorted(list(rows)[: view.placed]))
