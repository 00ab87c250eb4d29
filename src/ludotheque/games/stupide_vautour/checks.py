"""What stays true of every state, and what each viewer may not know."""

from collections.abc import Iterator
from random import Random

from ludotheque.engine.bits import numbers
from ludotheque.games.stupide_vautour.rules import (
    POINTS,
    UNKNOWN,
    State,
    is_over,
    point_cards,
    series,
)


def faults(s: State) -> Iterator[str]:
    """Cards and points are conserved."""
    left = sum(POINTS[i] for i in numbers(s.pile))
    if sum(s.scores) + s.stake + left != sum(POINTS[i] for i in numbers(point_cards(s))):
        yield "points were made or lost"
    if s.stake != sum(POINTS[i] for i in numbers(s.table)):
        yield "the stake is not the sum of the cards on the table"
    if s.pile & s.table:
        yield "a point card is in the pile and on the table"
    if s.pile.bit_count() != s.cards - s.rounds:
        yield "the pile does not shrink by one card a round"
    for seat in range(s.seats):
        played = s.rounds - (s.waiting > 0 and s.bids[seat] == 0)
        if s.hands[seat].bit_count() != s.cards - played:
            yield f"seat {seat} has not played a card a round"
        if s.bids[seat] and s.hands[seat] >> s.bids[seat] & 1:
            yield f"seat {seat} bids a card and holds it"


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Others may hold and bid any cards that could be theirs; taken points may differ."""
    if is_over(s):
        return
    for seat in range(s.seats):
        if seat != viewer:
            _reseal_bid(s, seat, rng)
            if not s.open_discards:
                _reseal_hand(s, seat, rng)
    if not s.open_scores:
        _reseal_points(s, viewer, rng)


def _reseal_bid(s: State, seat: int, rng: Random) -> None:
    if s.bids[seat]:
        s.hands[seat] |= 1 << s.bids[seat]
        s.bids[seat] = rng.choice(numbers(s.hands[seat]))
        s.hands[seat] ^= 1 << s.bids[seat]


def _reseal_hand(s: State, seat: int, rng: Random) -> None:
    """The top of the discard is known, everything under it is memory."""
    free = [v for v in range(1, s.cards + 1) if v not in (s.tops[seat], s.bids[seat])]
    s.hands[seat] = sum(1 << v for v in rng.sample(free, s.hands[seat].bit_count()))
    assert s.hands[seat] & ~series(s) == 0


def _reseal_points(s: State, viewer: int, rng: Random) -> None:
    """Which cards are taken is memory: they and the pile's may be exchanged."""
    free = numbers(point_cards(s) & ~s.table)
    s.pile = sum(1 << i for i in rng.sample(free, s.pile.bit_count()))
    for seat in range(s.seats):
        if seat != viewer:
            s.scores[seat] = rng.randint(UNKNOWN, 55)
