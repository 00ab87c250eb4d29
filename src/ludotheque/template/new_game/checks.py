"""What stays true of every state, and what each viewer may not know."""

from collections.abc import Iterator
from random import Random

from .rules import State


def faults(s: State) -> Iterator[str]:
    if s.turn >= s.seats:
        yield f"seat {s.turn} is to move, but there are {s.seats}"


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Draw again all that the viewer may not know: here that is nothing."""
