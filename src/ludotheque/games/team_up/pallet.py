"""Boxes on the pallet: whether one may stand on a place, and on which places it may stand.

A column of cells stands over each cell of the pallet, and boxes leave no gaps in it, so a pile is
known by the heights of its columns and by its boxes. A set of columns is the bits of a number: one
shift of it answers a question for all places on the pallet.
"""

from typing import TYPE_CHECKING

from ludotheque.games.team_up import parts
from ludotheque.games.team_up.parts import DEPTH, LAYERS, WIDTH

if TYPE_CHECKING:
    from ludotheque.games.team_up.rules import State

SHAPES = parts.DEFAULT.shapes  # per shape: width, depth, height with the coloured face up
SIMILAR = parts.DEFAULT.similar  # per width, depth, height of a box: which may be its clones

COLUMNS = WIDTH * DEPTH  # column y × WIDTH + x stands over the cell x, y of the pallet
PALLET = (1 << COLUMNS) - 1  # the set of all columns
LEFT_EDGE = PALLET // ((1 << WIDTH) - 1)  # the columns with x = 0
RIGHT_EDGE = LEFT_EDGE << (WIDTH - 1)
# The powers of 2 below 2⁶⁰ differ modulo 61: BIT_NUMBER[2ⁱ % 61] is i.
BIT_NUMBER = (0, *(next(i for i in range(60) if 2**i % 61 == rest) for rest in range(1, 61)))

SAME = 1  # the option `clones` when only boxes of one shape clone each other
FIVE_LAYERS = 1  # the option `ceiling` when no box may rise above the fifth layer


# One box on one place


def is_even(s: "State", x: int, y: int, width: int, depth: int) -> bool:
    """Whether the columns under a base have one height: then all of it rests."""
    for j in range(y, y + depth):
        for i in range(x, x + width):
            if s.heights[j * WIDTH + i] != s.heights[y * WIDTH + x]:
                return False
    return True


def has_neighbour(s: "State", x: int, y: int, width: int, depth: int) -> bool:
    """Whether a column beside this base holds a box: columns have no gaps."""
    found = False
    for i in range(x, x + width):
        found = found or is_built(s, i, y - 1) or is_built(s, i, y + depth)
    for j in range(y, y + depth):
        found = found or is_built(s, x - 1, j) or is_built(s, x + width, j)
    return found


def is_built(s: "State", x: int, y: int) -> bool:
    return 0 <= x < WIDTH and 0 <= y < DEPTH and s.heights[y * WIDTH + x] > 0


def is_clone(
    s: "State",
    box: int,
    shape: int,
    x: int,
    y: int,
    level: int,
    width: int,
    depth: int,
    height: int,
) -> bool:
    """Whether a face of the new box would coincide with an equal face of one that stands."""
    if s.clones == SAME and s.box_shape[box] != shape:
        return False
    left, front, low = s.box_x[box], s.box_y[box], s.box_level[box]
    right, back, top = left + s.box_width[box], front + s.box_depth[box], low + s.box_height[box]
    same_columns = x == left and x + width == right
    same_rows = y == front and y + depth == back
    same_levels = level == low and level + height == top
    if same_columns and same_rows:
        return level == top
    if same_rows and same_levels:
        return x == right or x + width == left
    return same_columns and same_levels and (y == back or y + depth == front)


def stand(
    s: "State", shape: int, colour: int, x: int, y: int, width: int, depth: int, height: int
) -> None:
    box, level = s.placed, s.heights[y * WIDTH + x]
    s.placed += 1
    s.box_x[box], s.box_y[box], s.box_level[box] = x, y, level
    s.box_width[box], s.box_depth[box], s.box_height[box] = width, depth, height
    s.box_shape[box], s.box_colour[box] = shape, colour
    for j in range(y, y + depth):
        for i in range(x, x + width):
            s.heights[j * WIDTH + i] = level + height


# All places of a shape at once. The colour does not matter. The conformance suite compares the
# answers with `is_legal`.


def even_to_the_right(s: "State") -> int:
    """The columns that are as high as their neighbour at x + 1."""
    columns = 0
    for column in range(COLUMNS - 1):
        if s.heights[column] == s.heights[column + 1]:
            columns |= 1 << column
    return columns & ~RIGHT_EDGE


def even_to_the_back(s: "State") -> int:
    """The columns that are as high as their neighbour at y + 1."""
    columns = 0
    for column in range(COLUMNS - WIDTH):
        if s.heights[column] == s.heights[column + WIDTH]:
            columns |= 1 << column
    return columns


def near_boxes(s: "State") -> int:
    """The columns that hold a box or stand beside one."""
    built = PALLET & ~columns_up_to(s, 0)
    beside = (built & ~RIGHT_EDGE) << 1 | (built & ~LEFT_EDGE) >> 1 | built << WIDTH
    return (built | beside | built >> WIDTH) & PALLET


def columns_at(s: "State", height: int) -> int:
    columns = 0
    for column in range(COLUMNS):
        if s.heights[column] == height:
            columns |= 1 << column
    return columns


def columns_up_to(s: "State", height: int) -> int:
    columns = 0
    for column in range(COLUMNS):
        if s.heights[column] <= height:
            columns |= 1 << column
    return columns


def anchors(s: "State", shape: int, turned: int, right: int, behind: int, near: int) -> int:
    """The columns where this shape may have its lowest column and row."""
    found = places_for_base(s, shape, turned, right, behind, near)
    for box in range(s.placed):
        if similar_ways(s, box) >> (2 * shape + turned) & 1 == 1:
            found &= ~clone_places(s, box, columns_at(s, s.box_level[box]), shape, turned)
    return found


def places_for_base(s: "State", shape: int, turned: int, right: int, behind: int, near: int) -> int:
    """The anchors of a shape that may be clones."""
    found = even_places(shape, turned, right, behind) & touching_places(shape, turned, near)
    if s.ceiling == FIVE_LAYERS:
        found &= columns_up_to(s, LAYERS - SHAPES[shape][2])
    return found


def even_places(shape: int, turned: int, right: int, behind: int) -> int:
    """The anchors where the base of this shape would be level; a square one is never turned."""
    width, depth = SHAPES[shape][turned], SHAPES[shape][1 - turned]
    if turned == 1 and width == depth:
        return 0
    places = PALLET
    for j in range(depth):
        for i in range(width - 1):
            places &= right >> (j * WIDTH + i)
        if j + 1 < depth:
            places &= behind >> (j * WIDTH)
    return places


def touching_places(shape: int, turned: int, near: int) -> int:
    """The anchors where one of the columns under this shape is near a box."""
    places = 0
    for j in range(SHAPES[shape][1 - turned]):
        for i in range(SHAPES[shape][turned]):
            places |= near >> (j * WIDTH + i)
    return places


def similar_ways(s: "State", box: int) -> int:
    """Bit 2 × shape + turned is set if a shape that lies so has two sides equal to a box's."""
    ways = SIMILAR[s.box_width[box]][s.box_depth[box]][s.box_height[box]]
    if s.clones == SAME:
        return ways & 3 << 2 * s.box_shape[box] if s.box_shape[box] >= 0 else 0
    return ways


def clone_places(s: "State", box: int, beside: int, shape: int, turned: int) -> int:
    """The anchors where a similar shape would be a clone: on a box, or at one of its sides.

    `beside` are the columns as high as the base of the box. Where a shift leaves the pallet for the
    next row no level base fits.
    """
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    wide, deep, high = s.box_width[box], s.box_depth[box], s.box_height[box]
    column = s.box_y[box] * WIDTH + s.box_x[box]
    here = 1 << column
    across = (here << wide & ~LEFT_EDGE | (here >> 1 & ~RIGHT_EDGE) >> (width - 1)) & beside
    along = (here << deep * WIDTH | here >> depth * WIDTH) & beside
    is_free = s.heights[column] == s.box_level[box] + high
    places = here if is_free and wide == width and deep == depth else 0
    places |= across if deep == depth and high == height else 0
    return places | (along if wide == width and high == height else 0)
