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


def lean(s: Any, seat: int, dice: Any, moves: Any) -> int:
    hand = s.hands[seat]
    count = popcount(hand)
    if roll(dice, FANCY) == 0:
        return nth_bit(hand, roll(dice, count))
    size = abs(s.stake)
    rank = 2 * popcount(s.pile & LESS[size]) + popcount(s.pile & EQUAL[size]) + 1
    span = 2 * popcount(s.pile) + 2
    place = (rank * (count - 1) + span // 2) // span + roll(dice, 3) + roll(dice, 3) - 2
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
