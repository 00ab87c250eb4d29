"""What a strong player would tell somebody in the same seat."""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """A move and why: `reason` is a key of [hints] in the game's words.toml."""

    move: int
    reason: str
    values: dict[str, object]  # what the words of the reason leave open
