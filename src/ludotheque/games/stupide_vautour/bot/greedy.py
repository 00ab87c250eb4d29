"""A player who bids in proportion to the stake."""

from collections.abc import Sequence
from random import Random

from ludotheque.engine.bits import numbers
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import POINTS, State
from ludotheque.search.deadline import NO_DEADLINE, Deadline

NOISE_CARDS = 1.1  # standard deviation of a bid, in cards of the hand


class Greedy:
    """Bids in proportion to the stake, with some noise so that others cannot predict it."""

    def __init__(
        self, seat: int, rng: Random, noise: float = NOISE_CARDS, forgets: bool = False
    ) -> None:
        self._seat = seat
        self._rng = rng
        self._noise = noise
        self._forgets = forgets
        self._memory = Memory(seat)

    def watch(self, view: State) -> None:
        if not self._forgets:
            self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        hand = sorted(legal_moves)
        aim = self._stake_rank(view) * (len(hand) - 1) + self._rng.gauss(0, self._noise)
        bid = hand[min(max(round(aim), 0), len(hand) - 1)]
        return min(bid, self._cheapest_sure(view, hand))

    def _stake_rank(self, view: State) -> float:
        """The share of the point cards still to come that matter less than this stake."""
        coming = [abs(POINTS[card]) for card in numbers(self._memory.pile(view))]
        less = sum(points < abs(view.stake) for points in coming)
        equal = sum(points == abs(view.stake) for points in coming)
        return (less + equal / 2 + 0.5) / (len(coming) + 1)

    def _cheapest_sure(self, view: State, hand: list[int]) -> int:
        """The lowest card that nobody can beat: a higher one would be wasted."""
        strongest = max(
            self._memory.hand(view, seat).bit_length() - 1
            for seat in range(view.seats)
            if seat != self._seat
        )
        return next((card for card in hand if card > strongest), hand[-1])
