"""What every game obeys. Imports nothing else of ours."""

from ludotheque.engine.option import choice, count_or, flag, seat_or_chance, whole
from ludotheque.engine.record import Record, grid, number, row
from ludotheque.engine.seats import CHANCE, NOBODY

__all__ = [
    "CHANCE",
    "NOBODY",
    "Record",
    "choice",
    "count_or",
    "flag",
    "grid",
    "number",
    "row",
    "seat_or_chance",
    "whole",
]
