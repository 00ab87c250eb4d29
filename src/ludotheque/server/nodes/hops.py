"""How long letters are on their way to other nodes, as this node measures it."""

from __future__ import annotations

from collections import deque

from ludotheque.server import clock

RECENT = 8  # round trips to a node, of which the smallest counts


class Hops:
    def __init__(self) -> None:
        self._sent: dict[str, tuple[int, float]] = {}  # the last ping to a node
        self._taken: dict[str, deque[float]] = {}

    def begin(self, node: str, number: int) -> None:
        """A ping of this number is sent."""
        self._sent[node] = number, clock.instant()

    def end(self, node: str, number: int) -> None:
        """It has come back; one that came too late tells nothing."""
        known, sent_at = self._sent.get(node, (None, 0.0))
        if number == known:
            del self._sent[node]
            taken = self._taken.setdefault(node, deque(maxlen=RECENT))
            taken.append(clock.instant() - sent_at)

    def forget(self, node: str) -> None:
        self._sent.pop(node, None)
        self._taken.pop(node, None)

    def delay_s(self, node: str) -> float:
        """How long a letter from a node is on its way; 0 before anything is known."""
        return min(self._taken.get(node, [0.0])) / 2
