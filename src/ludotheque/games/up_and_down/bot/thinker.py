"""A player who thinks: foresees the trick, then tries every move on hands that may be the others'.

The master watches how the others think. Whoever lays what instinct says is soon expected to.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.bot import forecast, memory, policy, trials
from ludotheque.games.up_and_down.bot.forecast import CUNNING, KINDS, THINKING
from ludotheque.games.up_and_down.bot.memory import Memory, dice_from
from ludotheque.games.up_and_down.bot.trials import AS_IT_LIES, CASES, Bench, Tally, case_of
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    MAX_SEATS,
    NO_CARD,
    OVER,
    PAIRS,
    REROLL,
    ROLL,
    State,
    change,
    is_possible,
    planned_deals,
    roll_dice,
    total,
    tricks_played,
)
from ludotheque.search.deadline import NO_DEADLINE, Deadline

CARDS_A_CHANGE = 4  # to lay after it, in trials
ROUNDS = 3  # after each only the better third of the plans is tried on
PLAYOUTS_PER_CHECK = 400  # of the clock
RATIOS = (2.0, 1.35, 1.25, 1.2)  # what a trick more does to the odds, by the deals still to come
SURPRISE = 0.5  # trials that we grant to any card, though it was never laid in one
FAINTEST = 0.05  # anybody may be of any kind, after all


class Skill(NamedTuple):
    """How somebody thinks, and how hard."""

    kind: int
    expects: tuple[float, float, float]  # how likely others are of each kind
    watches: bool  # whether it learns of which kind they are
    trials: int  # of each plan, if all plans were tried equally
    foreseen: int  # tricks played in the mind before a card is laid
    sketched: int  # and for each way in which the rules may change


EXPERT = Skill(CUNNING, (1.0, 0.0, 0.0), watches=False, trials=30, foreseen=0, sketched=100)
MASTER = Skill(THINKING, (0.4, 0.3, 0.3), watches=True, trials=1200, foreseen=2000, sketched=400)


class Plan(NamedTuple):
    """A move, and the card to lay after a change of the rules, or NO_CARD for whatever suits."""

    move: int
    card: int


class Tried(NamedTuple):
    """What has come of a move."""

    move: int
    value: float  # the hope to win the match, 0 to 1
    chance: float  # to take the trick at hand


class Thinker:
    def __init__(self, game: Game, seat: int, rng: Random, skill: Skill) -> None:
        self.seat = seat
        self.memory = Memory(seat)
        self._game = game
        self._rng = rng
        self._skill = skill
        self._odds = np.array([skill.expects] * MAX_SEATS)  # by seat: how likely of each kind
        self._odds[seat] = np.eye(KINDS)[skill.kind]
        self._expected: tuple[tuple[int, int], Any] | None = None  # a trick, and who may lay what

    def watch(self, view: State) -> None:
        if view.phase == OVER:
            return
        self.memory.watch(view)
        if self._expected is not None and (view.deal, tricks_played(view)) != self._expected[0]:
            self._learn(view, self._expected[1])
            self._expected = None

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if len(legal_moves) == 1:
            self.watch(view)
            return legal_moves[0]
        return self.compare(view, legal_moves, deadline)[0].move

    def odds_of(self, seat: int) -> list[float]:
        """How likely the player in this seat is of each kind."""
        odds: list[float] = self._odds[seat].tolist()
        return odds

    def compare(self, view: State, legal_moves: Sequence[int], deadline: Deadline) -> list[Tried]:
        """The moves that stood out in trials, the best one first; then the others."""
        self.watch(view)
        decision = Decision(self._game, view, self._bench(view))
        if view.phase == CHANGING:
            decision.sketch(legal_moves, self._skill.sketched, deadline)
            plans = decision.plans(legal_moves, self._skill.kind)
        else:
            decision.foresee(AS_IT_LIES, view, self._skill.foreseen)
            plans = [Plan(move, NO_CARD) for move in legal_moves]
        tried = decision.narrow_down(plans, self._skill.trials, deadline)
        if view.phase == CHOOSING and self._skill.watches:
            self._expected = ((view.deal, tricks_played(view)), decision.laid)
        return tried

    def _bench(self, view: State) -> Bench:
        return Bench(
            viewer=self.seat,
            unshown=self.memory.unshown(),
            seed=self._rng.getrandbits(62),
            ratio=RATIOS[max(0, planned_deals(view) - view.deal - 1)],
            states=kernels.blank(self._game, 3, view),
            odds=(1000 * self._odds).astype(np.int64),
            kinds=np.zeros(MAX_SEATS, np.int64),
            habits=np.zeros((CASES, KINDS, MAX_SEATS, CARDS)),
            laid=np.zeros((KINDS, MAX_SEATS, CARDS)),
            dice=dice_from(self._rng),
        )

    def _learn(self, view: State, laid: Any) -> None:
        """Of which kind of player a card was to be expected."""
        for seat in range(view.seats):
            if seat != self.seat:
                often = laid[:, seat, view.trick[seat]] + SURPRISE
                odds = self._odds[seat] * often / (laid[:, seat].sum(axis=1) + SURPRISE * CARDS)
                odds = np.maximum(odds / odds.sum(), FAINTEST)
                self._odds[seat] = odds / odds.sum()


class Decision:
    """What a seat finds out before it makes one move."""

    def __init__(self, game: Game, view: State, bench: Bench) -> None:
        self._view = view
        self._bench = bench
        self._compiled = compiled(game)

    @property
    def laid(self) -> Any:
        """By kind, seat and card: how often the others laid it in trials."""
        return self._bench.laid

    def sketch(self, changes: Sequence[int], tricks: int, deadline: Deadline) -> None:
        """Foresee the trick for every way in which the rules may change."""
        for after in (after for move in changes for after in rules_after(self._view, move)):
            self.foresee(case_of(self._view, after), after, tricks if deadline.is_ahead else 0)

    def foresee(self, case: int, rules: State, tricks: int) -> None:
        """Foresee the trick under these rules, for players of every kind that foresees at all."""
        bench = self._bench
        for kind in (CUNNING, THINKING):
            rules.store(bench.states[1])
            habits = bench.habits[case, kind]
            self._compiled["foresee"](
                bench.states[1], bench.unshown, tricks, kind, habits, bench.dice
            )

    def plans(self, changes: Sequence[int], kind: int) -> list[Plan]:
        """Every change with each of the cards that promise most after it; dice promise nothing."""
        seat = self._bench.viewer
        hand = [card for card in range(CARDS) if self._view.hands[seat] >> card & 1]
        plans = [Plan(REROLL, NO_CARD)]
        for move in changes:
            if move != REROLL:
                case = case_of(self._view, rules_after(self._view, move)[0])
                worth = self._bench.habits[case, kind, seat].tolist()
                best = sorted(hand, key=worth.__getitem__)[-CARDS_A_CHANGE:]
                plans += [Plan(move, card) for card in best]
        return plans

    def narrow_down(self, plans: list[Plan], trials: int, deadline: Deadline) -> list[Tried]:
        """Try all plans, then the best of them more often, and so on; the best one first.

        A move is as good as the best plan that begins with it.
        """
        playouts_a_round = trials * len(plans) // ROUNDS
        sums = {plan: np.zeros(3) for plan in plans}  # values, tricks taken, trials
        alive, ranking, number = plans, plans, 0
        for _ in range(ROUNDS):
            number += self._try(alive, number, playouts_a_round // len(alive), deadline, sums)
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
            self._compiled["try_plans"](self._bench, tally, first + done, chunk)
            done += chunk
        for plan, value, taken in zip(alive, tally.values, tally.takes, strict=True):
            sums[plan] += (value, taken, done)
        return done


def compiled(game: Game) -> dict[str, Any]:
    """The kernels of this game, each compiled or taken from the disk when it is first called."""
    return kernels.compiled(game, around=(playouts, memory, policy, forecast, trials))


def rules_after(view: State, move: int) -> list[State]:
    """The tables that a change of the rules may lead to, after a roll one for each trump."""
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
