"""What the rules say of cards on the field, for the board's own geometry to be compared with.

While a card is dragged the board asks for every cell whether there is room; it cannot wait for the
table to answer. scripts/write_types.py writes these cases to board/cases.json.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from ludotheque.games.ubongo.cards import TURNS, facing
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES, column_of, row_of, turn_of
from ludotheque.games.ubongo.layable import HAND
from ludotheque.games.ubongo.rules import (
    COVERED,
    OUTSIDE,
    TAKE_BACK,
    State,
    objection_to_laying,
    setup,
)

FAR = 4  # cells: cards further apart neither cover nor touch each other
STEP = 137  # every STEP-th move that lays a card is taken


def cases() -> dict[str, list[Any]]:
    return {
        "lay": [_lay(move) for move in range(0, TAKE_BACK, STEP)],
        "inside": [_inside(turn) for turn in range(TURNS)],
        "covered": [pair for pair in _pairs() if _is_covered(*pair)],
        "facing": [[*pair, facing(*pair)] for pair in _pairs() if _faces(*pair)],
    }


def _lay(move: int) -> list[int]:
    """A move, and the card of the hand, the column, the row and the turn that it stands for."""
    place = move % FIELD_PLACES
    return [move, move // FIELD_PLACES, column_of(place), row_of(place), turn_of(place)]


def _place(turn: int, x: int, y: int) -> int:
    return (turn * FIELD + y) * FIELD + x


def _field() -> State:
    state = State()
    state.seats, state.cards = 1, HAND
    setup(state)
    return state


def _inside(turn: int) -> list[int]:
    """A turn, and the last column and row where a card turned so is inside the field."""
    places = [
        (x, y)
        for x, y in product(range(FIELD), repeat=2)
        if objection_to_laying(_field(), 0, 0, _place(turn, x, y)) != OUTSIDE
    ]
    return [turn, max(x for x, _ in places), max(y for _, y in places)]


def _pairs() -> Iterator[tuple[int, int, int, int]]:
    """The turns of two cards, and how many columns and rows the second lies from the first."""
    away = range(-FAR, FAR + 1)
    return product(range(TURNS), range(TURNS), away, away)


def _is_covered(turn: int, other_turn: int, dx: int, dy: int) -> bool:
    state, middle = _field(), FIELD // 2
    state.places[0][0] = _place(turn, middle, middle)
    place = _place(other_turn, middle + dx, middle + dy)
    return objection_to_laying(state, 0, 1, place) == COVERED


def _faces(turn: int, other_turn: int, dx: int, dy: int) -> bool:
    return not _is_covered(turn, other_turn, dx, dy) and facing(turn, other_turn, dx, dy) != []
