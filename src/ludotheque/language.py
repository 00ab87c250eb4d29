"""Words that belong to no game, in the languages the games speak."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from ludotheque.engine.game import LANGUAGES
from ludotheque.engine.text import fill, read_words

DEFAULT = "en"


@cache
def _all() -> dict[str, Any]:
    return read_words(Path(__file__).parent / "words.toml")


def every_word(language: str) -> dict[str, Any]:
    words: dict[str, Any] = _all()[language]
    return words


def say(language: str, key: str, **values: object) -> str:
    text: str = _all()[language][key]
    return fill(text, language, values)


def of_this_machine() -> str:
    """The language of the user's locale, if the games speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(name, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return DEFAULT
