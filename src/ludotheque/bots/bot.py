"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Bot(Protocol):
    """One player in one seat of one match. Whatever it remembers it keeps itself."""

    def watch(self, view: Any) -> None:
        """Look at the table: called with the view of its seat whenever the match has changed."""

    def choose(self, view: Any, legal_moves: Sequence[int]) -> int:
        """One of the legal moves, chosen from nothing but what it has seen."""
