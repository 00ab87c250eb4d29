"""A tree search for games with secrets and simultaneous moves, compiled beside a game's rules.

Every simulation begins in a guessed state that fits what the searching seat has seen. It goes down
a tree of what has happened since: at each step all awaited seats choose at the same time, each by
its own upper confidence bounds, knowing what was played before but not what the others choose now.
Where the tree ends, the policy finishes the simulation. The tree goes on from a step that
comes again and again: of four seats with fifteen cards each that is rarely one, of two it often is.

A slot of the tree holds what one seat knows of its moves after one course of events.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy import float32

from ludotheque.engine.playouts import (
    blend,
    draw_chance,
    nth_bit,
    popcount,
    random_outcome,
    roll,
    seeded,
)
from ludotheque.engine.rulebook import MOVES, awaits, is_over, legal_bits, play
from ludotheque.engine.seats import CHANCE
from ludotheque.search.policy import evaluate, is_settled, playout_move

__kernels__ = ("think",)

RIPE = 16  # visits before the tree goes on from a choice, times four for each who chooses then
MAX_DEPTH_STEPS = 32  # steps that a simulation goes into the tree
STALE = 32  # visits of a slot after which all its bounds are found anew: they change slowly
UNTRIED = float32(0)
NO_ROOM = -1
ROOT = 1  # the course of events before anything has happened


class Mind(NamedTuple):
    """Who searches, and how."""

    seat: int
    exploration: float  # about what has been tried less often
    policy_share: int  # choices of 256 that it expects the others to make by the policy


class Tree(NamedTuple):
    """The arrays of one search. Slot 0 is the choice that is searched for."""

    work: Any  # one state: where simulations are played
    dice: Any  # one number: the stream of randomness
    moves: Any  # room to list moves
    used: Any  # one number: the slots in use
    keys: Any  # a hash table of courses of events …
    places: Any  # … and the slot that belongs to each
    totals: Any  # by slot: how often it was come by
    visits: Any  # by slot and move: how often it was made
    sums: Any  # and what came of it in all
    bounds: Any  # and how good it may be, as of not long ago
    trail: Any  # of the simulation under way: slot, seat and move of every choice …
    values: Any  # … and how well it ended, by seat


def grow(work: Any, simulations: int, seats: int, moves: int, outcomes: int) -> Tree:
    """An empty tree with room for what so many simulations add."""
    slots = (simulations + 1) * seats
    table = 1 << (2 * slots).bit_length()
    return Tree(
        work,
        np.zeros(1, np.int64),
        np.zeros(max(moves, outcomes), np.int64),
        np.zeros(1, np.int64),
        np.zeros(table, np.int64),
        np.zeros(table, np.int32),
        np.zeros(slots, np.int32),
        np.zeros((slots, moves), np.float32),
        np.zeros((slots, moves), np.float32),
        np.zeros((slots, moves), np.float32),
        np.zeros((MAX_DEPTH_STEPS * seats, 3), np.int64),
        np.zeros(seats, np.float32),
    )


def think(guesses: Any, first: int, count: int, seed: int, mind: Any, tree: Any) -> None:
    """Simulate numbers first … first + count − 1, each in the guess whose turn it is."""
    slot_of(ROOT, mind.seat, tree)  # the searcher's own choice now comes first
    for number in range(first, first + count):
        root = guesses[number % len(guesses)]
        tree.work[0] = root
        tree.dice[0] = seeded(seed, number)
        steps = descend(root, tree.work[0], mind, tree)
        finish(root, tree.work[0], tree.dice, tree.moves)
        learn(root, tree.work[0], steps, mind.exploration, tree)


def descend(root: Any, s: Any, mind: Any, tree: Any) -> int:
    """Go down the tree to its end; return how many choices the trail tells of."""
    path = ROOT
    steps = 0
    for _ in range(MAX_DEPTH_STEPS):
        before = steps
        path, steps = go_on(s, path, steps, mind, tree)
        path = hear_chance(s, path, tree.dice, tree.moves)
        if is_over(s) or is_settled(root, s) or not is_ripe(before, steps, tree):
            break
    return steps


def is_ripe(before: int, steps: int, tree: Any) -> bool:
    """Whether all choices of the step just made are well known, and likely to come together."""
    ripe = steps > before
    enough = RIPE << 2 * (steps - before)
    for step in range(before, steps):
        ripe = ripe and tree.visits[tree.trail[step, 0], tree.trail[step, 2]] >= enough
    return ripe


def hear_chance(s: Any, path: Any, dice: Any, moves: Any) -> Any:
    """Let chance act; what it does becomes part of the course of events."""
    while awaits(s, CHANCE):
        outcome = random_outcome(s, dice, moves)
        play(s, CHANCE, outcome)
        path = blend(path, outcome + 1)
    return path


def go_on(s: Any, path: Any, steps: int, mind: Any, tree: Any) -> tuple[Any, int]:
    """Let every awaited seat choose without knowing what the others choose."""
    awaited = awaited_bits(s)
    heard = path
    for seat in range(s.seats):
        if awaited >> seat & 1 == 1 and awaits(s, seat):
            leans = seat != mind.seat and roll(tree.dice, 256) < mind.policy_share
            slot = NO_ROOM if leans else slot_of(path, seat, tree)
            if slot == NO_ROOM:
                move = playout_move(s, seat, tree.dice, tree.moves)
            else:
                move = choice(s, seat, slot, mind.exploration, tree)
                tree.trail[steps, 0], tree.trail[steps, 1], tree.trail[steps, 2] = slot, seat, move
                steps += 1
            play(s, seat, move)
            heard = blend(heard, (seat + 1) << 32 | move)
    return heard, steps


def awaited_bits(s: Any) -> int:
    bits = 0
    for seat in range(s.seats):
        bits |= awaits(s, seat) << seat
    return bits


def slot_of(path: Any, seat: int, tree: Any) -> int:
    """The slot of a seat after a course of events, a new one if there is room, or NO_ROOM."""
    key = blend(path, -1 - seat) | 1
    place = key & len(tree.keys) - 1
    while tree.keys[place] != 0:
        if tree.keys[place] == key:
            return int(tree.places[place])
        place = place + 1 & len(tree.keys) - 1
    if tree.used[0] == len(tree.totals):
        return NO_ROOM
    tree.keys[place] = key
    tree.places[place] = tree.used[0]
    tree.used[0] += 1
    return int(tree.places[place])


def choice(s: Any, seat: int, slot: int, exploration: float, tree: Any) -> int:
    """The first choice at a slot goes by the policy, later ones by what has come of them."""
    tree.totals[slot] += 1
    if tree.totals[slot] == 1:
        return playout_move(s, seat, tree.dice, tree.moves)
    return tempting(legal_bits(s, seat), exploration, slot, tree)


def tempting(legal: int, exploration: float, slot: int, tree: Any) -> int:
    """An untried legal move, any of them; else the one with the highest upper confidence bound."""
    if tree.totals[slot] % STALE == 0:
        for move in range(MOVES):
            if tree.bounds[slot, move] != UNTRIED:
                tree.bounds[slot, move] = bound(exploration, slot, move, tree)
    bounds = tree.bounds[slot]
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
        return nth_bit(untried, roll(tree.dice, popcount(untried)))
    return chosen


def bound(exploration: float, slot: int, move: int, tree: Any) -> Any:
    """How good a move may be, for all that is known of it: more than nothing."""
    visits = tree.visits[slot, move]
    doubt = exploration * sqrt(log(tree.totals[slot] + 1.0) / visits)
    return float32(tree.sums[slot, move] / visits + doubt)


def finish(root: Any, s: Any, dice: Any, moves: Any) -> None:
    """Play on by the policy, to the end or until the policy calls it settled."""
    draw_chance(s, dice, moves)
    while not is_over(s) and not is_settled(root, s):
        for seat in range(s.seats):
            if awaits(s, seat):
                play(s, seat, playout_move(s, seat, dice, moves))
        draw_chance(s, dice, moves)


def learn(root: Any, s: Any, steps: int, exploration: float, tree: Any) -> None:
    """Credit every choice on the way with what came of it for whoever made it."""
    for seat in range(s.seats):
        tree.values[seat] = evaluate(root, s, seat)
    for step in range(steps):
        slot, seat, move = tree.trail[step, 0], tree.trail[step, 1], tree.trail[step, 2]
        tree.visits[slot, move] += 1
        tree.sums[slot, move] += tree.values[seat]
        tree.bounds[slot, move] = bound(exploration, slot, move, tree)
