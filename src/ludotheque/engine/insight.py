"""A game's own questions for a designer's report, beyond those that every game gets.

A game's insights.py, if it has one, defines

    QUESTIONS                       a tuple of Question
    observations(match) -> Iterator[Observation]   of a match that is over
"""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    text: str
    across: str  # what the groups are that are compared
    measured: str
    is_share: bool = False  # whether every value lies between 0 and 1


class Observation(NamedTuple):
    """One value that bears on a question, in one group and, if there are several, one series."""

    question: int  # its place in QUESTIONS
    series: str
    group: str
    value: float
