"""Bounds for pruning: cards that will find no box, columns that no box will raise.

Written as rules are, and compiled beside them. `spare` counts the boxes of each shape that are not
taken; `need` counts the cards of each kind to come that these boxes would have to answer.
"""

from typing import Any

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import SHAPES, even_places
from ludotheque.games.team_up.parts import COLOURS, LAYERS, MAX_SHAPES, WIDTH
from ludotheque.games.team_up.rules import State
from ludotheque.games.team_up.solver.pile import INNER_RIGHT, beside, even_neighbours


def unanswered_cards(s: State, spare: Any, need: Any, pairs: Any) -> int:
    """A lower bound of the cards to come for which there will be no box."""
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


def is_too_odd(low: Any, spare: Any) -> bool:
    """Whether more columns miss an odd number of cells than boxes of odd height could cover."""
    odd = 0
    for k in range(LAYERS):
        odd += popcount(low[k]) if (LAYERS - k) % 2 == 1 else -popcount(low[k])
    for shape in range(len(SHAPES)):
        if SHAPES[shape][2] % 2 == 1:
            odd -= spare[shape] * SHAPES[shape][0] * SHAPES[shape][1]
    return odd > 0


def is_cramped(low: Any, spare: Any) -> bool:
    """Whether a spare box has no room left in the layers, whatever is placed under it."""
    for shape in range(len(SHAPES)):
        if spare[shape] > 0:
            free = int(low[LAYERS - SHAPES[shape][2]])
            if room(free, shape, 0) | room(free, shape, 1) == 0:
                return True
    return False


def room(free: int, shape: int, turned: int) -> int:
    """The corners where all columns under this shape are free."""
    for _ in range(1, SHAPES[shape][turned]):
        free &= free >> 1 & INNER_RIGHT
    for _ in range(1, SHAPES[shape][1 - turned]):
        free &= free >> WIDTH
    return free


def blocked_columns(low: Any, spare: Any) -> int:
    """The columns that no spare box could raise now, even as a clone."""
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
    """The columns under boxes of this shape with these corners."""
    rows = corners
    for i in range(1, SHAPES[shape][turned]):
        rows |= corners << i
    found = rows
    for j in range(1, SHAPES[shape][1 - turned]):
        found |= rows << (j * WIDTH)
    return found


def waiting_columns(low: Any, columns: int) -> int:
    """Those of these columns near a lower one: once it rises, a box may fit."""
    right, behind = even_neighbours(low)
    near = 0
    for k in range(LAYERS):
        near |= beside(low[k]) & ~low[k]
    for _ in range(WIDTH):  # no box is longer
        near |= (near & right) << 1 | (near >> 1 & right)
        near |= (near & behind) << WIDTH | (near >> WIDTH & behind)
    return columns & near
