"""The bot that plays anything."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ludotheque.search.deadline import NO_DEADLINE, Deadline


class Chaotic:
    """Plays any legal move, each equally likely, and remembers nothing."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._rng = Random(seed)

    def watch(self, view: Any) -> None:
        pass

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        return self._rng.choice(legal_moves)
