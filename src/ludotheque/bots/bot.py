"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline


class Bot(Protocol):
    """One player in one seat of one match. Whatever it remembers it keeps itself."""

    def watch(self, view: Any) -> None:
        """Look at the table: called with the view of its seat whenever the match has changed."""

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        """One of the legal moves, chosen from nothing but what it has seen, while it may think."""


@runtime_checkable
class Racer(Protocol):
    """A bot of a game on a clock: it needs time as people do."""

    seconds: float  # that the move chosen last takes


@runtime_checkable
class Adviser(Protocol):
    """A bot that can say what it would do, and why."""

    def watch(self, view: Any) -> None:
        """Look at the table."""

    def advise(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        """The best moves it sees, the best one first; at least one."""
