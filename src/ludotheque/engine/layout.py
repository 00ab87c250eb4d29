"""A view as an array of numbers: the layout is derived from what the fields of the State say.

    layout = Layout(game, seats=2)
    layout.flatten(match.view(0), 0)     # a list of layout.size numbers
    print(layout)                        # which place holds what

The places of an observation are, in this order, the viewer's own seat, one-hot, and then every
field of the State but `seats` and the options, which never change in a match:

    an amount          one place that holds the number
    one of several     a place for each value, 1 at the one it is
    a set              a place for each thing, 1 if it is in the set
    a seat             a place for each number below 0, and one for each seat, 1 at the one it is
    a set of seats     a place for each seat

Wherever seats are listed, the viewer's own comes first and the others follow clockwise; for a
spectator, seat 0 does. Seats that nobody sits at are left out. Nothing is lost: `unflatten` gives
the view back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from types import ModuleType
from typing import Any, NamedTuple

from ludotheque.engine import flattening
from ludotheque.engine.game import Game
from ludotheque.engine.record import Field, Kind, narrowest
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY

VIEWER = "viewer"  # the name of the first block, which no field of a State has
WIDEST_SCALE = 1 << 15  # an amount whose range is wider is divided by this


class Block(NamedTuple):
    """The places start … start + size − 1: `shape` elements of `width` places each."""

    name: str
    field: Field
    start: int
    shape: tuple[int, ...]
    width: int

    @property
    def size(self) -> int:
        return prod(self.shape) * self.width

    @property
    def places(self) -> str:
        last = self.start + self.size - 1
        return f"{self.start}" if last == self.start else f"{self.start}–{last}"

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number in one of its places."""
        is_amount = self.field.kind is Kind.AMOUNT
        return (self.field.low, self.field.high) if is_amount else (0, 1)

    @property
    def meaning(self) -> str:
        field = self.field
        told = {
            Kind.AMOUNT: f"amount, {_span(field.low, field.high)}",
            Kind.ONE_OF: f"one of {_span(field.low, field.high)}",
            Kind.SET: f"set of {_span(0, self.width - 1)}",
            Kind.SEAT: "seat, own first" + f", after {_span(field.low, -1)}" * (field.low < 0),
            Kind.SEATS: "set of seats, own first",
        }[field.kind]
        times = ["seats, own first" if field.by_seat else str(self.shape[0])] if self.shape else []
        return " × ".join([*times, *(str(n) for n in self.shape[1:]), told])


class Layout:
    """Where each number of a view of this game stands in an array, at this number of seats."""

    def __init__(self, game: Game, seats: int) -> None:
        if seats not in game.seats:
            game.start(seats)  # refuses them
        if VIEWER in game.State.FIELDS:
            raise Refused(f"{game.slug}: a State may not have a field {VIEWER!r}")
        self.game = game
        self.seats = seats
        self.blocks = tuple(_blocks(game, seats))
        self.size = self.blocks[-1].start + self.blocks[-1].size
        self.low = [block.bounds[0] for block in self.blocks for _ in range(block.size)]
        self.high = [block.bounds[1] for block in self.blocks for _ in range(block.size)]
        self.dtype = _width_of_numbers(min(self.low), max(self.high))
        self._flatten = vars(flattener(game))["flatten"]

    def __str__(self) -> str:
        heading = f"{self.game.slug}, seats: {self.seats}, places: {self.size}, {self.dtype}"
        wide = max(len(block.places) for block in self.blocks)
        long = max(len(block.name) for block in self.blocks)
        lines = [f"{b.places:>{wide}}  {b.name:<{long}}  {b.meaning}" for b in self.blocks]
        return "\n".join([heading, *lines])

    @property
    def scale(self) -> list[int]:
        """What to divide an observation by so that its numbers are small: at most 1, as a rule."""
        pairs = zip(self.low, self.high, strict=True)
        return [max(1, min(max(-low, high), WIDEST_SCALE)) for low, high in pairs]

    def flatten(self, view: Any, viewer: int) -> list[int]:
        """This viewer's view as numbers; give the view that the viewer may see, not the state."""
        out = memoryview(array("q", bytes(8 * self.size)))
        self._flatten(view, viewer, out)
        return out.tolist()

    def viewer_of(self, observation: Sequence[int]) -> int:
        own = list(observation[: self.seats])
        return own.index(1) if 1 in own else NOBODY

    def unflatten(self, observation: Sequence[int], blank: Any) -> Any:
        """The view that was flattened; `blank` is `game.start` with the options of its match."""
        view = blank.copy()
        own = max(0, self.viewer_of(observation))
        for block in self.blocks[1:]:
            places = [int(n) for n in observation[block.start : block.start + block.size]]
            values = [
                self._number(block.field, places[at : at + block.width], own)
                for at in range(0, block.size, block.width)
            ]
            self._write(view, block, values, own)
        return view

    def _number(self, field: Field, places: list[int], own: int) -> int:
        if field.kind is Kind.AMOUNT:
            return places[0]
        if field.kind is Kind.ONE_OF:
            return field.low + places.index(1)
        if field.kind is Kind.SEAT:
            found = field.low + places.index(1)
            return (found + own) % self.seats if found >= 0 else found
        turn = own if field.kind is Kind.SEATS else 0
        return sum(bit << (i + turn) % len(places) for i, bit in enumerate(places))

    def _write(self, view: Any, block: Block, values: list[int], own: int) -> None:
        if not block.shape:
            setattr(view, block.name, values[0])
            return
        row = prod(block.shape[1:])
        for i in range(block.shape[0]):
            here = values[i * row : (i + 1) * row]
            place = (own + i) % self.seats if block.field.by_seat else i
            getattr(view, block.name)[place] = here if len(block.shape) > 1 else here[0]


def _blocks(game: Game, seats: int) -> Iterator[Block]:
    start = seats
    yield Block(VIEWER, Field((), 0, seats - 1, Kind.ONE_OF), 0, (), seats)
    for name, field in _shown_fields(game):
        shape = (seats, *field.shape[1:]) if field.by_seat else field.shape
        block = Block(name, field, start, shape, _width(field, seats))
        yield block
        start += block.size


def _shown_fields(game: Game) -> list[tuple[str, Field]]:
    fixed = {"seats", *game.options}
    return [(name, field) for name, field in game.State.FIELDS.items() if name not in fixed]


def _width(field: Field, seats: int) -> int:
    """The places that one of its numbers takes."""
    return {
        Kind.AMOUNT: 1,
        Kind.ONE_OF: field.high - field.low + 1,
        Kind.SET: field.high.bit_length(),
        Kind.SEAT: seats - field.low,
        Kind.SEATS: seats,
    }[field.kind]


def _span(low: int, high: int) -> str:
    return f"{low} … {high}".replace("-", "−")


def _width_of_numbers(low: int, high: int) -> str:
    """The narrowest NumPy integer that holds an observation, without a sign if it needs none."""
    return "u1" if low >= 0 and high < 256 else narrowest(low, high)


# The function that flattens


@cache
def flattener(game: Game) -> ModuleType:
    """A module with `flatten(s, viewer, out)` for the State of this game, at any number of seats.

    Compiled code finds a record's fields by their names in the source alone, so the source is
    written field by field.
    """
    module = ModuleType(f"{game.package}.flattener")
    scope = {**vars(flattening), "__name__": module.__name__}
    exec(flatten_source(game), scope)
    vars(module).update(flatten=scope["flatten"], __defaults__=True)
    return module


def flatten_source(game: Game) -> str:
    lines = [
        "def flatten(s, viewer, out):",
        "    seats = s.seats",
        "    own = max(viewer, 0)",
        "    if viewer >= 0:",
        "        out[viewer] = 1",
        "    at = int(seats)",
    ]
    for name, field in _shown_fields(game):
        lines += [f"    {line}" for line in _field_source(name, field)]
    return "\n".join(lines) + "\n"


def _field_source(name: str, field: Field) -> list[str]:
    """Loops over the field's indices, the first one beginning with the viewer's own seat."""
    heads, value, depth = [], f"s.{name}", 0
    for depth, length in enumerate(field.shape, 1):
        index = "ij"[depth - 1]
        is_seat = field.by_seat and depth == 1
        if depth == len(field.shape) and field.kind is Kind.AMOUNT:
            heads.append(f"{_indent(depth - 1)}part = out[at : at + {_length(field)}]")
        heads.append(f"{_indent(depth - 1)}for {index} in range({'seats' if is_seat else length}):")
        value += "[own + i if own + i < seats else own + i - seats]" if is_seat else f"[{index}]"
    if field.shape and field.kind is Kind.AMOUNT:
        return [
            *heads,
            f"{_indent(depth)}part[{'ij'[depth - 1]}] = {value}",
            f"{_indent(depth - 1)}at += {_length(field)}",
        ]
    return heads + [_indent(depth) + line for line in _number_source(value, field)]


def _indent(depth: int) -> str:
    return "    " * depth


def _length(field: Field) -> str:
    """The length of its rows, in the source."""
    return "seats" if field.by_seat and len(field.shape) == 1 else f"{field.shape[-1]}"


def _number_source(value: str, field: Field) -> list[str]:
    width = _width(field, 0)
    return {
        Kind.AMOUNT: [f"out[at] = {value}", "at += 1"],
        Kind.ONE_OF: [f"out[at + {value} - ({field.low})] = 1", f"at += {width}"],
        Kind.SET: [f"put_set({value}, {width}, out, at)", f"at += {width}"],
        Kind.SEAT: [
            f"put_seat({value}, {field.low}, own, seats, out, at)",
            f"at += seats + {width}",
        ],
        Kind.SEATS: [f"put_seats({value}, own, seats, out, at)", "at += seats"],
    }[field.kind]
