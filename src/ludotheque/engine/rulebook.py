"""What every game's rules.py defines, and what it may leave out.

A rules file is plain Python on integers, tuples of constants and the lists of its State. The
server runs it as it is; kernels are the same functions compiled by Numba. These signatures are
the contract. Functions that raise NotImplementedError must be there, `draw_name` if chance acts at
all; the others are defaults.

Besides the functions a rules file has the constants

    VERSION          the rules version that match files carry
    SEATS            the seat counts, as a range
    MOVES            moves of a seat are the integers 0 … MOVES − 1
    MAX_MATCH_MOVES  no match has more moves than this, chance included
    State            the Record; it has a number `seats`
    OUTCOMES         moves of CHANCE are the integers 0 … OUTCOMES − 1; without chance left out
    OPTIONS          optional: what a table may choose (engine.option), each a number of the State
    TEAM             optional: True if all seats win or lose together
    SCORES           optional: the range of the scores, for those who must know it ahead
    UNLISTED_MOVES   optional: moves below this are too many to list: clients try them
    RACE             optional: True if the seats of a timed game move at the same time

A State with a number `clock` makes a timed game: it holds the milliseconds since the match began,
and before every move the match lets the time pass that the move came with. Such a rules file also
defines `wait` and `alarm`, and MEAN_MOVE_MS, the mean time of a move in playouts.

In a RACE a move counts when it was made, though another one, made later, has come in before it. The
rules then meet it with the clock turned back, by a negative `wait`, to its own time, which is never
before the last move of its seat or of chance; afterwards the clock shows again what it showed.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

__defaults__ = True  # a game may define all of it again

MOVES = 0
OUTCOMES = 0
MEAN_MOVE_MS = 0
UNLISTED_MOVES = 0
MAX_WEIGHT = 1  # of an outcome
MAX_LEGAL_BITS = 62  # legal moves that fit into one number
HAS_BITS = False  # whether the game defines `legal_bits`; the engine sets it
SET_MOVES = 56  # moves that a set of `legal_sets` is about; a game may choose up to 62
HAS_SETS = False  # whether the game defines `legal_sets`; the engine sets it


def setup(s: Any) -> None:
    """Lay out a blank state in which `seats` and the options are already written."""
    raise NotImplementedError


def awaits(s: Any, seat: int) -> bool:
    """Whether the table waits for this seat (CHANCE too). Others may still have legal moves."""
    raise NotImplementedError


def is_legal(s: Any, seat: int, move: int) -> bool:
    """The rule: whether this seat may make this move now."""
    raise NotImplementedError


def play(s: Any, seat: int, move: int) -> None:
    """Carry out a legal move."""
    raise NotImplementedError


def is_over(s: Any) -> bool:
    """Whether the match has ended: nobody can move any more, chance included."""
    raise NotImplementedError


def score(s: Any, seat: int) -> int:
    """The points this seat has now."""
    raise NotImplementedError


def wins(s: Any, seat: int) -> bool:
    """Whether this seat is among the winners of a match that is over."""
    raise NotImplementedError


def hide(s: Any, viewer: int) -> None:
    """Remove from `s` everything that this viewer may not know."""
    raise NotImplementedError


def sees(s: Any, viewer: int, seat: int, move: int) -> bool:
    """Whether this viewer sees which move is made in `s`, or only that one is made."""
    return True


def shows_score(s: Any, seat: int) -> bool:
    """Whether everyone knows the points of a seat, not only the seat itself."""
    return True


def weight(s: Any, outcome: int) -> int:
    """How many equally likely cases this legal outcome of chance stands for: 1 … MAX_WEIGHT."""
    return 1


def draw_name(s: Any) -> int:
    """Which draw comes next, as a small number made of what the state knows: the third card.

    It is asked while CHANCE is awaited. A draw depends on the key of the match and on its name
    alone, so that with the same key the third card is the same card whatever people do before.
    So the name of a draw with more than one case never comes twice in a match.
    """
    raise NotImplementedError


def objection(s: Any, seat: int, move: int) -> int:
    """Why a move is not legal: a place in OBJECTIONS; 0 if it is. words.toml explains them."""
    return 0 if is_legal(s, seat, move) else 1


def wait(s: Any, milliseconds: int) -> None:
    """Let time pass; a timed game adds it to its clock."""


def alarm(s: Any) -> int:
    """The milliseconds until CHANCE is awaited if nobody moves before, or −1 for never."""
    return -1


def legal_bits(s: Any, seat: int) -> int:
    """The legal moves as the bits of one number: a faster way to say what `is_legal` says.

    It is asked for seats in a game with at most MAX_LEGAL_BITS moves, and for CHANCE with at most
    as many outcomes. A game that defines it derives `is_legal` from it.
    """
    bits = 0
    for move in range(MOVES if seat >= 0 else OUTCOMES):
        bits |= is_legal(s, seat, move) << move
    return bits


def legal_sets(s: Any, seat: int, sets: MutableSequence[int]) -> None:
    """Write all sets of legal moves of a seat: bit i of sets[n] is the move n × SET_MOVES + i.

    Batches ask it for seats in a game with more than MAX_LEGAL_BITS moves. If
    trying every move is slow, a game defines it: a faster way to say what `is_legal` says.
    """
    for n in range(set_count()):
        sets[n] = 0
        for i in range(min(SET_MOVES, MOVES - n * SET_MOVES)):
            sets[n] |= is_legal(s, seat, n * SET_MOVES + i) << i


def set_count() -> int:
    """How many sets of moves there are."""
    return -(-MOVES // SET_MOVES)


def has_bits(seat: int) -> bool:
    """Whether `legal_bits` is the way to ask for the moves of this seat."""
    return HAS_BITS and (MOVES if seat >= 0 else OUTCOMES) <= MAX_LEGAL_BITS


def legal_moves(s: Any, seat: int, moves: MutableSequence[int]) -> int:
    """Write the legal moves of a seat into `moves`, in rising order, and return how many."""
    count = 0
    for move in range(MOVES if seat >= 0 else OUTCOMES):
        moves[count] = move  # overwritten by the next one unless it counts: no branch to mispredict
        count += is_legal(s, seat, move)
    return count
