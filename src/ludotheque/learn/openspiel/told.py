"""What a viewer has been told of a match, step by step: the substance of an information state.

Two histories are the same to a seat if at every step it was told of the same move, or only that
one was made, and had the same view afterwards. The view alone is not enough, since players
remember; nor are the moves alone, since what was hidden may be turned up later in a view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ludotheque.engine.game import Game
from ludotheque.engine.match import HIDDEN_MOVE, Entry
from ludotheque.engine.record import Record
from ludotheque.engine.seats import CHANCE

EVERYTHING = -3  # a viewer from whom nothing is hidden
EXACT_BITS = 24  # the whole numbers that a 32-bit float holds exactly


class Told(NamedTuple):
    """What a viewer has been told of the first `place` moves of a log."""

    place: int
    state: Any  # after those moves; nobody changes it
    view: Any
    text: str
    rows: tuple[tuple[int, ...], ...]  # one for every step


def begun(game: Game, state: Any, viewer: int) -> Told:
    """What a viewer knows before the first move: what the parameters of the game say."""
    return Told(0, state, view_of(game, state, viewer), f"{_name(viewer)}\n", ())


def told_on(game: Game, told: Told, entries: Iterable[Entry], viewer: int) -> Told:
    """What the viewer has been told after these further moves of the log."""
    place, state, view = told.place, told.state.copy(), told.view
    lines, rows = [told.text], list(told.rows)
    for entry in entries:
        game.play(state, entry.seat, entry.move)
        before, view = view, view_of(game, state, viewer)
        is_seen = viewer in (entry.seat, EVERYTHING) or viewer in entry.seen_by
        text = game.notation(entry.seat, entry.move) if is_seen else HIDDEN_MOVE
        lines.append(f"{_name(entry.seat)} {text} | {' '.join(changes(before, view))}\n")
        rows.append((entry.seat + 2, entry.move + 1 if is_seen else 0, *numbers_of(view)))
        place += 1
    return Told(place, state, view, "".join(lines), tuple(rows))


def guessed(game: Game, state: Any, viewer: int, known: Told | None) -> Told:
    """What a viewer of a guess has been told: what is `known`, or else the view it would have."""
    view = view_of(game, state, viewer)
    if known is not None:
        return Told(0, state, view, known.text, known.rows)
    text = f"{_name(viewer)}\n{described(view)}\n"
    return Told(0, state, view, text, ((1, 0, *numbers_of(view)),))


def view_of(game: Game, state: Any, viewer: int) -> Any:
    return state.copy() if viewer == EVERYTHING else game.view(state, viewer)


def described(view: Record) -> str:
    return " ".join(f"{name}={value}".replace(" ", "") for name, value in vars(view).items())


def changes(before: Record, after: Record) -> Iterator[str]:
    """The numbers of a view that are not as they were."""
    for name, value in vars(after).items():
        yield from _changes(name, getattr(before, name), value)


def _changes(name: str, before: Any, after: Any) -> Iterator[str]:
    if before == after:
        return
    if isinstance(after, list):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(f"{name}[{place}]", old, new)
    else:
        yield f"{name}={after}"


def numbers_of(view: Record) -> list[int]:
    """All numbers of a view, those that no 32-bit float would hold exactly in several pieces."""
    numbers: list[int] = []
    for pieces, value in zip(
        _pieces(type(view)),  # type: ignore[arg-type]  # a class is hashable though its states are not
        vars(view).values(),
        strict=True,
    ):
        flat = _flat(value)
        if pieces == 1:
            numbers.extend(flat)
        else:
            for number in flat:
                numbers.extend(
                    number >> EXACT_BITS * piece & (1 << EXACT_BITS) - 1 for piece in range(pieces)
                )
    return numbers


@cache
def _pieces(state: type[Record]) -> tuple[int, ...]:
    """How many pieces a number of each field takes."""
    fields = state.FIELDS.values()
    return tuple(1 if f.low < 0 else -(-f.high.bit_length() // EXACT_BITS) or 1 for f in fields)


def _flat(value: Any) -> list[int]:
    if isinstance(value, int):
        return [value]
    return [number for part in value for number in _flat(part)]


def _name(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"
