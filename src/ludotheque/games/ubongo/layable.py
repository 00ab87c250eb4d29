"""Whether a hand can be laid: what makes a deal fair.

The search grows a group of cards as polyominoes are enumerated. The places beside the cards laid
stand in one long line, those beside the first card first; each is taken or left out for good, so
no group is met twice. The search gives up after so many places, and such a hand counts as one that
cannot be laid.
"""

from ludotheque.games.ubongo.cards import (
    APART,
    GOOD,
    REACH,
    SPAN,
    STANDS,
    TURNS,
    stand_of,
    touch,
)

HAND = 9  # cards that a player holds
SEVEN = 7  # cards that must be laid

# The ways to stand rightly beside a card, BORDERS of them for each of its turns: the index of
# STANDS, the other's turn, and how many columns and rows it lies away.
BESIDE = tuple(
    (stands, stands // SPAN // SPAN % TURNS, stands % SPAN - REACH, stands // SPAN % SPAN - REACH)
    for stands in range(len(STANDS))
    if STANDS[stands][0] == GOOD
)
BORDERS = len(BESIDE) // TURNS

# What is kept of each card laid: which of the hand, its turn, x and y, its place in the line.
CARD, TURN, X, Y, IN_LINE = range(5)
KEPT = 5
MAX_PLACES = 10_000  # looked at before the search gives up


def matches(hand: list[int], side: int) -> int:
    """In how many ways two cards of a hand can touch: the more, the easier it is to lay."""
    count = 0
    for card in range(HAND):
        for other in range(card):
            for way in range(BORDERS):
                count += touch(hand[card], hand[other], side, BESIDE[way][0]) == GOOD
    return count


def can_lay_seven(hand: list[int], side: int) -> bool:
    return lay_seven(hand, side, [0] * (SEVEN * KEPT))


def lay_seven(hand: list[int], side: int, laid: list[int]) -> bool:
    """Search seven cards of the hand that can be laid, and write them into `laid`, all 0 before.

    Each card in turn is the root of the group, and is then left out.
    """
    last = root = 0  # `laid` holds the cards 0 … last
    used = 1  # cards of the hand that are laid or left out, as bits
    place = 0  # in the line: (card laid * HAND + card beside it) * BORDERS + way
    for _ in range(MAX_PLACES):
        if place >= (last + 1) * HAND * BORDERS:
            if last == 0:
                root += 1
                used |= 1 << root
                laid[CARD], place = root, 0
                if root > HAND - SEVEN:
                    return False
            else:
                used ^= 1 << laid[last * KEPT + CARD]
                place = laid[last * KEPT + IN_LINE] + 1
                last -= 1
        elif used >> place // BORDERS % HAND & 1 == 1:
            place += BORDERS - place % BORDERS
        elif lay_next(hand, side, laid, last, place):
            last += 1
            if last == SEVEN - 1:
                return True
            used |= 1 << laid[last * KEPT + CARD]
            place += 1
        else:
            place += 1
    return False


def lay_next(hand: list[int], side: int, laid: list[int], last: int, place: int) -> bool:
    """Lay the card of this place as the next one, if it stands rightly beside all that are laid.

    A place that touches a card before its own was met earlier in the line, beside that card.
    """
    own = place // BORDERS // HAND
    card, turn = place // BORDERS % HAND, laid[own * KEPT + TURN]
    way = turn * BORDERS + place % BORDERS
    if touch(hand[laid[own * KEPT + CARD]], hand[card], side, BESIDE[way][0]) != GOOD:
        return False
    turn = BESIDE[way][1]
    x, y = laid[own * KEPT + X] + BESIDE[way][2], laid[own * KEPT + Y] + BESIDE[way][3]
    for older in range(last + 1):
        n = older * KEPT
        stands = stand_of(laid[n + TURN], laid[n + X], laid[n + Y], turn, x, y)
        found = touch(hand[laid[n + CARD]], hand[card], side, stands)
        if found > GOOD or (older < own and found != APART):
            return False
    n = (last + 1) * KEPT
    laid[n + CARD], laid[n + TURN], laid[n + X], laid[n + Y] = card, turn, x, y
    laid[n + IN_LINE] = place
    return True
