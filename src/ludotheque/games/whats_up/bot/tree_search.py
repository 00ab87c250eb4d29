"""What may come of each move: the tree of `lookahead`, compiled and grown while there is time."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game
from ludotheque.games.whats_up.bot import layouts, lookahead, policy
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.rules import FACES, UNKNOWN, State
from ludotheque.search.deadline import Deadline

SIMULATIONS_PER_CHECK = 200  # of the clock: some milliseconds
ROOM = 8  # branches for each simulation; about half of them are used


class Prospect(NamedTuple):
    """A card to turn, how often it was tried, and the share of the victory that it brought."""

    move: int
    tries: int
    chance: float


class TreeSearch:
    def __init__(self, game: Game, simulations: int, rng: Random) -> None:
        self._game = game
        self._simulations = simulations
        self._rng = rng
        self._compiled = compiled(game)

    def prospects(self, view: State, memory: Memory, deadline: Deadline) -> list[Prospect]:
        """One card of every kind there is, the best first."""
        bench, tree = self._bench(view, memory), planted(self._simulations)
        done = 0
        while done < self._simulations and (done == 0 or deadline.is_ahead):
            self._compiled["look_ahead"](bench, tree, SIMULATIONS_PER_CHECK)
            done += SIMULATIONS_PER_CHECK
        return sorted(_branches(tree), key=lambda p: (p.tries, p.chance), reverse=True)

    def backs(self, view: State, memory: Memory, cell: int) -> dict[int, float]:
        """The faces that may lie under a card, with their exact chances."""
        if memory.under[cell] != UNKNOWN:
            return {memory.under[cell]: 1.0}
        up, shows = view.up[cell], memory.shows(view)
        fewer = [count - (face == up) for face, count in enumerate(shows)]
        desk, unmet = np.zeros(layouts.DESK, np.int64), memory.unmet
        cards = {back: layouts.CARD_OF[up][back] for back in FACES}
        ways = {
            back: self._count(unmet ^ 1 << card, fewer, desk)
            for back, card in cards.items()
            if card >= 0 and unmet >> card & 1
        }
        return {back: count / sum(ways.values()) for back, count in ways.items() if count > 0}

    def _bench(self, view: State, memory: Memory) -> lookahead.Bench:
        bench = lookahead.Bench(
            states=kernels.blank(self._game, 2, memory.recall(view)),
            unknown=memory.unknown,
            unmet=memory.unmet,
            desk=np.zeros(layouts.DESK, np.int64),
            dice=np.array([self._rng.getrandbits(62)], np.int64),
            pad=np.zeros(policy.PAD, np.int64),
        )
        self._count(bench.unmet, memory.shows(view), bench.desk)
        return bench

    def _count(self, unmet: int, shows: list[int], desk: Any) -> int:
        """How many layouts there are; what drawing one of them needs is left on the desk."""
        return int(self._compiled["count_layouts"](unmet, np.array(shows, np.int64), desk))


def planted(simulations: int) -> lookahead.Tree:
    """A tree of nothing but a root, with room for what so many simulations add."""
    most = simulations + SIMULATIONS_PER_CHECK  # the last batch may overrun
    places, branches = most + 1, ROOM * most
    return lookahead.Tree(
        used=np.array([1, 0], np.int64),
        visits=np.zeros(places, np.int32),
        first=np.zeros(places, np.int32),
        count=np.zeros(places, np.int32),
        cells=np.zeros(branches, np.int32),
        wishes=np.zeros(branches, np.float64),
        tries=np.zeros(branches, np.int32),
        gains=np.zeros(branches, np.float64),
        behind=np.zeros((branches, lookahead.BEHIND), np.int32),
        path=np.zeros((lookahead.MAX_DEPTH_MOVES, 2), np.int64),
    )


def _branches(tree: lookahead.Tree) -> list[Prospect]:
    return [
        Prospect(
            int(tree.cells[b]), int(tree.tries[b]), float(tree.gains[b] / max(tree.tries[b], 1))
        )
        for b in range(tree.count[0])
    ]


def compiled(game: Game) -> dict[str, Any]:
    """The kernels of this game, each compiled or taken from the disk when it is first called."""
    return kernels.compiled(game, around=(playouts, layouts, policy, lookahead))
