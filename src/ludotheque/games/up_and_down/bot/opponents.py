"""Models of the players in a trick: what it is worth to each of them to lay each card.

A card that everyone would lay is cancelled, so the utility of a card depends on what the others
expect. `learn_utilities` plays one trick many times, with random hands that fit what was shown, and
learns what each card brings: against players who follow the policy (a best response), or against
players who learn in the same way (fictitious play, which tends to an equilibrium). Written as rules
are: plain functions, compiled beside them.
"""

from collections.abc import MutableSequence
from typing import Any

from ludotheque.engine import NOBODY
from ludotheque.engine.playouts import random_below, random_bit
from ludotheque.games.up_and_down.bot.policy import (
    NO_UTILITY,
    WEIGHTS,
    chance_to_win,
    fitting,
    keep_utility,
    lowest,
    policy_card,
)
from ludotheque.games.up_and_down.rules import CARDS, State, best_seat, hand_size, tricks_played

__kernels__ = ("learn_utilities",)

# Kinds of players
GREEDY = 0  # follows the policy
BEST_RESPONSE = 1  # expects all others to follow the policy
EQUILIBRIUM = 2  # expects all others to be like itself
KINDS = 3

NOISE_MILLITRICKS = 200  # range of the noise on a utility
NO_NOISE = 1
PRIOR_TRICKS = 8  # learned tricks that weigh as much as what the policy says at first
MIN_LEARNING_RATE = 0.02  # the weight of the newest trick, once there were many


def learn_utilities(
    s: State, unshown: int, tricks: int, kind: int, utilities: Any, stream: MutableSequence[int]
) -> None:
    """Write into utilities[seat, card] what a player of this kind gains by laying a card.

    That is in thousandths of a trick. `s` has the rules; its hands and laid cards are overwritten.
    """
    expected = EQUILIBRIUM if kind == EQUILIBRIUM else GREEDY
    set_prior_utilities(s, unshown, utilities)
    for number in range(tricks):
        rate = max(PRIOR_TRICKS / (PRIOR_TRICKS + number), MIN_LEARNING_RATE)
        deal_random_hands(s, unshown, stream)
        for seat in range(s.seats):
            s.laid[seat] = model_card(s, seat, unshown, expected, utilities[seat], stream)
        for seat in range(s.seats):
            update_utilities(s, seat, rate, utilities[seat])


def set_prior_utilities(s: State, unshown: int, utilities: Any) -> None:
    """Learning begins with what the policy says of every card."""
    for seat in range(s.seats):
        fits = fitting(s, seat)
        for card in range(CARDS):
            utilities[seat, card] = -keep_utility(card, WEIGHTS)
            if fits >> card & 1 == 1:
                chance = chance_to_win(s, seat, card, unshown, WEIGHTS)
                utilities[seat, card] += 1000 * (1 + s.pot) * chance


def deal_random_hands(s: State, unshown: int, stream: MutableSequence[int]) -> None:
    """Deal every seat unshown cards, one for each trick to come."""
    for seat in range(s.seats):
        s.hands[seat] = 0
        for _ in range(hand_size(s) - tricks_played(s)):
            card = random_bit(unshown, stream)
            unshown ^= 1 << card
            s.hands[seat] |= 1 << card


def model_card(
    s: State, seat: int, unshown: int, kind: int, utilities: Any, stream: MutableSequence[int]
) -> int:
    """The card that a player of this kind lays; only a greedy one does not look at utilities."""
    if kind == GREEDY:
        return policy_card(s, seat, unshown & ~s.hands[seat], WEIGHTS, stream)
    return best_card(s.hands[seat], utilities, NOISE_MILLITRICKS, stream)


def best_card(hand: int, utilities: Any, noise_range: int, stream: MutableSequence[int]) -> int:
    """The card of a hand with the highest utility, noise included."""
    best, chosen = NO_UTILITY, 0
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        utility = utilities[card] + float(random_below(stream, noise_range))
        if utility > best:
            best, chosen = utility, card
    return chosen


def update_utilities(s: State, seat: int, rate: float, utilities: Any) -> None:
    """Learn what each card of the hand would have brought against the cards of the others."""
    laid, hand = s.laid[seat], s.hands[seat]
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        s.laid[seat] = card
        target = trick_reward(s, seat) - keep_utility(card, WEIGHTS)
        utilities[card] += rate * (target - utilities[card])
    s.laid[seat] = laid


def trick_reward(s: State, seat: int) -> float:
    """What this seat wins with the trick on the table, or loses to the others."""
    taker = best_seat(s)
    if taker == NOBODY:
        return 0.0
    stake = 1000.0 * (1 + s.pot)
    return stake if taker == seat else -stake / (s.seats - 1)
