"""What a game's box says besides its rules: box.toml, in which every line is optional.

age = 8               from which one can play
minutes = [15, 20]    that a match takes, or one number
usual_seats = 4       of a table whose host has chosen nothing
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

FILE = "box.toml"
OLDEST = 99
LONGEST_MINUTES = 24 * 60


class Box(NamedTuple):
    """`minutes` is empty if the box says nothing; otherwise the least and the most."""

    usual_seats: int
    age: int | None = None
    minutes: tuple[int, ...] = ()


def read_box(folder: Path, seats: Sequence[int]) -> Box:
    """The box of the game in this folder; ValueError says what is wrong with it."""
    path = folder / FILE
    said = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    if unknown := set(said) - set(Box._fields):
        raise ValueError(f"{min(unknown)} is unknown; expected {', '.join(sorted(Box._fields))}")
    usual = said.get("usual_seats", min(max(2, seats[0]), seats[-1]))
    if usual not in seats:
        raise ValueError(f"usual_seats is {usual!r}, expected one of {list(seats)}")
    return Box(usual, _age(said.get("age")), _minutes(said.get("minutes", [])))


def _age(age: Any) -> int | None:
    if age is not None and not _is_number(age, OLDEST):
        raise ValueError(f"age is {age!r}, expected a number of years from 1 to {OLDEST}")
    return None if age is None else int(age)


def _minutes(minutes: Any) -> tuple[int, ...]:
    if _is_number(minutes, LONGEST_MINUTES):
        return (minutes, minutes)
    is_range = isinstance(minutes, list) and all(_is_number(m, LONGEST_MINUTES) for m in minutes)
    if not is_range or len(minutes) not in (0, 2) or minutes != sorted(minutes):
        raise ValueError(f"minutes is {minutes!r}, expected a number, or two such as [15, 20]")
    return tuple(minutes)


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
