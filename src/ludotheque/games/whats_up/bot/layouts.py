"""Every way in which the cards with unknown backs may lie, counted and drawn exactly.

Each card exists once, so it is an edge between its two faces, and the face that lies up gives the
edge a direction. The layouts that agree with the table are the directions of the unplaced cards in
which every face is up as often as it shows. The cards of one colour form a triangle; the cards of
one number of birds link its four colours. So we go through all directions of the four triangles (12
cards, 4096 ways). The links must show the remaining faces, and for each number of birds a table of
the 64 directions of its links says in how many ways they do.

Written as rules are: plain functions, which a search compiles beside the rules.
"""

from typing import Any

from ludotheque.engine.playouts import random_below, random_bit
from ludotheque.games.whats_up.rules import CARDS, COLOURS, DECK, FULL, face_of

__kernels__ = ("count_layouts",)

CARD_OF = tuple(  # by two faces: the place in DECK of the card that has them, or −1
    tuple(next((i for i in range(CARDS) if set(DECK[i]) == {f, g}), -1) for g in range(16))
    for f in range(16)
)
PARTNERS = tuple(sum(1 << g for g in range(16) if CARD_OF[f][g] >= 0) for f in range(16))
TRIANGLE = ((1, 2), (1, 3), (2, 3))  # the numbers of birds on the cards of one colour
LINK = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))  # the colours on those of one number
BITS = len(TRIANGLE)
TRIANGLES = 1 << BITS * COLOURS
LINKS = 1 << len(LINK)
SHOWINGS = 4**COLOURS  # how often each colour shows with one number of birds: a digit of 0–3 each
IMPOSSIBLE = -1

# The tables that counting fills and drawing reads, one row each
WAYS = 0  # at t: layouts whose triangles lie in one of the ways 0 … t; the last entry counts all
WANTED = 1  # by colour, direction of its triangle and number of birds: what its links have to show
SHOWN = 2  # by number of birds and direction of its links: what they show
TALLIES = 3  # by number of birds and what is to show: in how many ways its links show it
BACKS = 4  # by face: the faces that lie under it, as bits
TABLES_SHAPE = (5, TRIANGLES)


def count_layouts(unplaced: int, shows: Any, tables: Any) -> int:
    """How many layouts of the unplaced cards (as bits) show each face as often as `shows` says."""
    tally_links(unplaced, tables)
    for colour in range(COLOURS):
        for triangle in range(1 << BITS):
            note_wanted(unplaced, shows, colour, triangle, tables)
    total = 0
    for triangles in range(TRIANGLES):
        total += ways_around(triangles, tables)
        tables[WAYS][triangles] = total
    return total


def tally_links(unplaced: int, tables: Any) -> None:
    for place in range(FULL * SHOWINGS):
        tables[TALLIES][place] = 0
    for level in range(FULL):
        for links in range(LINKS):
            shown = shown_by_links(unplaced, level + 1, links)
            tables[SHOWN][LINKS * level + links] = shown
            if shown != IMPOSSIBLE:
                tables[TALLIES][SHOWINGS * level + shown] += 1


def shown_by_links(unplaced: int, birds: int, links: int) -> int:
    """How often each colour shows: a bit of `links` is set if the second colour of a card is up.

    The bit of a card with a known place must stay 0, so that no layout is counted twice.
    """
    shown = 0
    for place in range(len(LINK)):
        one, other = LINK[place][0], LINK[place][1]
        second = links >> place & 1
        if unplaced >> CARD_OF[face_of(one, birds)][face_of(other, birds)] & 1 == 1:
            shown += 1 << 2 * (other if second == 1 else one)
        elif second == 1:
            return IMPOSSIBLE
    return shown


def note_wanted(unplaced: int, shows: Any, colour: int, triangle: int, tables: Any) -> None:
    """Note what the links must show if this colour's triangle lies like this."""
    first = (colour << BITS | triangle) * FULL
    is_possible = True
    for birds in range(1, FULL + 1):
        tables[WANTED][first + birds - 1] = shows[face_of(colour, birds)]
    for place in range(BITS):
        one, other = TRIANGLE[place][0], TRIANGLE[place][1]
        second = triangle >> place & 1
        if unplaced >> CARD_OF[face_of(colour, one)][face_of(colour, other)] & 1 == 1:
            tables[WANTED][first + (other if second == 1 else one) - 1] -= 1
        elif second == 1:
            is_possible = False
    for place in range(first, first + FULL):
        if not is_possible or not 0 <= tables[WANTED][place] < COLOURS:
            tables[WANTED][place] = IMPOSSIBLE


def ways_around(triangles: int, tables: Any) -> int:
    """In how many ways the links show what these triangles do not."""
    ways = 1
    for level in range(FULL):
        wanted = wanted_of_links(triangles, level, tables)
        if wanted == IMPOSSIBLE:
            return 0
        ways *= tables[TALLIES][SHOWINGS * level + wanted]
    return ways


def wanted_of_links(triangles: int, level: int, tables: Any) -> int:
    wanted = 0
    for colour in range(COLOURS):
        triangle = triangles >> BITS * colour & (1 << BITS) - 1
        digit = tables[WANTED][(colour << BITS | triangle) * FULL + level]
        if digit == IMPOSSIBLE:
            return IMPOSSIBLE
        wanted += digit << 2 * colour
    return wanted


def lay_out(s: Any, unknown: int, unplaced: int, tables: Any, stream: Any) -> None:
    """Lay a back under each unknown cell (as bits): all counted layouts are equally likely.

    If there is none, as on a table set up by hand, any back may lie there.
    """
    for face in range(len(CARD_OF)):
        tables[BACKS][face] = 0
    if tables[WAYS][TRIANGLES - 1] > 0:
        draw_backs(unplaced, tables, stream)
    for cell in range(CARDS):
        if unknown >> cell & 1 == 1:
            up = s.up[cell]
            back = random_bit(tables[BACKS][up] if tables[BACKS][up] > 0 else PARTNERS[up], stream)
            s.down[cell] = back
            tables[BACKS][up] &= ~(1 << back)


def draw_backs(unplaced: int, tables: Any, stream: Any) -> None:
    """Note which backs lie under the cards that show each face."""
    triangles = drawn_triangles(tables, stream)
    for colour in range(COLOURS):
        for place in range(BITS):
            one, other = TRIANGLE[place][0], TRIANGLE[place][1]
            second = triangles >> BITS * colour + place & 1
            put(face_of(colour, one), face_of(colour, other), second, unplaced, tables)
    for level in range(FULL):
        links = drawn_links(level, wanted_of_links(triangles, level, tables), tables, stream)
        for place in range(len(LINK)):
            one, other = LINK[place][0], LINK[place][1]
            second = links >> place & 1
            put(face_of(one, level + 1), face_of(other, level + 1), second, unplaced, tables)


def put(one: int, other: int, second: int, unplaced: int, tables: Any) -> None:
    """Note that a card lies with its second face up, or with its first."""
    if unplaced >> CARD_OF[one][other] & 1 == 1:
        if second == 1:
            tables[BACKS][other] |= 1 << one
        else:
            tables[BACKS][one] |= 1 << other


def drawn_triangles(tables: Any, stream: Any) -> int:
    """The first way at which the count of layouts exceeds a random ticket, by binary search."""
    ticket = random_below(stream, tables[WAYS][TRIANGLES - 1])
    low, high = 0, TRIANGLES - 1
    while low < high:
        middle = (low + high) // 2
        if tables[WAYS][middle] > ticket:
            high = middle
        else:
            low = middle + 1
    return low


def drawn_links(level: int, wanted: int, tables: Any, stream: Any) -> int:
    ticket = random_below(stream, tables[TALLIES][SHOWINGS * level + wanted])
    links = 0
    while tables[SHOWN][LINKS * level + links] != wanted or ticket > 0:
        ticket -= tables[SHOWN][LINKS * level + links] == wanted
        links += 1
    return links
