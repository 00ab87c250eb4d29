"""Text that people write: names and lines of chat."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ludotheque.engine.refused import Refused

NAME_LENGTH = 24  # characters
CHAT_LENGTH = 300  # characters


MOST_MARKS = 3  # on one letter; more would cover what stands above and below
JOINERS = "\u200c\u200d"  # Persian is written with them, and emoji of several people
# Letters and a symbol that leave their place empty.
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"


def clean(text: str, what: str, longest: int) -> str:
    """The text on one line, without control characters; Refused if it is empty or too long."""
    cleaned = " ".join("".join(_kept(text)).split())
    if not 0 < len(cleaned) <= longest:
        raise Refused(f"{what} has 1 to {longest} characters, this one has {len(cleaned)}")
    if not any(_is_visible(letter) for letter in cleaned):
        raise Refused(f"{what} needs a character that can be seen")
    return cleaned


def _kept(text: str) -> Iterator[str]:
    """The text letter by letter, a space for what cannot be printed."""
    marks = 0
    for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        marks = marks + 1 if _is_mark(letter) else 0
        if letter in JOINERS:
            yield letter if _may_join(before) and _may_join(after) else " "
        elif marks <= MOST_MARKS:
            yield letter if letter.isprintable() else " "


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def _may_join(letter: str) -> bool:
    """Whether it is a letter with its marks, or an emoji with its colour."""
    return unicodedata.category(letter)[0] in "LM" or unicodedata.category(letter) in ("So", "Sk")


def _is_visible(letter: str) -> bool:
    return letter not in BLANKS and unicodedata.category(letter)[0] in "LNPS"


def isolated(name: str) -> str:
    """The name; one that is read from right to left does not turn round what stands beside it."""
    is_turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if is_turned else name
