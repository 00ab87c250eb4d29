"""Monte Carlo tree search for games with secrets and simultaneous moves, compiled beside the rules.

Every simulation begins in a guessed state that fits what the searching seat has seen. It descends a
tree of what has happened since: at each step all awaited seats choose at the same time, each by
its own upper confidence bounds, knowing what was played before but not what the others choose now.
Where the tree ends, the policy plays on. The tree grows beyond a step that comes again and again:
of four seats with fifteen cards each that is rarely one, of two it often is.

A node holds what one seat knows of its moves after one history, so each seat has nodes of its own.
A history is a hash of all moves and outcomes since the root.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy import float32

from ludotheque.engine.playouts import (
    draw_chance,
    hash_combine,
    nth_bit,
    popcount,
    random_below,
    random_outcome,
    stream_start,
)
from ludotheque.engine.rulebook import MOVES, awaits, is_over, legal_bits, play
from ludotheque.engine.seats import CHANCE
from ludotheque.search.policy import evaluate, is_settled, playout_move

__kernels__ = ("run_simulations",)

EXPAND_VISITS = 16  # of a choice before the tree grows beyond it, times four for each who chooses
REFRESH_VISITS = 32  # of a node between two updates of all its bounds, which change slowly
MAX_DEPTH_STEPS = 32  # of a simulation into the tree
UNTRIED = float32(0)
NO_NODE = -1  # where the tree is full, or a seat plays by the policy
ROOT_HISTORY = 1


class Parameters(NamedTuple):
    """Who searches, and how."""

    seat: int
    exploration: float  # the weight of the confidence interval
    policy_choices: int  # of 256 choices of the others, those expected to follow the policy


class Tree(NamedTuple):
    """The arrays of one search. Node 0 is the choice that is searched for."""

    work: Any  # one state: where simulations are played
    stream: Any  # one number: the random stream
    moves: Any  # room to list moves
    used: Any  # one number: the nodes in use
    keys: Any  # a hash table of histories and seats …
    nodes: Any  # … and the node that belongs to each
    node_visits: Any  # by node: how often a seat chose there
    visits: Any  # by node and move: how often it was made
    sums: Any  # by node and move: the sum of its values
    bounds: Any  # by node and move: its upper confidence bound, as of not long ago
    path: Any  # of the simulation under way: node, seat and move of every choice …
    values: Any  # … and how good its end is, by seat


def new_tree(work: Any, simulations: int, seats: int, moves: int, outcomes: int) -> Tree:
    """An empty tree with room for what these simulations add."""
    nodes = (simulations + 1) * seats
    table = 1 << (2 * nodes).bit_length()
    return Tree(
        work,
        np.zeros(1, np.int64),
        np.zeros(max(moves, outcomes), np.int64),
        np.zeros(1, np.int64),
        np.zeros(table, np.int64),
        np.zeros(table, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros((nodes, moves), np.float32),
        np.zeros((nodes, moves), np.float32),
        np.zeros((nodes, moves), np.float32),
        np.zeros((MAX_DEPTH_STEPS * seats, 3), np.int64),
        np.zeros(seats, np.float32),
    )


def run_simulations(
    guesses: Any, first: int, count: int, seed: int, parameters: Any, tree: Any
) -> None:
    """Run simulations first … first + count − 1, each from the guess whose turn it is."""
    node_of(ROOT_HISTORY, parameters.seat, tree)  # the searcher's choice now is node 0
    for number in range(first, first + count):
        root = guesses[number % len(guesses)]
        tree.work[0] = root
        tree.stream[0] = stream_start(seed, number)
        choices = descend(root, tree.work[0], parameters, tree)
        roll_out(root, tree.work[0], tree.stream, tree.moves)
        backpropagate(root, tree.work[0], choices, parameters.exploration, tree)


def descend(root: Any, s: Any, parameters: Any, tree: Any) -> int:
    """Play down the tree to its end; return how many choices the path holds."""
    history = ROOT_HISTORY
    choices = 0
    for _ in range(MAX_DEPTH_STEPS):
        before = choices
        history, choices = play_step(s, history, choices, parameters, tree)
        history = play_chance(s, history, tree.stream, tree.moves)
        if is_over(s) or is_settled(root, s) or not is_expanded(before, choices, tree):
            break
    return choices


def is_expanded(before: int, choices: int, tree: Any) -> bool:
    """Whether the tree goes on after the last step: all its choices have had enough visits."""
    expanded = choices > before
    enough = EXPAND_VISITS << 2 * (choices - before)
    for i in range(before, choices):
        expanded = expanded and tree.visits[tree.path[i, 0], tree.path[i, 2]] >= enough
    return expanded


def play_chance(s: Any, history: Any, stream: Any, moves: Any) -> Any:
    """Let chance act; its outcomes become part of the history."""
    while awaits(s, CHANCE):
        outcome = random_outcome(s, stream, moves)
        play(s, CHANCE, outcome)
        history = hash_combine(history, outcome + 1)
    return history


def play_step(s: Any, history: Any, choices: int, parameters: Any, tree: Any) -> tuple[Any, int]:
    """Let every awaited seat choose without knowing what the others choose."""
    awaited = awaited_bits(s)
    after = history
    for seat in range(s.seats):
        if awaited >> seat & 1 == 1 and awaits(s, seat):
            by_policy = (
                seat != parameters.seat
                and random_below(tree.stream, 256) < parameters.policy_choices
            )
            node = NO_NODE if by_policy else node_of(history, seat, tree)
            if node == NO_NODE:
                move = playout_move(s, seat, tree.stream, tree.moves)
            else:
                move = choose_move(s, seat, node, parameters.exploration, tree)
                tree.path[choices, 0] = node
                tree.path[choices, 1] = seat
                tree.path[choices, 2] = move
                choices += 1
            play(s, seat, move)
            after = hash_combine(after, (seat + 1) << 32 | move)
    return after, choices


def awaited_bits(s: Any) -> int:
    bits = 0
    for seat in range(s.seats):
        bits |= awaits(s, seat) << seat
    return bits


def node_of(history: Any, seat: int, tree: Any) -> int:
    """The node of a seat after a history, a new one if there is room, or NO_NODE."""
    key = hash_combine(history, -1 - seat) | 1
    place = key & len(tree.keys) - 1
    while tree.keys[place] != 0:
        if tree.keys[place] == key:
            return int(tree.nodes[place])
        place = place + 1 & len(tree.keys) - 1
    if tree.used[0] == len(tree.node_visits):
        return NO_NODE
    tree.keys[place] = key
    tree.nodes[place] = tree.used[0]
    tree.used[0] += 1
    return int(tree.nodes[place])


def choose_move(s: Any, seat: int, node: int, exploration: float, tree: Any) -> int:
    """The first choice at a node follows the policy, later ones the upper confidence bounds."""
    tree.node_visits[node] += 1
    if tree.node_visits[node] == 1:
        return playout_move(s, seat, tree.stream, tree.moves)
    if tree.node_visits[node] % REFRESH_VISITS == 0:
        refresh_bounds(node, exploration, tree)
    return ucb_move(legal_bits(s, seat), node, tree)


def refresh_bounds(node: int, exploration: float, tree: Any) -> None:
    for move in range(MOVES):
        if tree.bounds[node, move] != UNTRIED:
            tree.bounds[node, move] = upper_bound(exploration, node, move, tree)


def ucb_move(legal: int, node: int, tree: Any) -> int:
    """An untried legal move, any of them; else the one with the highest upper confidence bound."""
    bounds = tree.bounds[node]
    untried = 0
    best, chosen = UNTRIED, 0
    bits = legal
    while bits != 0:
        lowest = bits & -bits
        bits ^= lowest
        move = popcount(lowest - 1)
        if bounds[move] == UNTRIED:
            untried |= lowest
        if bounds[move] > best:
            best, chosen = bounds[move], move
    if untried != 0:
        return nth_bit(untried, random_below(tree.stream, popcount(untried)))
    return chosen


def upper_bound(exploration: float, node: int, move: int, tree: Any) -> Any:
    """The mean value of a move plus its confidence interval: more than UNTRIED."""
    visits = tree.visits[node, move]
    interval = exploration * sqrt(log(tree.node_visits[node] + 1.0) / visits)
    return float32(tree.sums[node, move] / visits + interval)


def roll_out(root: Any, s: Any, stream: Any, moves: Any) -> None:
    """Play on by the policy, to the end or until the policy calls it settled."""
    draw_chance(s, stream, moves)
    while not is_over(s) and not is_settled(root, s):
        for seat in range(s.seats):
            if awaits(s, seat):
                play(s, seat, playout_move(s, seat, stream, moves))
        draw_chance(s, stream, moves)


def backpropagate(root: Any, s: Any, choices: int, exploration: float, tree: Any) -> None:
    """Credit every choice on the path with the value of the end for the seat that made it."""
    for seat in range(s.seats):
        tree.values[seat] = evaluate(root, s, seat)
    for i in range(choices):
        node, seat, move = tree.path[i, 0], tree.path[i, 1], tree.path[i, 2]
        tree.visits[node, move] += 1
        tree.sums[node, move] += tree.values[seat]
        tree.bounds[node, move] = upper_bound(exploration, node, move, tree)
