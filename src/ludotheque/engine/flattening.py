"""Writes the numbers of a view into an array of zeros; written as rules are.

`out` is an array, or plain a memoryview: slices of both are windows. Loops write into a window,
since compiled code then knows that no index is negative, and writes many numbers at a time.

`layout` writes a function `flatten` for each State, which calls these field by field.
"""

from __future__ import annotations

from typing import Any

from ludotheque.engine.rulebook import hide

__kernels__ = ("observe_all",)

# For every byte its bits, one after the other.
BYTE_BITS = tuple(bytes(byte >> place & 1 for place in range(8)) for byte in range(256))


def flatten(s: Any, viewer: int, out: Any) -> None:
    """Stands for the function that `layout` writes."""
    raise NotImplementedError


def put_set(bits: int, size: int, out: Any, at: int) -> None:
    """Eight at a time: this is most of the work."""
    part = out[at : at + size]
    for first in range(0, size, 8):
        byte = bits >> first & 0xFF
        for place in range(min(8, size - first)):
            part[first + place] = BYTE_BITS[byte][place]


def put_seat(seat: int, low: int, own: int, seats: int, out: Any, at: int) -> None:
    """One place for each number below 0, then one for each seat, the viewer's own first."""
    if seat >= own:
        seat -= own
    elif seat >= 0:
        seat += seats - own
    out[at + seat - low] = 1


def put_seats(bits: int, own: int, seats: int, out: Any, at: int) -> None:
    for seat in range(own, seats):
        out[at + seat - own] = bits >> seat & 1
    for seat in range(own):
        out[at + seats - own + seat] = bits >> seat & 1


def observe(states: Any, i: int, viewer: int, view: Any, out: Any) -> None:
    """Flatten what this viewer may know of states[i]; view[0] is room for the view."""
    view[0] = states[i]
    hide(view[0], viewer)
    out[:] = 0
    flatten(view[0], viewer, out)


def observe_all(states: Any, first_viewer: int, view: Any, observations: Any) -> None:
    """Write the observations of viewers first_viewer, first_viewer + 1, … of every state."""
    for i in range(len(states)):
        for n in range(observations.shape[1]):
            observe(states, i, first_viewer + n, view, observations[i, n])
