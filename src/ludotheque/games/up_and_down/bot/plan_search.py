"""The search for one move: compares plans in trials, and gives better plans more trials.

A plan before the current trick is a change of the rules with the card to lay after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.bot import memory, opponents, policy, trials
from ludotheque.games.up_and_down.bot.opponents import BEST_RESPONSE, EQUILIBRIUM
from ludotheque.games.up_and_down.bot.trials import Tally, Workspace, case_of
from ludotheque.games.up_and_down.rules import (
    CARDS,
    NO_CARD,
    PAIRS,
    REROLL,
    ROLL,
    State,
    change,
    is_possible,
    roll_dice,
    total,
)
from ludotheque.search.deadline import Deadline

CARDS_PER_CHANGE = 4  # that are tried after it
ROUNDS = 3  # after each of them only the better third of the plans goes on
PLAYOUTS_PER_CHECK = 400  # of the clock


class Plan(NamedTuple):
    """A move, and the card to lay after a change of the rules, or NO_CARD to lay the best one."""

    move: int
    card: int


class Tried(NamedTuple):
    """The mean result of a move."""

    move: int
    win_chance: float  # of the match
    take_chance: float  # of the current trick


class PlanSearch:
    def __init__(self, game: Game, view: State, work: Workspace) -> None:
        self._view = view
        self._work = work
        self._compiled = compiled(game)

    @property
    def laid(self) -> Any:
        """By kind, seat and card: how often the others laid it in trials."""
        return self._work.laid

    def learn_changes(self, changes: Sequence[int], tricks: int, deadline: Deadline) -> None:
        """Learn the utilities of cards for every way in which the rules may change."""
        for after in (after for move in changes for after in rules_after(self._view, move)):
            self.learn(case_of(self._view, after), after, tricks if deadline.is_ahead else 0)

    def learn(self, case: int, rules: State, tricks: int) -> None:
        """Learn the utilities of cards under these rules, for every kind of player that has any."""
        work = self._work
        for kind in (BEST_RESPONSE, EQUILIBRIUM):
            rules.store(work.states[1])
            utilities = work.utilities[case, kind]
            self._compiled["learn_utilities"](
                work.states[1], work.unshown, tricks, kind, utilities, work.stream
            )

    def plans(self, changes: Sequence[int], kind: int) -> list[Plan]:
        """Every change with the best cards to lay after it; a roll of the dice without a card."""
        seat = self._work.viewer
        hand = [card for card in range(CARDS) if self._view.hands[seat] >> card & 1]
        plans = [Plan(REROLL, NO_CARD)]
        for move in changes:
            if move != REROLL:
                case = case_of(self._view, rules_after(self._view, move)[0])
                utilities = self._work.utilities[case, kind, seat].tolist()
                best = sorted(hand, key=utilities.__getitem__)[-CARDS_PER_CHANGE:]
                plans += [Plan(move, card) for card in best]
        return plans

    def compare(self, plans: list[Plan], trials: int, deadline: Deadline) -> list[Tried]:
        """Try all plans, then the best of them more often, and so on; the best move first.

        A move is as good as the best plan that begins with it.
        """
        playouts_per_round = trials * len(plans) // ROUNDS
        sums = {plan: np.zeros(3) for plan in plans}  # match wins, tricks taken, trials
        alive, ranking, number = plans, plans, 0
        for _ in range(ROUNDS):
            number += self._try(alive, number, playouts_per_round // len(alive), deadline, sums)
            alive = sorted(alive, key=lambda plan: -sums[plan][0])
            ranking = alive + ranking[len(alive) :]
            alive = alive[: max(2, (len(alive) + 2) // 3)]
        best = {plan.move: plan for plan in reversed(ranking)}
        first = sorted(best.values(), key=ranking.index)
        return [Tried(p.move, *(sums[p][:2] / max(sums[p][2], 1)).tolist()) for p in first]

    def _try(
        self, alive: list[Plan], first: int, count: int, deadline: Deadline, sums: dict[Plan, Any]
    ) -> int:
        """Try these plans `count` times or until the deadline; return how often."""
        tally = Tally(np.array(alive, np.int64), np.zeros(len(alive)), np.zeros(len(alive)))
        chunk, done = max(1, PLAYOUTS_PER_CHECK // len(alive)), 0
        while done < count and (first + done == 0 or deadline.is_ahead):
            chunk = min(chunk, count - done)
            self._compiled["try_plans"](self._work, tally, first + done, chunk)
            done += chunk
        for plan, wins, takes in zip(alive, tally.wins, tally.takes, strict=True):
            sums[plan] += (wins, takes, done)
        return done


def compiled(game: Game) -> dict[str, Any]:
    """The kernels of this game, each compiled or loaded from the disk when it is first called."""
    return kernels.compiled(game, around=(playouts, memory, policy, opponents, trials))


def rules_after(view: State, move: int) -> list[State]:
    """The tables that a change of the rules may lead to; after a roll, one for each trump."""
    after = view.copy()
    change(after, move)
    if move != REROLL:
        return [after]
    pairs = (pair for pair in range(len(PAIRS)) if is_possible(after, ROLL + pair))
    return [_rolled(after, pair) for pair in {total(pair): pair for pair in pairs}.values()]


def _rolled(table: State, pair: int) -> State:
    after = table.copy()
    roll_dice(after, pair)
    return after
