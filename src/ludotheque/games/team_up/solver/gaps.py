"""The gaps of a pile and the boxes that may fill them, for a search that must leave none.

Written as rules are, and compiled beside them. A box is an index into a list of all shapes, turned
and not, and the column of its corner; it stands as high as that column.
"""

from typing import Any, Protocol

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import COLUMNS, PALLET, is_clone, stand
from ludotheque.games.team_up.parts import DEPTH, LAYERS, WIDTH
from ludotheque.games.team_up.rules import PLAIN, State
from ludotheque.games.team_up.solver.bounds import is_cramped, is_too_odd, waiting_columns
from ludotheque.games.team_up.solver.pile import even_neighbours, survey

# The last one is a kernel so that it is compiled once, not inlined at every call.
__kernels__ = ("list_clones", "mark_clones")

SHAPE, WIDE, DEEP, HIGH, FOOTPRINT = range(5)  # the columns of the list of boxes
UNKNOWN = -1  # of the choices: they are not listed yet


class Gaps(Protocol):
    """The search tree of a filling, with a row for every box that it has placed.

    A record, not a tuple of arrays: compiled code counts references to arrays, which takes time.
    """

    boxes: Any  # [box, SHAPE … FOOTPRINT]: the last is the columns under it if its corner is 0
    cells: Any  # [n, 2]: a box, and how far one of the columns under it is from its corner
    beside: Any  # [box, corner, box]: the corners where the second would be a clone beside …
    above: Any  # … and on top of the first
    low: Any  # [row, layer] as `survey` writes it
    barred: Any  # [row, layer, box]: the corners where a box would be a clone
    choices: Any  # [row, n]: boxes for the column that rises next, box × COLUMNS + corner
    untried: Any  # [row]: how many of them are still to be tried
    taken: Any  # [row]: the one that is tried
    even: Any  # [wide, deep], both less 1: the corners of level ground of this size
    corners: Any  # [box]: where each one may stand


def read_box(gaps: Gaps, box: int) -> tuple[int, int, int, int]:
    about = gaps.boxes[box]
    return about[SHAPE], about[WIDE], about[DEEP], about[HIGH]


# Clones


def list_clones(record: Any, scratch: Any) -> None:
    """Write which boxes would be clones of which, by the rules."""
    gaps, s = record[0], scratch[0]
    marks = gaps.barred[0]
    for box in range(len(gaps.boxes)):
        shape, wide, deep, high = read_box(gaps, box)
        for corner in range(COLUMNS):
            x, y = corner % WIDTH, corner // WIDTH
            if x + wide <= WIDTH and y + deep <= DEPTH:
                s.placed, s.heights[corner] = 0, 0
                stand(s, shape, PLAIN, x, y, wide, deep, high)
                marks[:] = 0
                mark_clones(gaps, s, 0, marks)
                gaps.beside[box, corner] = marks[0]
                gaps.above[box, corner] = marks[high]


def mark_clones(gaps: Gaps, s: State, box: int, marks: Any) -> None:
    """Add to the marks of each layer the corners where boxes would be clones of one that stands."""
    for other in range(len(gaps.boxes)):
        shape, wide, deep, high = read_box(gaps, other)
        for side in range(5):
            x, y, level = s.box_x[box], s.box_y[box], s.box_level[box]
            if side == 0:
                level += s.box_height[box]
            elif side == 1:
                x += s.box_width[box]
            elif side == 2:
                x -= wide
            elif side == 3:
                y += s.box_depth[box]
            else:
                y -= deep
            is_inside = 0 <= x < WIDTH and 0 <= y < DEPTH
            if is_inside and is_clone(s, box, shape, x, y, level, wide, deep, high):
                marks[level, other] |= 1 << (y * WIDTH + x)


# The boxes for a gap


def reset(gaps: Gaps, s: State) -> None:
    survey(s, gaps.low[0])
    gaps.barred[0, :] = 0
    for box in range(s.placed):
        mark_clones(gaps, s, box, gaps.barred[0])
    gaps.untried[0] = UNKNOWN


def list_choices(gaps: Gaps, spare: Any, row: int) -> int:
    """List the boxes for the column with the fewest choices; return how many there are.

    A column that waits for a lower one may get more choices later; the others will not.
    """
    low = gaps.low[row]
    rising = int(low[LAYERS - 1])
    if rising == 0 or is_too_odd(low, spare) or is_cramped(low, spare):
        return 0
    find_corners(gaps, spare, row)
    once, twice, often = count_covers(gaps)
    rising &= ~waiting_columns(low, rising)
    if rising & ~once != 0:
        return 0
    columns = rising & ~twice
    if columns == 0:
        columns = rising & ~often
    if columns == 0:
        columns = lowest_columns(low)
    return list_covering(gaps, row, popcount((columns & -columns) - 1))


def lowest_columns(low: Any) -> int:
    level = 0
    while low[level] == 0:
        level += 1
    return int(low[level])


def find_corners(gaps: Gaps, spare: Any, row: int) -> None:
    """Write where each box may stand; a box that it touches may come later."""
    low, corners = gaps.low[row], gaps.corners
    find_even(low, gaps.even)
    for box in range(len(corners)):
        shape, wide, deep, high = read_box(gaps, box)
        corners[box] = 0
        if spare[shape] > 0:
            clones = low[0] & gaps.barred[row, 0, box]
            for k in range(1, LAYERS):
                clones |= low[k] & ~low[k - 1] & gaps.barred[row, k, box]
            corners[box] = gaps.even[wide - 1, deep - 1] & low[LAYERS - high] & ~clones


def find_even(low: Any, even: Any) -> None:
    """Write the corners of level ground, for all that is as wide and as deep as boxes are."""
    right, behind = even_neighbours(low)
    places = PALLET
    for wide in range(even.shape[0]):
        even[wide, 0] = places
        if even.shape[1] > 1:
            even[wide, 1] = places & places >> WIDTH & behind
        for deep in range(2, even.shape[1]):
            even[wide, deep] = even[wide, deep - 1] & even[wide, deep - 1] >> WIDTH
        places &= right >> wide


def count_covers(gaps: Gaps) -> tuple[int, int, int]:
    """The columns that at least one, two, three boxes could cover now."""
    once, twice, often = 0, 0, 0
    for n in range(len(gaps.cells)):
        columns = gaps.corners[gaps.cells[n, 0]] << gaps.cells[n, 1]
        often |= twice & columns
        twice |= once & columns
        once |= columns
    return once, twice, often


def list_covering(gaps: Gaps, row: int, column: int) -> int:
    """List the boxes that would cover this column."""
    count = 0
    for n in range(len(gaps.cells)):
        box, corner = gaps.cells[n, 0], column - gaps.cells[n, 1]
        gaps.choices[row, count] = box * COLUMNS + corner
        count += int(corner >= 0 and gaps.corners[box] >> corner & 1 == 1)
    return count


# Taking a choice


def take_next(gaps: Gaps, spare: Any, row: int) -> None:
    """Write the pile with its next choice into the next row."""
    gaps.untried[row] -= 1
    gaps.untried[row + 1] = UNKNOWN
    gaps.taken[row] = gaps.choices[row, gaps.untried[row]]
    box, corner = gaps.taken[row] // COLUMNS, gaps.taken[row] % COLUMNS
    level = 0
    while gaps.low[row, level] >> corner & 1 == 0:
        level += 1
    high = gaps.boxes[box, HIGH]
    columns = gaps.boxes[box, FOOTPRINT] << corner
    for k in range(LAYERS):
        is_filled = level <= k < level + high
        gaps.low[row + 1, k] = gaps.low[row, k] & ~(columns if is_filled else 0)
        for other in range(len(gaps.boxes)):
            gaps.barred[row + 1, k, other] = gaps.barred[row, k, other]
    for other in range(len(gaps.boxes)):
        gaps.barred[row + 1, level, other] |= gaps.beside[box, corner, other]
        gaps.barred[row + 1, level + high, other] |= gaps.above[box, corner, other]
    spare[gaps.boxes[box, SHAPE]] -= 1


def give_back(gaps: Gaps, spare: Any, row: int) -> None:
    """Undo the choice of this row."""
    spare[gaps.boxes[gaps.taken[row] // COLUMNS, SHAPE]] += 1
