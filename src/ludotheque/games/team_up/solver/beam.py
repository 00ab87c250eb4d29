"""A beam of piles that have taken the same cards, and the best of their children.

Written as rules are, and compiled beside them. The children are a heap with the worst one on top,
which is the first to be replaced. Equal children are kept once.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import hash_combine, mix
from ludotheque.games.team_up.pallet import COLUMNS, SHAPES
from ludotheque.games.team_up.parts import LAYERS

LOST = -1  # in place of a move: the card found no box
FEW_BOXES = 12  # with so few to come, piles of equal heights but other boxes are different
PROBES = 16  # of the hash table, for one key
KEPT, PRUNED, BEST, WINNER = range(4)  # what `advance` reports


class Beam(NamedTuple):
    """The piles, in two rows: one is read while the other is written."""

    states: Any  # [2, n]
    spares: Any  # [2, n, shapes]
    costs: Any  # [2, n]: what their placements have cost
    hashes: Any  # [2, n]: equal for the same boxes in the same places
    heap: Any  # the children kept, by number, the one of the highest rank on top
    ranks: Any  # of each child: its cost and the cost to expect …
    paid: Any  # … its cost …
    child_hashes: Any  # … its hash …
    parents: Any
    moves: Any
    seen: Any  # a hash table of keys, its size a power of 2
    low: Any  # of the pile that is expanded, as `survey` writes it …
    after: Any  # … and with a box more
    roughness: Any
    need: Any
    found: Any  # KEPT … WINNER
    gaps: Any  # of a filling: its search tree, as one record …
    scratch: Any  # … the pile when it is full …
    below: Any  # … the boxes under each one, as bits …
    ground: Any  # … the columns of the pallet that it covers …
    picks: Any  # … and the order in which they can come


class Task(NamedTuple):
    """What the beam searches for."""

    order: Any  # the cards to come
    upto: Any  # [card, kind]: how many cards of each kind come before
    pairs: Any  # the shapes on cards that name two
    weights: Any
    is_flawless: bool  # no card may be lost and no cell wasted
    is_exact: bool  # colours are settled at once, and only piles of the same boxes are equal


class Search(NamedTuple):
    """A beam at one card."""

    beam: Beam
    task: Task
    side: int  # the row of the beam that holds the piles
    at: int  # the place of the card that they take
    width: int  # how many of their children may be kept


def is_kept(search: Search, rank: float) -> bool:
    """Whether a child of this rank would be kept; otherwise the search is no longer complete."""
    beam = search.beam
    if beam.found[KEPT] < search.width or rank < beam.ranks[beam.heap[0]]:
        return True
    beam.found[PRUNED] = 1
    return False


def add_child(search: Search, node: int, move: int, paid: float, rank: float) -> None:
    """Keep this child unless there are enough better ones, or one with its key."""
    beam, found, width = search.beam, search.beam.found, search.width
    hashed = hash_after(search, node, move)
    if not is_kept(search, rank) or not is_new(key_of(search, node, move, hashed), beam.seen):
        return
    child = found[KEPT]
    if child == width:
        child = beam.heap[0]
        found[PRUNED] = 1
    beam.ranks[child], beam.paid[child], beam.child_hashes[child] = rank, paid, hashed
    beam.parents[child], beam.moves[child] = node, move
    if found[KEPT] == width:
        sift_down(beam, width)
    else:
        beam.heap[child] = child
        found[KEPT] += 1
        sift_up(beam, child)


def sift_up(beam: Beam, i: int) -> None:
    heap, ranks = beam.heap, beam.ranks
    while i > 0 and ranks[heap[i]] > ranks[heap[(i - 1) // 2]]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2


def sift_down(beam: Beam, count: int) -> None:
    """Move the child on top of the heap down to its place."""
    heap, ranks = beam.heap, beam.ranks
    i = 0
    while True:
        highest = i
        for j in range(2 * i + 1, min(2 * i + 3, count)):
            if ranks[heap[j]] > ranks[heap[highest]]:
                highest = j
        if highest == i:
            return
        heap[i], heap[highest] = heap[highest], heap[i]
        i = highest


def hash_after(search: Search, node: int, move: int) -> int:
    """The hash of the boxes and their places; the order in which they came does not matter."""
    hashed = int(search.beam.hashes[search.side][node])
    if move == LOST:
        return hashed
    level = search.beam.states[search.side][node].heights[move % COLUMNS]
    return int(hashed ^ mix(move * 64 + level + 1))


def key_of(search: Search, node: int, move: int, hashed: int) -> int:
    """What equal children share: while many boxes are to come, the heights of their columns."""
    spare = search.beam.spares[search.side][node]
    if move == LOST or search.task.is_exact or count_boxes(spare) <= FEW_BOXES:
        return hashed
    key = 0
    for shape in range(len(SHAPES)):
        key = key << 4 | spare[shape]
    for k in range(LAYERS):
        key = hash_combine(key, search.beam.after[k])
    return int(key)


def is_new(key: int, seen: Any) -> bool:
    """Whether no child had this key; a crowded table may miss one that had."""
    i = key & (len(seen) - 1)
    for _ in range(PROBES):
        if seen[i] == key:
            return False
        if seen[i] == 0:
            seen[i] = key
            return True
        i = (i + 1) & (len(seen) - 1)
    return True


def count_boxes(spare: Any) -> int:
    boxes = 0
    for shape in range(len(SHAPES)):
        boxes += spare[shape]
    return boxes
