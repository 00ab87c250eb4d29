"""Text that people write: names and lines of chat."""

from __future__ import annotations

import unicodedata

from ludotheque.engine.refused import Refused

NAME_LENGTH = 24  # characters
CHAT_LENGTH = 300  # characters


def clean(text: str, what: str, longest: int) -> str:
    """The text on one line, without control characters; Refused if it is empty or too long."""
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not 0 < len(cleaned) <= longest:
        raise Refused(f"{what} has 1 to {longest} characters, this one has {len(cleaned)}")
    return cleaned


def isolated(name: str) -> str:
    """The name; one that is read from right to left does not turn round what stands beside it."""
    is_turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if is_turned else name
