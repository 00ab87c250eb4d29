"""What a pile threatens to cost: cards that will find no box, columns that no box will raise.

Written as rules are, and compiled beside them. `spare` counts the boxes of each shape that are not
taken; `need` the cards of each kind to come that they would have to answer.
"""

from typing import Any

from ludotheque.games.team_up.parts import COLOURS, LAYERS, MAX_SHAPES, WIDTH
from ludotheque.games.team_up.pile import beside, even_neighbours
from ludotheque.games.team_up.rules import SHAPES, State, even_places


def lack(s: State, spare: Any, need: Any, pairs: Any) -> int:
    """The cards to come, at least, for which there will be no box."""
    missing = 0
    for shape in range(len(SHAPES)):
        missing += max(0, need[shape] - spare[shape])
    for pair in range(len(pairs)):
        one, other = pairs[pair][0], pairs[pair][1]
        free = max(0, spare[one] - need[one]) + max(0, spare[other] - need[other])
        missing += max(0, need[MAX_SHAPES + COLOURS + pair] - free)
    for colour in range(COLOURS):
        boxes = 0
        for shape in range(len(SHAPES)):
            boxes += min(s.left[shape][colour], spare[shape])
        missing += max(0, need[MAX_SHAPES + colour] - boxes)
    return missing


def bare(low: Any, spare: Any) -> int:
    """The columns that no spare box could raise now; clones aside."""
    right, behind = even_neighbours(low)
    columns = int(low[LAYERS - 1])
    for shape in range(len(SHAPES)):
        if spare[shape] > 0 and columns != 0:
            fitting = low[LAYERS - SHAPES[shape][2]]
            for turned in range(2):
                corners = fitting & even_places(shape, turned, right, behind)
                columns &= ~covered(corners, shape, turned)
    return columns


def covered(corners: int, shape: int, turned: int) -> int:
    """The columns under boxes of this shape that have their lowest column and row at these."""
    rows = corners
    for i in range(1, SHAPES[shape][turned]):
        rows |= corners << i
    found = rows
    for j in range(1, SHAPES[shape][1 - turned]):
        found |= rows << (j * WIDTH)
    return found


def waiting(low: Any, columns: int) -> int:
    """Those of these columns near a lower one, whose rise may help; the others are stuck."""
    right, behind = even_neighbours(low)
    near = 0
    for k in range(LAYERS):
        near |= beside(low[k]) & ~low[k]
    for _ in range(WIDTH):  # no box is longer
        near |= (near & right) << 1 | (near >> 1 & right)
        near |= (near & behind) << WIDTH | (near >> WIDTH & behind)
    return columns & near
