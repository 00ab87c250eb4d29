"""When a bot has to stop thinking: after some seconds, or when another thread cancels."""

from __future__ import annotations

import math
import time


class Deadline:
    """The time limit of one decision. Once it has passed, the best move so far is played."""

    def __init__(self, seconds: float = math.inf) -> None:
        self._until = time.monotonic() + seconds
        self._is_cancelled = False

    def cancel(self) -> None:
        self._is_cancelled = True

    @property
    def is_ahead(self) -> bool:
        return not self._is_cancelled and time.monotonic() < self._until


NO_DEADLINE = Deadline()  # for play that must come out the same on any machine
