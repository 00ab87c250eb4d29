"""What makes a deal fair: enough cards of every hand can be laid, and all are about as easy.

The search grows a group of cards as polyominoes are enumerated. The candidates beside the laid
cards form one long line, those beside the first card first; each is taken or excluded for good, so
no group is visited twice. The search gives up after MAX_CANDIDATES, and such a hand counts as one
that cannot be laid.
"""

from collections.abc import Sequence

from ludotheque.games.ubongo.cards import (
    APART,
    GOOD,
    REACH,
    RELATIONS,
    SPAN,
    TURNS,
    relation_index,
    touch,
)

HAND = 9  # cards that a player holds
SEVEN = 7  # cards that must be laid
SPARE = HAND - SEVEN  # cards that need not be laid, of smaller hands too
WHOLE = (1 << HAND) - 1  # a hand, as bits
SIDES = 2  # of a card: white and black
MOST_MATCHES, FEWEST_MATCHES = 3, 2  # hands are alike if their matches are as 3 to 2 at most

# The ways to border a card on two cells, BORDERS of them for each of its turns: the index in
# RELATIONS, the other card's turn, and how many columns and rows it lies away.
BESIDE = tuple(
    (index, index // SPAN // SPAN % TURNS, index % SPAN - REACH, index // SPAN % SPAN - REACH)
    for index in range(len(RELATIONS))
    if RELATIONS[index][0] == GOOD
)
BORDERS = len(BESIDE) // TURNS

# What is kept of each laid card: which of the hand, its turn, x and y, its candidate in the line.
CARD, TURN, X, Y, CANDIDATE = range(5)
KEPT = 5
MAX_CANDIDATES = 10_000


def is_fair(hands: Sequence[Sequence[int]], seats: int, size: int) -> bool:
    """Whether, on both sides, hands of this size are alike and enough of each can be laid."""
    for side in range(SIDES):
        if not are_alike(hands, seats, size, side):
            return False
    for seat in range(seats):
        for side in range(SIDES):
            if not can_lay(hands[seat], size, side):
                return False
    return True


def are_alike(hands: Sequence[Sequence[int]], seats: int, size: int, side: int) -> bool:
    fewest = most = matches(hands[0], size, side)
    for seat in range(1, seats):
        count = matches(hands[seat], size, side)
        fewest, most = min(fewest, count), max(most, count)
    return most * FEWEST_MATCHES <= fewest * MOST_MATCHES


def matches(hand: Sequence[int], size: int, side: int) -> int:
    """In how many ways two cards of a hand can touch: the more, the easier it is to lay."""
    count = 0
    for card in range(size):
        for other in range(card):
            for way in range(BORDERS):
                count += touch(hand[card], hand[other], side, BESIDE[way][0]) == GOOD
    return count


def can_lay(hand: Sequence[int], size: int, side: int) -> bool:
    return lay_enough(hand, size, side, [0] * (SEVEN * KEPT))


def lay_enough(hand: Sequence[int], size: int, side: int, laid: list[int]) -> bool:
    """Search for all cards but SPARE that can be laid, and write them into `laid`, all zeros.

    Each card in turn is the root of the group, and is then excluded.
    """
    last = root = 0  # `laid` holds the cards 0 … last
    used = WHOLE >> size << size | 1  # cards that are laid, excluded or not dealt, as bits
    candidate = 0  # in the line: (laid card * HAND + card beside it) * BORDERS + way
    for _ in range(MAX_CANDIDATES):
        if candidate >= (last + 1) * HAND * BORDERS:
            if last == 0:
                root += 1
                used |= 1 << root
                laid[CARD], candidate = root, 0
                if root > SPARE:
                    return False
            else:
                used ^= 1 << laid[last * KEPT + CARD]
                candidate = laid[last * KEPT + CANDIDATE] + 1
                last -= 1
        elif used >> candidate // BORDERS % HAND & 1 == 1:
            candidate += BORDERS - candidate % BORDERS
        elif lay_next(hand, side, laid, last, candidate):
            last += 1
            if last == size - SPARE - 1:
                return True
            used |= 1 << laid[last * KEPT + CARD]
            candidate += 1
        else:
            candidate += 1
    return False


def lay_next(hand: Sequence[int], side: int, laid: list[int], last: int, candidate: int) -> bool:
    """Lay the candidate as the next card, if it touches no laid card wrongly.

    A candidate that touches a card before its own came earlier in the line, beside that card.
    """
    own = candidate // BORDERS // HAND
    card, turn = candidate // BORDERS % HAND, laid[own * KEPT + TURN]
    way = turn * BORDERS + candidate % BORDERS
    if touch(hand[laid[own * KEPT + CARD]], hand[card], side, BESIDE[way][0]) != GOOD:
        return False
    turn = BESIDE[way][1]
    x, y = laid[own * KEPT + X] + BESIDE[way][2], laid[own * KEPT + Y] + BESIDE[way][3]
    for older in range(last + 1):
        n = older * KEPT
        index = relation_index(laid[n + TURN], laid[n + X], laid[n + Y], turn, x, y)
        found = touch(hand[laid[n + CARD]], hand[card], side, index)
        if found > GOOD or (older < own and found != APART):
            return False
    n = (last + 1) * KEPT
    laid[n + CARD], laid[n + TURN], laid[n + X], laid[n + Y] = card, turn, x, y
    laid[n + CANDIDATE] = candidate
    return True
