"""The time in a match, in milliseconds since it began. It stops while no server runs."""

from __future__ import annotations

import time


class Clock:
    def __init__(self, shows: int = 0) -> None:
        self._shows = shows
        self._set_at = time.monotonic()

    def now(self) -> int:
        return self._shows + int((time.monotonic() - self._set_at) * 1000)
