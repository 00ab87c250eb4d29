"""The texts of a words.toml: how they are typeset, and how their blanks are filled.

A blank is a name in braces. Where a number meets a noun, the blank holds the forms of the noun, as
in the MessageFormat of ICU, and # stands for the number:

    {player} wins with {score, plural, one {# point} other {# points}}

The categories (one, many, other) are those of Unicode's CLDR; `other` serves those without a form.
The page fills the same texts with Intl.PluralRules.

Texts are typed with plain spaces and apostrophes. Reading them puts in what print wants: ’ for ',
and spaces that no line breaks at. Characters that would turn round what stands beside a text are
left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BLANK = re.compile(r"\{\{|\}\}|\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}")
FORM = re.compile(r"(\w+) \{([^{}]*)\}")
DECIMAL_MARK = {"fr": ",", "en": ".", "de": ","}

# Embeddings, overrides and isolates of writing from right to left.
TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
NO_BREAK = "\u00a0"
NARROW = "\u202f"  # does not break either
# What stands before a space or after it, and the space to set there.
SPACES = {
    "fr": ((r"(?<=«) | (?=[:»%])|(?<=n°) ", NO_BREAK), (r" (?=[;!?])", NARROW)),
    "en": (),
    "de": ((r" (?=[%…])|(?<=Nr\.) ", NO_BREAK),),
}


def read_words(path: Path) -> dict[str, Any]:
    """The texts of a file, typeset, by language."""
    words = tomllib.loads(path.read_text("utf-8"))
    return {language: _typeset_all(texts, language) for language, texts in words.items()}


def _typeset_all(texts: dict[str, Any], language: str) -> dict[str, Any]:
    return {
        key: _typeset_all(text, language) if isinstance(text, dict) else typeset(text, language)
        for key, text in texts.items()
    }


def typeset(text: str, language: str) -> str:
    text = text.translate(TURNING).replace("'", "’")
    for place, space in SPACES[language]:
        text = re.sub(place, space, text)
    return text


def fill(text: str, language: str, values: Mapping[str, object]) -> str:
    """The text with its blanks filled; a blank without a value is a KeyError."""

    def filled(blank: re.Match[str]) -> str:
        name, forms = blank.groups()
        if name is None:
            return blank[0][0]
        value = values[name]
        return _printed(value, language) if forms is None else _counted(forms, value, language)

    return BLANK.sub(filled, text)


def _counted(forms: str, number: object, language: str) -> str:
    if not isinstance(number, int | float):
        raise TypeError(f"{number!r} is not a number, but has to choose a plural form:{forms}")
    by_category: dict[str, str] = dict(FORM.findall(forms))
    form = by_category.get(plural_category(number, language), by_category["other"])
    return form.replace("#", _printed(number, language))


def _printed(value: object, language: str) -> str:
    """A number with a true minus and the language's decimal mark; any other value as it is."""
    if not isinstance(value, int | float):
        return str(value)
    return str(value).replace("-", "−").replace(".", DECIMAL_MARK[language])


def plural_category(number: float, language: str) -> str:
    """The category in which CLDR puts a number: "one", "many" or "other"."""
    size = abs(number)
    if language == "fr":
        return "one" if size < 2 else "other" if size % 1_000_000 else "many"
    return "one" if size == 1 else "other"
