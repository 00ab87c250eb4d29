"""How players bid in a playout: in proportion to the stake, with some noise."""

from typing import Any

from ludotheque.engine.playouts import nth_bit, popcount, random_below
from ludotheque.games.stupide_vautour.rules import POINTS

MAX_STAKE = 55
# By the size of a stake: the point cards that matter less, and those that matter as much
LESS = tuple(
    sum(1 << i for i, points in enumerate(POINTS) if abs(points) < size)
    for size in range(MAX_STAKE + 1)
)
EQUAL = tuple(
    sum(1 << i for i, points in enumerate(POINTS) if abs(points) == size)
    for size in range(MAX_STAKE + 1)
)
BIDS_PER_RANDOM_BID = 16  # one of these is any card of the hand
NOISE_ROLLS = 9  # two dice with three sides each say how far a bid strays
LEAD_SCALE_POINTS = 10  # a lead this large counts half as much as the largest possible
NO_SCORE = -100  # lower than any


def playout_move(s: Any, seat: int, stream: Any, moves: Any) -> int:
    hand = s.hands[seat]
    count = popcount(hand)
    ticket = random_below(stream, BIDS_PER_RANDOM_BID * NOISE_ROLLS)
    if ticket < NOISE_ROLLS:
        return nth_bit(hand, random_below(stream, count))
    size = abs(s.stake)
    rank = 2 * popcount(s.pile & LESS[size]) + popcount(s.pile & EQUAL[size]) + 1
    span = 2 * popcount(s.pile) + 2
    noise = ticket % 3 + ticket // 3 % 3 - 2
    place = (rank * (count - 1) + span // 2) // span + noise
    bid = nth_bit(hand, min(max(place, 0), count - 1))
    return cheapest_sure(s, seat, hand, bid)


def cheapest_sure(s: Any, seat: int, hand: int, bid: int) -> int:
    """This bid, or the lowest card that nobody can beat if that is lower."""
    others = 0
    for other in range(s.seats):
        if other != seat:
            others |= s.hands[other] | 1 << s.bids[other]  # a player cannot see face-down bids
    others |= others >> 1  # set all bits below the highest one
    others |= others >> 2
    others |= others >> 4
    others |= others >> 8
    sure = hand & ~others
    if sure == 0:
        return bid
    return min(bid, popcount((sure & -sure) - 1))


def evaluate(root: Any, s: Any, seat: int) -> float:
    """Half for who is ahead, half for by how much; a shared lead counts as half a win."""
    best = NO_SCORE
    for other in range(s.seats):
        if other != seat:
            best = max(best, s.scores[other])
    lead = int(s.scores[seat] - best)
    victory = 0.5 * ((lead > 0) + (lead >= 0))
    return 0.5 * victory + 0.25 + 0.25 * lead / (abs(lead) + LEAD_SCALE_POINTS)
