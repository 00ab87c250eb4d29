"""Words that belong to no game, in the languages the games speak."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ludotheque.engine.game import LANGUAGES

DEFAULT = "en"


@cache
def _all() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def every_word(language: str) -> dict[str, Any]:
    words: dict[str, Any] = _all()[language]
    return words


def say(language: str, key: str, **values: object) -> str:
    template: str = _all()[language][key]
    return template.format(**values)


def of_this_machine() -> str:
    """The language of the user's locale, if the games speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(name, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return DEFAULT
