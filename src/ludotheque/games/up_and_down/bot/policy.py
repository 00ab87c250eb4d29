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
    HIGHEST,
    LOWEST,
    PAIRS,
    REROLL,
    ROLL,
    SUITS,
    VALUES,
    State,
    change,
    legal_bits,
    own_suit,
    total,
    trump,
    value_of,
    weight,
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

WAYS = tuple(  # in which two dice give each sum
    sum(weight(State(), ROLL + pair) for pair in range(len(PAIRS)) if total(pair) == value)
    for value in range(HIGHEST + 1)
)
MIDDLE = (LOWEST + HIGHEST) // 2  # the likeliest sum, and far from both ends
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
        worth = float(whim(taste, dice) - keeping(card, taste))
        if fits >> card & 1 == 1:
            worth += 1000 * (1 + s.pot) * chance_to_win(s, seat, card, others, taste)
        if worth > best:
            best, chosen = worth, card
    return chosen


def instinctive_change(
    s: State, others: int, taste: Sequence[int], dice: MutableSequence[int]
) -> int:
    """The change that gives the leader's best card the most."""
    best = float(taste[REROLL_WORTH] * (1 + s.pot) + whim(taste, dice))
    chosen = REROLL
    legal, side, facing = legal_bits(s, s.leader), s.side, s.facing
    for move in range(FLIP, REROLL):
        if legal >> move & 1 == 1:
            change(s, move)
            worth = best_worth(s, s.leader, others, taste) + whim(taste, dice)
            if worth > best:
                best, chosen = worth, move
            s.side, s.facing, s.phase = side, facing, CHANGING
    return chosen


def whim(taste: Sequence[int], dice: MutableSequence[int]) -> int:
    """By how much one judgement strays, in thousandths of a trick."""
    return roll(dice, 1024) * taste[WHIM] >> 10


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
    return SUIT_BITS << VALUES * own_suit(s, seat) | of_value(trump(s))


def of_value(value: int) -> int:
    """The four cards of a value."""
    return VALUE_BITS << value - LOWEST


def keeping(card: int, taste: Sequence[int]) -> int:
    """What a card may be worth in a later trick: extremes win on one side, all may be trump."""
    value = value_of(card)
    from_middle = taste[KEEP_EXTREME] * abs(value - MIDDLE)
    return (from_middle + taste[KEEP_TRUMP] * WAYS[value]) // WAYS[MIDDLE]


def chance_to_win(s: State, seat: int, card: int, others: int, taste: Sequence[int]) -> float:
    """How likely a fitting card takes the trick if others lay any of `others`, eagerly."""
    chance = 1.0
    for other in range(s.seats):
        if other != seat:
            fits = fitting(s, other)
            likely = eagerness(others, fits, taste)
            if likely > 0:
                chance *= 1 - eagerness(others & stopping(s, other, card), fits, taste) / likely
    return chance


def eagerness(cards: int, fits: int, taste: Sequence[int]) -> float:
    """How likely one of some cards is laid: each counts, and more if it is one that fits."""
    return popcount(cards) + (taste[EAGER] / 1000 - 1) * popcount(cards & fits)


def stopping(s: State, seat: int, card: int) -> int:
    """All cards by which this seat keeps another's fitting card from the trick."""
    value = value_of(card)
    if value == trump(s):
        return of_value(value)
    return of_value(value) | of_value(trump(s)) | better(s.side, own_suit(s, seat), value)


def better(side: int, suit: int, value: int) -> int:
    """The cards of a suit that beat this value when neither is trump."""
    below = (1 << value - LOWEST) - 1
    return (below if side == DOWN else SUIT_BITS & ~(below << 1 | 1)) << VALUES * suit
