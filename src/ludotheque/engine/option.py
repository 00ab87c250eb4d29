"""Options: how a table may choose among readings of the rules.

A game lists its options; the State has a number of the same name, which holds a flag as 0 or 1,
a choice as its place in the list, a whole number as itself, a count as itself or 0 for its word,
and a seat as itself or CHANCE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludotheque.engine.seats import CHANCE

Value = bool | int | str


@dataclass(frozen=True)
class Option:
    """`values` lists what may be chosen; None means any whole number from low to high.

    `of_replay` lists the values that only a replay of an earlier match sets; True means all but
    the default. `absent` is what a table plays by that was stored before there was this option,
    None for the default; `former` pairs values that had other names with those of now.
    """

    name: str
    default: Value
    values: tuple[Value, ...] | None = None
    low: int = 0
    high: int = 0
    is_seat: bool = False  # the number is a seat, so the seats of the match bound it too
    of_replay: bool | tuple[Value, ...] = False
    absent: Value | None = None
    former: tuple[tuple[Value, Value], ...] = ()

    def encode(self, value: object, seats: int | None = None) -> int:
        """The number that stands for `value` in a state; ValueError names what was expected."""
        if self.values is None:
            high = seats - 1 if self.is_seat and seats is not None else self.high
            if type(value) is int and self.low <= value <= high:
                return value
        else:
            for place, allowed in enumerate(self.values):
                if value == allowed and type(value) is type(allowed):
                    return place
        raise ValueError(f"option {self.name} is {value!r}, expected {self.expected(seats)}")

    def decode(self, code: int) -> Value:
        return code if self.values is None else self.values[code]

    def restore(self, stored: Mapping[str, Value]) -> Value:
        """The value of this option among those that an earlier version may have stored."""
        if self.name not in stored:
            return self.default if self.absent is None else self.absent
        value = stored[self.name]
        return next((now for before, now in self.former if before == value), value)

    def is_of_replay(self, value: object) -> bool:
        """Whether a fresh match may not ask for this value."""
        if isinstance(self.of_replay, tuple):
            return value in self.of_replay
        return self.of_replay and value != self.default

    def parse(self, text: str) -> Value:
        """Read a value typed by a person: `yes`, `unmatched`, `90`."""
        if self.values is None:
            if text.lstrip("-").isdecimal():
                return self.decode(self.encode(int(text)))
        else:
            for allowed in self.values:
                if text == str(allowed) or text in _SPELLINGS.get(str(allowed), ()):
                    return allowed
        raise ValueError(f"option {self.name} is {text!r}, expected {self.expected()}")

    def expected(self, seats: int | None = None) -> str:
        if self.is_seat:
            high = self.high if seats is None else seats - 1
            return f"a seat from 0 to {high}, or {CHANCE} to draw one"
        if self.values is None:
            return f"a whole number from {self.low} to {self.high}"
        if self.values == (False, True):
            return "true or false (yes or no)"
        words = [repr(value) for value in self.values if isinstance(value, str)]
        return " or ".join(
            [*words, f"a whole number from 1 to {self.high}"] if self.high else words
        )


_SPELLINGS = {"True": ("yes", "true"), "False": ("no", "false")}


def flag(name: str, default: bool = False) -> Option:
    return Option(name, default, (False, True))


def choice(name: str, *values: str, of_replay: tuple[str, ...] = ()) -> Option:
    """One of several words, the first by default."""
    return Option(name, values[0], values, of_replay=of_replay)


def whole(
    name: str, low: int, high: int, default: int, of_replay: bool = False, absent: int | None = None
) -> Option:
    """A whole number."""
    return Option(name, default, None, low, high, of_replay=of_replay, absent=absent)


def count_or(
    name: str, word: str, high: int, former: tuple[tuple[Value, Value], ...] = ()
) -> Option:
    """A count from 1 to high, or a word, the default, for one that the rules work out."""
    return Option(name, word, (word, *range(1, high + 1)), high=high, former=former)


def seat_or_chance(name: str, max_seats: int) -> Option:
    """A seat, or CHANCE, the default, to have one drawn."""
    return Option(name, CHANCE, None, CHANCE, max_seats - 1, is_seat=True)
