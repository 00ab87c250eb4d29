"""A bot that bids in proportion to the stake.

It remembers every card it has seen: the point cards say how much this stake is worth among those
that may still come, the stacks say what the others can still bid. A little randomness keeps it from
being an open book.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.stupide_vautour.rules import CARDS, POINTS, SERIES, State, is_over
from ludotheque.search.thought import UNHURRIED, Thought

WHIM = 1.1  # cards of its hand by which a bid usually strays from what it should be


class Greedy:
    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._shown = 0  # the point cards that have been turned up, as the bits of a pile
        self._played: dict[int, int] = {}  # by seat: the cards of its stack, as the bits of a hand

    def watch(self, view: State) -> None:
        if is_over(view):
            return
        self._shown |= view.table
        for seat in range(view.seats):
            if view.tops[seat] > 0:
                self._played[seat] = self._played.get(seat, 0) | 1 << view.tops[seat]

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        hand = sorted(legal_moves)
        aim = self._worth(view) * (len(hand) - 1) + self._rng.gauss(0, WHIM)
        bid = hand[min(max(round(aim), 0), len(hand) - 1)]
        return min(bid, self._surest(view, hand))

    def _worth(self, view: State) -> float:
        """The share of the point cards still to come that matter less than this stake."""
        coming = [abs(POINTS[i]) for i in range(CARDS) if not self._shown >> i & 1]
        less = sum(points < abs(view.stake) for points in coming)
        equal = sum(points == abs(view.stake) for points in coming)
        return (less + equal / 2 + 0.5) / (len(coming) + 1)

    def _surest(self, view: State, hand: list[int]) -> int:
        """The cheapest card that nobody can beat: to bid more would be a waste."""
        strongest = max(
            self._held(seat).bit_length() - 1 for seat in range(view.seats) if seat != self._seat
        )
        return next((card for card in hand if card > strongest), hand[-1])

    def _held(self, seat: int) -> int:
        """What another may still hold: the card it bids now is among it."""
        return SERIES & ~self._played.get(seat, 0)
