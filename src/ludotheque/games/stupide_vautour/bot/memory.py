"""What a player has seen of a match: the point cards, the bids, and who took what."""

from random import Random

from ludotheque.engine import NOBODY
from ludotheque.engine.bits import numbers
from ludotheque.games.stupide_vautour.rules import (
    FACE_DOWN,
    POINTS,
    UNKNOWN,
    State,
    is_over,
    point_cards,
    series,
)


class Memory:
    """One seat's memory. If it has watched from the start, it knows all but the face-down bids."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._round = 0
        self._stake = 0
        self._shown = 0  # the point cards turned up so far, as the bits of a pile
        self._played: dict[int, int] = {}  # by seat: the cards of its stack, as the bits of a hand
        self._scores: dict[int, int] = {}

    def watch(self, view: State) -> None:
        if is_over(view):
            return
        if view.rounds > self._round and view.taker != NOBODY:
            self._scores[view.taker] = self._scores.get(view.taker, 0) + self._stake
        self._round, self._stake = view.rounds, view.stake
        self._shown |= view.table
        for seat in range(view.seats):
            if view.tops[seat] > 0:
                self._played[seat] = self._played.get(seat, 0) | 1 << view.tops[seat]

    def pile(self, view: State) -> int:
        """The point cards that may still come, as the bits of a pile."""
        return view.pile if view.open_scores else point_cards(view) & ~self._shown

    def hand(self, view: State, seat: int) -> int:
        """What a seat may hold, its face-down bid included, as the bits of a hand."""
        if seat == self._seat or view.open_discards:
            return view.hands[seat]
        return series(view) & ~self._played.get(seat, 0)

    def is_complete(self, view: State) -> bool:
        """Whether it has seen everything from the start."""
        others = (seat for seat in range(view.seats) if seat != self._seat)
        return self.pile(view).bit_count() == view.cards - view.rounds and all(
            self.hand(view, seat).bit_count() == held(view) for seat in others
        )

    def guess(self, view: State, rng: Random) -> State:
        """A state drawn uniformly from those that fit what it has seen."""
        self.watch(view)
        s = view.copy()
        if is_over(s):
            return s
        s.pile = _sample(self.pile(view), view.cards - view.rounds, rng)
        for seat in range(s.seats):
            if seat != self._seat:
                s.hands[seat] = _sample(self.hand(view, seat), held(view), rng)
                if s.bids[seat] == FACE_DOWN:
                    s.bids[seat] = _sample(s.hands[seat], 1, rng).bit_length() - 1
                    s.hands[seat] ^= 1 << s.bids[seat]
        self._guess_scores(s, rng)
        return s

    def unseal(self, s: State) -> None:
        """Give the others their face-down bids back, so that they choose again."""
        for seat in range(s.seats):
            if seat != self._seat and s.bids[seat] > 0:
                s.hands[seat] |= 1 << s.bids[seat]
                s.bids[seat] = 0
                s.waiting += 1

    def _guess_scores(self, s: State, rng: Random) -> None:
        """Points that it has not seen taken go to one of the hidden scores."""
        hidden = [seat for seat in range(s.seats) if s.scores[seat] == UNKNOWN]
        for seat in hidden:
            s.scores[seat] = self._scores.get(seat, 0)
        coming = sum(POINTS[i] for i in numbers(s.pile))
        unseen = sum(POINTS[i] for i in numbers(point_cards(s))) - coming - s.stake - sum(s.scores)
        if hidden and unseen:
            s.scores[rng.choice(hidden)] += unseen


def held(view: State) -> int:
    """How many cards a seat holds, its bid included."""
    return view.cards - view.rounds + (view.waiting > 0)


def _sample(cards: int, count: int, rng: Random) -> int:
    """A random choice of `count` of these cards, as bits."""
    return sum(1 << place for place in rng.sample(numbers(cards), count))
