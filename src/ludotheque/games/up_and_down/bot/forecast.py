"""How a trick goes among players who expect each other to think.

A card that everyone would lay is cancelled by the others, so what is good depends on what they
think is good. `foresee` lets all seats play the one trick again and again with hands that nobody
can exclude, and notes what serves each of them best: cunning players against others who follow
their instinct, thinking ones against others who do the same as they, until habits have formed that
suit each other. Written as rules are: plain functions, compiled beside them.
"""

from collections.abc import MutableSequence
from typing import Any

from ludotheque.engine import NOBODY
from ludotheque.engine.playouts import random_bit, roll
from ludotheque.games.up_and_down.bot.policy import (
    NO_WORTH,
    TASTE,
    chance_to_win,
    fitting,
    instinctive_card,
    keeping,
    lowest,
)
from ludotheque.games.up_and_down.rules import CARDS, HAND_SIZE, State, best_seat, tricks_played

__kernels__ = ("foresee",)

# Kinds of players
INSTINCTIVE = 0
CUNNING = 1
THINKING = 2
KINDS = 3

DOUBT = 200  # thousandths of a trick by which a player's judgement strays
NO_DOUBT = 1
FIRST_IDEAS = 8  # tricks that count as much as what instinct says at first
LAST_TRICKS = 0.02  # the weight of the newest trick, once there were many


def foresee(
    s: State, unshown: int, tricks: int, kind: int, habits: Any, dice: MutableSequence[int]
) -> None:
    """Write into habits[seat, card] what it is worth to players of this kind to lay a card.

    That is in thousandths of a trick. `s` has the rules; its hands and its cards are played with.
    """
    expected = THINKING if kind == THINKING else INSTINCTIVE
    follow_instinct(s, unshown, habits)
    for number in range(tricks):
        rate = max(FIRST_IDEAS / (FIRST_IDEAS + number), LAST_TRICKS)
        deal_any(s, unshown, dice)
        for seat in range(s.seats):
            s.laid[seat] = card_of_kind(s, seat, unshown, expected, habits[seat], dice)
        for seat in range(s.seats):
            learn_from_trick(s, seat, rate, habits[seat])


def follow_instinct(s: State, unshown: int, habits: Any) -> None:
    """What instinct says of every card is where habits begin."""
    for seat in range(s.seats):
        fits = fitting(s, seat)
        for card in range(CARDS):
            habits[seat, card] = -keeping(card, TASTE)
            if fits >> card & 1 == 1:
                chance = chance_to_win(s, seat, card, unshown, TASTE)
                habits[seat, card] += 1000 * (1 + s.pot) * chance


def deal_any(s: State, unshown: int, dice: MutableSequence[int]) -> None:
    """Give every seat any of the cards that were not shown, one for each trick to come."""
    for seat in range(s.seats):
        s.hands[seat] = 0
        for _ in range(HAND_SIZE[s.seats] - tricks_played(s)):
            card = random_bit(unshown, dice)
            unshown ^= 1 << card
            s.hands[seat] |= 1 << card


def card_of_kind(
    s: State, seat: int, unshown: int, kind: int, habits: Any, dice: MutableSequence[int]
) -> int:
    """The card that a player of this kind lays, whose habits are these if it has any."""
    if kind == INSTINCTIVE:
        return instinctive_card(s, seat, unshown & ~s.hands[seat], TASTE, dice)
    return habitual_card(s.hands[seat], habits, DOUBT, dice)


def habitual_card(hand: int, habits: Any, doubt: int, dice: MutableSequence[int]) -> int:
    """The card of a hand that promises most to a player of these habits."""
    best, chosen = NO_WORTH, 0
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        worth = habits[card] + float(roll(dice, doubt))
        if worth > best:
            best, chosen = worth, card
    return chosen


def learn_from_trick(s: State, seat: int, rate: float, habits: Any) -> None:
    """See what each card of the hand would have brought against what the others have laid."""
    meant, hand = s.laid[seat], s.hands[seat]
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        s.laid[seat] = card
        habits[card] += rate * (gain(s, seat) - keeping(card, TASTE) - habits[card])
    s.laid[seat] = meant


def gain(s: State, seat: int) -> float:
    """What this seat wins by the trick that lies there, or loses to the others."""
    taker = best_seat(s)
    if taker == NOBODY:
        return 0.0
    stake = 1000.0 * (1 + s.pot)
    return stake if taker == seat else -stake / (s.seats - 1)
