"""Matches tried out to their end: what a move is worth if the team then plays quickly.

Written as rules are, and compiled beside them. The order of the cards is drawn anew for each trial
and is the same for all placements compared, so that luck does not decide between them.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import popcount, roll
from ludotheque.games.team_up.parts import COLOURS, LAYERS, MAX_SHAPES, WIDTH
from ludotheque.games.team_up.pile import area, base, steps, survey, waste
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    CHALLENGE,
    COLUMNS,
    COMPETITION,
    DRAW,
    LAYER_POINTS,
    OVER,
    PALLET,
    PLACE,
    SHAPES,
    State,
    allowed_colours,
    anchors,
    boxes_left,
    choice_objection,
    columns_up_to,
    complete_layers,
    draw_card,
    even_to_the_back,
    even_to_the_right,
    is_puzzle,
    near_boxes,
    place_box,
    placement,
    score,
    wins,
)

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = (
    "rank",
    "try_out",
    "try_drawing",
    "finish",
    "cheapest",
    "anchors",
    "choice_objection",
)

# What makes a placement dear, found by trying many prices: quick teams that pay these score most.
STEP_PRICE = 57  # for every cell by which neighbouring columns come to differ
LEVEL_PRICE = 99  # for every cell under the base
WASTE_PRICE = 720  # for every cell above the last layer
CELL_BONUS = 60  # for every cell of the box: large ones find no place later
WANTED_PRICE = 20  # for every card to come that names the shape, less the boxes of it
COLOUR_PRICE = 30  # for a colour that had better be kept
FEW = 8  # placements of which the first that is no clone is made

FIRST_CARDS = 14  # while more boxes are left, a team goes on
LITTLE_TO_LOSE = -6  # at less than this score, too
WORTH_A_CARD = 0.38  # the points that the next card must promise


class Desk(NamedTuple):
    """What trials write on."""

    low: Any
    ragged: Any  # the steps of every layer
    moves: Any
    prices: Any
    order: Any  # the cards to come
    dice: Any
    naming: Any  # the cards that name each shape, and from MAX_SHAPES each colour


def rank(states: Any, desk: Desk) -> int:
    """Write all placements that states[0] allows, the cheapest first; return how many."""
    return cheapest(states[0], len(desk.moves), True, desk)


def try_out(states: Any, moves: Any, count: int, trials: int, found: Any, desk: Desk) -> None:
    """Add up the points and the wins that follow each of these moves in states[0]."""
    for _ in range(trials):
        deal_rest(states[0], desk)
        for i in range(count):
            states[1] = states[0]
            drawn = begin_with(states[1], moves[i], desk)
            finish(states[1], drawn, desk)
            found[i][0] += score(states[1], 0)
            found[i][1] += wins(states[1], 0)


def begin_with(s: State, move: int, desk: Desk) -> int:
    """Draw a card or make a placement; return how many cards were drawn."""
    if move == DRAW:
        draw_card(s, desk.order[0])
        return 1
    place_box(s, move)
    return 0


def deal_rest(s: State, desk: Desk) -> None:
    count, deck = 0, int(s.deck)
    while deck != 0:
        lowest = deck & -deck
        desk.order[count] = BIT_NUMBER[lowest % 61]
        deck ^= lowest
        count += 1
    if not is_puzzle(s):
        for i in range(count - 1, 0, -1):
            j = roll(desk.dice, i + 1)
            desk.order[i], desk.order[j] = desk.order[j], desk.order[i]


def finish(s: State, drawn: int, desk: Desk) -> None:
    """Play to the end; `drawn` cards of the order are drawn already."""
    while s.phase != OVER:
        if s.phase == PLACE:
            place_box(s, quick_choice(s, desk))
        elif goes_on(s, desk):
            draw_card(s, desk.order[drawn])
            drawn += 1
        else:
            return


# Where to place


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
    boxes that rise too high among them.
    """
    survey(s, desk.low)
    for k in range(LAYERS):
        desk.ragged[k] = steps(desk.low[k])
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    count = 0
    for shape in range(len(SHAPES)):
        colours = allowed_colours(s, shape)
        if colours != 0:
            price = shape_price(s, shape, desk)
            spared = spare_colour(s, colours, desk)
            for turned in range(2):
                if is_exact:
                    places = anchors(s, shape, turned, right, behind, near)
                else:
                    places = even_places(shape, turned, right, behind, near)
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


def even_places(shape: int, turned: int, right: int, behind: int, near: int) -> int:
    """As `anchors` of the rules, but blind to clones and to a ceiling."""
    width, depth = SHAPES[shape][turned], SHAPES[shape][1 - turned]
    if turned == 1 and width == depth:
        return 0
    even, touching = PALLET, 0
    for j in range(depth):
        for i in range(width):
            touching |= near >> (j * WIDTH + i)
            if i + 1 < width:
                even &= right >> (j * WIDTH + i)
        if j + 1 < depth:
            even &= behind >> (j * WIDTH)
    return even & touching


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


def spare_colour(s: State, colours: int, desk: Desk) -> int:
    """Of these colours the one with most boxes for each of its cards to come."""
    best, found = -1000, 0
    for colour in range(COLOURS):
        if colours >> colour & 1 == 1:
            boxes = 0
            for shape in range(len(SHAPES)):
                boxes += s.left[shape][colour]
            spare = 4 * boxes - 9 * popcount(desk.naming[MAX_SHAPES + colour] & s.deck)
            if spare > best:
                best, found = spare, colour
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


# Whether to go on


def goes_on(s: State, desk: Desk) -> bool:
    if boxes_left(s) > FIRST_CARDS or score(s, 0) < LITTLE_TO_LOSE or is_behind(s):
        return True
    cards = popcount(s.deck)
    used = popcount(usable(s, desk))
    points = used * (1 + LAYER_POINTS * progress(s)) - (cards - used)
    return points > WORTH_A_CARD * cards


def is_behind(s: State) -> bool:
    """Whether only more points can win: then there is nothing to lose."""
    return (s.mode == CHALLENGE or s.mode == COMPETITION) and score(s, 0) <= s.target


def usable(s: State, desk: Desk) -> int:
    """The cards to come that would find a box and a place now."""
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    found = 0
    for shape in range(len(SHAPES)):
        cards = 0
        for colour in range(COLOURS):
            if s.left[shape][colour] > 0:
                cards |= desk.naming[shape] | desk.naming[MAX_SHAPES + colour]
        if cards & s.deck & ~found != 0:
            places = anchors(s, shape, 0, right, behind, near)
            if places | anchors(s, shape, 1, right, behind, near) != 0:
                found |= cards & s.deck
    return found


def progress(s: State) -> float:
    """The part of a layer that a box completes, roughly: one by the number of its gaps."""
    lowest = complete_layers(s)
    if lowest == LAYERS:
        return 0.0
    return 1.0 / max(2, popcount(columns_up_to(s, lowest)))
