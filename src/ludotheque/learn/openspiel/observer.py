"""What observers see: views, or all that was told, as text and as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ludotheque.engine.layout import Layout
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.learn.openspiel.state import SpielState
from ludotheque.learn.openspiel.told import EVERYTHING, described, numbers_of

SINGLE_PLAYER = pyspiel.PrivateInfoType.SINGLE_PLAYER
ALL_PLAYERS = pyspiel.PrivateInfoType.ALL_PLAYERS


class Observer:
    """OpenSpiel's PyObserver: `tensor` and its named parts `dict` are overwritten by `set_from`.

    Without perfect recall it has the view as a Layout lays it out; with it a row for each step so
    far: who moved (0 for no step, 1 for chance, 2 for seat 0 …), which move (0 for a hidden one, or
    its number + 1), and the numbers of the view afterwards.
    """

    def __init__(self, start: Match, kind: Any) -> None:
        self._kind = kind
        self._layout = Layout(start.game, start.seats)
        if kind.perfect_recall:
            rows, width = start.game.max_match_moves, 2 + len(numbers_of(start.state))
            self.tensor = np.zeros(start.seats + rows * width, np.float32)
            told = self.tensor[start.seats :].reshape(rows, width)
            self.dict = {"player": self.tensor[: start.seats], "told": told}
        else:
            self.tensor = np.zeros(self._layout.size, np.float32)
            self.dict = {"view": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        viewer = self._viewer(player)
        told = state.position.told(viewer)
        if not self._kind.perfect_recall:
            seat = player if viewer == EVERYTHING else viewer
            self.tensor[:] = self._layout.flatten(told.view, seat)
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if told.rows:
            self.dict["told"][: len(told.rows)] = told.rows

    def string_from(self, state: SpielState, player: int) -> str:
        told = state.position.told(self._viewer(player))
        return told.text if self._kind.perfect_recall else described(told.view)

    def _viewer(self, player: int) -> int:
        if self._kind.private_info == SINGLE_PLAYER:
            return player
        return EVERYTHING if self._kind.private_info == ALL_PLAYERS else NOBODY
