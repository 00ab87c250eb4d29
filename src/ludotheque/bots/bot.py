"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Bot(Protocol):
    """One player in one seat of one match. Whatever it remembers it keeps itself."""

    def choose(self, view: Any, legal_moves: Sequence[int]) -> int:
        """One of the legal moves, chosen from nothing but the view."""
