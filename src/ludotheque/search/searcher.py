"""Search for a move: guess what is hidden, simulate, compare."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from random import Random
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.chunks import timed_chunks
from ludotheque.engine.game import Game
from ludotheque.search import policy, tree
from ludotheque.search.deadline import NO_DEADLINE, Deadline

CLOCK_CHECK_S = 0.01  # between two looks at the clock
GUESSED_STATES = 64  # in which the simulations of one search begin
EXPLORATION = 0.7  # the weight of the confidence interval


class Memory(Protocol):
    """What a seat has seen of a match.

    A memory may also have `unseal(guess)`: it takes back the sealed moves of a guessed state, so
    that they are searched for like all others.
    """

    def watch(self, view: Any) -> None:
        """Look at the table."""

    def guess(self, view: Any, rng: Random) -> Any:
        """A state drawn uniformly from all that fit what the seat has seen."""


class Found(NamedTuple):
    """What a search has found, by legal move."""

    moves: list[int]
    visits: list[int]
    values: list[float]  # from 0 to 1, as the game's policy judges; 0 if never tried

    def best(self) -> int:
        """The move tried most: its value is known best."""
        return max(zip(self.visits, self.values, self.moves, strict=True))[2]


class Searcher:
    """Tree search for one seat.

    `policy_share` of the others' choices are expected to follow the game's policy. `guesses` is how
    many states are guessed. With `at_random`, playouts choose at random rather than by the policy.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        simulations: int,
        rng: Random,
        exploration: float = EXPLORATION,
        policy_share: float = 0.0,
        guesses: int = GUESSED_STATES,
        at_random: bool = False,
    ) -> None:
        self._game = game
        self._simulations = simulations
        self._rng = rng
        self._parameters = tree.Parameters(seat, exploration, round(256 * policy_share))
        self._guesses = guesses
        self._run_simulations = kernel(game, at_random)

    def search(
        self,
        view: Any,
        legal_moves: Sequence[int],
        memory: Memory,
        deadline: Deadline = NO_DEADLINE,
    ) -> Found:
        """Simulate as often as this searcher does, or until the deadline."""
        guesses = self._guess(view, memory)
        records = kernels.blank(self._game, len(guesses), guesses[0])
        for record, guess in zip(records, guesses, strict=True):
            guess.store(record)
        searched = self._simulate(records, view.seats, deadline)
        moves = list(legal_moves)
        visits, sums = searched.visits[0][moves], searched.sums[0][moves]
        values = sums / np.maximum(visits, 1)
        return Found(moves, visits.astype(int).tolist(), values.tolist())

    def _guess(self, view: Any, memory: Memory) -> list[Any]:
        count = min(self._guesses, self._simulations)
        guesses = [memory.guess(view, self._rng) for _ in range(count)]
        unseal = getattr(memory, "unseal", None)
        if unseal is not None:
            for guess in guesses:
                unseal(guess)
        return guesses

    def _simulate(self, records: Any, seats: int, deadline: Deadline) -> tree.Tree:
        game, work = self._game, records[:1].copy()
        grown = tree.new_tree(work, self._simulations, seats, game.moves, game.outcomes)
        seed = self._rng.getrandbits(62)
        for first, count in timed_chunks(self._simulations, CLOCK_CHECK_S, first=32, smallest=16):
            self._run_simulations(records, first, count, seed, self._parameters, grown)
            if not deadline.is_ahead:
                break
        return grown


@cache
def kernel(game: Game, at_random: bool) -> Any:
    """The search of a game, compiled or loaded from the disk when it is first called.

    Simulations end in play by the game's own policy, if it has one, or at random.
    """
    around = (playouts, policy, tree, *(() if at_random else _policy(game)))
    return kernels.compiled(game, around=around)["run_simulations"]


def _policy(game: Game) -> tuple[ModuleType, ...]:
    """The game's own policy, if it has one."""
    if not (game.folder / "bot" / "policy.py").exists():
        return ()
    return (importlib.import_module(f"{game.package}.bot.policy"),)


def warm(game: Game) -> None:
    """Compile the search of a game, or load it from the disk."""
    state = game.start(game.seats[0], game.playout_options)
    Searcher(game, 0, 1, Random(0)).search(state, [0], PerfectInformation())


class PerfectInformation:
    """The memory of a seat that sees everything."""

    def watch(self, view: Any) -> None:
        pass

    def guess(self, view: Any, rng: Random) -> Any:
        return view
