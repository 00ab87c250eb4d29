"""Team UP, by Sébastien Pauchon and Hadi Barkat: packing a pallet together, 1–4 seats.

All players are one team. A pallet of 6 × 4 cells holds a neutral box in one of its corners. Players
take turns to draw an order card and to place a box that it allows: with its whole base supported,
in touch with another box, and with no face exactly on an equal face. A card that allows no box is
lost and costs a point. In the end every complete layer is worth five points and every box left
costs one; a perfect pallet, five layers and no loss, is worth 25.

[Brackets] cite the sections of the rule sheet. pallet.py holds where boxes may stand, parts.py the
boxes and cards; RULES.md has the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import (
    CHANCE,
    Record,
    a_seat,
    choice,
    grid,
    number,
    one_of,
    row,
    row_of,
    set_of,
    set_of_seats,
    whole,
)
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.pallet import (
    BIT_NUMBER,
    COLUMNS,
    FIVE_LAYERS,
    SHAPES,
    anchors,
    clone_places,
    columns_at,
    even_to_the_back,
    even_to_the_right,
    has_neighbour,
    is_clone,
    is_even,
    near_boxes,
    places_for_base,
    similar_ways,
    stand,
)
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

# [Matériel et mise en place] A host's own set replaces these tables and SHAPES.
BOXES = parts.DEFAULT.boxes  # per shape: how many boxes in each colour
CARDS = parts.DEFAULT.cards  # per card: kind, first, second, as parts.py explains
NEUTRAL = parts.DEFAULT.neutral  # the sides of the box without a colour
HAS_PUZZLE = parts.DEFAULT.has_puzzle  # 1 if the cards in order allow a perfect pallet
PUZZLE_NEUTRAL = parts.DEFAULT.puzzle_neutral  # x, y, width, depth, height in the puzzle

MAX_PLACED = MAX_CARDS + 1  # the neutral box, and at most one box for each card
MAX_HEIGHT = MAX_BOXES * LAYERS + DEPTH  # all boxes in one tower on the neutral box

# A placement is a shape, a colour, whether width and depth are swapped, and the lowest x and y.
# The four other moves are decisions before a card.
PLACEMENTS = MAX_SHAPES * COLOURS * 2 * COLUMNS
DRAW, STOP, AGREE, REFUSE = range(PLACEMENTS, PLACEMENTS + 4)
MOVES = PLACEMENTS + 4
SET_MOVES = 2 * COLUMNS  # the placements of one shape and colour
MOVE_SETS = MAX_SHAPES * COLOURS + 1

# Chance places the neutral box: corner × 6 + orientation; then it draws NEUTRAL_PLACES + card.
ORIENTATIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
NEUTRAL_PLACES = 4 * len(ORIENTATIONS)
OUTCOMES = NEUTRAL_PLACES + MAX_CARDS
MAX_MATCH_MOVES = 1 + MAX_CARDS * (
    MAX_SEATS + 2
)  # a proposal to stop, the answers, a card and a box

PREPARE, DECIDE, VOTE, ORDER, PLACE, OVER = range(6)  # the phases
NO_CARD = -1
PLAIN = -1  # the shape and the colour of the neutral box

LAYER_POINTS = 5
PERFECT = LAYER_POINTS * LAYERS
SCORES = range(-MAX_BOXES - MAX_CARDS, PERFECT + 1)  # all boxes left and all cards lost, to none

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
    ALLOWED,
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
) = range(len(OBJECTIONS))

SAME_DEAL = ("challenge", "competition")  # the modes of a deal that is played again
OPTIONS = (
    choice("mode", "normal", *SAME_DEAL, "puzzle", of_replay=SAME_DEAL),
    whole("target", -60, PERFECT, -60, of_replay=True),
    choice("clones", "any", "same"),
    choice("ceiling", "none", "five layers"),
)
NORMAL, CHALLENGE, COMPETITION, PUZZLE = range(4)  # the option `mode`


class State(Record):
    seats: int = number(0, MAX_SEATS)
    mode: int = number(0, 3)  # the place of each choice in OPTIONS
    target: int = number(-60, PERFECT)  # the score to reach in a challenge or a competition
    clones: int = number(0, 1)
    ceiling: int = number(0, 1)
    phase: int = one_of(0, OVER)  # what is awaited, PREPARE … OVER
    turn: int = a_seat(MAX_SEATS)  # the seat that draws and places
    agreed: int = set_of_seats(MAX_SEATS)  # bit i is set if seat i agrees to stop
    deck: int = set_of(MAX_CARDS)  # bit i is set while card i lies face down
    card: int = one_of(NO_CARD, MAX_CARDS - 1)  # drawn last, NO_CARD before the first
    is_lost: int = number(0, 1)  # 1 if that card allowed no box
    lost: int = number(0, MAX_CARDS)  # cards that allowed no box, counted for the score
    face_down: int = set_of(MAX_CARDS)  # bit i is set if card i is one of them
    left: list[list[int]] = grid(MAX_SHAPES, COLOURS, 0, MAX_ALIKE)  # boxes, by shape, colour
    heights: list[int] = row(COLUMNS, 0, MAX_HEIGHT)  # of the columns, in cells
    placed: int = number(0, MAX_PLACED)  # boxes on the pallet, in the order of the rows below
    box_x: list[int] = row(MAX_PLACED, 0, WIDTH - 1)  # the lowest column …
    box_y: list[int] = row(MAX_PLACED, 0, DEPTH - 1)  # … and row of its base
    box_level: list[int] = row(MAX_PLACED, 0, MAX_HEIGHT)  # cells under its base
    box_width: list[int] = row(MAX_PLACED, 0, WIDTH)  # as it stands, turned or not
    box_depth: list[int] = row(MAX_PLACED, 0, WIDTH)
    box_height: list[int] = row(MAX_PLACED, 0, LAYERS)
    box_shape: list[int] = row_of(MAX_PLACED, one_of(PLAIN, MAX_SHAPES - 1))
    box_colour: list[int] = row_of(MAX_PLACED, one_of(PLAIN, COLOURS - 1))


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


def may_propose(s: State, seat: int) -> bool:
    """Whether this seat, which is not awaited, may propose to stop before the next card."""
    return s.phase == DECIDE and seat != CHANCE and seat != s.turn


def is_legal(s: State, seat: int, move: int) -> bool:
    return objection(s, seat, move) == ALLOWED


def objection(s: State, seat: int, move: int) -> int:
    if may_propose(s, seat):
        return ALLOWED if move == STOP else NOT_NOW
    if not awaits(s, seat):
        return NOT_NOW
    if seat == CHANCE:
        return ALLOWED if legal_bits(s, seat) >> move & 1 == 1 else NOT_DEALT
    if s.phase == PLACE:
        return objection_to_placement(s, move) if move < PLACEMENTS else NOT_NOW
    return ALLOWED if first_decision(s) <= move <= first_decision(s) + 1 else NOT_NOW


def first_decision(s: State) -> int:
    """The first of the two that are possible now: draw or stop, agree or refuse."""
    return AGREE if s.phase == VOTE else DRAW


def play(s: State, seat: int, move: int) -> None:
    if seat != CHANCE:
        if move < PLACEMENTS:
            place_box(s, move)
        else:
            decide(s, seat, move)
    elif s.phase == PREPARE:
        place_neutral(s, move)
    else:
        draw_card(s, move - NEUTRAL_PLACES)


# Chance [Matériel et mise en place, 2 and 3; Casse-tête]


def legal_bits(s: State, seat: int) -> int:
    """The outcomes of chance; a seat has more moves than a number has bits."""
    if seat != CHANCE or not awaits(s, seat):
        return 0
    if s.phase == PREPARE:
        return neutral_bits(s)
    return (s.deck & -s.deck if is_puzzle(s) else s.deck) << NEUTRAL_PLACES


def draw_name(s: State) -> int:
    """0 for the neutral box; then the boxes placed and the cards lost: one for each draw."""
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
    """Whether an earlier place is the same, since two sides are equal or one fills the depth."""
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


# The parts of a placement


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


def objection_to_placement(s: State, move: int) -> int:
    """First to the box, then to its place."""
    shape, colour, turned = shape_of(move), colour_of(move), turned_of(move)
    kind, first, second = CARDS[s.card][0], CARDS[s.card][1], CARDS[s.card][2]
    if not allows(kind, first, second, shape, colour):
        return NOT_ORDERED
    if s.left[shape][colour] == 0:
        return NONE_LEFT
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    if turned == 1 and width == depth:
        return TURNED_SQUARE
    return objection_to_place(s, shape, x_of(move), y_of(move), width, depth, height)


def allows(kind: int, first: int, second: int, shape: int, colour: int) -> bool:
    """Whether a card allows a box of this shape and colour."""
    wanted = colour if kind == COLOUR_CARD else shape
    return wanted == first or wanted == second


# [Respect des consignes de pose]


def objection_to_place(
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
    return ALLOWED


# Every placement at once


def legal_sets(s: State, seat: int, sets: MutableSequence[int]) -> None:
    """Each shape has a set for each of its colours; the last set are the decisions."""
    for n in range(MOVE_SETS):
        sets[n] = 0
    if s.phase == PLACE:
        if seat == s.turn:
            write_placements(s, sets)
    elif may_propose(s, seat):
        sets[MOVE_SETS - 1] = 1 << STOP - PLACEMENTS
    elif awaits(s, seat):
        sets[MOVE_SETS - 1] = 3 << first_decision(s) - PLACEMENTS


def write_placements(s: State, sets: MutableSequence[int]) -> None:
    """The places of a shape are the same in every colour; until the end its first set has them."""
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    ways = 0  # to lie, of the shapes allowed: bit 2 × shape + turned
    for shape in range(len(SHAPES)):
        if allowed_colours(s, shape) != 0:
            ways |= 3 << 2 * shape
            for turned in range(2):
                places = places_for_base(s, shape, turned, right, behind, near)
                sets[shape * COLOURS] |= places << turned * COLUMNS
    remove_clones(s, ways, sets)
    for shape in range(len(SHAPES)):
        colours, places = allowed_colours(s, shape), sets[shape * COLOURS]
        for colour in range(COLOURS):
            sets[shape * COLOURS + colour] = places if colours >> colour & 1 == 1 else 0


def remove_clones(s: State, ways: int, sets: MutableSequence[int]) -> None:
    for box in range(s.placed):
        similar = similar_ways(s, box) & ways
        if similar != 0:
            beside = columns_at(s, s.box_level[box])
            while similar != 0:
                lowest = similar & -similar
                similar ^= lowest
                shape, turned = BIT_NUMBER[lowest % 61] // 2, BIT_NUMBER[lowest % 61] % 2
                clones = clone_places(s, box, beside, shape, turned)
                sets[shape * COLOURS] &= ~(clones << turned * COLUMNS)


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    if s.phase != PLACE:
        return list_decisions(s, seat, moves)
    if seat != s.turn:
        return 0
    sets = moves[MOVES - MOVE_SETS : MOVES]  # the list does not reach a set before it is read
    legal_sets(s, seat, sets)
    count = 0
    for n in range(len(SHAPES) * COLOURS):
        count = list_bits(sets[n], n * SET_MOVES, moves, count)
    return count


def list_decisions(s: State, seat: int, moves: MutableSequence[int]) -> int:
    if may_propose(s, seat):
        moves[0] = STOP
        return 1
    if not awaits(s, seat):
        return 0
    if seat == CHANCE:
        return list_bits(legal_bits(s, seat), 0, moves, 0)
    moves[0] = first_decision(s)
    moves[1] = first_decision(s) + 1
    return 2


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
    if kind == COLOUR_CARD:
        return 1 << first if s.left[shape][first] > 0 else 0
    return colours_left(s, shape) if allows(kind, first, second, shape, 0) else 0


def colours_left(s: State, shape: int) -> int:
    colours = 0
    for colour in range(COLOURS):
        colours |= (s.left[shape][colour] > 0) << colour
    return colours


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
        s.face_down |= 1 << card
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


def decide(s: State, seat: int, move: int) -> None:
    """Before each card the team may agree to draw no more; after one refusal it is drawn.

    Any seat may propose it; the card is drawn by the one whose turn it is.
    """
    if move == DRAW or move == REFUSE:
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
    """Normal play has no winners and no losers, but a perfect pallet always wins."""
    if has_target(s):
        return score(s, seat) >= s.target
    return score(s, seat) == PERFECT


def has_target(s: State) -> bool:
    return s.mode == CHALLENGE or s.mode == COMPETITION


def hide(s: State, viewer: int) -> None:
    """Everything lies open: the deck has no order before it is drawn."""
