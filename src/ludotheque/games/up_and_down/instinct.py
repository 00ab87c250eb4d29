"""What a player does without thinking: win if that is likely, else throw away what is useless.

It costs a few bit counts, so playouts are played by it. `unshown` are the cards that nobody has
turned up in this deal, as bits: in somebody's hand, face down, or laid aside. Whoever counts knows
them, and which of them are their own. `taste` is what a player cares for. Written as rules are:
plain functions, compiled beside them.
"""

from collections.abc import MutableSequence, Sequence

from ludotheque.engine.playouts import popcount, roll
from ludotheque.games.up_and_down.rules import (
    CHANGING,
    DOWN,
    FLIP,
    REROLL,
    SUITS,
    TURN,
    UP,
    VALUES,
    State,
    own_suit,
    place,
    trump,
    value_of,
)

SUIT_BITS = (1 << VALUES) - 1  # the cards of suit 0; those of suit n stand n * VALUES higher
VALUE_BITS = sum(1 << suit * VALUES for suit in range(SUITS))  # the four twos

# The places of a taste; what is worth something is so in thousandths of a trick
EAGER = 0  # thousandths: how much likelier others lay a card that can win than one that cannot
KEEP_EXTREME = 1  # what a 2 or a 12 is worth in the hand beside a 7, times 6 / 5
KEEP_TRUMP = 2  # what a 7 is worth there because it may become trump; the rest by their chance
WHIM = 3  # by how much a judgement may stray
REROLL_WORTH = 4  # what it is worth to the leader to roll the dice, for each trick at stake
TASTE = (3000, 150, 50, 50, 100)  # the best of those that we let play against each other

WAYS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # in which two dice give each sum
NO_WORTH = -1_000_000.0


def instinct(
    s: State, seat: int, unshown: int, taste: Sequence[int], dice: MutableSequence[int]
) -> int:
    """The move that this seat makes without thinking."""
    others = unshown & ~s.hands[seat]
    if s.phase == CHANGING:
        return instinctive_change(s, others, taste, dice)
    return instinctive_card(s, seat, others, taste, dice)


def instinctive_card(
    s: State, seat: int, others: int, taste: Sequence[int], dice: MutableSequence[int]
) -> int:
    """Win if it is likely, and else throw away what is least worth keeping."""
    best, chosen = NO_WORTH, 0
    hand = s.hands[seat]
    fits = fitting(s, seat) & hand
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        worth = float((roll(dice, 1024) * taste[WHIM] >> 10) - keeping(card, taste))
        if fits >> card & 1 == 1:
            worth += 1000 * (1 + s.pot) * chance_to_win(s, seat, card, others, taste)
        if worth > best:
            best, chosen = worth, card
    return chosen


def instinctive_change(
    s: State, others: int, taste: Sequence[int], dice: MutableSequence[int]
) -> int:
    """The change that gives the leader's best card the most."""
    best = float(taste[REROLL_WORTH] * (1 + s.pot) + (roll(dice, 1024) * taste[WHIM] >> 10))
    chosen = REROLL
    side, facing, suit = s.side, s.facing, own_suit(s, s.leader)
    for change in range(FLIP, REROLL):
        if change != TURN + suit:
            s.side, s.facing = side, facing
            if change == FLIP:
                s.side = DOWN if side == UP else UP
            else:
                s.facing = (change - TURN + SUITS - place(s, s.leader)) % SUITS
            worth = best_worth(s, s.leader, others, taste)
            worth += roll(dice, 1024) * taste[WHIM] >> 10
            if worth > best:
                best, chosen = worth, change
    s.side, s.facing = side, facing
    return chosen


def best_worth(s: State, seat: int, others: int, taste: Sequence[int]) -> float:
    """What the best card that can win is worth to this seat by the rules that lie there."""
    best = float(-taste[KEEP_TRUMP])
    cards = fitting(s, seat) & s.hands[seat]
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        chance = chance_to_win(s, seat, card, others, taste)
        best = max(best, 1000 * (1 + s.pot) * chance - keeping(card, taste))
    return best


def lowest(cards: int) -> int:
    """The lowest card of some."""
    return popcount((cards & -cards) - 1)


def fitting(s: State, seat: int) -> int:
    """All cards with which this seat could win: its own suit, and the trumps."""
    return SUIT_BITS << VALUES * own_suit(s, seat) | VALUE_BITS << trump(s) - 2


def keeping(card: int, taste: Sequence[int]) -> int:
    """What a card may be worth in a later trick: extremes win on one side, all may be trump."""
    value = value_of(card)
    return (taste[KEEP_EXTREME] * abs(value - 7) + taste[KEEP_TRUMP] * WAYS[value]) // 6


def chance_to_win(s: State, seat: int, card: int, others: int, taste: Sequence[int]) -> float:
    """How likely a fitting card takes the trick if others lay any of `others`, eagerly."""
    chance = 1.0
    equals = VALUE_BITS << value_of(card) - 2
    trumps = VALUE_BITS << trump(s) - 2
    for other in range(s.seats):
        if other != seat:
            theirs = own_suit(s, other)
            fits = others & (SUIT_BITS << VALUES * theirs | trumps)
            bad = others & equals
            if value_of(card) != trump(s):
                bad = others & (equals | trumps | better(s.side, theirs, value_of(card)))
            eager = taste[EAGER] / 1000
            likely = popcount(others) + (eager - 1) * popcount(fits)
            harm = popcount(bad) + (eager - 1) * popcount(bad & fits)
            if likely > 0:
                chance *= 1 - harm / likely
    return chance


def better(side: int, suit: int, value: int) -> int:
    """The cards of a suit that beat this value when neither is trump."""
    below = (1 << value - 2) - 1
    return (below if side == DOWN else SUIT_BITS & ~(below << 1 | 1)) << VALUES * suit
