"""How the cards of a hand can touch, as bits: what a search reads instead of symbols and cells.

A face is six symbols on two rows of three cells, read row by row. Its border is a ring of six
cells, so it has six *ports*: the pairs of neighbouring cells on the ring. A legal contact is a port
of one card against a port of the other, numbered `6 * port + other port`. Two small tables
(`CONTACT_OF_RELATION`, `STEP`) hold the geometry, one matrix of bit sets (`links`) holds the cards.

Written as rules are: plain Python on integers and lists that Numba compiles too.
"""

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from ludotheque.games.ubongo.cards import APART, GOOD, REACH, RELATIONS, SPAN, TURNS

Ints = MutableSequence[int]

PORTS = 6  # of a card
CONTACTS = PORTS * PORTS  # pairs of a port and a port
RING = (0, 1, 2, 5, 4, 3)  # the cells of a face, clockwise around its border
# The two cells of each port, one port after the other.
PORT_CELLS = tuple(RING[(port + end) % PORTS] for port in range(PORTS) for end in range(2))
MAX_CARDS = (
    36  # of a hand: BIT_NUMBER reads sets of at most this many bits, of cards or of contacts
)

NO_CONTACT = -1  # the two cards do not touch (corners do not count)
CLASH = -2  # they overlap, or share a border of one or three cells, or of unequal symbols

# A placement is a card of the hand, its turn, row and column: card << 18 | turn << 16 | y << 8 | x.
FIRST_CELL = 128  # row and column of the first card: 36 cards in a line stay within 0 … 255
ORIGIN = FIRST_CELL << 8 | FIRST_CELL


class LaidCard(NamedTuple):
    card: int  # which of the hand
    turn: int  # quarter turns clockwise
    x: int  # column of its leftmost cells, the first card's being 0
    y: int  # row of its topmost cells, counted downwards


def laid_card(placement: int) -> LaidCard:
    card, turn = placement >> 18, placement >> 16 & 3
    return LaidCard(card, turn, (placement & 255) - FIRST_CELL, (placement >> 8 & 255) - FIRST_CELL)


def port_of(cell: int, other: int) -> int:
    return next(
        port for port in range(PORTS) if {*PORT_CELLS[2 * port : 2 * port + 2]} == {cell, other}
    )


def contact_of(relation: Sequence[int]) -> int:
    """NO_CONTACT, CLASH or the contact of two cards in this relation."""
    how, a, b, c, d = relation
    if how == APART:
        return NO_CONTACT
    return PORTS * port_of(a, c) + port_of(b, d) if how == GOOD else CLASH


def steps() -> tuple[int, ...]:
    """From a card in a turn to the one it has this contact with; a contact leaves one choice."""
    found = [0] * (TURNS * CONTACTS)
    for index, contact in enumerate(CONTACT_OF_RELATION):
        turns, dy, dx = index // SPAN // SPAN, index // SPAN % SPAN, index % SPAN
        if contact >= 0:
            step = (turns % TURNS << 16) + (dy - REACH) * 256 + dx - REACH
            found[turns // TURNS * CONTACTS + contact] = step
    return tuple(found)


CONTACT_OF_RELATION = tuple(contact_of(relation) for relation in RELATIONS)
STEP = steps()  # STEP[turn * CONTACTS + contact]: what to add to the row and column
POSSIBLE = sum(1 << contact for contact in set(CONTACT_OF_RELATION) if contact >= 0)  # 28 of the 36
# The powers of 2 differ modulo 37: BIT_NUMBER[2**i % 37] == i for i < 36.
BIT_NUMBER = tuple(next((i for i in range(36) if 2**i % 37 == rest), 0) for rest in range(37))


# What the cards allow


def link_pair(face: Sequence[int], other: Sequence[int]) -> int:
    """The contacts whose facing symbols are equal, as a bit set."""
    bits = 0
    for port in range(PORTS):
        a, b = face[PORT_CELLS[2 * port]], face[PORT_CELLS[2 * port + 1]]
        for beside in range(PORTS):
            c, d = other[PORT_CELLS[2 * beside]], other[PORT_CELLS[2 * beside + 1]]
            bits |= ((a == d) & (b == c)) << (PORTS * port + beside)
    return bits & POSSIBLE


def mirrored(bits: int) -> int:
    """The same contacts, seen from the other card."""
    seen = 0
    while bits:
        contact = BIT_NUMBER[(bits & -bits) % 37]
        bits &= bits - 1
        seen |= 1 << (contact % PORTS * PORTS + contact // PORTS)
    return seen


def link(faces: Sequence[Sequence[int]], size: int, links: Ints) -> None:
    """Write links[card * size + other]: the contacts that the two allow; none with itself."""
    for card in range(size):
        links[card * size + card] = 0
        for other in range(card):
            bits = link_pair(faces[card], faces[other])
            links[card * size + other] = bits
            links[other * size + card] = mirrored(bits)


def count_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def connected(neighbours: Ints, start: int, free: int) -> int:
    """The free cards that matches link to those of `start`, directly or through others."""
    seen = start & free
    fresh = seen
    while fresh:
        lowest = fresh & -fresh
        more = neighbours[BIT_NUMBER[lowest % 37]] & free & ~seen
        seen |= more
        fresh = (fresh ^ lowest) | more
    return seen


def contact_between(links: Ints, size: int, one: int, other: int) -> int:
    """NO_CONTACT, CLASH or the contact of two placements."""
    dx = (other & 255) - (one & 255) + REACH
    dy = (other >> 8 & 255) - (one >> 8 & 255) + REACH
    if dx < 0 or dx >= SPAN or dy < 0 or dy >= SPAN:
        return NO_CONTACT
    turns = (one >> 16 & 3) * TURNS + (other >> 16 & 3)
    contact = CONTACT_OF_RELATION[(turns * SPAN + dy) * SPAN + dx]
    if contact < 0:
        return contact
    return contact if links[(one >> 18) * size + (other >> 18)] >> contact & 1 else CLASH
