"""Team UP, by Sébastien Pauchon and Hadi Barkat: packing a pallet together, 1–4 seats.

All are on one side. A pallet of 6 × 4 cells holds a neutral box in one of its corners. Seats take
turns to draw an order card and to stand a box that it allows on the pallet: wholly supported,
touching another box, and never face to face with an equal face. A card that allows no box is lost
and costs a point. In the end every complete layer is worth five points and every box left costs
one; a perfect pallet, five layers and no loss, is worth 25.
[Brackets] cite the sections of the rule sheet; RULES.md tells the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import CHANCE, Record, choice, grid, number, row, whole
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.parts import (
    COLOUR_CARD,
    COLOURS,
    DEPTH,
    LAYERS,
    MAX_ALIKE,
    MAX_BOXES,
    MAX_CARDS,
    MAX_SHAPES,
    WIDTH,
)

VERSION = 1
SEATS = range(1, 5)
TEAM = True
MAX_SEATS = 4

# [Matériel et mise en place] A host's own set replaces these six tables.
SHAPES = parts.DEFAULT.shapes  # per shape: width, depth, height, the coloured face up
BOXES = parts.DEFAULT.boxes  # per shape: how many boxes in each colour
CARDS = parts.DEFAULT.cards  # per card: kind, first, second, as parts.py explains
NEUTRAL = parts.DEFAULT.neutral  # the sides of the box without a colour
HAS_PUZZLE = parts.DEFAULT.has_puzzle  # 1 if the cards in order allow a perfect pallet
PUZZLE_NEUTRAL = parts.DEFAULT.puzzle_neutral  # x, y, width, depth, height in the puzzle

COLUMNS = WIDTH * DEPTH  # of cells; column y × WIDTH + x stands over the cell x, y of the pallet
PALLET = (1 << COLUMNS) - 1  # a set of columns is the bits of a number; this one is all of them
LEFT_EDGE = PALLET // ((1 << WIDTH) - 1)  # the columns with x = 0
RIGHT_EDGE = LEFT_EDGE << (WIDTH - 1)
# The powers of 2 below 2⁶⁰ leave 60 different rests modulo 61: BIT_NUMBER[2ⁱ % 61] is i.
BIT_NUMBER = (0, *(next(i for i in range(60) if 2**i % 61 == rest) for rest in range(1, 61)))
MAX_PLACED = MAX_CARDS + 1  # each card places at most one box; the neutral box comes first
MAX_HEIGHT = MAX_BOXES * LAYERS + DEPTH  # all boxes in one tower on the neutral box

# A placement tells shape, colour, turned (width and depth change places), and the lowest x and y.
# Four moves more are words between the players.
PLACEMENTS = MAX_SHAPES * COLOURS * 2 * COLUMNS
DRAW, STOP, AGREE, REFUSE = range(PLACEMENTS, PLACEMENTS + 4)
MOVES = PLACEMENTS + 4

# Chance stands the neutral box in corner × 6 + orientation, later it draws NEUTRAL_PLACES + card.
ORIENTATIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
NEUTRAL_PLACES = 4 * len(ORIENTATIONS)
OUTCOMES = NEUTRAL_PLACES + MAX_CARDS
# At each card: a stop, the answers to it, the card drawn and a box.
MAX_MATCH_MOVES = 1 + MAX_CARDS * (MAX_SEATS + 2)

PREPARE, DECIDE, VOTE, ORDER, PLACE, OVER = range(6)  # the phases
NO_CARD = -1
PLAIN = -1  # the shape and the colour of the neutral box

LAYER_POINTS = 5
PERFECT = LAYER_POINTS * LAYERS

OBJECTIONS = (
    "",
    "not_now",
    "not_dealt",
    "not_ordered",
    "none_left",
    "turned_square",
    "over_the_edge",
    "uneven_base",
    "too_high",
    "touches_nothing",
    "clone",
)
(
    NOT_NOW,
    NOT_DEALT,
    NOT_ORDERED,
    NONE_LEFT,
    TURNED_SQUARE,
    OVER_THE_EDGE,
    UNEVEN_BASE,
    TOO_HIGH,
    TOUCHES_NOTHING,
    CLONE,
) = range(1, len(OBJECTIONS))

SAME_DEAL = ("challenge", "competition")  # the modes of a deal that is played again
OPTIONS = (
    choice("mode", "normal", *SAME_DEAL, "puzzle", of_replay=SAME_DEAL),
    whole("target", -60, PERFECT, -60, of_replay=True),
    choice("clones", "any", "same"),
    choice("ceiling", "none", "five layers"),
)
NORMAL, CHALLENGE, COMPETITION, PUZZLE = range(4)  # the option `mode`
SAME = 1  # the option `clones` when only boxes of one shape clone each other
FIVE_LAYERS = 1  # the option `ceiling` when no box may rise above the fifth layer


class State(Record):
    seats: int = number(0, MAX_SEATS)
    mode: int = number(0, 3)  # the place of each choice in OPTIONS
    target: int = number(-60, PERFECT)  # the score to reach in a challenge or a competition
    clones: int = number(0, 1)
    ceiling: int = number(0, 1)
    phase: int = number(0, OVER)  # what is awaited, PREPARE … OVER
    turn: int = number(0, MAX_SEATS - 1)  # the seat that draws and places
    agreed: int = number(0, (1 << MAX_SEATS) - 1)  # bit i is set if seat i agrees to stop
    deck: int = number(0, (1 << MAX_CARDS) - 1)  # bit i is set while card i lies face down
    card: int = number(NO_CARD, MAX_CARDS - 1)  # drawn last, NO_CARD before the first
    is_lost: int = number(0, 1)  # 1 if that card allowed no box
    lost: int = number(0, MAX_CARDS)  # cards that allowed no box: face down on the discard
    left: list[list[int]] = grid(MAX_SHAPES, COLOURS, 0, MAX_ALIKE)  # boxes, by shape, colour
    heights: list[int] = row(COLUMNS, 0, MAX_HEIGHT)  # of the columns, in cells
    placed: int = number(0, MAX_PLACED)  # boxes on the pallet, in the order of the rows below
    box_x: list[int] = row(MAX_PLACED, 0, WIDTH - 1)  # the lowest column …
    box_y: list[int] = row(MAX_PLACED, 0, DEPTH - 1)  # … and row of its base
    box_level: list[int] = row(MAX_PLACED, 0, MAX_HEIGHT)  # cells under its base
    box_width: list[int] = row(MAX_PLACED, 0, WIDTH)  # as it stands, turned or not
    box_depth: list[int] = row(MAX_PLACED, 0, WIDTH)
    box_height: list[int] = row(MAX_PLACED, 0, LAYERS)
    box_shape: list[int] = row(MAX_PLACED, PLAIN, MAX_SHAPES - 1)
    box_colour: list[int] = row(MAX_PLACED, PLAIN, COLOURS - 1)


def setup(s: State) -> None:  # [Matériel et mise en place]
    s.card = NO_CARD
    s.deck = (1 << len(CARDS)) - 1
    for shape in range(len(SHAPES)):
        for colour in range(COLOURS):
            s.left[shape][colour] = BOXES[shape][colour]


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return s.phase == PREPARE or s.phase == ORDER
    if s.phase == VOTE:
        return s.agreed >> seat & 1 == 0
    return (s.phase == DECIDE or s.phase == PLACE) and seat == s.turn


def is_legal(s: State, seat: int, move: int) -> bool:
    return objection(s, seat, move) == 0


def objection(s: State, seat: int, move: int) -> int:
    if not awaits(s, seat):
        return NOT_NOW
    if seat == CHANCE:
        return 0 if legal_bits(s, seat) >> move & 1 == 1 else NOT_DEALT
    if s.phase == PLACE:
        return choice_objection(s, move) if move < PLACEMENTS else NOT_NOW
    return 0 if first_word(s) <= move <= first_word(s) + 1 else NOT_NOW


def first_word(s: State) -> int:
    """Of the two that can be said now: draw or stop, agree or refuse."""
    return AGREE if s.phase == VOTE else DRAW


def play(s: State, seat: int, move: int) -> None:
    if seat != CHANCE:
        if move < PLACEMENTS:
            place_box(s, move)
        else:
            say(s, seat, move)
    elif s.phase == PREPARE:
        place_neutral(s, move)
    else:
        draw_card(s, move - NEUTRAL_PLACES)


# What chance may do. [Matériel et mise en place, 2 and 3; Casse-tête]


def legal_bits(s: State, seat: int) -> int:
    """The outcomes of chance; a seat has more moves than a number has bits."""
    if seat != CHANCE or not awaits(s, seat):
        return 0
    if s.phase == PREPARE:
        return neutral_bits(s)
    return (s.deck & -s.deck if is_puzzle(s) else s.deck) << NEUTRAL_PLACES


def draw_name(s: State) -> int:
    """0 for the neutral box; then the boxes that stand and the cards lost, one for each draw."""
    return s.placed + s.lost


def is_puzzle(s: State) -> bool:
    return s.mode == PUZZLE and HAS_PUZZLE == 1


def neutral_bits(s: State) -> int:
    bits = 0
    for place in range(NEUTRAL_PLACES):
        if not is_repeated(place) and (not is_puzzle(s) or is_puzzle_place(place)):
            bits |= 1 << place
    return bits


def is_repeated(place: int) -> bool:
    """Whether an earlier place is this one too: two sides are equal, or one fills the pallet."""
    width, depth = neutral_side(place, 0), neutral_side(place, 1)
    if place // 12 == 1 and depth == DEPTH:
        return True
    for earlier in range(place % 6):
        if neutral_side(earlier, 0) == width and neutral_side(earlier, 1) == depth:
            return True
    return False


def is_puzzle_place(place: int) -> bool:
    return (
        neutral_x(place) == PUZZLE_NEUTRAL[0]
        and neutral_y(place) == PUZZLE_NEUTRAL[1]
        and neutral_side(place, 0) == PUZZLE_NEUTRAL[2]
        and neutral_side(place, 1) == PUZZLE_NEUTRAL[3]
    )


def neutral_side(place: int, axis: int) -> int:
    """The width, the depth or the height of the neutral box as it lies."""
    return NEUTRAL[ORIENTATIONS[place % 6][axis]]


def neutral_x(place: int) -> int:
    return 0 if place // 6 % 2 == 0 else WIDTH - neutral_side(place, 0)


def neutral_y(place: int) -> int:
    return 0 if place // 12 == 0 else DEPTH - neutral_side(place, 1)


def place_neutral(s: State, place: int) -> None:
    x, y = neutral_x(place), neutral_y(place)
    width, depth = neutral_side(place, 0), neutral_side(place, 1)
    stand(s, PLAIN, PLAIN, x, y, width, depth, neutral_side(place, 2))
    s.phase = DECIDE


# What a placement is made of


def placement(shape: int, colour: int, turned: int, x: int, y: int) -> int:
    return ((shape * COLOURS + colour) * 2 + turned) * COLUMNS + y * WIDTH + x


def shape_of(move: int) -> int:
    return move // (COLOURS * 2 * COLUMNS)


def colour_of(move: int) -> int:
    return move // (2 * COLUMNS) % COLOURS


def turned_of(move: int) -> int:
    return move // COLUMNS % 2


def y_of(move: int) -> int:
    return move // WIDTH % DEPTH


def x_of(move: int) -> int:
    return move % WIDTH


# [Respect des consignes de la carte]


def choice_objection(s: State, move: int) -> int:
    """What speaks against this box, then against where it would stand."""
    shape, colour, turned = shape_of(move), colour_of(move), turned_of(move)
    kind, first, second = CARDS[s.card][0], CARDS[s.card][1], CARDS[s.card][2]
    if not allows(kind, first, second, shape, colour):
        return NOT_ORDERED
    if s.left[shape][colour] == 0:
        return NONE_LEFT
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    if turned == 1 and width == depth:
        return TURNED_SQUARE
    return place_objection(s, shape, x_of(move), y_of(move), width, depth, height)


def allows(kind: int, first: int, second: int, shape: int, colour: int) -> bool:
    """Whether a card allows a box of this shape and colour."""
    wanted = colour if kind == COLOUR_CARD else shape
    return wanted == first or wanted == second


# [Respect des consignes de pose]


def place_objection(
    s: State, shape: int, x: int, y: int, width: int, depth: int, height: int
) -> int:
    if x + width > WIDTH or y + depth > DEPTH:
        return OVER_THE_EDGE
    if not is_even(s, x, y, width, depth):
        return UNEVEN_BASE
    level = s.heights[y * WIDTH + x]
    if s.ceiling == FIVE_LAYERS and level + height > LAYERS:
        return TOO_HIGH
    if level == 0 and not has_neighbour(s, x, y, width, depth):
        return TOUCHES_NOTHING
    for box in range(s.placed):
        if is_clone(s, box, shape, x, y, level, width, depth, height):
            return CLONE
    return 0


def is_even(s: State, x: int, y: int, width: int, depth: int) -> bool:
    """Whether the columns under a base have one height: then all of it rests."""
    for j in range(y, y + depth):
        for i in range(x, x + width):
            if s.heights[j * WIDTH + i] != s.heights[y * WIDTH + x]:
                return False
    return True


def has_neighbour(s: State, x: int, y: int, width: int, depth: int) -> bool:
    """Whether a column beside this base holds a box: columns have no gaps."""
    found = False
    for i in range(x, x + width):
        found = found or is_built(s, i, y - 1) or is_built(s, i, y + depth)
    for j in range(y, y + depth):
        found = found or is_built(s, x - 1, j) or is_built(s, x + width, j)
    return found


def is_built(s: State, x: int, y: int) -> bool:
    return 0 <= x < WIDTH and 0 <= y < DEPTH and s.heights[y * WIDTH + x] > 0


def is_clone(
    s: State,
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
    s: State, shape: int, colour: int, x: int, y: int, width: int, depth: int, height: int
) -> None:
    box, level = s.placed, s.heights[y * WIDTH + x]
    s.placed += 1
    s.box_x[box], s.box_y[box], s.box_level[box] = x, y, level
    s.box_width[box], s.box_depth[box], s.box_height[box] = width, depth, height
    s.box_shape[box], s.box_colour[box] = shape, colour
    for j in range(y, y + depth):
        for i in range(x, x + width):
            s.heights[j * WIDTH + i] = level + height


# Every placement at once. Geometry does not depend on the colour, and one shift of a set of
# columns asks a question of all places on the pallet; the conformance suite holds the answers
# against `is_legal`.


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    if not awaits(s, seat):
        return 0
    if seat == CHANCE:
        return list_bits(legal_bits(s, seat), 0, moves, 0)
    if s.phase == PLACE:
        return list_placements(s, moves)
    moves[0] = first_word(s)
    moves[1] = first_word(s) + 1
    return 2


def list_placements(s: State, moves: MutableSequence[int]) -> int:
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    count = 0
    for shape in range(len(SHAPES)):
        colours = allowed_colours(s, shape)
        if colours != 0:
            places = 0
            for turned in range(2):
                places |= anchors(s, shape, turned, right, behind, near) << turned * COLUMNS
            for colour in range(COLOURS):
                if colours >> colour & 1 == 1:
                    first = placement(shape, colour, 0, 0, 0)
                    count = list_bits(places, first, moves, count)
    return count


def list_bits(bits: int, first: int, moves: MutableSequence[int], count: int) -> int:
    """Write first + i for every bit i that is set after the `count` moves already there."""
    while bits != 0:
        lowest = bits & -bits
        moves[count] = first + BIT_NUMBER[lowest % 61]
        count += 1
        bits ^= lowest
    return count


def can_place(s: State) -> bool:
    """Whether the card allows any placement at all."""
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    for shape in range(len(SHAPES)):
        if allowed_colours(s, shape) != 0:
            for turned in range(2):
                if anchors(s, shape, turned, right, behind, near) != 0:
                    return True
    return False


def allowed_colours(s: State, shape: int) -> int:
    """Bit c is set if the card allows this shape in colour c and such a box is left."""
    kind, first, second = CARDS[s.card][0], CARDS[s.card][1], CARDS[s.card][2]
    colours = 0
    for colour in range(COLOURS):
        if s.left[shape][colour] > 0 and allows(kind, first, second, shape, colour):
            colours |= 1 << colour
    return colours


def even_to_the_right(s: State) -> int:
    """The columns that are as high as their neighbour at x + 1."""
    columns = 0
    for column in range(COLUMNS - 1):
        if s.heights[column] == s.heights[column + 1]:
            columns |= 1 << column
    return columns & ~RIGHT_EDGE


def even_to_the_back(s: State) -> int:
    """The columns that are as high as their neighbour at y + 1."""
    columns = 0
    for column in range(COLUMNS - WIDTH):
        if s.heights[column] == s.heights[column + WIDTH]:
            columns |= 1 << column
    return columns


def near_boxes(s: State) -> int:
    """The columns that hold a box or stand beside one."""
    built = PALLET & ~columns_up_to(s, 0)
    beside = (built & ~RIGHT_EDGE) << 1 | (built & ~LEFT_EDGE) >> 1 | built << WIDTH
    return (built | beside | built >> WIDTH) & PALLET


def columns_up_to(s: State, height: int) -> int:
    columns = 0
    for column in range(COLUMNS):
        if s.heights[column] <= height:
            columns |= 1 << column
    return columns


def anchors(s: State, shape: int, turned: int, right: int, behind: int, near: int) -> int:
    """The columns where this shape may have its lowest column and row."""
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    found = even_places(shape, turned, right, behind) & touching_places(shape, turned, near)
    if s.ceiling == FIVE_LAYERS:
        found &= columns_up_to(s, LAYERS - height)
    return without_clones(s, found, shape, width, depth, height)


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


def without_clones(s: State, found: int, shape: int, width: int, depth: int, height: int) -> int:
    """Equal faces have two equal sides, and a clone one of five anchors: on a box or beside it."""
    for box in range(s.placed):
        wide, deep, high = s.box_width[box], s.box_depth[box], s.box_height[box]
        if (wide == width) + (deep == depth) + (high == height) >= 2:
            for side in range(5):
                x = s.box_x[box] + (wide if side == 1 else -width if side == 2 else 0)
                y = s.box_y[box] + (deep if side == 3 else -depth if side == 4 else 0)
                if 0 <= x < WIDTH and 0 <= y < DEPTH:
                    column = y * WIDTH + x
                    if is_clone(s, box, shape, x, y, s.heights[column], width, depth, height):
                        found &= ~(1 << column)
    return found


# [Tour de jeu] and [Fin du tour]


def draw_card(s: State, card: int) -> None:
    s.deck ^= 1 << card
    s.card = card
    if can_place(s):
        s.is_lost = 0
        s.phase = PLACE
    else:
        s.is_lost = 1
        s.lost += 1
        end_turn(s)


def place_box(s: State, move: int) -> None:
    shape, colour, turned = shape_of(move), colour_of(move), turned_of(move)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    s.left[shape][colour] -= 1
    stand(s, shape, colour, x_of(move), y_of(move), width, depth, height)
    end_turn(s)


def end_turn(s: State) -> None:
    if s.deck == 0 or boxes_left(s) == 0:
        s.phase = OVER
    else:
        s.turn = (s.turn + 1) % s.seats
        s.phase = DECIDE


# [Fin de la partie]


def say(s: State, seat: int, word: int) -> None:
    """Before each card the team may agree to draw no more; one refusal, and it is drawn."""
    if word == DRAW or word == REFUSE:
        s.agreed = 0
        s.phase = ORDER
    else:
        s.agreed |= 1 << seat
        s.phase = OVER if s.agreed == (1 << s.seats) - 1 else VOTE


def is_over(s: State) -> bool:
    return s.phase == OVER


# [Décompte]


def score(s: State, seat: int) -> int:
    """The team's points, the same for every seat."""
    return LAYER_POINTS * complete_layers(s) - boxes_left(s) - s.lost


def complete_layers(s: State) -> int:
    """Columns have no gaps, so the lowest one tells."""
    layers = LAYERS
    for column in range(COLUMNS):
        layers = min(layers, s.heights[column])
    return layers


def boxes_left(s: State) -> int:
    boxes = 0
    for shape in range(len(SHAPES)):
        for colour in range(COLOURS):
            boxes += s.left[shape][colour]
    return boxes


def wins(s: State, seat: int) -> bool:  # [Challenge], [Compétition], [Casse-tête]
    """Normal play has no winners and no losers, but a perfect pallet is a triumph everywhere."""
    if has_target(s):
        return score(s, seat) >= s.target
    return score(s, seat) == PERFECT


def has_target(s: State) -> bool:
    return s.mode == CHALLENGE or s.mode == COMPETITION


def hide(s: State, viewer: int) -> None:
    """Everything lies open: the deck has no order before it is drawn."""
