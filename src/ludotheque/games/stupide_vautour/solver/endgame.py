"""The end of a match between two, solved exactly.

With few cards left, an equilibrium can be computed, in which neither player gains by knowing the
other's plan. Its value is the difference in points to come, averaged over the unknown order of the
point cards. Each bid is a small matrix game over the two hands.

The solver first lists all states that can follow, those with more cards before those with fewer,
and then computes their values from the last to the first. Only how the cards of the two hands
compare matters, so hands that compare alike are one state.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludotheque.search import matrix
from ludotheque.search.jit import jit, jit_cached
from ludotheque.search.matrix import solve

MAX_HAND_CARDS = 8
HASH_BITS = (8, 8, 8, 10, 12, 14, 15, 18, 20)  # of the table of states, by cards in a hand
EMPTY = -1
LOWEST_STAKE = -15
MULTIPLIER = 0x9E3779B97F4A7C15  # spreads neighbouring keys


class Plan(NamedTuple):
    """How to bid: a probability for each card, and what that gains whatever the other does."""

    cards: list[int]
    chances: list[float]
    value: float  # the points that this hand gains on the other
    gains: list[float]  # by card: what it gains on an opponent who plays their best


class States(NamedTuple):
    """All states before a card is turned up. Bit i of a hand is the i-th lowest value that either
    hand held at the start; `left` is the bits of the pile."""

    mine: Any
    theirs: Any
    left: Any
    stake: Any  # what ties have left on the table
    value: Any  # points that the owner of `mine` gains on the other
    keys: Any  # a hash table: the key of each state …
    places: Any  # … and its place in the rows above
    count: Any  # one number


class Workspace(NamedTuple):
    """The arrays in which one matrix game is solved."""

    payoffs: Any
    table: Any
    basis: Any
    plan: Any
    counterplan: Any


def plan(own: Sequence[int], other: Sequence[int], pile: Sequence[int], stake: int) -> Plan:
    """The best way to bid with the cards `own` against `other` for `stake`.

    `pile` holds the points still to be turned up after it, one card fewer than a hand.
    """
    size = len(own)
    if not (1 <= size <= MAX_HAND_CARDS and len(other) == size and len(pile) == size - 1):
        raise ValueError(
            f"hands of {size} and {len(other)} cards and a pile of {len(pile)}; expected equal "
            f"hands of 1 to {MAX_HAND_CARDS} cards and a pile of one card fewer"
        )
    values = sorted({*own, *other})
    mine = sum(1 << values.index(card) for card in own)
    theirs = sum(1 << values.index(card) for card in other)
    work = _workspace(size)
    value = solve_bid(
        mine, theirs, (1 << size - 1) - 1, stake, np.array(pile, np.int64), _states(size), work
    )
    gains = work.payoffs @ work.counterplan
    return Plan(sorted(own), work.plan.tolist(), float(value), gains.tolist())


def _states(size: int) -> States:
    slots = 1 << HASH_BITS[size]
    return States(
        np.zeros(slots // 2, np.int64),
        np.zeros(slots // 2, np.int64),
        np.zeros(slots // 2, np.int64),
        np.zeros(slots // 2, np.int64),
        np.zeros(slots // 2),
        np.full(slots, EMPTY, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(1, np.int64),
    )


def _workspace(size: int) -> Workspace:
    return Workspace(
        np.zeros((size, size)),
        np.zeros((size + 1, 2 * size + 1)),
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
    )


@jit_cached("stupide_vautour-endgame", __file__, matrix.__file__)
def solve_bid(
    mine: int, theirs: int, left: int, stake: int, pile: Any, states: Any, work: Any
) -> float:
    """The value of bidding for a known stake; the workspace then holds both plans."""
    list_after_bid(mine, theirs, left, stake, states)
    state = 0
    while state < states.count[0]:
        list_after(state, pile, states)
        state += 1
    for state in range(states.count[0] - 1, -1, -1):
        states.value[state] = value_of(state, pile, states, work)
    return value_of_bid(mine, theirs, left, stake, states, work)


@jit
def list_after(state: int, pile: Any, states: Any) -> None:
    """List the states that can follow this one, for every card that may be turned up."""
    left = states.left[state]
    for card in range(len(pile)):
        if left >> card & 1 == 1:
            stake = states.stake[state] + pile[card]
            list_after_bid(
                states.mine[state], states.theirs[state], left ^ 1 << card, stake, states
            )


@jit
def list_after_bid(mine: int, theirs: int, left: int, stake: int, states: Any) -> None:
    if left == 0:
        return
    own = mine
    while own != 0:
        card = own & -own
        own ^= card
        other = theirs
        while other != 0:
            rival = other & -other
            other ^= rival
            carried = stake if card == rival else 0
            place_of(mine ^ card, theirs ^ rival, left, carried, states)


@jit
def value_of(state: int, pile: Any, states: Any, work: Any) -> float:
    """The mean over the cards that may be turned up."""
    left = states.left[state]
    total = 0.0
    cards = 0
    for card in range(len(pile)):
        if left >> card & 1 == 1:
            cards += 1
            total += value_of_bid(
                states.mine[state],
                states.theirs[state],
                left ^ 1 << card,
                states.stake[state] + pile[card],
                states,
                work,
            )
    return total / cards


@jit
def value_of_bid(mine: int, theirs: int, left: int, stake: int, states: Any, work: Any) -> float:
    size = 0
    own = mine
    while own != 0:
        card = own & -own
        own ^= card
        other = theirs
        column = 0
        while other != 0:
            rival = other & -other
            other ^= rival
            carried = stake if card == rival else 0
            rest = 0.0
            if left != 0:
                rest = states.value[place_of(mine ^ card, theirs ^ rival, left, carried, states)]
            work.payoffs[size, column] = rest + taken(card, rival, stake)
            column += 1
        size += 1
    return solve(work.payoffs, size, size, work.table, work.basis, work.plan, work.counterplan)


@jit
def taken(own: int, other: int, stake: int) -> int:
    """What the first of two bids gains on the second; a negative stake goes to the lower one."""
    if own == other:
        return 0
    return stake if (own > other) == (stake >= 0) else -stake


@jit
def place_of(mine: int, theirs: int, left: int, stake: int, states: Any) -> int:
    """The place of a state; a new state is added."""
    key = pattern(mine, theirs) | left << 34 | (stake - LOWEST_STAKE) << 44
    place = spread(key) & len(states.keys) - 1
    while states.keys[place] != EMPTY:
        if states.keys[place] == key:
            return int(states.places[place])
        place = place + 1 & len(states.keys) - 1
    new = states.count[0]
    states.count[0] += 1
    states.keys[place] = key
    states.places[place] = new
    states.mine[new], states.theirs[new] = mine, theirs
    states.left[new], states.stake[new] = left, stake
    return int(new)


@jit
def spread(key: int) -> int:
    """A place for a key, far from those of its neighbours."""
    return int(np.uint64(key) * np.uint64(MULTIPLIER) >> np.uint64(24))


@jit
def pattern(mine: int, theirs: int) -> int:
    """How two hands compare: two bits for every card that at least one of them holds."""
    code = 0
    both = mine | theirs
    while both != 0:
        card = both & -both
        both ^= card
        code = code << 2 | int(mine & card != 0) | int(theirs & card != 0) << 1
    return code
