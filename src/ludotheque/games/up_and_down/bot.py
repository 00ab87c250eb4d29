"""A bot that plays for the trick at hand.

It remembers the cards of this deal, so it knows which ones the others may still hold. A card is
judged by its chance to take the trick, less what it might be good for later; as leader it judges
every change of the rules by the best card it would then have.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.up_and_down.rules import (
    BEST,
    CARDS,
    CHANGING,
    FLIP,
    OVER,
    PACK,
    PAIRS,
    REROLL,
    SUITS,
    TURN,
    UP,
    State,
    own_suit,
    suit_of,
    trump,
    value_of,
)
from ludotheque.search.thought import UNHURRIED, Thought

EAGERNESS = 3  # times that a card which can win is likelier to be laid than one which cannot
THRIFT = 0.3  # tricks that the most useful card is worth in the hand
WHIM = 0.02  # tricks by which a judgement may stray, so that equal cards take turns
WAYS = {total: sum(1 + (a != b) for a, b in PAIRS if a + b == total) for total in range(2, 13)}


class Rules:
    """What decides a trick: the side that lies up, the suit of every seat, the trump."""

    def __init__(self, side: int, suits: list[int], trump_value: int) -> None:
        self.side = side
        self.suits = suits  # by seat
        self.trump = trump_value

    def strength(self, card: int, seat: int) -> int:
        """How good a card of this seat is that no equal cancels; 0 if it cannot win."""
        value = value_of(card)
        if value == self.trump:
            return BEST
        if suit_of(card) != self.suits[seat]:
            return 0
        return value if self.side == UP else 14 - value


class Greedy:
    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._deal = 0
        self._gone = 0  # the cards played in this deal, as bits

    def watch(self, view: State) -> None:
        if view.phase == OVER:
            return
        if view.deal != self._deal:
            self._deal, self._gone = view.deal, 0
        if view.pot > 0 or any(tricks[view.deal] for tricks in view.tricks):
            for seat in range(view.seats):
                self._gone |= 1 << view.trick[seat]

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        hand = [card for card in range(CARDS) if view.hands[self._seat] >> card & 1]
        unknown = self._unknown(view)
        if view.phase == CHANGING:
            prize = {c: self._prize_of_change(view, hand, unknown, c) for c in legal_moves}
        else:
            prize = self._prizes(view, hand, unknown, rules_of(view))
        return max(legal_moves, key=lambda move: prize[move] + self._rng.random() * WHIM)

    def _unknown(self, view: State) -> list[int]:
        """The cards that others may hold; some of them lie aside."""
        unknown = PACK & ~self._gone & ~view.hands[self._seat]
        return [card for card in range(CARDS) if unknown >> card & 1]

    def _prize_of_change(
        self, view: State, hand: list[int], unknown: list[int], change: int
    ) -> float:
        """What the best card is worth after this change, on average if the dice are rolled."""
        chances = [
            (ways, max(self._prizes(view, hand, unknown, rules).values()))
            for ways, rules in rules_after(view, change)
        ]
        return sum(ways * prize for ways, prize in chances) / sum(ways for ways, _ in chances)

    def _prizes(
        self, view: State, hand: list[int], unknown: list[int], rules: Rules
    ) -> dict[int, float]:
        """What each card of the hand is worth in this trick, less what it is worth later."""
        stake = 1 + view.pot
        later = THRIFT if len(hand) > 1 else 0
        chances = self._chances(view, hand, unknown, rules)
        return {card: stake * chances[card] - later * usefulness(card) for card in hand}

    def _chances(
        self, view: State, hand: list[int], unknown: list[int], rules: Rules
    ) -> dict[int, float]:
        """How likely each card takes the trick if others lay what they may hold, eagerly."""
        chances = {card: float(rules.strength(card, self._seat) > 0) for card in hand}
        for other in range(view.seats):
            if other != self._seat:
                theirs = [(value_of(card), rules.strength(card, other)) for card in unknown]
                for card in hand:
                    if chances[card] > 0:
                        mine = rules.strength(card, self._seat)
                        chances[card] *= chance_against(theirs, value_of(card), mine)
        return chances


def chance_against(theirs: list[tuple[int, int]], value: int, strength: int) -> float:
    """How likely a card is neither cancelled nor beaten by one of these values and strengths."""
    harmless = likely = 0
    for their_value, their_strength in theirs:
        weight = EAGERNESS if their_strength > 0 else 1
        likely += weight
        harmless += weight * (their_value != value and their_strength < strength)
    return harmless / likely if likely else 1.0


def usefulness(card: int) -> float:
    """What a card may still be good for, 0 to 1: extremes win on one side, all may be trump."""
    value = value_of(card)
    return abs(value - 7) / 6 + WAYS[value] / 36


def rules_of(view: State) -> Rules:
    return Rules(view.side, [own_suit(view, s) for s in range(view.seats)], trump(view))


def rules_after(view: State, change: int) -> list[tuple[int, Rules]]:
    """The rules that a change may lead to, each with the number of ways it comes about."""
    rules = rules_of(view)
    if change == FLIP:
        return [(1, Rules(1 - rules.side, rules.suits, rules.trump))]
    if change == REROLL:
        others = [total for total in WAYS if total != rules.trump]
        return [(WAYS[total], Rules(rules.side, rules.suits, total)) for total in others]
    by = change - TURN - rules.suits[view.leader]
    return [(1, Rules(rules.side, [(suit + by) % SUITS for suit in rules.suits], rules.trump))]
