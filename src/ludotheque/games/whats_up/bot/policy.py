"""How playouts choose moves: by what each card is worth now, to this player and to the next one.

A player in a playout knows all faces that were up in public, which `seen` tells. Of the other cards
it knows which backs lie under those that show the same face, but not which back under which card.
That is about as much as a player knows who counts cards, since the faces that show leave few ways
for the cards to lie.

Written as rules are: plain functions, compiled beside them.
"""

from typing import Any

from ludotheque.engine.playouts import popcount, random_below
from ludotheque.games.whats_up.rules import (
    CARDS,
    COLOURS,
    FULL,
    GOAL,
    HOLE,
    complete_rows,
    face_of,
)

STEP_VALUE = 300  # of a card that brings the goal nearer; other cards count their birds alone
BIRD_VALUE = 30
GOAL_VALUE = 10_000
OWN_LATER_PERCENT = 15  # of its value counts for a card that can be taken a round later
RIVAL_PERCENT = 30  # of its value counts against a card that the next player can take
NOISE = 1000  # in hundredths: decides between cards of about the same value
LOWEST = -(1 << 40)

# The scratch array: what a player works out by face before choosing, one row after the other.
FACE_CODES = 17  # one more than the highest face, for what follows a complete purple row
OWN = 0  # value of the face to the player
THEIRS = FACE_CODES  # value of the face to the next player
HIDDEN = 2 * FACE_CODES  # the backs of the unseen cards that show the face, as bits
# Of the faces known to lie under cards: the highest value, its cell, the highest value elsewhere
BEST, BEST_CELL, SECOND = 0, 1, 2
OWN_KNOWN = 3 * FACE_CODES
THEIRS_KNOWN = OWN_KNOWN + 3
SCRATCH_SIZE = 64


def playout_move(s: Any, seat: int, stream: Any, moves: Any) -> int:
    """The card that this seat turns; `moves` serves as the scratch array."""
    evaluate_faces(s, seat, moves)
    choice, highest = -1, LOWEST
    for cell in range(CARDS):
        if s.up[cell] != HOLE:
            value = turn_value(s, seat, cell, moves) + random_below(stream, NOISE)
            if value > highest:
                choice, highest = cell, value
    return choice


def evaluate_faces(s: Any, seat: int, scratch: Any) -> None:
    """Fill the scratch array."""
    for face in range(3 * FACE_CODES):
        scratch[face] = 0
    for colour in range(COLOURS):
        evaluate_next(s, seat, colour, scratch, OWN)
        evaluate_next(s, (seat + 1) % s.seats, colour, scratch, THEIRS)
    for cell in range(CARDS):
        if s.seen >> cell & 1 == 0:
            scratch[HIDDEN + s.up[cell]] |= 1 << s.down[cell]
    find_best_known(s, scratch, OWN, OWN_KNOWN)
    find_best_known(s, scratch, THEIRS, THEIRS_KNOWN)


def evaluate_next(s: Any, seat: int, colour: int, scratch: Any, row: int) -> None:
    """Write the value to a seat of the next card of this colour."""
    birds = s.rows[seat][colour] + 1
    if birds > FULL:
        return
    longer = 0
    for other in range(COLOURS):
        longer += s.rows[seat][other] >= birds
    value = BIRD_VALUE * birds
    if longer < GOAL[s.seats]:
        value += STEP_VALUE
    if birds == FULL and complete_rows(s, seat) + 1 == GOAL[s.seats]:
        value += GOAL_VALUE
    scratch[row + face_of(colour, birds)] = value


def find_best_known(s: Any, scratch: Any, row: int, at: int) -> None:
    best, best_cell, second = 0, -1, 0
    for cell in range(CARDS):
        if s.seen >> cell & 1 == 1:
            value = scratch[row + s.down[cell]]
            if value > best:
                best, best_cell, second = value, cell, best
            elif value > second:
                second = value
    scratch[at + BEST], scratch[at + BEST_CELL], scratch[at + SECOND] = best, best_cell, second


def known_elsewhere(scratch: Any, at: int, cell: int) -> int:
    """The highest value of a known face under another card."""
    return int(scratch[at + SECOND] if scratch[at + BEST_CELL] == cell else scratch[at + BEST])


def turn_value(s: Any, seat: int, cell: int, scratch: Any) -> int:
    """The value of turning this card, in hundredths, with what it leaves to the next player."""
    up = s.up[cell]
    backs = 1 << s.down[cell] if s.seen >> cell & 1 == 1 else scratch[HIDDEN + up]
    count, taken, stays = popcount(backs), 0, popcount(backs)
    for colour in range(COLOURS):
        face = face_of(colour, s.rows[seat][colour] + 1)
        if backs >> face & 1 == 1 and scratch[OWN + face] > 0:
            taken += scratch[OWN + face]
            stays -= 1
    own = max(known_elsewhere(scratch, OWN_KNOWN, cell) * count, scratch[OWN + up] * stays)
    theirs = max(known_elsewhere(scratch, THEIRS_KNOWN, cell) * count, scratch[THEIRS + up] * stays)
    return int((100 * taken + OWN_LATER_PERCENT * own - RIVAL_PERCENT * theirs) // count)
