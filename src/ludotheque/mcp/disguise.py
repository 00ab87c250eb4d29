"""Replaces words by made-up ones, so that nobody plays from what they have read about a game.

Every word but the common ones of rules and tables (common_words.txt) becomes a made-up one: names
of games, colours, suits, things and people, in texts, in data and in notation. Which one depends on
the seed and on the word alone, so it is the same everywhere and every time. A letter by itself, as
notation and boards have it for a suit, a colour or a column, becomes another letter, the same
everywhere too; but for the English words among them, a and I. Numbers and ids stay.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib import resources
from random import Random
from string import ascii_lowercase
from typing import Any

WORD = re.compile(r"[^\W\d_]{2,}")
LETTER = re.compile(r"(?<![^\W\d_])(?<!['’])[b-hj-zB-HJ-Z](?![^\W\d_])")  # not that of “it's”
EXCHANGED = ascii_lowercase.replace("a", "").replace("i", "")
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
SYLLABLES = 4
IDS = frozenset({"id", "me", "host", "guest", "player", "code", "commitment", "contributors"})


class Disguise:
    """With a seed it exchanges words; without one it leaves everything as it is."""

    def __init__(self, seed: str | None) -> None:
        self._seed = seed
        self._real: dict[str, str] = {}  # by made-up word, in small letters
        shuffled = _shuffled(EXCHANGED, Random(f"letters {seed}"))
        self._letters = _both_cases(EXCHANGED, shuffled)
        self._real_letters = _both_cases(shuffled, EXCHANGED)

    @property
    def is_on(self) -> bool:
        return self._seed is not None

    def text(self, text: str) -> str:
        if not self.is_on:
            return text
        lettered = LETTER.sub(lambda letter: letter[0].translate(self._letters), text)
        return WORD.sub(lambda word: self._word(word[0]), lettered)

    def data(self, data: Any) -> Any:
        """JSON with its keys and texts exchanged."""
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, list):
            return [self.data(each) for each in data]
        if isinstance(data, dict):
            pairs = data.items()
            return {
                k if k in IDS else self.text(k): v if k in IDS else self.data(v) for k, v in pairs
            }
        return data

    def learn(self, data: Any) -> None:
        """Understand the words of this JSON as if they had been told already."""
        if isinstance(data, str):
            self.text(data)
        elif isinstance(data, list):
            for each in data:
                self.learn(each)
        elif isinstance(data, dict):
            self.learn([*data, *data.values()])

    def reveal(self, text: str) -> str:
        """What was meant by a text that uses made-up words."""
        if not self.is_on:
            return text
        lettered = LETTER.sub(lambda letter: letter[0].translate(self._real_letters), text)
        return WORD.sub(lambda word: self._real.get(word[0].lower(), word[0]), lettered)

    def _word(self, word: str) -> str:
        small = word.lower()
        stem = small.removesuffix("s")
        if small in common_words() or stem in common_words():
            return word
        made_up = self._made_up(stem) + "s" * (stem != small)
        self._real.setdefault(made_up, small)
        return made_up.capitalize() if word[0].isupper() else made_up

    def _made_up(self, stem: str) -> str:
        digest = hashlib.sha256(f"{self._seed}\0{stem}".encode()).digest()
        pairs = zip(digest[:SYLLABLES], digest[SYLLABLES:], strict=False)
        return "".join(CONSONANTS[a % len(CONSONANTS)] + VOWELS[b % len(VOWELS)] for a, b in pairs)


def _shuffled(letters: str, rng: Random) -> str:
    """The letters in an order in which none stands in its own place."""
    order = letters
    while any(one == other for one, other in zip(letters, order, strict=True)):
        order = "".join(rng.sample(letters, len(letters)))
    return order


def _both_cases(some: str, others: str) -> dict[int, int]:
    return str.maketrans(some + some.upper(), others + others.upper())


@cache
def common_words() -> frozenset[str]:
    text = resources.files("ludotheque.mcp").joinpath("common_words.txt").read_text("utf-8")
    return frozenset(text.split())
