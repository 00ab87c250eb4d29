"""The time in a match, in milliseconds since it began. It stops while no server runs."""

from __future__ import annotations

import time


def instant() -> float:
    """This moment, in seconds; the server measures with nothing else what clients do when."""
    return time.monotonic()


class Clock:
    def __init__(self, shows: int = 0) -> None:
        self._shows = shows
        self._set_at = instant()

    def now(self) -> int:
        return self.at(instant())

    def at(self, moment: float) -> int:
        """The time in the match at an instant."""
        return max(0, self._shows + int((moment - self._set_at) * 1000))
