"""How players bid in a simulation: in proportion to the stake, with a little will of their own."""

from typing import Any

from ludotheque.engine.playouts import nth_bit, popcount, roll
from ludotheque.games.stupide_vautour.rules import POINTS

HIGHEST_STAKE = 55
# By the size of a stake: the point cards that matter less, and those that matter as much
LESS = tuple(
    sum(1 << i for i, points in enumerate(POINTS) if abs(points) < size)
    for size in range(HIGHEST_STAKE + 1)
)
EQUAL = tuple(
    sum(1 << i for i, points in enumerate(POINTS) if abs(points) == size)
    for size in range(HIGHEST_STAKE + 1)
)
FANCY = 16  # one bid in so many is for no reason
WHIMS = 9  # ways in which two little dice fall, for how far a bid strays
CLEAR_WIN_POINTS = 10  # a lead of so many is about as good as it gets


def playout_move(s: Any, seat: int, dice: Any, moves: Any) -> int:
    hand = s.hands[seat]
    count = popcount(hand)
    luck = roll(dice, FANCY * WHIMS)
    if luck < WHIMS:
        return nth_bit(hand, roll(dice, count))
    size = abs(s.stake)
    rank = 2 * popcount(s.pile & LESS[size]) + popcount(s.pile & EQUAL[size]) + 1
    span = 2 * popcount(s.pile) + 2
    whim = luck % 3 + luck // 3 % 3 - 2
    place = (rank * (count - 1) + span // 2) // span + whim
    bid = nth_bit(hand, min(max(place, 0), count - 1))
    return cheapest_sure(s, seat, hand, bid)


def cheapest_sure(s: Any, seat: int, hand: int, bid: int) -> int:
    """Never more than the lowest card that nobody can beat."""
    others = 0
    for other in range(s.seats):
        if other != seat:
            others |= s.hands[other] | 1 << s.bids[other]  # it does not know what lies face down
    others |= others >> 1  # all cards up to the highest of them
    others |= others >> 2
    others |= others >> 4
    others |= others >> 8
    sure = hand & ~others
    if sure == 0:
        return bid
    return min(bid, popcount((sure & -sure) - 1))


def evaluate(root: Any, s: Any, seat: int) -> float:
    """Half for who is ahead, half for by how much; who shares a score wins half."""
    best = -CLEAR_WIN_POINTS * CLEAR_WIN_POINTS
    for other in range(s.seats):
        if other != seat:
            best = max(best, s.scores[other])
    lead = int(s.scores[seat] - best)
    victory = 0.5 * ((lead > 0) + (lead >= 0))
    return 0.5 * victory + 0.25 + 0.25 * lead / (abs(lead) + CLEAR_WIN_POINTS)
