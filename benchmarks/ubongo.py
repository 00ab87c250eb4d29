"""Ubongo's solver: how long a hand takes, compiled, from its symbols to the answer."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import numpy as np

from ludotheque.games.ubongo import parts
from ludotheque.games.ubongo.layable import SEVEN
from ludotheque.games.ubongo.solver import arrange
from ludotheque.search.jit import jit

HANDS = 10_000  # of each round
PILE, SIDES, HAND = 36, 2, 9
ROUNDS = range(1, 7)
LARGEST = 0  # in place of the number of cards asked for

# Found by climbing: hands of which this many cards cannot be laid, but it takes long to know.
HARD = (
    (7, "301210 311223 010100 222222 001100 201632 222212 212222 222022"),
    (9, "332233 332233 123321 332203 332233 123321 302203 333203 123321"),
    (9, "111110 111101 111111 101111 111011 101305 101300 501132 501102"),
)

_clock_gettime: Any = ctypes.CDLL(None).clock_gettime
_clock_gettime.argtypes = [ctypes.c_int, ctypes.c_void_p]
_clock_gettime.restype = ctypes.c_int
_CPU = time.CLOCK_THREAD_CPUTIME_ID  # so that what else the machine does is not counted
_link, _search = arrange.link, arrange.search


@jit
def _now(room: Any) -> int:
    """Nanoseconds of CPU time."""
    _clock_gettime(_CPU, room.ctypes)
    return int(room[0] * 1_000_000_000 + room[1])


@jit
def _solve(links: Any, cards: Any, need: int, laid: Any, candidates: Any) -> int:
    """Whether this many cards can be laid, or how many at most."""
    if need != LARGEST:
        return _search(links, cards, need, 1, laid, candidates)
    most = len(cards)
    while _search(links, cards, most, 1, laid, candidates) == 0:
        most -= 1
    return most


@jit
def _time_each(
    faces: Any, hands: Any, need: int, laid: Any, candidates: Any, nanoseconds: Any, answers: Any
) -> None:
    room = np.zeros(2, np.int64)
    cards = np.arange(hands.shape[1])
    for n in range(len(hands)):
        hand = faces[hands[n]]
        begun = _now(room)
        answers[n] = _solve(_link(hand), cards, need, laid, candidates)
        nanoseconds[n] = _now(room) - begun


def faces_of(number: int) -> Any:
    """The side of the 36 cards that a round is played with."""
    pile, side = divmod(number - 1, SIDES)
    return np.array([card[side] for card in parts.DEFAULT.faces[PILE * pile : PILE * (pile + 1)]])


def measure(faces: Any, hands: Any, need: int) -> tuple[Any, Any]:
    """Microseconds and answers, hand by hand."""
    nanoseconds, answers = (np.zeros(len(hands), np.int64) for _ in range(2))
    room = arrange.new_buffers(hands.shape[1])
    _time_each(faces, hands[:100], need, *room, nanoseconds[:100], answers[:100])
    _time_each(faces, hands, need, *room, nanoseconds, answers)
    return nanoseconds / 1000, answers


def report() -> list[str]:
    lines = [
        "## Ubongo's solver, one thread",
        "",
        f"CPU time a hand, compiled, from its symbols to the answer, over {HANDS:,} random hands a",
        "round. A prototype took 3–5 µs (median) and 8–13 µs (99 %) to decide seven of nine.",
        "",
        "| round | can seven be laid? median, µs | 99 % | worst | of 10,000 not "
        "| how many at most? median, µs | 99 % | worst |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [_line(number) for number in ROUNDS]
    lines += ["", "| made to be hard | groups searched | ms |", "| --- | --- | --- |"]
    return lines + [_hard_line(need, faces) for need, faces in HARD]


def _line(number: int) -> str:
    rng = np.random.default_rng(number)
    hands = np.array([rng.choice(PILE, HAND, replace=False) for _ in range(HANDS)])
    seven, answers = measure(faces_of(number), hands, SEVEN)
    most, _ = measure(faces_of(number), hands, LARGEST)
    figures = [*_figures(seven), f"{np.sum(answers == 0)}", *_figures(most)]
    return f"| {number} | {' | '.join(figures)} |"


def _figures(microseconds: Any) -> list[str]:
    return [f"{np.percentile(microseconds, part):.1f}" for part in (50, 99, 100)]


def _hard_line(need: int, faces: str) -> str:
    symbols = [[int(symbol) for symbol in face] for face in faces.split()]
    groups = arrange.find_and_count(symbols, need)[1]
    took, _ = measure(np.array(symbols), np.arange(len(symbols)).reshape(1, -1), need)
    return f"| {need} of {len(symbols)} | {groups:,} | {took[0] / 1000:,.1f} |"
