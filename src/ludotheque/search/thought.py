"""Time to think: a thought ends by itself, or when nobody wants to know any more."""

from __future__ import annotations

import math
import time


class Thought:
    """One decision under way. Another thread may cancel it; then the best so far has to do."""

    def __init__(self, seconds: float = math.inf) -> None:
        self._until = time.monotonic() + seconds
        self._is_cancelled = False

    def cancel(self) -> None:
        self._is_cancelled = True

    @property
    def goes_on(self) -> bool:
        return not self._is_cancelled and time.monotonic() < self._until


UNHURRIED = Thought()  # for play that must come out the same on any machine
