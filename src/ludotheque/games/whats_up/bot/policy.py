"""What a quick player turns; a search lets all seats play so to the end of a match.

A quick player knows what has been up in public, which `seen` tells. Of the other cards it knows
which backs lie under those that show the same face, but not which of them under which: what shows
at the deal leaves few ways for the cards to lie, so whoever counts cards knows about that much.

Written as rules are: plain functions, compiled beside them.
"""

from typing import Any

from ludotheque.engine.playouts import popcount, roll
from ludotheque.games.whats_up.rules import (
    CARDS,
    COLOURS,
    FULL,
    GOAL,
    HOLE,
    complete_rows,
    face_of,
)

STEP = 300  # worth of a card that brings the goal nearer; others count their birds alone
BIRD = 30
GOAL_REACHED = 10_000
SOON = 15  # hundredths of its worth has a card that can be taken in a round, if nobody turns it
RIVAL = 30  # hundredths of its worth has a card that the next player can take
WHIM = 1000  # in hundredths: decides between cards that are worth about the same
LOWEST = -(1 << 40)

# The pad: what a player notes by face before choosing, one row after the other.
FACE_CODES = 17  # one more than the highest face, for what follows a complete purple row
OWN = 0  # what the face is worth to the player
THEIRS = FACE_CODES  # what it is worth to the next one
HIDDEN = 2 * FACE_CODES  # the backs of the unseen cards that show it, as bits
# What is known to lie under cards: the most it is worth, in which cell, and the most elsewhere.
BEST, BEST_CELL, SECOND = 0, 1, 2
OWN_KNOWN = 3 * FACE_CODES
THEIRS_KNOWN = OWN_KNOWN + 3
PAD = 64


def playout_move(s: Any, seat: int, dice: Any, moves: Any) -> int:
    """The card that this seat turns; `moves` is its pad."""
    take_notes(s, seat, moves)
    choice, highest = -1, LOWEST
    for cell in range(CARDS):
        if s.up[cell] != HOLE:
            prize = prize_of(s, seat, cell, moves) + roll(dice, WHIM)
            if prize > highest:
                choice, highest = cell, prize
    return choice


def take_notes(s: Any, seat: int, pad: Any) -> None:
    for face in range(3 * FACE_CODES):
        pad[face] = 0
    for colour in range(COLOURS):
        note_next(s, seat, colour, pad, OWN)
        note_next(s, (seat + 1) % s.seats, colour, pad, THEIRS)
    for cell in range(CARDS):
        if s.seen >> cell & 1 == 0:
            pad[HIDDEN + s.up[cell]] |= 1 << s.down[cell]
    note_known(s, pad, OWN, OWN_KNOWN)
    note_known(s, pad, THEIRS, THEIRS_KNOWN)


def note_next(s: Any, seat: int, colour: int, pad: Any, row: int) -> None:
    """Note what the next card of this colour is worth to a seat."""
    birds = s.rows[seat][colour] + 1
    if birds > FULL:
        return
    longer = 0
    for other in range(COLOURS):
        longer += s.rows[seat][other] >= birds
    value = BIRD * birds
    if longer < GOAL[s.seats]:
        value += STEP
    if birds == FULL and complete_rows(s, seat) + 1 == GOAL[s.seats]:
        value += GOAL_REACHED
    pad[row + face_of(colour, birds)] = value


def note_known(s: Any, pad: Any, row: int, at: int) -> None:
    best, best_cell, second = 0, -1, 0
    for cell in range(CARDS):
        if s.seen >> cell & 1 == 1:
            value = pad[row + s.down[cell]]
            if value > best:
                best, best_cell, second = value, cell, best
            elif value > second:
                second = value
    pad[at + BEST], pad[at + BEST_CELL], pad[at + SECOND] = best, best_cell, second


def known_elsewhere(pad: Any, at: int, cell: int) -> int:
    """The most that a known card is worth which lies in another cell."""
    return int(pad[at + SECOND] if pad[at + BEST_CELL] == cell else pad[at + BEST])


def prize_of(s: Any, seat: int, cell: int, pad: Any) -> int:
    """What turning this card is worth in hundredths, with what it leaves to the next player."""
    up = s.up[cell]
    backs = 1 << s.down[cell] if s.seen >> cell & 1 == 1 else pad[HIDDEN + up]
    count, taken, stays = popcount(backs), 0, popcount(backs)
    for colour in range(COLOURS):
        face = face_of(colour, s.rows[seat][colour] + 1)
        if backs >> face & 1 == 1 and pad[OWN + face] > 0:
            taken += pad[OWN + face]
            stays -= 1
    own = max(known_elsewhere(pad, OWN_KNOWN, cell) * count, pad[OWN + up] * stays)
    theirs = max(known_elsewhere(pad, THEIRS_KNOWN, cell) * count, pad[THEIRS + up] * stays)
    return int((100 * taken + SOON * own - RIVAL * theirs) // count)
