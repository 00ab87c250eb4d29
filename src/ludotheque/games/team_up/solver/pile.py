"""The pile as sets of columns, one for every layer, for quick evaluation.

Written as rules are, and compiled beside them. `low[k]` holds the columns that layer k does not
reach yet; a set of columns is the bits of a number, as in the rules.
"""

from typing import Any

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import (
    COLUMNS,
    LEFT_EDGE,
    PALLET,
    RIGHT_EDGE,
    SHAPES,
    columns_up_to,
)
from ludotheque.games.team_up.parts import LAYERS, WIDTH
from ludotheque.games.team_up.rules import State

INNER_RIGHT = PALLET & ~RIGHT_EDGE  # the columns with a neighbour at x + 1 …
INNER_LEFT = PALLET & ~LEFT_EDGE  # … at x − 1 …
INNER_BACK = PALLET >> WIDTH  # … and at y + 1


def survey(s: State, low: Any) -> None:
    for k in range(LAYERS):
        low[k] = columns_up_to(s, k)


def steps(columns: int) -> int:
    """The number of borders between these columns and the others."""
    across = (columns ^ columns >> 1) & INNER_RIGHT
    along = (columns ^ columns >> WIDTH) & INNER_BACK
    return popcount(across | along << COLUMNS)


def beside(columns: int) -> int:
    """The columns that have one of these as a neighbour."""
    across = (columns << 1 & INNER_LEFT) | (columns >> 1 & INNER_RIGHT)
    return (across | columns << WIDTH | columns >> WIDTH) & PALLET


def even_neighbours(low: Any) -> tuple[int, int]:
    """The columns that are as high as the next at x + 1, and at y + 1, counted in layers."""
    right, behind = INNER_RIGHT, INNER_BACK
    for k in range(LAYERS):
        right &= ~(low[k] ^ low[k] >> 1)
        behind &= ~(low[k] ^ low[k] >> WIDTH)
    return right, behind


def roughness(columns: int, k: int, weights: Any) -> float:
    """The cost of the gaps of layer k: steps, single cells, and cells in lanes one cell wide.

    The weights begin with those of each layer, kind by kind.
    """
    across = (columns << 1 & INNER_LEFT) | (columns >> 1 & INNER_RIGHT)
    along = (columns << WIDTH | columns >> WIDTH) & PALLET
    alone = popcount(columns & ~(across | along))
    lanes = popcount(columns & (across ^ along))
    cost = weights[k] * steps(columns) + weights[LAYERS + k] * alone
    return float(cost + weights[2 * LAYERS + k] * lanes)


def base(shape: int, turned: int) -> int:
    """The columns under a box at the lowest column and row."""
    columns = 0
    for j in range(SHAPES[shape][1 - turned]):
        columns |= ((1 << SHAPES[shape][turned]) - 1) << (j * WIDTH)
    return columns


def area(shape: int) -> int:
    return SHAPES[shape][0] * SHAPES[shape][1]


def waste(shape: int, level: int) -> int:
    """The cells of a box on this level that would rise above the last layer."""
    top = level + SHAPES[shape][2]
    return area(shape) * (top - max(level, LAYERS)) if top > LAYERS else 0
