"""A tree of what may happen next, grown by one simulated match after the other.

Everybody sees the same, so a node is what has happened since the root: which cards were turned, and
what came up. Every simulation draws new backs for the unknown cards. It goes down the tree, where
the seat to move weighs the rewards so far against how rarely a move was tried and against its
prior, which comes from the policy (PUCT). From the first new node on, the policy finishes the
match. Cards with the same front, and the same back or an unknown one, count as one move.

Written as rules are: plain functions, compiled beside them.
"""

from typing import Any, NamedTuple

from ludotheque.engine.rulebook import is_over, play, wins
from ludotheque.games.whats_up.bot.layouts import lay_out
from ludotheque.games.whats_up.bot.policy import LOWEST, evaluate_faces, playout_move, turn_value
from ludotheque.games.whats_up.rules import CARDS, HOLE, UNKNOWN

__kernels__ = ("simulate",)

EXPLORATION = 1.5
PRIOR_SCALE = 12_000.0  # a value so far below the highest has a quarter of its prior
MAX_VALUE_GAP = 60_000  # priors do not fall further beyond this
CHILDREN = 16  # of an edge, by the face that comes up
MAX_DEPTH_MOVES = 200  # of a simulation into the tree


class Workspace(NamedTuple):
    """What a seat knows when it searches, and the arrays for its simulations."""

    states: Any  # the match as the seat recalls it, and the state of a simulation
    unknown: int  # the cells whose under face it does not know, as bits
    unplaced: int  # the cards that may lie there, as bits
    tables: Any  # in which `layouts` has counted in how many ways they may
    stream: Any
    scratch: Any  # of `policy`


class Tree(NamedTuple):
    """The arrays of a tree. Node 0 is the root; as a child, 0 stands for none."""

    used: Any  # how many nodes, how many edges
    visits: Any  # by node
    first: Any  # by node: its first edge
    count: Any  # by node: its edges, none before its second visit
    cells: Any  # by edge: the card to turn
    priors: Any  # by edge: how likely the policy turns it
    edge_visits: Any  # by edge
    rewards: Any  # by edge: sum of the shares of the victory, of the seat to move
    children: Any  # by edge and face that comes up: the node after it
    path: Any  # edge and seat of every move in this simulation


def simulate(work: Any, tree: Any, simulations: int) -> None:
    """Run simulations, each of which grows the tree."""
    for _ in range(simulations):
        work.states[1] = work.states[0]
        s = work.states[1]
        lay_out(s, work.unknown, work.unplaced, work.tables, work.stream)
        depth = descend(s, tree, work.scratch)
        while not is_over(s):
            play(s, s.turn, playout_move(s, s.turn, work.stream, work.scratch))
        backpropagate(s, tree, depth)


def descend(s: Any, tree: Any, scratch: Any) -> int:
    """Play down to a new node, or to the end of the match; return the length of the path."""
    node = 0
    for depth in range(MAX_DEPTH_MOVES):
        tree.visits[node] += 1
        if tree.count[node] == 0 and (node == 0 or tree.visits[node] > 1):
            expand(s, node, tree, scratch)
        if tree.count[node] == 0:
            return depth
        edge = select_edge(node, tree)
        tree.path[depth, 0], tree.path[depth, 1] = edge, s.turn
        face = s.down[tree.cells[edge]]
        play(s, s.turn, tree.cells[edge])
        if is_over(s):
            return depth + 1
        node = child_of(edge, face, tree)
        if node == 0:
            return depth + 1
    return MAX_DEPTH_MOVES


def child_of(edge: int, face: int, tree: Any) -> int:
    """The node to which this face leads, a new one if there is room, or 0."""
    if tree.children[edge, face] == 0 and tree.used[0] < len(tree.visits):
        tree.children[edge, face] = tree.used[0]
        tree.used[0] += 1
    return int(tree.children[edge, face])


def expand(s: Any, node: int, tree: Any, scratch: Any) -> None:
    """Give a node an edge for every kind of card, if there is room."""
    if tree.used[1] + CARDS > len(tree.cells):
        return
    evaluate_faces(s, s.turn, scratch)
    first, last, highest = tree.used[1], tree.used[1], LOWEST
    for cell in range(CARDS):
        if s.up[cell] != HOLE and is_first_of_its_kind(s, cell):
            tree.cells[last] = cell
            value = turn_value(s, s.turn, cell, scratch)
            tree.priors[last] = value
            highest = max(highest, value)
            last += 1
    tree.first[node], tree.count[node], tree.used[1] = first, last - first, last
    set_priors(first, last, highest, tree)


def is_first_of_its_kind(s: Any, cell: int) -> bool:
    for other in range(cell):
        if s.up[other] == s.up[cell] and known_back(s, other) == known_back(s, cell):
            return False
    return True


def known_back(s: Any, cell: int) -> int:
    return int(s.down[cell]) if s.seen >> cell & 1 == 1 else UNKNOWN


def set_priors(first: int, last: int, highest: int, tree: Any) -> None:
    """Turn the policy's values into priors that add up to 1."""
    total = 0.0
    for edge in range(first, last):
        gap = min(highest - tree.priors[edge], MAX_VALUE_GAP)
        tree.priors[edge] = (1.0 + gap / PRIOR_SCALE) ** -2
        total += tree.priors[edge]
    for edge in range(first, last):
        tree.priors[edge] /= total


def select_edge(node: int, tree: Any) -> int:
    """The edge with the highest mean reward plus exploration bonus."""
    first, last = tree.first[node], tree.first[node] + tree.count[node]
    visits, rewards = 0, 0.0
    for edge in range(first, last):
        visits += tree.edge_visits[edge]
        rewards += tree.rewards[edge]
    untried = rewards / visits if visits > 0 else 0.5  # the value of an edge without visits
    bonus = EXPLORATION * (visits + 1) ** 0.5
    choice, highest = first, -1.0
    for edge in range(first, last):
        tried = tree.edge_visits[edge]
        value = tree.rewards[edge] / tried if tried > 0 else untried
        value += bonus * tree.priors[edge] / (1 + tried)
        if value > highest:
            choice, highest = edge, value
    return int(choice)


def backpropagate(s: Any, tree: Any, depth: int) -> None:
    """Credit every move of the path with its seat's share of the victory."""
    winners = 0
    for seat in range(s.seats):
        winners += wins(s, seat)
    for step in range(depth):
        edge, seat = tree.path[step, 0], tree.path[step, 1]
        tree.edge_visits[edge] += 1
        tree.rewards[edge] += wins(s, seat) / winners
