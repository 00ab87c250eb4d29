"""What a seat has seen of the others' cards, and a guess at all that it has not seen."""

from random import Random

from ludotheque.games.ubongo.field import FIELD_PLACES, IN_HAND
from ludotheque.games.ubongo.layable import HAND, is_fair
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    BLACK,
    MAX_REDEALS,
    RACING,
    READYING,
    STARTING,
    State,
    count_laid,
    objection_to_laying,
    pile_of,
    side_of,
)

MAX_DEALS = 200  # tried for a fair one: it takes a few, unless the hand seen allows none


class Memory:
    """The hands that lay open between two rounds: the next round is played with the same cards."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._pile = -1  # the pile of the hands seen last
        self._hands: list[list[int]] = []

    def watch(self, view: State) -> None:
        if view.phase == READYING and view.rounds > 0:
            self._pile, self._hands = pile_of(view), [list(hand) for hand in view.hands]

    def guess(self, view: State, rng: Random) -> State:
        """A state, uniformly from those that fit what this seat has seen."""
        self.watch(view)
        state = view.copy()
        if state.phase == READYING:
            return state
        others = [seat for seat in range(state.seats) if seat != self._seat]
        if side_of(state) == BLACK and self._pile == pile_of(state):
            state.hands = [list(hand) for hand in self._hands]
        else:
            self._deal(state, others, rng)
        for seat in others:
            scatter(state, seat, rng)
        return state

    def _deal(self, s: State, others: list[int], rng: Random) -> None:
        """Give the others any cards of the pile that this seat does not hold."""
        first = pile_of(s) * PILE
        unseen = [card for card in range(first, first + PILE) if card not in s.hands[self._seat]]
        for _ in range(MAX_DEALS):
            rng.shuffle(unseen)
            drawn = iter(unseen)
            for seat in others:
                for i in range(cards_held(s, seat)):
                    s.hands[seat][i] = next(drawn)
            if not must_be_fair(s) or is_fair(s.hands, s.seats, s.cards):
                return


def cards_held(s: State, seat: int) -> int:
    """How many cards this seat has been dealt, which everyone can tell."""
    return (s.dealt - seat + s.seats - 1) // s.seats


def must_be_fair(s: State) -> bool:
    """Whether an unfair deal would have been dealt again."""
    is_dealt = s.phase in (STARTING, RACING)
    return s.fair_hands == 1 and is_dealt and s.redeals < MAX_REDEALS


def scatter(s: State, seat: int, rng: Random) -> None:
    """Lay as many cards as this seat has laid anywhere in the field, none on another.

    After an objection all are drawn again, so that every layout is equally likely.
    """
    count = count_laid(s, seat)
    while True:
        s.places[seat] = [IN_HAND] * HAND
        for card in rng.sample(range(s.cards), count):
            place = rng.randrange(FIELD_PLACES)
            if objection_to_laying(s, seat, card, place) != ALLOWED:
                break
            s.places[seat][card] = place
        else:
            return
