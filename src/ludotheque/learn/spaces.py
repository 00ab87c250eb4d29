"""The spaces of observations, and what is wrong with a seat, an action or a call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.engine.layout import Layout
from ludotheque.engine.refused import Refused
from ludotheque.learn.extra import require

require("gymnasium")
from gymnasium import spaces  # noqa: E402
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded  # noqa: E402

CLOSED = "the environment is closed; make another one"
NOT_RESET = "call reset before the first step, and after the end of a match"


def observation_box(layout: Layout) -> spaces.Box:
    dtype: Any = np.dtype(layout.dtype)
    return spaces.Box(np.array(layout.low, dtype), np.array(layout.high, dtype), dtype=dtype)


def masked_observation(layout: Layout) -> spaces.Dict:
    """The observation with the mask of the legal moves beside it, as PettingZoo has it."""
    mask = spaces.Box(0, 1, (layout.game.moves,), np.int8)
    return spaces.Dict({"observation": observation_box(layout), "action_mask": mask})


def checked_action(action: Any, moves: int) -> int:
    """The action as a number; raises InvalidAction if it is no whole number from 0 to moves − 1."""
    try:
        move = int(action)
    except (TypeError, ValueError):
        move = -1
    if move != action or not 0 <= move < moves:
        raise InvalidAction(f"{action!r} is not an action; actions are 0 to {moves - 1}")
    return move


def check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise Refused(f"there is no seat {seat}; the seats are 0 to {seats - 1}, or None for any")


def check_usable(is_closed: bool, is_running: bool) -> None:
    if is_closed:
        raise ClosedEnvironmentError(CLOSED)
    if not is_running:
        raise ResetNeeded(NOT_RESET)
