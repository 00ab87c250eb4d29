"""Piles side by side that have taken the same cards, and the children of which the best are kept.

Written as rules are, and compiled beside them. Children lie in a heap with the dearest on top, so
that it is the first to make room. One that looks like another is kept once.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import hash_combine, mix
from ludotheque.games.team_up.parts import LAYERS
from ludotheque.games.team_up.rules import COLUMNS, SHAPES

LOST = -1  # in place of a move: the card found no box
FEW_BOXES = 12  # with so few to come it counts how a pile is built, not only how it looks
PROBES = 16  # places in the table of keys that are looked at
KEPT, DROPPED, BEST, WINNER = range(4)  # what `advance` reports


class Beam(NamedTuple):
    """The piles, in two rows: one is read while the other is written."""

    states: Any  # [2, n]
    spares: Any  # [2, n, shapes]
    costs: Any  # [2, n]: what their placements have cost
    keys: Any  # [2, n]: the same for the same boxes in the same places
    heap: Any  # the children kept, by number, the dearest on top
    ranks: Any  # of each child: its cost and what it threatens to cost …
    paid: Any  # … its cost …
    traces: Any  # … its key …
    parents: Any
    moves: Any
    seen: Any  # a table of keys, its size a power of 2
    low: Any  # of the pile looked at, as `survey` writes it …
    after: Any  # … and once it has taken a box
    unrest: Any
    need: Any
    found: Any  # KEPT … WINNER
    gaps: Any  # of a filling: what it goes through, as one record …
    scratch: Any  # … the pile when it is full …
    below: Any  # … the boxes under each one, as bits …
    ground: Any  # … the columns of the pallet that it covers …
    picks: Any  # … and the order in which they can come


class Task(NamedTuple):
    """What is asked of the beam."""

    order: Any  # the cards to come
    upto: Any  # [card, kind]: how many cards of each kind come before
    pairs: Any  # the shapes on cards that name two
    prices: Any
    is_flawless: bool  # no card may be lost and no cell wasted
    is_exact: bool  # colours are settled at once, and only piles built the same are the same


class Look(NamedTuple):
    """Where the search stands."""

    beam: Beam
    task: Task
    side: int  # on which the piles lie
    at: int  # the card that they take
    width: int  # how many of their children may be kept


def is_wanted(look: Look, rank: float) -> bool:
    """Whether a child of this rank would be kept; if not, the search is no longer complete."""
    beam = look.beam
    if beam.found[KEPT] < look.width or rank < beam.ranks[beam.heap[0]]:
        return True
    beam.found[DROPPED] = 1
    return False


def offer(look: Look, node: int, move: int, paid: float, rank: float) -> None:
    """Keep this child unless there are better ones, or one with its key."""
    beam, found, width = look.beam, look.beam.found, look.width
    trace = traced(look, node, move)
    if not is_wanted(look, rank) or not is_new(key_of(look, node, move, trace), beam.seen):
        return
    child = found[KEPT]
    if child == width:
        child = beam.heap[0]
        found[DROPPED] = 1
    beam.ranks[child], beam.paid[child], beam.traces[child] = rank, paid, trace
    beam.parents[child], beam.moves[child] = node, move
    if found[KEPT] == width:
        sink(beam, width)
    else:
        beam.heap[child] = child
        found[KEPT] += 1
        float_up(beam, child)


def float_up(beam: Beam, i: int) -> None:
    heap, ranks = beam.heap, beam.ranks
    while i > 0 and ranks[heap[i]] > ranks[heap[(i - 1) // 2]]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2


def sink(beam: Beam, count: int) -> None:
    """Let the child on top of the heap sink to its place."""
    heap, ranks = beam.heap, beam.ranks
    i = 0
    while True:
        dearest = i
        for j in range(2 * i + 1, min(2 * i + 3, count)):
            if ranks[heap[j]] > ranks[heap[dearest]]:
                dearest = j
        if dearest == i:
            return
        heap[i], heap[dearest] = heap[dearest], heap[i]
        i = dearest


def traced(look: Look, node: int, move: int) -> int:
    """A key of the boxes and where they stand, in whatever order they came."""
    trace = int(look.beam.keys[look.side][node])
    if move == LOST:
        return trace
    level = look.beam.states[look.side][node].heights[move % COLUMNS]
    return int(trace ^ mix(move * 64 + level + 1))


def key_of(look: Look, node: int, move: int, trace: int) -> int:
    """While many boxes are to come, the same for piles that look the same from above."""
    spare = look.beam.spares[look.side][node]
    if move == LOST or look.task.is_exact or total(spare) <= FEW_BOXES:
        return trace
    key = 0
    for shape in range(len(SHAPES)):
        key = key << 4 | spare[shape]
    for k in range(LAYERS):
        key = hash_combine(key, look.beam.after[k])
    return int(key)


def is_new(key: int, seen: Any) -> bool:
    """Whether no child had this key; if the table is crowded, it may say so of one that had."""
    i = key & (len(seen) - 1)
    for _ in range(PROBES):
        if seen[i] == key:
            return False
        if seen[i] == 0:
            seen[i] = key
            return True
        i = (i + 1) & (len(seen) - 1)
    return True


def total(spare: Any) -> int:
    boxes = 0
    for shape in range(len(SHAPES)):
        boxes += spare[shape]
    return boxes
