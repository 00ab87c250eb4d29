"""New game: take one, two or three stones; who takes the last one wins. 2–4 seats.

Plain Python on integers and the lists of the State, which is also compiled: CONTRIBUTING.md says
how rules are written, and engine/rulebook.py which functions there are.
"""

from ludotheque.engine import Record, a_seat, number

VERSION = 1
SEATS = range(2, 5)
MAX_SEATS = 4
STONES = 15
MOST = 3  # stones that a move takes

MOVES = MOST  # move m takes m + 1 stones
MAX_MATCH_MOVES = STONES  # no match has more moves


class State(Record):
    seats: int = number(0, MAX_SEATS)
    stones: int = number(0, STONES)  # left on the table
    turn: int = a_seat(MAX_SEATS)  # who moves; at the end, who took the last stone


def setup(s: State) -> None:
    s.stones = STONES


def awaits(s: State, seat: int) -> bool:
    return seat == s.turn and s.stones > 0


def is_legal(s: State, seat: int, move: int) -> bool:
    return awaits(s, seat) and move < s.stones


def play(s: State, seat: int, move: int) -> None:
    s.stones -= move + 1
    if s.stones > 0:
        s.turn = (s.turn + 1) % s.seats


def is_over(s: State) -> bool:
    return s.stones == 0


def score(s: State, seat: int) -> int:
    return 1 if is_over(s) and seat == s.turn else 0


def wins(s: State, seat: int) -> bool:
    return seat == s.turn


def hide(s: State, viewer: int) -> None:
    """Everything lies open."""
