"""Reports that say which goals were missed."""

from __future__ import annotations

from collections.abc import Sequence


class Judged(list[str]):
    """The lines of a report, with its goal and, in plain words, what has missed it."""

    def __init__(self, lines: Sequence[str], goal: str, missed: Sequence[str]) -> None:
        told = [f"- **Missed:** {each}." for each in missed] or ["It is met everywhere."]
        super().__init__([*lines, "", f"The goal: {goal}.", "", *told])
        self.missed = list(missed)
