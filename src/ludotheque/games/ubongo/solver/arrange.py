"""Exact answers about a hand: can a number of cards be laid, how many at most, in how many ways.

grow.py holds the search; here it is compiled, for work on whole decks.
"""

import sys
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.ubongo import cards
from ludotheque.games.ubongo.layable import SEVEN
from ludotheque.games.ubongo.solver import grow, ports
from ludotheque.search.jit import jit, jit_cached

Ints = NDArray[np.int64]

LaidCard = ports.LaidCard
Workspace: Any = grow.Workspace  # of arrays here, of lists elsewhere
UNLIMITED = grow.UNLIMITED
BIT_NUMBER = np.array(ports.BIT_NUMBER)

cached = jit_cached("ubongo-search", __file__, cards.__file__, ports.__file__, grow.__file__)


def compile_search() -> dict[str, Any]:
    """The functions of ports.py and grow.py, in a scope in which the others are compiled too."""
    names = vars(ports) | vars(grow)
    scope: dict[str, Any] = {"__name__": __name__, "__builtins__": __builtins__}
    for name, value in names.items():
        if isinstance(value, tuple) and name.isupper():
            scope[name] = np.array(value)
        elif isinstance(value, int):
            scope[name] = value
    for name, value in names.items():
        if isinstance(value, FunctionType) and value.__module__ in (ports.__name__, grow.__name__):
            scope[name] = jit(FunctionType(value.__code__, scope, name))
    return scope


SEARCH = compile_search()
count_bits = SEARCH["count_bits"]
link_pair = SEARCH["link_pair"]
link_all = SEARCH["link"]
compare_cards = SEARCH["compare_cards"]
search_all = SEARCH["search"]


@cached
def link(faces: Ints) -> Ints:
    """links[card, other]: the contacts that the two allow; a card has none with itself."""
    size = len(faces)
    links = np.empty((size, size), np.int64)
    link_all(faces, size, links.ravel())
    return links


@cached
def search_and_count(
    links: Ints, hand: Ints, need: int, limit: int, laid: Ints, candidates: Ints
) -> tuple[int, int]:
    """Like `search`; also returns how many groups were visited."""
    size = len(hand)
    own = np.empty(size * size, np.int64)
    for card in range(size):
        for other in range(size):
            own[card * size + other] = links[hand[card], hand[other]]
    rows = np.empty((4, size + 1), np.int64)
    work = Workspace(
        size, own, rows[0], rows[1], rows[2], laid, candidates[0], candidates[1], rows[3]
    )
    compare_cards(work)
    found, groups = search_all(work, need, limit, UNLIMITED)
    return found, groups


@jit
def search(links: Ints, hand: Ints, need: int, limit: int, laid: Ints, candidates: Ints) -> int:
    """Count, up to `limit`, the arrangements of `need` cards of the hand; `laid` keeps the last."""
    return search_and_count(links, hand, need, limit, laid, candidates)[0]


def new_buffers(size: int) -> tuple[Ints, Ints]:
    """Memory for the `laid` and the `candidates` of a search over hands of this size."""
    return np.empty(size + 1, np.int64), np.empty((2, size**3 * 28 + 2), np.int64)


def find(faces: Sequence[Sequence[int]], need: int = SEVEN) -> tuple[LaidCard, ...]:
    """An arrangement of `need` of the cards; empty if there is none."""
    return find_and_count(faces, need)[0]


def find_and_count(
    faces: Sequence[Sequence[int]], need: int = SEVEN
) -> tuple[tuple[LaidCard, ...], int]:
    """Like `find`; also returns how many groups were visited."""
    if not 1 <= need <= len(faces):
        return (), 0
    laid, candidates = new_buffers(len(faces))
    found, groups = run(faces, need, 1, laid, candidates)
    return tuple(ports.laid_card(placed) for placed in laid[: need * found].tolist()), groups


def can_lay(faces: Sequence[Sequence[int]], need: int = SEVEN) -> bool:
    return len(find(faces, need)) > 0


def largest(faces: Sequence[Sequence[int]]) -> tuple[LaidCard, ...]:
    """An arrangement of as many of the cards as can be laid."""
    return next((best for need in range(len(faces), 0, -1) if (best := find(faces, need))), ())


def count(faces: Sequence[Sequence[int]], need: int = SEVEN) -> int:
    """The arrangements of exactly `need` of the cards."""
    return run(faces, need, sys.maxsize, *new_buffers(len(faces)))[0]


def run(
    faces: Sequence[Sequence[int]], need: int, limit: int, laid: Ints, candidates: Ints
) -> tuple[int, int]:
    if len(faces) > ports.MAX_CARDS:
        raise ValueError(f"expected at most {ports.MAX_CARDS} cards, found {len(faces)}")
    links = link(np.array(faces, np.int64).reshape(-1, 6))
    found, groups = search_and_count(links, np.arange(len(faces)), need, limit, laid, candidates)
    return int(found), int(groups)
