"""Learn to play a small Stupide Vautour by counterfactual regret, on the compiled rules.

    python docs/example_learner.py --cards 4 --iterations 40000

External-sampling MCCFR: one player at a time looks at all its moves, while chance and the other
player are sampled. `docs/equilibrium.md` explains it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from random import Random
from typing import Any

import numpy as np

from ludotheque.bots import roster
from ludotheque.engine import kernels, playouts
from ludotheque.engine.chance import seeds_from
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.playouts import hash_combine, nth_bit, popcount, random_below, random_outcome
from ludotheque.engine.rulebook import awaits, hide, is_over, legal_bits, play, score
from ludotheque.engine.seats import CHANCE
from ludotheque.lab.arena import play_out
from ludotheque.lab.estimate import Estimate, share_of

__kernels__ = ("learn", "place_of")

TABLE_BITS = 20  # of the table of information states; two that meet in one place share it


def place_of(view: Any, words: Any) -> int:
    """The place in the table of what the record `view` shows; `words` are its bytes, by eights."""
    found = 0
    for i in range(len(words)):
        found = hash_combine(found, words[i])
    return int(found & ((1 << TABLE_BITS) - 1))


def mover(s: Any) -> int:
    for seat in range(s.seats):
        if awaits(s, seat):
            return seat
    return CHANCE


def share(regrets: Any, bits: int, n: int) -> float:
    """Regret matching: how often the n-th legal move is to be chosen."""
    total, count = 0.0, popcount(bits)
    for i in range(count):
        total += max(regrets[i], 0.0)
    return max(regrets[n], 0.0) / total if total > 0 else 1.0 / count


def enter(s: Any, view: Any, words: Any, stream: Any, moves: Any) -> int:
    """Let chance act, and return where what the next player sees stands in the table, or −1."""
    while awaits(s, CHANCE):
        play(s, CHANCE, random_outcome(s, stream, moves))
    if is_over(s):
        return -1
    view[0] = s
    hide(view[0], mover(s))
    return place_of(view[0], words)


def sampled(regrets: Any, sums: Any, bits: int, stream: Any) -> int:
    """The place of a legal move, drawn as regret matching says; what it says is added up."""
    ticket, chosen = random_below(stream, 1 << 30) / (1 << 30), 0
    for n in range(popcount(bits)):
        part = share(regrets, bits, n)
        sums[n] += part
        chosen = n if ticket >= 0 else chosen
        ticket -= part
    return chosen


def settle(regrets: Any, bits: int, values: Any) -> float:
    """What a state is worth whose moves are worth these values; the regrets are added up."""
    mean = 0.0
    for n in range(popcount(bits)):
        mean += share(regrets, bits, n) * values[n]
    for n in range(popcount(bits)):
        regrets[n] = max(regrets[n] + values[n] - mean, 0.0)
    return mean


def step(states: Any, depth: int, bits: int, n: int) -> None:
    """Make the n-th legal move, in a copy of the state one deeper."""
    states[depth + 1] = states[depth]
    play(states[depth + 1], mover(states[depth]), nth_bit(bits, n))


def walk(
    states: Any, learner: int, view: Any, words: Any, regrets: Any, sums: Any, values: Any,
    frames: Any, stream: Any, moves: Any,
) -> None:  # fmt: skip
    """Look at all moves of the learner and at one of the other player, down to the end and back.

    frames[depth] is the place in the table, the legal moves, and which of them is looked at:
    −1 if the other player has made it.
    """
    depth, value, is_back = 0, 0.0, False
    while depth >= 0:
        s = states[depth]
        if not is_back:
            place = enter(s, view, words, stream, moves)
            if place < 0:
                value = float(score(s, learner) - score(s, 1 - learner))
                is_back = True
                depth -= 1
                continue
            bits, chosen, n = legal_bits(s, mover(s)), 0, 0
            if mover(s) != learner:
                chosen, n = sampled(regrets[place], sums[place], bits, stream), -1
            frames[depth, 0], frames[depth, 1], frames[depth, 2] = place, bits, n
            step(states, depth, bits, chosen)
            depth += 1
            continue
        place, bits, n = frames[depth, 0], frames[depth, 1], frames[depth, 2]
        if n >= 0:
            values[depth, n] = value
            frames[depth, 2] = n + 1
            if n + 1 < popcount(bits):
                step(states, depth, bits, n + 1)
                is_back = False
                depth += 1
                continue
            value = settle(regrets[place], bits, values[depth])
        depth -= 1


def learn(
    start: Any, states: Any, iterations: int, view: Any, words: Any, regrets: Any, sums: Any,
    values: Any, frames: Any, stream: Any, moves: Any,
) -> None:  # fmt: skip
    for i in range(iterations):
        states[0] = start[0]
        walk(states, i & 1, view, words, regrets, sums, values, frames, stream, moves)


class Learner:
    """The tables of one game between two seats, and what looks things up in them."""

    def __init__(self, game: Game, options: dict[str, object], seed: int = 1) -> None:
        self.game = game
        self.options = options
        self._kernels = kernels.compiled(game, around=(playouts, sys.modules[__name__]))
        start = game.start(2, options)
        self._start = kernels.blank(game, 1, start)
        self._states = kernels.blank(game, 4 * game.moves, start)
        self._view = kernels.blank(game, 1, start)
        self._words = self._view.view(np.uint8)
        size = (1 << TABLE_BITS, game.moves)
        self._regrets, self._sums = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self._values = np.zeros((len(self._states), game.moves))
        self._frames = np.zeros((len(self._states), 3), np.int64)
        self._stream, self._moves = np.array([seed]), np.zeros(game.outcomes, np.int64)

    def learn(self, iterations: int) -> None:
        self._kernels["learn"](
            self._start, self._states, iterations, self._view, self._words, self._regrets,
            self._sums, self._values, self._frames, self._stream, self._moves,
        )  # fmt: skip

    def policy(self, view: Any, count: int) -> list[float]:
        """How often each of the legal moves is to be chosen, on average over what was learnt."""
        view.store(self._view[0])
        place = self._kernels["place_of"](self._view[0], self._words)
        found: list[float] = self._sums[place, :count].tolist()
        return found if sum(found) > 0 else [1.0] * count


class Student:
    """A bot that plays what was learnt."""

    def __init__(self, learner: Learner, rng: Random) -> None:
        self._learner = learner
        self._rng = rng

    def watch(self, view: Any) -> None:
        """Everything it needs lies open."""

    def choose(self, view: Any, legal_moves: list[int], deadline: object = None) -> int:
        weights = self._learner.policy(view, len(legal_moves))
        return self._rng.choices(legal_moves, weights)[0]


def against(learner: Learner, level: str, deals: int, seed: int = 0) -> Estimate:
    """The learner's share of the victories; on each deal it plays once in each seat."""
    return share_of([_wins(learner, level, f"{seed} {deal}") for deal in range(deals)])


def _wins(learner: Learner, level: str, deal: str) -> float:
    won = 0.0
    for seat in range(2):
        match = Match(learner.game, 2, learner.options, seeds=seeds_from(deal))
        bots: list[Any] = [Student(learner, Random(deal)) for _ in range(2)]
        bots[1 - seat] = roster.hire(level, learner.game, 1 - seat, deal)
        play_out(match, bots)
        won += match.shares[seat] / 2
    return won


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--cards", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=40_000)
    parser.add_argument("--deals", type=int, default=500)
    given = parser.parse_args()
    options = {"cards": given.cards, "open_discards": True, "open_scores": True}
    learner = Learner(load("stupide_vautour"), options)
    learner.learn(given.iterations)
    for level in ("novice", "regular"):
        found = against(learner, level, given.deals)
        print(f"against {level}: {found.mean:.1%} ({found.low:.1%} … {found.high:.1%})")


if __name__ == "__main__":
    main()
