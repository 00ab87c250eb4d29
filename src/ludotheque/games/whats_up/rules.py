"""What's Up, published by Ludolux: turn birds over and gather them in order, 2–4 seats.

Thirty two-sided bird cards lie in a grid. In your turn you turn one of them over: if the face that
comes up is the next one of its colour in your collection (1, then 2, then 3 birds), you must take
it; if not, it stays as it lies now. The first to complete enough rows wins.
[Brackets] cite the sections of the rule sheet; RULES.md tells the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import (
    CHANCE,
    NOBODY,
    Record,
    a_seat,
    by_seat,
    choice,
    flag,
    number,
    one_of,
    row,
    row_of,
    seat_or_chance,
    set_of,
)

VERSION = 1
SEATS = range(2, 5)
MAX_SEATS = 4

# [Contenu] A face is 4 × its colour + its birds, and 0 is none. The colours are 0 red, 1 green,
# 2 yellow, 3 purple. The two faces of a card share either the colour or the number of birds.
COLOURS = 4
FULL = 3  # birds on the last card of a row, and so the cards in a complete one
FACES = (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)
DECK = tuple(
    (one, other)
    for one in FACES
    for other in FACES
    if one < other and (one // 4 == other // 4) != (one % 4 == other % 4)
)
CARDS = 30
COLUMNS = 6  # cell 0 is the top left one, cell 6 the one below it

# [Fin du jeu]
GOAL = (0, 0, 4, 3, 2)  # complete rows that win at once, by the number of seats
LEFTOVER = 3  # cards left on the table: the match ends
CALM_ROUNDS = 2  # without a taking: the vote opens
LAST_ROUNDS = 6  # more without a taking: the match ends
CALM_TURNS = 8  # without a taking: the match ends, with the option `stall` at EIGHT_TURNS
BIRDS = (0, 1, 3, 6)  # in a row that reaches 0, 1, 2, 3
SCORES = range(COLOURS * BIRDS[FULL] + 1)

AGREE = CARDS  # to end the match; any other move is the cell whose card is turned over
MOVES = CARDS + 1
NAMING = 2 * CARDS  # chance deals side o % 2 of DECK[o // 2] up, or names seat o − NAMING the first
OUTCOMES = NAMING + MAX_SEATS
# Before each taking nearly all the rounds that end a match may pass, and everybody may agree once.
MAX_MATCH_MOVES = CARDS + 1 + (CARDS - LEFTOVER) * MAX_SEATS * (CALM_ROUNDS + LAST_ROUNDS + 1)

HOLE = 0  # in place of a face where no card lies
UNKNOWN = -1  # an under face that a view does not show
NONE = -1  # in place of a cell
EIGHT_TURNS = 1  # the option `stall` when CALM_TURNS end the match without a vote

OBJECTIONS = (
    "",
    "not_now",
    "not_your_turn",
    "no_card",
    "no_vote",
    "has_agreed",
    "is_dealt",
    "no_seat",
)
(
    ALLOWED,
    NOT_NOW,
    NOT_YOUR_TURN,
    NO_CARD,
    NO_VOTE,
    HAS_AGREED,
    IS_DEALT,
    NO_SEAT,
) = range(len(OBJECTIONS))
OPTIONS = (
    choice("stall", "two rounds", "eight turns"),
    flag("open_memory"),
    seat_or_chance("first", MAX_SEATS),
)


class State(Record):
    seats: int = number(0, MAX_SEATS)
    stall: int = number(0, 1)
    open_memory: int = number(0, 1)
    first: int = a_seat(MAX_SEATS, CHANCE)  # the seat that begins, CHANCE to have it drawn
    turn: int = a_seat(MAX_SEATS, NOBODY)  # CHANCE's while cards are dealt, NOBODY's at the end
    dealt: int = number(0, CARDS)  # cells that have had their card, from cell 0 on
    undealt: int = set_of(CARDS)  # bit i is set until DECK[i] is dealt
    up: list[int] = row_of(CARDS, one_of(HOLE, 15))  # the face that shows in each cell
    down: list[int] = row_of(CARDS, one_of(UNKNOWN, 15))  # the face under it
    seen: int = set_of(CARDS)  # bit c is set if the under face of cell c was up before
    # rows[seat]: birds on each row's last card
    rows: list[list[int]] = by_seat(MAX_SEATS, row(COLOURS, 0, FULL))
    quiet: int = number(0, MAX_SEATS * (CALM_ROUNDS + LAST_ROUNDS))  # turns since the last taking
    # agreed[seat]: 1 if the seat has agreed to end the match
    agreed: list[int] = by_seat(MAX_SEATS, number(0, 1))
    turner: int = a_seat(MAX_SEATS, NOBODY)  # who turned a card last
    turned: int = one_of(NONE, CARDS - 1)  # the cell of that card
    taken: int = one_of(HOLE, 15)  # its face if the turner took it, HOLE if it stayed


def face_of(colour: int, birds: int) -> int:
    return 4 * colour + birds


def colour_of(face: int) -> int:
    return face // 4


def birds_of(face: int) -> int:
    return face % 4


def setup(s: State) -> None:
    s.turn = CHANCE
    s.undealt = (1 << CARDS) - 1
    s.turner = NOBODY
    s.turned = NONE


def awaits(s: State, seat: int) -> bool:
    return s.turn == seat


def is_legal(s: State, seat: int, move: int) -> bool:
    return objection(s, seat, move) == ALLOWED


def objection(s: State, seat: int, move: int) -> int:
    if s.turn == NOBODY or (s.turn == CHANCE) != (seat == CHANCE):
        return NOT_NOW
    if seat != CHANCE:
        return objection_to_agree(s, seat) if move == AGREE else objection_to_turn(s, seat, move)
    if (s.dealt < CARDS) != (move < NAMING):
        return NOT_NOW
    return objection_to_deal(s, move) if move < NAMING else objection_to_first(s, move - NAMING)


def legal_bits(s: State, seat: int) -> int:
    """What `is_legal` says of a seat; it tries the cells only in the seat's turn."""
    bits = is_legal(s, seat, AGREE) << AGREE
    if s.turn == seat:
        for cell in range(CARDS):
            bits |= (objection_to_turn(s, seat, cell) == ALLOWED) << cell
    return bits


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    """What `is_legal` says; the thirty deals of every match try the cards alone."""
    count = 0
    if seat == CHANCE and s.dealt < CARDS:
        for outcome in range(NAMING):
            moves[count] = outcome
            count += objection_to_deal(s, outcome) == ALLOWED
        return count
    for move in range(MOVES if seat != CHANCE else OUTCOMES):
        moves[count] = move
        count += is_legal(s, seat, move)
    return count


def draw_name(s: State) -> int:
    """The cell that gets a card; after the last cell, chance names the first seat."""
    return s.dealt


def play(s: State, seat: int, move: int) -> None:
    if seat != CHANCE:
        if move == AGREE:
            agree(s, seat)
        else:
            turn_over(s, seat, move)
    elif move < NAMING:
        deal(s, move)
    else:
        s.turn = move - NAMING


def objection_to_deal(s: State, outcome: int) -> int:  # [Préparation]
    return ALLOWED if s.undealt >> outcome // 2 & 1 == 1 else IS_DEALT


def deal(s: State, outcome: int) -> None:
    """Lay a card in the next cell, this side up; the last one opens the first turn."""
    card, side = outcome // 2, outcome % 2
    s.up[s.dealt] = DECK[card][side]
    s.down[s.dealt] = DECK[card][1 - side]
    s.undealt ^= 1 << card
    s.dealt += 1
    if s.dealt == CARDS:
        s.turn = s.first


def objection_to_first(s: State, seat: int) -> int:
    return ALLOWED if seat < s.seats else NO_SEAT


def objection_to_turn(s: State, seat: int, cell: int) -> int:  # [Déroulement du jeu]
    if s.turn != seat:
        return NOT_YOUR_TURN
    return ALLOWED if s.up[cell] != HOLE else NO_CARD


def turn_over(s: State, seat: int, cell: int) -> None:
    face = s.down[cell]
    s.down[cell] = s.up[cell]
    s.up[cell] = face
    s.seen |= 1 << cell
    s.turner, s.turned, s.taken = seat, cell, HOLE
    s.quiet += 1
    if fits(s, seat, face):
        take(s, seat, cell)
    s.turn = NOBODY if ends_with(s, seat) else (seat + 1) % s.seats


def fits(s: State, seat: int, face: int) -> bool:
    """Whether this face continues the row of its colour; rows begin with one bird."""
    return birds_of(face) == s.rows[seat][colour_of(face)] + 1


def take(s: State, seat: int, cell: int) -> None:
    s.taken = s.up[cell]
    s.rows[seat][colour_of(s.taken)] = birds_of(s.taken)
    s.up[cell] = HOLE
    s.down[cell] = HOLE
    s.seen ^= 1 << cell
    s.quiet = 0
    for other in range(s.seats):
        s.agreed[other] = 0


def ends_with(s: State, seat: int) -> bool:  # [Fin du jeu]
    """Whether the turn that this seat has just made ends the match."""
    if s.quiet > 0:
        return s.quiet == quiet_limit(s)
    return has_reached_goal(s, seat) or cards_left(s) == LEFTOVER


def has_reached_goal(s: State, seat: int) -> bool:  # [Fin du jeu, a]
    return complete_rows(s, seat) == GOAL[s.seats]


def complete_rows(s: State, seat: int) -> int:
    count = 0
    for colour in range(COLOURS):
        count += s.rows[seat][colour] == FULL
    return count


def cards_left(s: State) -> int:  # [Fin du jeu, b]
    left = CARDS
    for seat in range(s.seats):
        left -= cards(s, seat)
    return left


def quiet_limit(s: State) -> int:
    """The turns without a taking that end the match."""
    return CALM_TURNS if s.stall == EIGHT_TURNS else s.seats * (CALM_ROUNDS + LAST_ROUNDS)


def is_vote_open(s: State) -> bool:
    return s.stall != EIGHT_TURNS and s.quiet >= calm_turns(s)


def calm_turns(s: State) -> int:
    """The turns without a taking that open the vote."""
    return s.seats * CALM_ROUNDS


def objection_to_agree(s: State, seat: int) -> int:
    """Every seat may agree, in its turn or not."""
    if not is_vote_open(s):
        return NO_VOTE
    return ALLOWED if s.agreed[seat] == 0 else HAS_AGREED


def agree(s: State, seat: int) -> None:
    s.agreed[seat] = 1
    if votes(s) == s.seats:
        s.turn = NOBODY


def votes(s: State) -> int:
    count = 0
    for seat in range(s.seats):
        count += s.agreed[seat]
    return count


def is_over(s: State) -> bool:
    return s.turn == NOBODY


def score(s: State, seat: int) -> int:
    """The birds in a collection."""
    birds = 0
    for colour in range(COLOURS):
        birds += BIRDS[s.rows[seat][colour]]
    return birds


def cards(s: State, seat: int) -> int:
    """The cards in a collection: a row that reaches n birds has n of them."""
    count = 0
    for colour in range(COLOURS):
        count += s.rows[seat][colour]
    return count


def wins(s: State, seat: int) -> bool:  # [Fin du jeu]
    ahead = 0
    for other in range(s.seats):
        ahead += is_ahead(s, other, seat)
    return ahead == 0


def is_ahead(s: State, seat: int, other: int) -> bool:
    """The goal comes first, then more birds, then fewer cards."""
    if has_reached_goal(s, seat) != has_reached_goal(s, other):
        return has_reached_goal(s, seat)
    if score(s, seat) != score(s, other):
        return score(s, seat) > score(s, other)
    return cards(s, seat) < cards(s, other)


def hide(s: State, viewer: int) -> None:
    """Everybody sees the same: what lies face up. What lay face up before is memory."""
    if is_over(s):
        return
    s.undealt = 0
    if s.open_memory == 0:
        s.seen = 0
    for cell in range(CARDS):
        if s.up[cell] != HOLE and s.seen >> cell & 1 == 0:
            s.down[cell] = UNKNOWN


def sees(s: State, viewer: int, seat: int, move: int) -> bool:
    """A deal names both faces of a card, so nobody sees it."""
    return seat != CHANCE or move >= NAMING
