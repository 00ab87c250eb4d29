"""A player who follows the policy: it plays for the current trick alone."""

from collections.abc import Sequence
from random import Random

from numpy import errstate

from ludotheque.games.up_and_down.bot.memory import Memory, stream_from
from ludotheque.games.up_and_down.bot.policy import WEIGHTS, policy_move
from ludotheque.games.up_and_down.rules import State
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.remembering import Remembering


class Greedy(Remembering[Memory]):
    """`slips` is the share of its moves that it makes at random."""

    def __init__(
        self,
        seat: int,
        rng: Random,
        weights: Sequence[int] = WEIGHTS,
        forgetting: float = 0.0,
        slips: float = 0.0,
    ) -> None:
        super().__init__(seat, rng, Memory(seat, forgetting, rng))
        self._weights = weights
        self._slips = slips

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        if self._slips > 0 and self._rng.random() < self._slips:
            return self._rng.choice(legal_moves)
        state = view.copy()  # the policy changes the rules of a state to compare changes
        unshown, stream = self._memory.unshown(), stream_from(self._rng)
        with errstate(over="ignore"):  # the stream counts modulo 2⁶⁴
            return policy_move(state, self._seat, unshown, self._weights, stream)
