"""What a strong player advises a player in the same seat."""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """A move and why: `reason` is a key of [hints] in the game's words.toml."""

    move: int
    reason: str
    values: dict[str, object]  # that the words of the reason have to be filled in with
