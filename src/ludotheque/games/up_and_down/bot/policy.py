"""How playouts choose moves: win the trick if that is likely, else throw a useless card away.

A choice costs a few bit counts. `unshown` are the cards not turned up in this deal, as bits: in a
hand, face down, or laid aside. A player who counts cards knows them. `weights` say what a player
cares for. Written as rules are: plain functions, compiled beside them.
"""

from collections.abc import MutableSequence, Sequence

from ludotheque.engine.playouts import popcount, random_below
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

# The places of the weights. A utility is in thousandths of a trick.
FIT_ODDS = 0  # thousandths: how much likelier others lay a card that can win than one that cannot
KEEP_EXTREME = 1  # utility of a 2 or a 12 in the hand over that of a 7, times 6 / 5
KEEP_TRUMP = 2  # utility of a 7 in the hand as a possible trump; less for the other values
NOISE_RANGE = 3  # utilities are overestimated at random by up to this much
REROLL_UTILITY = 4  # of rolling the dice, to the leader, for each trick at stake
WEIGHTS = (3000, 150, 50, 50, 100)  # the best of many tried against each other

WAYS = tuple(  # in which two dice give each sum
    sum(weight(State(), ROLL + pair) for pair in range(len(PAIRS)) if total(pair) == value)
    for value in range(HIGHEST + 1)
)
MIDDLE = (LOWEST + HIGHEST) // 2  # the likeliest sum, and far from both ends
NO_UTILITY = -1_000_000.0


def policy_move(
    s: State, seat: int, unshown: int, weights: Sequence[int], stream: MutableSequence[int]
) -> int:
    """The move that the policy makes for this seat."""
    others = unshown & ~s.hands[seat]
    if s.phase == CHANGING:
        return policy_change(s, others, weights, stream)
    return policy_card(s, seat, others, weights, stream)


def policy_card(
    s: State, seat: int, others: int, weights: Sequence[int], stream: MutableSequence[int]
) -> int:
    """Win if that is likely, else throw away the card least worth keeping."""
    best, chosen = NO_UTILITY, 0
    hand = s.hands[seat]
    fits = fitting(s, seat) & hand
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        utility = float(noise(weights, stream) - keep_utility(card, weights))
        if fits >> card & 1 == 1:
            utility += 1000 * (1 + s.pot) * chance_to_win(s, seat, card, others, weights)
        if utility > best:
            best, chosen = utility, card
    return chosen


def policy_change(
    s: State, others: int, weights: Sequence[int], stream: MutableSequence[int]
) -> int:
    """The change after which the leader's best card has the highest utility."""
    best = float(weights[REROLL_UTILITY] * (1 + s.pot) + noise(weights, stream))
    chosen = REROLL
    legal, side, facing = legal_bits(s, s.leader), s.side, s.facing
    for move in range(FLIP, REROLL):
        if legal >> move & 1 == 1:
            change(s, move)
            utility = best_utility(s, s.leader, others, weights) + noise(weights, stream)
            if utility > best:
                best, chosen = utility, move
            s.side, s.facing, s.phase = side, facing, CHANGING
    return chosen


def noise(weights: Sequence[int], stream: MutableSequence[int]) -> int:
    """Random noise on one utility."""
    return random_below(stream, 1024) * weights[NOISE_RANGE] >> 10


def best_utility(s: State, seat: int, others: int, weights: Sequence[int]) -> float:
    """The utility of this seat's best fitting card under the rules on the table."""
    best = float(-weights[KEEP_TRUMP])
    cards = fitting(s, seat) & s.hands[seat]
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        chance = chance_to_win(s, seat, card, others, weights)
        best = max(best, 1000 * (1 + s.pot) * chance - keep_utility(card, weights))
    return best


def lowest(cards: int) -> int:
    """The lowest of these cards."""
    return popcount((cards & -cards) - 1)


def fitting(s: State, seat: int) -> int:
    """All cards with which this seat could win: its own suit and the trumps."""
    return SUIT_BITS << VALUES * own_suit(s, seat) | of_value(trump(s))


def of_value(value: int) -> int:
    """The four cards of a value."""
    return VALUE_BITS << value - LOWEST


def keep_utility(card: int, weights: Sequence[int]) -> int:
    """The utility of a card in later tricks: extremes win on one side, any value may be trump."""
    value = value_of(card)
    from_middle = weights[KEEP_EXTREME] * abs(value - MIDDLE)
    return (from_middle + weights[KEEP_TRUMP] * WAYS[value]) // WAYS[MIDDLE]


def chance_to_win(s: State, seat: int, card: int, others: int, weights: Sequence[int]) -> float:
    """The chance that a fitting card takes the trick if the other seats lay any of `others`."""
    chance = 1.0
    for other in range(s.seats):
        if other != seat:
            fits = fitting(s, other)
            total_odds = lay_odds(others, fits, weights)
            if total_odds > 0:
                stopped = lay_odds(others & stopping(s, other, card), fits, weights)
                chance *= 1 - stopped / total_odds
    return chance


def lay_odds(cards: int, fits: int, weights: Sequence[int]) -> float:
    """The odds that one of these cards is laid: one for each, and more if it fits."""
    return popcount(cards) + (weights[FIT_ODDS] / 1000 - 1) * popcount(cards & fits)


def stopping(s: State, seat: int, card: int) -> int:
    """All cards with which this seat stops another's fitting card from taking the trick."""
    value = value_of(card)
    if value == trump(s):
        return of_value(value)
    return of_value(value) | of_value(trump(s)) | better(s.side, own_suit(s, seat), value)


def better(side: int, suit: int, value: int) -> int:
    """The cards of a suit that beat this value when neither is trump."""
    below = (1 << value - LOWEST) - 1
    return (below if side == DOWN else SUIT_BITS & ~(below << 1 | 1)) << VALUES * suit
