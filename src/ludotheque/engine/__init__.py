"""What every game obeys. Imports nothing else of ours."""

from ludotheque.engine.option import choice, count_or, flag, seat_or_chance, whole
from ludotheque.engine.record import (
    Record,
    a_seat,
    by_seat,
    grid,
    number,
    one_of,
    row,
    row_of,
    set_of,
    set_of_seats,
)
from ludotheque.engine.seats import CHANCE, NOBODY

__all__ = [
    "CHANCE",
    "NOBODY",
    "Record",
    "a_seat",
    "by_seat",
    "choice",
    "count_or",
    "flag",
    "grid",
    "number",
    "one_of",
    "row",
    "row_of",
    "seat_or_chance",
    "set_of",
    "set_of_seats",
    "whole",
]
