"""The one error for people: a sentence that names what was wrong, where, and what was expected."""

from __future__ import annotations


class Refused(ValueError):
    """Something asked for was not done, and nothing has changed.

    `reason` is a code for pages that say it in words of their own: for a move that is not legal,
    one of the game's OBJECTIONS. It is "" where there is only the sentence.
    """

    reason: str = ""

    def __init__(self, error: str, reason: str = "") -> None:
        super().__init__(error)
        if reason:
            self.reason = reason
