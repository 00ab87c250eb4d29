"""Every way in which the cards with unknown backs may lie, counted and drawn exactly.

Each card exists once, so it is an edge between its two faces, and to lie with one of them up is a
direction of that edge. The layouts that agree with the table are the directions of the unmet cards
in which every face is up as often as it shows. The cards of one colour form a triangle; the cards
of one number of birds link its four colours. So we go through all directions of the four triangles
(12 cards, 4096 ways); what they leave to show must come from the links, and for each number of
birds a table of the 64 directions of its links says in how many ways it does.

Written as rules are: plain functions, which a search compiles beside the rules.
"""

from typing import Any

from ludotheque.engine.playouts import random_bit, roll
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

# What counting leaves on the desk for drawing: one row each.
WAYS = 0  # at t: layouts whose triangles lie in one of the ways 0 … t; the last counts them all
WANTED = 1  # by colour, direction of its triangle and number of birds: what its links have to show
SHOWN = 2  # by number of birds and direction of its links: what they show
TALLIES = 3  # by number of birds and what is to show: in how many ways its links show it
BACKS = 4  # by face: the faces that lie under it, as bits
DESK = (5, TRIANGLES)


def count_layouts(unmet: int, shows: Any, desk: Any) -> int:
    """How many layouts of the unmet cards (as bits) show each face as often as `shows` says."""
    tally_links(unmet, desk)
    for colour in range(COLOURS):
        for triangle in range(1 << BITS):
            note_wanted(unmet, shows, colour, triangle, desk)
    total = 0
    for triangles in range(TRIANGLES):
        total += ways_around(triangles, desk)
        desk[WAYS][triangles] = total
    return total


def tally_links(unmet: int, desk: Any) -> None:
    for place in range(FULL * SHOWINGS):
        desk[TALLIES][place] = 0
    for level in range(FULL):
        for links in range(LINKS):
            shown = shown_by_links(unmet, level + 1, links)
            desk[SHOWN][LINKS * level + links] = shown
            if shown != IMPOSSIBLE:
                desk[TALLIES][SHOWINGS * level + shown] += 1


def shown_by_links(unmet: int, birds: int, links: int) -> int:
    """How often each colour shows: a bit of `links` is set if the second colour of a card is up.

    Of a card that is met the bit must stay 0, so that no layout is counted twice.
    """
    shown = 0
    for place in range(len(LINK)):
        one, other = LINK[place][0], LINK[place][1]
        second = links >> place & 1
        if unmet >> CARD_OF[face_of(one, birds)][face_of(other, birds)] & 1 == 1:
            shown += 1 << 2 * (other if second == 1 else one)
        elif second == 1:
            return IMPOSSIBLE
    return shown


def note_wanted(unmet: int, shows: Any, colour: int, triangle: int, desk: Any) -> None:
    """Note what is left for the links to show if this colour's triangle lies so."""
    first = (colour << BITS | triangle) * FULL
    is_possible = True
    for birds in range(1, FULL + 1):
        desk[WANTED][first + birds - 1] = shows[face_of(colour, birds)]
    for place in range(BITS):
        one, other = TRIANGLE[place][0], TRIANGLE[place][1]
        second = triangle >> place & 1
        if unmet >> CARD_OF[face_of(colour, one)][face_of(colour, other)] & 1 == 1:
            desk[WANTED][first + (other if second == 1 else one) - 1] -= 1
        elif second == 1:
            is_possible = False
    for place in range(first, first + FULL):
        if not is_possible or not 0 <= desk[WANTED][place] < COLOURS:
            desk[WANTED][place] = IMPOSSIBLE


def ways_around(triangles: int, desk: Any) -> int:
    """In how many ways the links show what these triangles leave to them."""
    ways = 1
    for level in range(FULL):
        wanted = wanted_of_links(triangles, level, desk)
        if wanted == IMPOSSIBLE:
            return 0
        ways *= desk[TALLIES][SHOWINGS * level + wanted]
    return ways


def wanted_of_links(triangles: int, level: int, desk: Any) -> int:
    wanted = 0
    for colour in range(COLOURS):
        triangle = triangles >> BITS * colour & (1 << BITS) - 1
        digit = desk[WANTED][(colour << BITS | triangle) * FULL + level]
        if digit == IMPOSSIBLE:
            return IMPOSSIBLE
        wanted += digit << 2 * colour
    return wanted


def lay_out(s: Any, unknown: int, unmet: int, desk: Any, dice: Any) -> None:
    """Lay a back under each unknown cell (as bits): all layouts counted are equally likely.

    If there is none, since a table was set up by hand, anything may lie there.
    """
    for face in range(len(CARD_OF)):
        desk[BACKS][face] = 0
    if desk[WAYS][TRIANGLES - 1] > 0:
        draw_backs(unmet, desk, dice)
    for cell in range(CARDS):
        if unknown >> cell & 1 == 1:
            up = s.up[cell]
            back = random_bit(desk[BACKS][up] if desk[BACKS][up] > 0 else PARTNERS[up], dice)
            s.down[cell] = back
            desk[BACKS][up] &= ~(1 << back)


def draw_backs(unmet: int, desk: Any, dice: Any) -> None:
    """Note which backs lie under the cards that show each face."""
    triangles = drawn_triangles(desk, dice)
    for colour in range(COLOURS):
        for place in range(BITS):
            one, other = TRIANGLE[place][0], TRIANGLE[place][1]
            second = triangles >> BITS * colour + place & 1
            put(face_of(colour, one), face_of(colour, other), second, unmet, desk)
    for level in range(FULL):
        links = drawn_links(level, wanted_of_links(triangles, level, desk), desk, dice)
        for place in range(len(LINK)):
            one, other = LINK[place][0], LINK[place][1]
            second = links >> place & 1
            put(face_of(one, level + 1), face_of(other, level + 1), second, unmet, desk)


def put(one: int, other: int, second: int, unmet: int, desk: Any) -> None:
    """Note a card as lying with its second face up, or its first."""
    if unmet >> CARD_OF[one][other] & 1 == 1:
        if second == 1:
            desk[BACKS][other] |= 1 << one
        else:
            desk[BACKS][one] |= 1 << other


def drawn_triangles(desk: Any, dice: Any) -> int:
    """The first way in which the layouts counted so far exceed a ticket: halving."""
    ticket = roll(dice, desk[WAYS][TRIANGLES - 1])
    low, high = 0, TRIANGLES - 1
    while low < high:
        middle = (low + high) // 2
        if desk[WAYS][middle] > ticket:
            high = middle
        else:
            low = middle + 1
    return low


def drawn_links(level: int, wanted: int, desk: Any, dice: Any) -> int:
    ticket = roll(dice, desk[TALLIES][SHOWINGS * level + wanted])
    links = 0
    while desk[SHOWN][LINKS * level + links] != wanted or ticket > 0:
        ticket -= desk[SHOWN][LINKS * level + links] == wanted
        links += 1
    return links
