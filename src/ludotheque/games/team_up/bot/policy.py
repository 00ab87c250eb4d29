"""How a team builds that has no time to think: it makes the cheapest placement it sees.

Written as rules are, and compiled beside them. Prices are for what the placement does to the layers
and for the box that it uses up.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.parts import COLOURS, LAYERS, MAX_SHAPES
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    COLUMNS,
    PALLET,
    SHAPES,
    State,
    allowed_colours,
    anchors,
    choice_objection,
    even_places,
    even_to_the_back,
    even_to_the_right,
    place_box,
    placement,
    shape_of,
    touching_places,
    turned_of,
)
from ludotheque.games.team_up.solver.pile import area, base, beside, even_neighbours, steps, waste

# What makes a placement dear, found by trying many prices: quick teams that pay these score most.
STEP_PRICE = 57  # for every cell by which neighbouring columns come to differ
LEVEL_PRICE = 99  # for every cell under the base
WASTE_PRICE = 720  # for every cell above the last layer
CELL_BONUS = 60  # for every cell of the box: large ones find no place later
WANTED_PRICE = 20  # for every card to come that names the shape, less the boxes of it
COLOUR_PRICE = 30  # for a colour that had better be kept
FEW = 8  # placements of which the first that is no clone is made


class Desk(NamedTuple):
    """What trials write on."""

    low: Any  # the pile, as `survey` writes it
    ragged: Any  # the steps of every layer
    even: Any  # columns as high as the next one to the right, to the back, and columns near boxes
    spare: Any  # boxes of each colour against its cards to come
    moves: Any
    prices: Any
    order: Any  # the cards to come
    dice: Any
    naming: Any  # the cards that name each shape, and from MAX_SHAPES each colour


def place_quickly(s: State, desk: Desk) -> None:
    """Make a placement, and keep what is written of the layers true."""
    move = quick_choice(s, desk)
    shape, level = shape_of(move), int(s.heights[move % COLUMNS])
    columns = base(shape, turned_of(move)) << move % COLUMNS
    for k in range(level, min(level + SHAPES[shape][2], LAYERS)):
        desk.low[k] &= ~columns
    place_box(s, move)


def quick_choice(s: State, desk: Desk) -> int:
    """The cheapest placement; clones are looked for last, as that takes longest."""
    count = cheapest(s, FEW, False, desk)
    for i in range(count):
        if choice_objection(s, desk.moves[i]) == 0:
            return int(desk.moves[i])
    cheapest(s, 1, True, desk)
    return int(desk.moves[0])


def cheapest(s: State, most: int, is_exact: bool, desk: Desk) -> int:
    """Write the cheapest placements.

    Unless it is exact, each is in the colour that can best be spared, and there may be clones and
    boxes that rise too high or rest unevenly among them.
    """
    look_at(s, is_exact, desk)
    count = 0
    for shape in range(len(SHAPES)):
        colours = allowed_colours(s, shape)
        if colours != 0:
            price = shape_price(s, shape, desk)
            spared = spare_colour(colours, desk)
            for turned in range(2):
                places = places_for(s, shape, turned, is_exact, desk)
                columns = base(shape, turned)
                while places != 0:
                    lowest = places & -places
                    places ^= lowest
                    column = BIT_NUMBER[lowest % 61]
                    asked = price + place_price(s, shape, columns << column, column, desk)
                    place = turned * COLUMNS + column
                    for colour in range(COLOURS):
                        if colour == spared or (is_exact and colours >> colour & 1 == 1):
                            dearer = asked + (COLOUR_PRICE if colour != spared else 0)
                            move = placement(shape, colour, 0, 0, 0) + place
                            count = insert(move, dearer, count, most, desk)
    return count


def look_at(s: State, is_exact: bool, desk: Desk) -> None:
    """Write down what all placements on this pile have in common.

    Unless it is exact, columns that have outgrown the last layer are taken for equally high.
    """
    for k in range(LAYERS):
        desk.ragged[k] = steps(desk.low[k])
    if is_exact:
        desk.even[0], desk.even[1] = even_to_the_right(s), even_to_the_back(s)
    else:
        desk.even[0], desk.even[1] = even_neighbours(desk.low)
    built = PALLET & ~desk.low[0]
    desk.even[2] = built | beside(built)
    for colour in range(COLOURS):
        boxes = 0
        for shape in range(len(SHAPES)):
            boxes += s.left[shape][colour]
        desk.spare[colour] = 4 * boxes - 9 * popcount(desk.naming[MAX_SHAPES + colour] & s.deck)


def places_for(s: State, shape: int, turned: int, is_exact: bool, desk: Desk) -> int:
    right, behind = desk.even[0], desk.even[1]
    if is_exact:
        return anchors(s, shape, turned, right, behind, desk.even[2])
    even = even_places(shape, turned, right, behind)
    return even & touching_places(shape, turned, desk.even[2])


def shape_price(s: State, shape: int, desk: Desk) -> int:
    left = 0
    for colour in range(COLOURS):
        left += s.left[shape][colour]
    wanted = popcount(desk.naming[shape] & s.deck) - left
    return WANTED_PRICE * wanted - CELL_BONUS * area(shape) * SHAPES[shape][2]


def place_price(s: State, shape: int, columns: int, column: int, desk: Desk) -> int:
    level = int(s.heights[column])
    more = 0
    for k in range(level, min(level + SHAPES[shape][2], LAYERS)):
        more += steps(desk.low[k] & ~columns) - desk.ragged[k]
    return STEP_PRICE * more + LEVEL_PRICE * level + WASTE_PRICE * waste(shape, level)


def spare_colour(colours: int, desk: Desk) -> int:
    """Of these colours the one with most boxes for each of its cards to come."""
    best, found = -1000, 0
    for colour in range(COLOURS):
        if colours >> colour & 1 == 1 and desk.spare[colour] > best:
            best, found = desk.spare[colour], colour
    return found


def insert(move: int, price: int, count: int, most: int, desk: Desk) -> int:
    """Keep the cheapest `most` in order; return how many there are."""
    if count == most:
        if price >= desk.prices[count - 1]:
            return count
        count -= 1
    i = count
    while i > 0 and desk.prices[i - 1] > price:
        desk.prices[i] = desk.prices[i - 1]
        desk.moves[i] = desk.moves[i - 1]
        i -= 1
    desk.prices[i] = price
    desk.moves[i] = move
    return count + 1
