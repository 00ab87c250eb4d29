"""Exact answers about a hand: can so many cards be laid, how many at most, in how many ways.

A face is six symbols on two rows of three cells, read row by row. Its border is a ring of six
cells, so it has six *ports*: the pairs of neighbouring cells on the ring. A legal contact is a port
of one card against a port of the other, numbered `6 * port + other port`. All that is asked of the
geometry stands in two small tables (`RELATION`, `SEAT`), all that is asked of the cards in one
matrix of bit sets (`link`).

The search enumerates connected groups as polyominoes are enumerated: a seat beside the group is
either taken or excluded for good, so every arrangement is met exactly once. An arrangement is
counted once however it is moved or turned as a whole.
"""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., object])

CALL = 7  # cards that a player must lay to call
RING = (0, 1, 2, 5, 4, 3)  # the cells of a face, clockwise around its border
PORTS = tuple((RING[i], RING[(i + 1) % 6]) for i in range(6))

FREE = -1  # the two cards do not touch (corners do not count)
CLASH = -2  # they overlap, or share a border of one or three cells
REACH = 3  # cards whose corners are further apart than this never touch

# What a row of `laid` and `seats` holds.
CARD, TURN, X, Y = 0, 1, 2, 3
UNTRIED, TOP = 4, 5  # laid: the newest seat not yet tried, the count of seats before this card
AGE, NEXT, BELOW = 4, 5, 6  # seats: cards laid when offered, next older seat, cards from here down


class Laid(NamedTuple):
    card: int  # its place in the hand
    turn: int  # quarter turns clockwise
    x: int  # column of its leftmost cells
    y: int  # row of its topmost cells, counted downwards


def cells(turn: int) -> dict[tuple[int, int], int]:
    """Where each cell of a face comes to lie: {(x, y): cell}."""
    turned = np.rot90(np.arange(6).reshape(2, 3), -turn)
    return {(x, y): int(cell) for (y, x), cell in np.ndenumerate(turned)}


def port_of(one: int, other: int) -> int:
    return next(p for p, port in enumerate(PORTS) if set(port) == {one, other})


def relation(turn: int, other_turn: int, dx: int, dy: int) -> int:
    """FREE, CLASH or the contact between a card and another that lies (dx, dy) away from it."""
    here = cells(turn)
    there = {(x + dx, y + dy): cell for (x, y), cell in cells(other_turn).items()}
    if here.keys() & there.keys():
        return CLASH
    facing = [
        (cell, there[x + i, y + j])
        for (x, y), cell in here.items()
        for i, j in ((1, 0), (0, 1), (-1, 0), (0, -1))
        if (x + i, y + j) in there
    ]
    if not facing:
        return FREE
    if len(facing) != 2:
        return CLASH
    (a, b), (c, d) = facing
    return 6 * port_of(a, c) + port_of(b, d)


def relations() -> Ints:
    """RELATION[turn, other turn, dx + REACH, dy + REACH]."""
    span = range(-REACH, REACH + 1)
    return np.array(
        [
            [[[relation(t, u, dx, dy) for dy in span] for dx in span] for u in range(4)]
            for t in range(4)
        ]
    )


def seats_by_contact(relation: Ints) -> Ints:
    """SEAT[turn, contact]: the other card's turn, dx and dy. The contact leaves one choice."""
    seat = np.zeros((4, 36, 3), np.int64)
    for (turn, other_turn, x, y), contact in np.ndenumerate(relation):
        if contact >= 0:
            seat[turn, contact] = other_turn, x - REACH, y - REACH
    return seat


RELATION = relations()
SEAT = seats_by_contact(RELATION)
CONTACTS = np.unique(RELATION[RELATION >= 0])  # 28 of the 36 pairs of ports can meet
PORT_CELLS = np.array(PORTS)
BIT = np.zeros(37, np.int64)  # the powers of 2 differ modulo 37: BIT[2**i % 37] == i for i < 36
for _i in range(36):
    BIT[2**_i % 37] = _i


def compiled(function: Function) -> Function:
    """Numba's njit, which has no types of its own."""
    return cast(Function, njit(function))


@compiled
def link_pair(face: Ints, other: Ints) -> int:
    """The contacts whose facing symbols are equal, as a bit set."""
    bits = 0
    for contact in CONTACTS:
        a, b = PORT_CELLS[contact // 6]
        c, d = PORT_CELLS[contact % 6]
        if face[a] == other[d] and face[b] == other[c]:
            bits |= 1 << contact
    return bits


@compiled
def link(faces: Ints) -> Ints:
    """links[card, other]: the contacts that the two allow; a card has none with itself."""
    links = np.zeros((len(faces), len(faces)), np.int64)
    for card in range(len(faces)):
        for other in range(len(faces)):
            if card != other:
                links[card, other] = link_pair(faces[card], faces[other])
    return links


@compiled
def count_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled
def reachable(neighbours: Ints, start: int, free: int) -> int:
    """How many free cards hang together with those of `start`."""
    seen = start & free
    open_ = seen
    count = 0
    while open_:
        lowest = open_ & -open_
        fresh = neighbours[BIT[lowest % 37]] & free & ~seen
        seen |= fresh
        open_ = (open_ ^ lowest) | fresh
        count += 1
    return count


@compiled
def stands(links: Ints, hand: Ints, laid: Ints, level: int, seat: Ints) -> int:
    """CLASH if the seat spoils laid[level], FREE if they do not touch, else their contact."""
    dx = seat[X] - laid[level, X] + REACH
    dy = seat[Y] - laid[level, Y] + REACH
    if not (0 <= dx <= 2 * REACH and 0 <= dy <= 2 * REACH):
        return FREE
    contact: int = RELATION[laid[level, TURN], seat[TURN], dx, dy]
    if contact < 0:
        return contact
    matches = links[hand[laid[level, CARD]], hand[seat[CARD]]] >> contact & 1
    return contact if matches else CLASH


@compiled
def offer(links: Ints, hand: Ints, laid: Ints, level: int, free: int, seats: Ints) -> None:
    """Add the seats beside laid[level] to the untried ones.

    A seat that touches an older card too was offered when that card was laid.
    """
    top = laid[level, TOP]
    newest = laid[level, UNTRIED]
    turn = laid[level, TURN]
    while free:
        lowest = free & -free
        free ^= lowest
        card = BIT[lowest % 37]
        contacts = links[hand[laid[level, CARD]], hand[card]]
        while contacts:
            contact = BIT[(contacts & -contacts) % 37]
            contacts &= contacts - 1
            seat = seats[top]
            seat[CARD] = card
            seat[TURN] = SEAT[turn, contact, 0]
            seat[X] = laid[level, X] + SEAT[turn, contact, 1]
            seat[Y] = laid[level, Y] + SEAT[turn, contact, 2]
            for older in range(level):
                if stands(links, hand, laid, older, seat) != FREE:
                    break
            else:
                seat[AGE] = level + 1
                seat[NEXT] = newest
                seat[BELOW] = lowest | (seats[newest, BELOW] if newest >= 0 else 0)
                newest = top
                top += 1
    laid[level, UNTRIED] = newest
    laid[level + 1, TOP] = top


@compiled
def search_from(
    links: Ints,
    hand: Ints,
    neighbours: Ints,
    free: int,
    need: int,
    limit: int,
    laid: Ints,
    seats: Ints,
) -> int:
    """Count, up to `limit`, the groups of `need` cards around laid[0] with cards of `free`."""
    found = 0
    level = 0
    laid[0, UNTRIED] = -1
    laid[0, TOP] = 0
    offer(links, hand, laid, 0, free, seats)
    while True:
        newest = laid[level, UNTRIED]
        if newest < 0 or level + 1 + reachable(neighbours, seats[newest, BELOW], free) < need:
            if level == 0:
                return found
            free |= 1 << laid[level, CARD]
            level -= 1
            continue
        seat = seats[newest]
        laid[level, UNTRIED] = seat[NEXT]
        if not free >> seat[CARD] & 1:
            continue
        for younger in range(seat[AGE], level + 1):
            if stands(links, hand, laid, younger, seat) == CLASH:
                break
        else:
            laid[level + 1, :4] = seat[:4]
            if level + 2 == need:
                found += 1
                if found == limit:
                    return found
                continue
            level += 1
            free ^= 1 << seat[CARD]
            laid[level, UNTRIED] = seat[NEXT]
            offer(links, hand, laid, level, free, seats)


@compiled
def neighbours_of(links: Ints, hand: Ints) -> Ints:
    """For each card of the hand a bit set of those it matches."""
    neighbours = np.zeros(len(hand), np.int64)
    for card in range(len(hand)):
        for other in range(len(hand)):
            if links[hand[card], hand[other]]:
                neighbours[card] |= 1 << other
    return neighbours


@compiled
def loneliest(neighbours: Ints, free: int) -> int:
    """The free card with fewest neighbours."""
    lonely, fewest = -1, len(neighbours)
    for card in range(len(neighbours)):
        count = count_bits(neighbours[card])
        if free >> card & 1 and count < fewest:
            lonely, fewest = card, count
    return lonely


@compiled
def search(links: Ints, hand: Ints, need: int, limit: int, laid: Ints, seats: Ints) -> int:
    """Count, up to `limit`, the arrangements of `need` cards of the hand; `laid` keeps the last.

    Each card in turn is the root, at turn 0, and is then left out: every arrangement has one root.
    Cards with few neighbours come first, for they prune most.
    """
    size = len(hand)
    if need <= 1:
        laid[0, :4] = 0
        return min(size, limit)
    neighbours = neighbours_of(links, hand)
    free = (1 << size) - 1
    found = 0
    for _ in range(size - need + 1):
        root = loneliest(neighbours, free)
        free ^= 1 << root
        laid[0, :4] = 0
        laid[0, CARD] = root
        if 1 + reachable(neighbours, neighbours[root], free) >= need:
            found += search_from(links, hand, neighbours, free, need, limit - found, laid, seats)
        if found >= limit:
            break
    return found


def buffers(size: int) -> tuple[Ints, Ints]:
    """Room for the `laid` and the `seats` of a search over hands of so many cards."""
    return np.empty((size + 1, 6), np.int64), np.empty((size * size * 28 + 1, 7), np.int64)


def find(faces: Sequence[Sequence[int]], need: int = CALL) -> tuple[Laid, ...]:
    """An arrangement of `need` of the cards; empty if there is none."""
    laid, seats = buffers(len(faces))
    if not 1 <= need <= len(faces) or not run(faces, need, 1, laid, seats):
        return ()
    return tuple(Laid(*row) for row in laid[:need, :4].tolist())


def can_lay(faces: Sequence[Sequence[int]], need: int = CALL) -> bool:
    return len(find(faces, need)) > 0


def largest(faces: Sequence[Sequence[int]]) -> tuple[Laid, ...]:
    """An arrangement of as many of the cards as can be laid."""
    return next((best for need in range(len(faces), 0, -1) if (best := find(faces, need))), ())


def count(faces: Sequence[Sequence[int]], need: int = CALL) -> int:
    """The arrangements of exactly `need` of the cards."""
    return run(faces, need, sys.maxsize, *buffers(len(faces)))


def run(faces: Sequence[Sequence[int]], need: int, limit: int, laid: Ints, seats: Ints) -> int:
    if len(faces) > 36:
        raise ValueError(f"expected at most 36 cards, found {len(faces)}")
    links = link(np.array(faces, np.int64).reshape(-1, 6))
    return int(search(links, np.arange(len(faces)), need, limit, laid, seats))
