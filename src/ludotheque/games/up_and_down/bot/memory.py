"""What a seat has seen of a deal, and a guess at all that it has not."""

from collections.abc import MutableSequence
from random import Random
from typing import Any

from numpy import array, errstate, int64

from ludotheque.engine.playouts import random_bit
from ludotheque.games.up_and_down.rules import (
    CARDS,
    DEALING,
    NO_CARD,
    OVER,
    PACK,
    State,
    hand_size,
    pack,
    tricks_played,
)


class Memory:
    """The cards that this seat has seen in this deal.

    `forgetting` is the chance, at every trick, that it forgets a card of an earlier one.
    """

    def __init__(self, seat: int, forgetting: float = 0.0, rng: Random | None = None) -> None:
        self._seat = seat
        self._forgetting = forgetting
        self._rng = rng or Random(0)
        self._trick = (0, 0)  # the deal, and how many of its tricks were shown
        self._pack = PACK  # the cards that are played with, as bits
        self._shown = 0  # the cards turned up in this deal, as bits

    def watch(self, view: State) -> None:
        if view.phase == OVER:
            return
        self._pack = pack(view)
        trick = (view.deal, tricks_played(view))
        if trick[0] != self._trick[0]:
            self._shown = 0
        if trick != self._trick:
            self._forget()
        if trick[1] > 0:
            for seat in range(view.seats):
                self._shown |= 1 << view.trick[seat]
        self._trick = trick

    def _forget(self) -> None:
        if self._forgetting > 0:
            for card in range(CARDS):
                if self._rng.random() < self._forgetting:
                    self._shown &= ~(1 << card)

    def unshown(self) -> int:
        """The cards that it has not seen turned up in this deal, its own included, as bits."""
        return self._pack & ~self._shown

    def guess(self, view: State, rng: Random) -> State:
        """A state drawn uniformly from those that fit what it has seen."""
        self.watch(view)
        state = view.copy()
        with errstate(over="ignore"):  # the stream counts modulo 2⁶⁴
            deal_unseen(state, self._seat, self.unshown(), stream_from(rng))
        return state


def stream_from(rng: Random) -> Any:
    """A random stream for functions written as rules are, compiled or not."""
    return array([rng.getrandbits(62)], int64)


# What follows is written as rules are, since trials deal with the same functions, compiled.


def deal_unseen(s: State, viewer: int, unshown: int, stream: MutableSequence[int]) -> None:
    """Deal the others random cards that the viewer has not seen, face-down ones included."""
    unseen = unshown & ~s.hands[viewer]
    if s.laid[viewer] != NO_CARD:
        unseen &= ~(1 << s.laid[viewer])
    for seat in range(s.seats):
        if seat != viewer:
            s.hands[seat] = 0
            for _ in range(cards_held(s, seat)):
                card = int(random_bit(unseen, stream))
                unseen ^= 1 << card
                s.hands[seat] |= 1 << card
            if s.laid[seat] != NO_CARD:
                s.laid[seat] = int(random_bit(unseen, stream))
                unseen ^= 1 << s.laid[seat]


def cards_held(s: State, seat: int) -> int:
    """How many cards this seat holds, which everybody can tell."""
    if s.phase == OVER:
        return 0
    if s.phase == DEALING:
        return (s.dealt - seat + s.seats - 1) // s.seats
    return hand_size(s) - tricks_played(s) - int(s.laid[seat] != NO_CARD)
