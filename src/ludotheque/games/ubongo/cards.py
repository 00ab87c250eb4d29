"""A card on the field: where its cells lie, and how two cards touch [Règle n° 2].

A face is two rows of three cells, read row by row with the long side down. A card lies on a grid
of cells in one of four turns; x and y are the column and the row of its upper left cell, y counts
downwards. Every relation of two turned cards is tabulated once, cell by cell.
"""

from ludotheque.games.ubongo.parts import DEFAULT

FACES = DEFAULT.faces  # FACES[card][side]: six symbols; a host's own cards replace them

TURNS = 4  # a turn is a number of quarter turns clockwise
WIDTH = (3, 2, 3, 2)  # of a card, by its turn, in cells
HEIGHT = (2, 3, 2, 3)
TURNED = (  # TURNED[turn]: the cells of the face, row by row as they lie
    (0, 1, 2, 3, 4, 5),
    (3, 0, 4, 1, 5, 2),
    (5, 4, 3, 2, 1, 0),
    (2, 5, 1, 4, 0, 3),
)
REACH = 3  # cards that touch are at most this far apart in columns and in rows
SPAN = 2 * REACH + 1

# How two cards touch; everything greater than GOOD is a fault.
APART = 0  # they share no border; a common corner is none
GOOD = 1  # a border of two cells, in equal pairs
OVERLAP = 2
ONE_CELL = 3  # a border of one cell
THREE_CELLS = 4  # a border of three cells
UNEQUAL = 5  # a border of two cells that are not in equal pairs …
CROSSED = 6  # … but would be if two of them changed places


def cells(turn: int, x: int, y: int) -> dict[tuple[int, int], int]:
    """The cells of the face by the column and row where they lie."""
    return {
        (x + place % WIDTH[turn], y + place // WIDTH[turn]): cell
        for place, cell in enumerate(TURNED[turn])
    }


def facing(turn: int, other_turn: int, dx: int, dy: int) -> list[tuple[int, int]]:
    """The cells that face each other across the border of a card and one (dx, dy) away from it."""
    there = cells(other_turn, dx, dy)
    return [
        (cell, there[beside])
        for (x, y), cell in cells(turn, 0, 0).items()
        for beside in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
        if beside in there
    ]


def relation(turn: int, other_turn: int, dx: int, dy: int) -> tuple[int, ...]:
    """How the shapes of the cards touch; after GOOD come the two pairs of facing cells."""
    if cells(turn, 0, 0).keys() & cells(other_turn, dx, dy).keys():
        return OVERLAP, 0, 0, 0, 0
    pairs = facing(turn, other_turn, dx, dy)
    if len(pairs) == 2:
        return GOOD, *pairs[0], *pairs[1]
    return (APART, ONE_CELL, 0, THREE_CELLS)[len(pairs)], 0, 0, 0, 0


# RELATIONS[relation_index(…)]: how the shapes of two cards touch; then, if they share a border of
# two cells, a cell, the one that it faces, the second cell, the one that it faces.
# RELATIONS[0] is that of cards far apart.
RELATIONS = tuple(
    relation(turn, other_turn, dx, dy)
    for turn in range(TURNS)
    for other_turn in range(TURNS)
    for dy in range(-REACH, REACH + 1)
    for dx in range(-REACH, REACH + 1)
)


def relation_index(turn: int, x: int, y: int, other_turn: int, other_x: int, other_y: int) -> int:
    dx, dy = other_x - x + REACH, other_y - y + REACH
    if dx < 0 or dx >= SPAN or dy < 0 or dy >= SPAN:
        return 0
    return ((turn * TURNS + other_turn) * SPAN + dy) * SPAN + dx


def touch(card: int, other: int, side: int, index: int) -> int:
    """How two cards in this relation touch, by their symbols too: APART, GOOD or a fault."""
    if RELATIONS[index][0] != GOOD:
        return RELATIONS[index][0]
    face, other_face = FACES[card][side], FACES[other][side]
    first, second = face[RELATIONS[index][1]], face[RELATIONS[index][3]]
    other_first, other_second = other_face[RELATIONS[index][2]], other_face[RELATIONS[index][4]]
    if first == other_first and second == other_second:
        return GOOD
    return CROSSED if first == other_second and second == other_first else UNEQUAL
