"""A player that tries out how the match would go on, and plans where the cards are known."""

from collections.abc import Sequence
from random import Random

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.greedy import pile_cost
from ludotheque.games.team_up.bot.planner import Outlook, Planner
from ludotheque.games.team_up.bot.prospects import is_short_of_target
from ludotheque.games.team_up.rules import (
    AGREE,
    DRAW,
    PERFECT,
    PLACE,
    REFUSE,
    STOP,
    VOTE,
    State,
    has_target,
)
from ludotheque.games.team_up.solver.optimise import Optimiser, before_card
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

PART_FOR_WORDS = 8  # of the trials for a placement: whether to draw is the simpler question
MANY_BOXES = 14  # with more of them left nobody thinks of stopping
HINTS = 3


class Thinker:
    """Tries out how the match would go on."""

    def __init__(
        self, game: Game, seat: int, rng: Random, trials: int, breadth: int, attempts: int
    ) -> None:
        self._game = game
        self._seat = seat
        self._trials = trials
        self._attempts = attempts
        self._planner = Planner(game, trials, breadth, rng)
        self._plan: dict[tuple[tuple[int, ...], ...], int] = {}  # what comes next in a plan

    def watch(self, view: State) -> None:
        """Everything lies open: there is nothing to remember."""

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if view.phase != PLACE:
            return said(view, self._goes_on(view, deadline))
        planned = self._planned(view, deadline)
        if planned in legal_moves:
            return planned
        return self._planner.placements(view, deadline)[0][0]

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        if view.phase != PLACE:
            return self._words(view, deadline)
        planned = self._planned(view, deadline)
        if planned in legal_moves:
            return [Advice(planned, "planned", {"score": PERFECT})]
        ranked = self._planner.placements(view, deadline)
        return [self._reasoned(view, move, outlook) for move, outlook in ranked[:HINTS]]

    # Whether to go on

    def _goes_on(self, view: State, deadline: Deadline) -> bool:
        if sum(map(sum, view.left)) > MANY_BOXES or self._is_puzzle(view):
            return True
        if is_short_of_target(view, self._game.score(view, 0)):
            return True
        return self._drawing(view, deadline).worth(has_target(view)) > self._now(view)

    def _drawing(self, view: State, deadline: Deadline) -> Outlook:
        return self._planner.drawing(view, max(1, self._trials // PART_FOR_WORDS), deadline)

    def _now(self, view: State) -> float:
        """What it is worth to stop here."""
        outlook = Outlook(self._game.score(view, 0), float(self._game.wins(view, 0)))
        return outlook.worth(has_target(view))

    def _words(self, view: State, deadline: Deadline) -> list[Advice]:
        """Both words with what they lead to, the better one first."""
        drawing = self._drawing(view, deadline)
        points = self._game.score(view, 0)
        values: dict[str, object] = {"score": round(drawing.points), "now": points}
        draw, stop = (
            Advice(said(view, True), "draw", values),
            Advice(said(view, False), "stop", values),
        )
        if is_short_of_target(view, points):
            short: dict[str, object] = {"now": points, "target": view.target}
            return [draw._replace(reason="short", values=short), stop]
        return [draw, stop] if drawing.worth(has_target(view)) > self._now(view) else [stop, draw]

    # Why this placement

    def _reasoned(self, view: State, move: int, outlook: Outlook) -> Advice:
        after = view.copy()
        self._game.play(after, self._seat, move)
        values: dict[str, object] = {"score": round(outlook.points)}
        layers = self._game.rule("complete_layers")
        if layers(after) > layers(view):
            return Advice(move, "completes", values | {"layer": layers(after)})
        if pile_cost(after.heights) < pile_cost(view.heights):
            return Advice(move, "smooths", values)
        cards = after.deck.bit_count()
        return Advice(move, "open", values | {"usable": self._usable(after), "cards": cards})

    def _usable(self, state: State) -> int:
        """The cards to come that would find a place now."""
        asked = state.copy()
        usable = 0
        for card in range(len(self._game.rule("CARDS"))):
            if state.deck >> card & 1:
                asked.card = card
                usable += self._game.rule("can_place")(asked)
        return usable

    # The puzzle, in which the order of the cards is known

    def _is_puzzle(self, view: State) -> bool:
        return bool(self._game.rule("is_puzzle")(view))

    def _planned(self, view: State, deadline: Deadline) -> int:
        """The placement that leads to a perfect pallet, or −1 if none is known."""
        if not self._is_puzzle(view) or view.lost > 0:
            return -1
        if standing(view) not in self._plan:
            self._make_plan(before_card(view), deadline)
        return self._plan.get(standing(view), -1)

    def _make_plan(self, view: State, deadline: Deadline) -> None:
        order = numbers(view.deck)
        found = Optimiser(self._game, view, order).run(deadline, self._attempts)
        if found.points == PERFECT:
            for card, move in zip(order, found.placements, strict=False):
                view.card, view.phase = card, PLACE
                self._plan[standing(view)] = move
                self._game.play(view, view.turn, move)


def standing(view: State) -> tuple[tuple[int, ...], ...]:
    """The boxes on the pallet, in whatever order they came: what a plan goes by."""
    rows = zip(view.box_shape, view.box_x, view.box_y, view.box_level, view.box_width, strict=True)
    return tuple(sorted(list(rows)[: view.placed]))


def said(view: State, goes_on: bool) -> int:
    if view.phase == VOTE:
        return REFUSE if goes_on else AGREE
    return DRAW if goes_on else STOP
