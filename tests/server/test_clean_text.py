"""Names and lines of chat as people may write them."""

from __future__ import annotations

import pytest

from ludotheque.engine.refused import Refused
from ludotheque.server.text import NAME_LENGTH, clean

FAMILY = "👨\u200d👩\u200d👧"


def name(text: str) -> str:
    return clean(text, "a name", NAME_LENGTH)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Ann \n\t B. ", "Ann B."),
        ("A\u202enn", "A nn"),
        (FAMILY, FAMILY),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("\u200cAnn\u200d", "Ann"),
        ("Ann \u200d\u200d B", "Ann B"),
        ("Zoe\u0308", "Zoe\u0308"),
        ("Z" + "\u0301" * 20 + "oe", "Z" + "\u0301" * 3 + "oe"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(text: str, cleaned: str) -> None:
    assert name(text) == cleaned


@pytest.mark.parametrize(
    "blank",
    ["\u3164", "\u2800", "\u115f", "\uffa0", "\u034f", "\ufe0f", "\u0301" * 23, "\u3164 \u2800"],
)
def test_a_name_that_looks_empty_is_refused(blank: str) -> None:
    with pytest.raises(Refused, match="a name needs a character that can be seen"):
        name(blank)


def test_a_name_has_a_length() -> None:
    for text in ("", " \u200d ", "x" * (NAME_LENGTH + 1)):
        with pytest.raises(Refused, match="a name has 1 to 24 characters"):
            name(text)
