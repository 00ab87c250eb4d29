"""Compares moves: grows the tree of `tree.py`, compiled, until the simulations or the time end."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.whats_up.bot import layouts, policy, tree
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.rules import FACES, UNKNOWN, State
from ludotheque.search.deadline import Deadline
from ludotheque.search.warmup import Step, opening

SIMULATIONS_PER_CHECK = 200  # of the clock: some milliseconds
EDGES_PER_SIMULATION = 8  # about half of them are used


class Tried(NamedTuple):
    """A move, how often it was tried, and its mean share of the victory."""

    move: int
    visits: int
    win_chance: float


class TreeSearch:
    def __init__(self, game: Game, simulations: int, rng: Random) -> None:
        self._game = game
        self._simulations = simulations
        self._rng = rng
        self._compiled = compiled(game)

    def compare(self, view: State, memory: Memory, deadline: Deadline) -> list[Tried]:
        """One card of every kind there is, the best first."""
        work, grown = self._workspace(view, memory), new_tree(self._simulations)
        done = 0
        while done < self._simulations and (done == 0 or deadline.is_ahead):
            self._compiled["simulate"](work, grown, SIMULATIONS_PER_CHECK)
            done += SIMULATIONS_PER_CHECK
        return sorted(_root_edges(grown), key=lambda t: (t.visits, t.win_chance), reverse=True)

    def backs(self, view: State, memory: Memory, cell: int) -> dict[int, float]:
        """The faces that may lie under a card, with their exact chances."""
        if memory.under[cell] != UNKNOWN:
            return {memory.under[cell]: 1.0}
        up, shows = view.up[cell], memory.shows(view)
        fewer = [count - (face == up) for face, count in enumerate(shows)]
        tables, unplaced = np.zeros(layouts.TABLES_SHAPE, np.int64), memory.unplaced
        cards = {back: layouts.CARD_OF[up][back] for back in FACES}
        ways = {
            back: self._count(unplaced ^ 1 << card, fewer, tables)
            for back, card in cards.items()
            if card >= 0 and unplaced >> card & 1
        }
        return {back: count / sum(ways.values()) for back, count in ways.items() if count > 0}

    def _workspace(self, view: State, memory: Memory) -> tree.Workspace:
        work = tree.Workspace(
            states=kernels.blank(self._game, 2, memory.recall(view)),
            unknown=memory.unknown,
            unplaced=memory.unplaced,
            tables=np.zeros(layouts.TABLES_SHAPE, np.int64),
            stream=np.array([self._rng.getrandbits(62)], np.int64),
            scratch=np.zeros(policy.SCRATCH_SIZE, np.int64),
        )
        self._count(work.unplaced, memory.shows(view), work.tables)
        return work

    def _count(self, unplaced: int, shows: list[int], tables: Any) -> int:
        """How many layouts there are; the tables then hold what drawing one of them needs."""
        return int(self._compiled["count_layouts"](unplaced, np.array(shows, np.int64), tables))


def new_tree(simulations: int) -> tree.Tree:
    """A tree of nothing but a root, with room for what these simulations add."""
    most = simulations + SIMULATIONS_PER_CHECK  # the last batch may overrun
    nodes, edges = most + 1, EDGES_PER_SIMULATION * most
    return tree.Tree(
        used=np.array([1, 0], np.int64),
        visits=np.zeros(nodes, np.int32),
        first=np.zeros(nodes, np.int32),
        count=np.zeros(nodes, np.int32),
        cells=np.zeros(edges, np.int32),
        priors=np.zeros(edges, np.float64),
        edge_visits=np.zeros(edges, np.int32),
        rewards=np.zeros(edges, np.float64),
        children=np.zeros((edges, tree.CHILDREN), np.int32),
        path=np.zeros((tree.MAX_DEPTH_MOVES, 2), np.int64),
    )


def _root_edges(grown: tree.Tree) -> list[Tried]:
    edges = range(grown.count[0])
    cells, visits, rewards = grown.cells, grown.edge_visits, grown.rewards
    return [
        Tried(int(cells[e]), int(visits[e]), float(rewards[e] / max(visits[e], 1))) for e in edges
    ]


def warm_steps(game: Game) -> list[Step]:
    view, memory = opening(game).view(0), Memory(0)
    memory.watch(view)
    search = TreeSearch(game, 1, Random(0))
    return [
        partial(search.backs, view, memory, 0),
        partial(search.compare, view, memory, Deadline(0)),
    ]


def compiled(game: Game) -> dict[str, Any]:
    """The kernels of this game, each compiled or loaded from the disk when it is first called."""
    return kernels.compiled(game, around=(playouts, layouts, policy, tree))
