"""A turn: identifies one wait for a player among all others."""

from __future__ import annotations

from typing import NamedTuple

from ludotheque.engine.match import Match


class Turn(NamedTuple):
    match: int  # its number at the table
    seat: int
    moves: int  # that the seat has made in this match


def turn_of(number: int, match: Match, seat: int) -> Turn:
    """The turn of a seat in the match of this number."""
    return Turn(number, seat, sum(entry.seat == seat for entry in match.log))
