"""How playouts choose placements: the one with the lowest cost.

Written as rules are, and compiled beside them. A placement costs what it does to the layers, and
the box that it uses up.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import (
    BIT_NUMBER,
    COLUMNS,
    PALLET,
    SHAPES,
    anchors,
    even_places,
    even_to_the_back,
    even_to_the_right,
    touching_places,
)
from ludotheque.games.team_up.parts import COLOURS, LAYERS, MAX_SHAPES
from ludotheque.games.team_up.rules import (
    State,
    allowed_colours,
    objection_to_placement,
    place_box,
    placement,
    shape_of,
    turned_of,
)
from ludotheque.games.team_up.solver.pile import area, base, beside, even_neighbours, steps, waste

# The weights of the cost of a placement. With these, playouts score most.
STEP_COST = 57  # for every cell by which neighbouring columns then differ
LEVEL_COST = 99  # for every cell under the base
WASTE_COST = 720  # for every cell above the last layer
CELL_BONUS = 60  # for every cell of the box: large ones find no place later
WANTED_COST = 20  # for every card to come that names the shape, less the boxes of it
COLOUR_COST = 30  # for any colour but the one that can best be spared
MAX_TRIED = 8  # cheapest placements, of which the first legal one is made


class Workspace(NamedTuple):
    """Memory for playouts."""

    low: Any  # the pile, as `survey` writes it
    steps: Any  # the steps of every layer
    even: Any  # columns as high as the next one to the right, to the back, and columns near boxes
    spare: Any  # boxes of each colour against its cards to come
    moves: Any
    costs: Any
    order: Any  # the cards to come
    stream: Any
    naming: Any  # the cards that name each shape and, from MAX_SHAPES on, each colour


def make_playout_move(s: State, work: Workspace) -> None:
    """Make a placement, and update the layers in the workspace."""
    move = playout_move(s, work)
    shape, level = shape_of(move), int(s.heights[move % COLUMNS])
    columns = base(shape, turned_of(move)) << move % COLUMNS
    for k in range(level, min(level + SHAPES[shape][2], LAYERS)):
        work.low[k] &= ~columns
    place_box(s, move)


def playout_move(s: State, work: Workspace) -> int:
    """The cheapest legal placement; clones are looked for last, since that takes longest."""
    count = cheapest(s, MAX_TRIED, False, work)
    for i in range(count):
        if objection_to_placement(s, work.moves[i]) == 0:
            return int(work.moves[i])
    cheapest(s, 1, True, work)
    return int(work.moves[0])


def cheapest(s: State, most: int, is_exact: bool, work: Workspace) -> int:
    """Write the `most` cheapest placements, the cheapest first; return how many there are.

    Unless it is exact, each has only the colour that can best be spared, and there may be clones
    and boxes that rise too high or rest unevenly among them.
    """
    read_pile(s, is_exact, work)
    count = 0
    for shape in range(len(SHAPES)):
        colours = allowed_colours(s, shape)
        if colours != 0:
            cost = shape_cost(s, shape, work)
            spared = spare_colour(colours, work)
            for turned in range(2):
                places = places_for(s, shape, turned, is_exact, work)
                columns = base(shape, turned)
                while places != 0:
                    lowest = places & -places
                    places ^= lowest
                    column = BIT_NUMBER[lowest % 61]
                    base_cost = cost + place_cost(s, shape, columns << column, column, work)
                    place = turned * COLUMNS + column
                    for colour in range(COLOURS):
                        if colour == spared or (is_exact and colours >> colour & 1 == 1):
                            full_cost = base_cost + (COLOUR_COST if colour != spared else 0)
                            move = placement(shape, colour, 0, 0, 0) + place
                            count = insert(move, full_cost, count, most, work)
    return count


def read_pile(s: State, is_exact: bool, work: Workspace) -> None:
    """Write what all placements on this pile have in common.

    Unless it is exact, columns above the last layer count as equally high.
    """
    for k in range(LAYERS):
        work.steps[k] = steps(work.low[k])
    if is_exact:
        work.even[0], work.even[1] = even_to_the_right(s), even_to_the_back(s)
    else:
        work.even[0], work.even[1] = even_neighbours(work.low)
    built = PALLET & ~work.low[0]
    work.even[2] = built | beside(built)
    for colour in range(COLOURS):
        boxes = 0
        for shape in range(len(SHAPES)):
            boxes += s.left[shape][colour]
        work.spare[colour] = 4 * boxes - 9 * popcount(work.naming[MAX_SHAPES + colour] & s.deck)


def places_for(s: State, shape: int, turned: int, is_exact: bool, work: Workspace) -> int:
    right, behind = work.even[0], work.even[1]
    if is_exact:
        return anchors(s, shape, turned, right, behind, work.even[2])
    even = even_places(shape, turned, right, behind)
    return even & touching_places(shape, turned, work.even[2])


def shape_cost(s: State, shape: int, work: Workspace) -> int:
    left = 0
    for colour in range(COLOURS):
        left += s.left[shape][colour]
    wanted = popcount(work.naming[shape] & s.deck) - left
    return WANTED_COST * wanted - CELL_BONUS * area(shape) * SHAPES[shape][2]


def place_cost(s: State, shape: int, columns: int, column: int, work: Workspace) -> int:
    level = int(s.heights[column])
    more = 0
    for k in range(level, min(level + SHAPES[shape][2], LAYERS)):
        more += steps(work.low[k] & ~columns) - work.steps[k]
    return STEP_COST * more + LEVEL_COST * level + WASTE_COST * waste(shape, level)


def spare_colour(colours: int, work: Workspace) -> int:
    """Of these colours the one with the most boxes for each of its cards to come."""
    best, found = -1000, 0
    for colour in range(COLOURS):
        if colours >> colour & 1 == 1 and work.spare[colour] > best:
            best, found = work.spare[colour], colour
    return found


def insert(move: int, cost: int, count: int, most: int, work: Workspace) -> int:
    """Keep the cheapest `most` in order; return how many there are."""
    if count == most:
        if cost >= work.costs[count - 1]:
            return count
        count -= 1
    i = count
    while i > 0 and work.costs[i - 1] > cost:
        work.costs[i] = work.costs[i - 1]
        work.moves[i] = work.moves[i - 1]
        i -= 1
    work.costs[i] = cost
    work.moves[i] = move
    return count + 1
