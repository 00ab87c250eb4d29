"""Moves tried out: all of them on the same guessed hands, to the end of the deal.

The trick at hand is played by players of the kinds that `foresight` knows; who is of which kind,
one can learn by watching them. The tricks after it go by instinct.
Written as rules are: plain functions, compiled beside them.
"""

from collections.abc import MutableSequence
from typing import Any

from ludotheque.engine.playouts import roll, seeded
from ludotheque.games.up_and_down.foresight import DOUBT, KINDS, NO_DOUBT, card_of_kind
from ludotheque.games.up_and_down.instinct import TASTE, instinctive_change
from ludotheque.games.up_and_down.memory import deal_unseen
from ludotheque.games.up_and_down.rules import (
    CHANGING,
    CHOOSING,
    FLIP,
    NO_CARD,
    PAIRS,
    ROLLING,
    SUITS,
    State,
    change,
    lay,
    own_suit,
    roll_dice,
    score,
    total,
    trump,
)

__kernels__ = ("try_moves",)

# The rules that a trick may have: as they lie, or after a flip, a turn, a roll of the dice
AS_IT_LIES = 0
FLIPPED = 1
TURNED = 2  # + the leader's new suit
ROLLED = TURNED + SUITS  # + the new trump
CASES = ROLLED + 13


def try_moves(
    states: Any,
    seat: int,
    unshown: int,
    first: int,
    count: int,
    seed: int,
    odds: Any,
    habits: Any,
    ratio: float,
    tried: Any,
    dice: MutableSequence[int],
    values: Any,
    takes: Any,
    laid: Any,
) -> None:
    """Try every plan of `tried` in trials first … first + count − 1.

    A plan is a move and the card to lay after it, or NO_CARD for whatever suits. states[0] is the
    view, states[1] a guess, states[2] a trial. odds[seat, kind] is how many of 1000 such players
    are of that kind, habits[case, kind, seat, card] what foresight says. Adds up what came of
    every plan in `values`, how often it took the trick in `takes`, and what the others laid in
    laid[kind, seat, card].
    """
    for number in range(first, first + count):
        dice[0] = seeded(seed, number)
        states[1] = states[0]
        deal_unseen(states[1], seat, unshown, dice)
        take_back(states[1], seat)
        kinds = draw_kinds(states[1], odds, dice)
        if states[1].phase == CHOOSING:
            lay_others(states[1], seat, unshown, kinds, habits[AS_IT_LIES], dice, laid)
        luck = dice[0]
        for i in range(len(tried)):
            states[2] = states[1]
            dice[0] = luck
            make(states[2], seat, tried[i, 0])
            card = tried[i, 1]
            taker = finish_deal(states[1], states[2], seat, card, unshown, kinds, habits, dice)
            takes[i] += taker == seat
            values[i] += standing(states[2], seat, ratio)


def make(s: State, seat: int, move: int) -> None:
    if move < FLIP:
        lay(s, seat, move)
    else:
        change(s, move)


def take_back(s: State, viewer: int) -> None:
    """Let the others choose again: what a guess has laid for them tells nothing."""
    for seat in range(s.seats):
        if seat != viewer and s.laid[seat] != NO_CARD:
            s.hands[seat] |= 1 << s.laid[seat]
            s.laid[seat] = NO_CARD


def draw_kinds(s: State, odds: Any, dice: MutableSequence[int]) -> int:
    """The kind of every player: digits to the base of KINDS, by seat."""
    kinds, place_value = 0, 1
    for seat in range(s.seats):
        ticket, kind = roll(dice, 1000), 0
        while kind < KINDS - 1 and ticket >= odds[seat, kind]:
            ticket -= odds[seat, kind]
            kind += 1
        kinds += kind * place_value
        place_value *= KINDS
    return kinds


def lay_others(
    s: State,
    viewer: int,
    unshown: int,
    kinds: int,
    habits: Any,
    dice: MutableSequence[int],
    laid: Any,
) -> None:
    for seat in range(s.seats):
        kind = kinds % KINDS
        kinds //= KINDS
        if seat != viewer:
            card = card_of_kind(s, seat, unshown, kind, habits[kind, seat], DOUBT, dice)
            laid[kind, seat, card] += 1
            lay(s, seat, card)


def case_of(before: State, s: State) -> int:
    """How the rules have been changed."""
    if trump(s) != trump(before):
        return ROLLED + trump(s)
    if s.side != before.side:
        return FLIPPED
    if s.facing != before.facing:
        return TURNED + own_suit(s, s.leader)
    return AS_IT_LIES


def finish_deal(
    before: State,
    s: State,
    viewer: int,
    card: int,
    unshown: int,
    kinds: int,
    habits: Any,
    dice: MutableSequence[int],
) -> int:
    """Play on until the deal is over; return who took the trick that was under way `before`.

    In that trick the viewer lays this card, and everyone else one of their kind. Later all go by
    instinct, whose digit is 0.
    """
    taker, is_later = s.taker, s.phase != CHOOSING and s.phase != ROLLING
    while s.deal == before.deal:
        if s.phase == CHANGING:
            for seat in range(s.seats):
                unshown &= ~(1 << s.trick[seat])
            theirs = unshown & ~s.hands[s.leader]
            change(s, instinctive_change(s, theirs, TASTE, dice))
        if s.phase == ROLLING:
            roll_again(s, dice)
        if is_later:
            kinds, card = 0, NO_CARD
        lay_all(s, viewer, card, unshown, kinds, habits[case_of(before, s)], dice)
        if not is_later:
            taker, is_later = s.taker, True
    return taker


def roll_again(s: State, dice: MutableSequence[int]) -> None:
    """Roll the dice until the trump is a new one; a double falls half as often as other pairs."""
    pair = roll(dice, len(PAIRS))
    while total(pair) == trump(s) or (PAIRS[pair][0] == PAIRS[pair][1] and roll(dice, 2) == 0):
        pair = roll(dice, len(PAIRS))
    roll_dice(s, pair)


def lay_all(
    s: State,
    viewer: int,
    card: int,
    unshown: int,
    kinds: int,
    habits: Any,
    dice: MutableSequence[int],
) -> None:
    """Everyone lays a card of their kind, the viewer without doubt, or the one that is given."""
    for seat in range(s.seats):
        kind = kinds % KINDS
        kinds //= KINDS
        doubt = NO_DOUBT if seat == viewer else DOUBT
        suits = card_of_kind(s, seat, unshown, kind, habits[kind, seat], doubt, dice)
        lay(s, seat, card if seat == viewer and card != NO_CARD else suits)


def standing(s: State, seat: int, ratio: float) -> float:
    """A seat's share of the hope to win the match: a trick more multiplies the odds by `ratio`."""
    others = 0.0
    for other in range(s.seats):
        others += ratio ** (score(s, other) - score(s, seat))
    return 1 / others
