"""A state is declared once and has three forms: a plain object, JSON, and one NumPy record.

    class State(Record):
        stake: int = number(-15, 55)
        bids: list[int] = row(5, -1, 15)
        hands: list[list[int]] = grid(5, 16, 0, 1)

Every field states the range of its values. The range chooses the width of the compiled field,
and the conformance suite checks it after every move, since fixed-width numbers wrap silently.

A field may also say what its numbers are: an amount unless it says that they are one of several
things, a set of them, a seat or a set of seats, and whether each seat has its own.

        taker: int = a_seat(5, NOBODY)
        pile: int = set_of(15)
        bids: list[int] = by_seat(5, one_of(-1, 15))

Rules do not read this; `layout` derives from it how a view is laid out as an array.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, ClassVar, Self, TypeVar, cast

WIDTHS = (("i1", 7), ("i2", 15), ("i4", 31), ("i8", 63))


T = TypeVar("T")


class Kind(Enum):
    """What the numbers of a field are."""

    AMOUNT = "amount"  # a count, a score, a height: more is more
    ONE_OF = "one of"  # a card, a cell, a phase: another number is another thing
    SET = "set"  # bit i stands for thing i
    SEAT = "seat"  # below 0 no seat: CHANCE, NOBODY
    SEATS = "seats"  # bit i stands for seat i


@dataclass(frozen=True)
class Field:
    """The shape of a field, () for a number, and the lowest and highest value it may hold."""

    shape: tuple[int, ...]
    low: int
    high: int
    kind: Kind = Kind.AMOUNT
    by_seat: bool = False  # whether its first index is a seat

    def __post_init__(self) -> None:
        if not self.low <= 0 <= self.high:
            raise TypeError(f"a blank field is 0, which {self.low}…{self.high} does not include")

    @property
    def width(self) -> str:
        """The narrowest NumPy integer that holds the range."""
        return narrowest(self.low, self.high)

    def blank(self) -> Any:
        return _filled(self.shape)

    def fits(self, value: object) -> bool:
        """Whether `value` has this field's shape and every number lies in its range."""
        return _fits(value, self.shape, self.low, self.high)


def narrowest(low: int, high: int) -> str:
    """The narrowest NumPy integer that holds all from `low` to `high`."""
    for name, bits in WIDTHS:
        if -(1 << bits) <= low and high < 1 << bits:
            return name
    raise TypeError(f"no 64-bit field holds {low}…{high}")


def number(low: int, high: int) -> int:
    return cast(int, Field((), low, high))


def one_of(low: int, high: int) -> int:
    """A number that names one of several things: a card, a cell, a phase."""
    return cast(int, Field((), low, high, Kind.ONE_OF))


def set_of(count: int) -> int:
    """A set of the things 0 … count − 1, as bits."""
    return cast(int, Field((), 0, (1 << count) - 1, Kind.SET))


def a_seat(seats: int, low: int = 0) -> int:
    """A seat, or CHANCE or NOBODY if the range begins with them."""
    return cast(int, Field((), low, seats - 1, Kind.SEAT))


def set_of_seats(seats: int) -> int:
    return cast(int, Field((), 0, (1 << seats) - 1, Kind.SEATS))


def row(length: int, low: int, high: int) -> list[int]:
    return row_of(length, number(low, high))


def grid(rows: int, columns: int, low: int, high: int) -> list[list[int]]:
    return row_of(rows, row(columns, low, high))


def row_of(length: int, element: T) -> list[T]:
    """A row of `length` numbers or rows."""
    field = cast(Field, element)
    return cast(list[T], replace(field, shape=(length, *field.shape)))


def by_seat(seats: int, element: T) -> list[T]:
    """A number or a row for each seat."""
    return cast(list[T], replace(cast(Field, row_of(seats, element)), by_seat=True))


class Record:
    """Base of every State: fields are declared as class attributes by number, row and grid."""

    FIELDS: ClassVar[dict[str, Field]] = {}
    ROWS: ClassVar[tuple[str, ...]] = ()  # the fields that are rows …
    GRIDS: ClassVar[
        tuple[str, ...]
    ] = ()  # … and those that are grids: known ahead, since copies are frequent

    def __init_subclass__(cls) -> None:
        cls.FIELDS = {name: f for name, f in vars(cls).items() if isinstance(f, Field)}
        cls.ROWS = tuple(name for name, f in cls.FIELDS.items() if len(f.shape) == 1)
        cls.GRIDS = tuple(name for name, f in cls.FIELDS.items() if len(f.shape) == 2)
        for name in cls.FIELDS:
            delattr(cls, name)

    def __init__(self) -> None:
        for name, field in self.FIELDS.items():
            setattr(self, name, field.blank())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # a state changes as it is played

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in vars(self).items())})"

    def copy(self) -> Self:
        fields = self.__dict__.copy()
        for name in self.ROWS:
            fields[name] = fields[name][:]
        for name in self.GRIDS:
            fields[name] = [row[:] for row in fields[name]]
        twin = object.__new__(type(self))
        twin.__dict__ = fields
        return twin

    def key(self) -> tuple[Any, ...]:
        """The whole state as a hashable value."""
        return tuple(_frozen(value) for value in vars(self).values())

    def faults(self) -> Iterator[str]:
        """Name every field that does not hold what it declares."""
        for name, field in self.FIELDS.items():
            if not field.fits(getattr(self, name)):
                yield f"{name} = {getattr(self, name)} is not {_expected(field)}"

    def to_json(self) -> dict[str, Any]:
        return {name: _copied(value) for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, data: object) -> Self:
        if not isinstance(data, dict) or set(data) != set(cls.FIELDS):
            raise ValueError(
                f"a state is an object with exactly the fields {', '.join(cls.FIELDS)}"
            )
        state = cls()
        for name in cls.FIELDS:
            setattr(state, name, deepcopy(data[name]))
        for fault in state.faults():
            raise ValueError(f"in a state, {fault}")
        return state

    @classmethod
    def dtype(cls) -> Any:
        """The NumPy structure of this record (NumPy is imported only here)."""
        import numpy as np  # noqa: PLC0415

        return np.dtype([(k, f.width, f.shape) for k, f in cls.FIELDS.items()], align=True)

    def store(self, record: Any) -> None:
        """Write this state into one element of a NumPy array of `dtype()`."""
        for name in self.FIELDS:
            record[name] = getattr(self, name)

    @classmethod
    def fetch(cls, record: Any) -> Self:
        """Read a state back from one element of such an array."""
        state = object.__new__(cls)
        state.__dict__.update({name: record[name].tolist() for name in cls.FIELDS})
        return state


def _filled(shape: tuple[int, ...]) -> Any:
    return [_filled(shape[1:]) for _ in range(shape[0])] if shape else 0


def _copied(value: Any) -> Any:
    if type(value) is int:
        return value
    return [row[:] for row in value] if value and type(value[0]) is list else value[:]


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def _fits(value: object, shape: tuple[int, ...], low: int, high: int) -> bool:
    if not shape:
        return type(value) is int and low <= value <= high
    return (
        isinstance(value, list)
        and len(value) == shape[0]
        and all(_fits(v, shape[1:], low, high) for v in value)
    )


def _expected(field: Field) -> str:
    size = " × ".join(str(n) for n in field.shape)
    return f"{size or 'one'} whole number{'s' if size else ''} from {field.low} to {field.high}"
