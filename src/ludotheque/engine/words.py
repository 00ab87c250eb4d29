"""The words of a game in one language, from its words.toml.

Every language holds the same keys:

    name, pitch, rules      the game, why to play it, and its rules in short; these may refer to
                            the chapters of its lessons, see lesson.py
    kind                    the kind of game in a word or two; may be left out
    [moves] [outcomes]      what a move or an outcome of chance says, filled in by notation.py
    [prompts]               what a seat is asked to do
    [results]               how a match ended: won, shared, nobody, `solo` where one may play
                            alone, or what `verdict` of notation.py says; {player},
                            {players}, {score} and the options may be filled in
    [decided]               what decided a match, by the keys of `decided` in story.py; left out
                            if the game does not say
    [breakdown]             what a score is made of, by the keys of `breakdown` in notation.py
    [objections]            why a move is refused, by the names in OBJECTIONS
    [options.NAME]          label, help, and a word for each value of a choice
    [story]                 what happened, by the keys of the game's story.py
    [board]                 whatever stands on the board
    [names]                 the sheet's things: colours, suits, shapes

A value filled in that is itself a key of [names] is replaced by that name. How blanks and plural
forms are written is told in text.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Decided, Fact
from ludotheque.engine.text import fill

AND = {
    "fr": ("et", ""),
    "en": ("and", ","),
    "de": ("und", ""),
}  # and what stands before it in a list

# [caption](lesson/chapter) in the rules
LESSON_LINK = re.compile(r"\s*\[([^\]]*)\]\((\w+)/(\w+)\)")


class Words:
    def __init__(self, game: Game, language: str) -> None:
        if language not in game.words:
            known = ", ".join(game.words)
            raise Refused(f"{game.slug} has no words in {language!r}; it speaks {known}")
        self.game = game
        self.language = language
        self._words: dict[str, Any] = game.words[language]

    @property
    def name(self) -> str:
        return str(self._words["name"])

    @property
    def pitch(self) -> str:
        return str(self._words["pitch"]).strip()

    @property
    def rules(self) -> str:
        """The rules in short, without what the page shows of the lessons."""
        return LESSON_LINK.sub("", str(self._words["rules"])).strip()

    def text(self, section: str, key: str, **values: object) -> str:
        """The words under [section] key, with the values filled in."""
        named = {name: self.named(value) for name, value in values.items()}
        return fill(self._words[section][key], self.language, named)

    def board(self, key: str, **values: object) -> str:
        return self.text("board", key, **values)

    def named(self, value: object) -> object:
        """The name of one of the sheet's things, or the value itself."""
        names: dict[str, str] = self._words.get("names", {})
        return names.get(value, value) if isinstance(value, str) else value

    def move(self, seat: int, move: int) -> str:
        """What this move says, without who makes it."""
        key, values = self.game.move_words(seat, move)
        return self.text("outcomes" if seat == CHANCE else "moves", key, **values)

    def prompt(self, view: Any, seat: int) -> str:
        """What this seat is asked to do in the view it has."""
        return self.text("prompts", self.game.prompt(view, seat))

    def result(self, match: Match, names: Sequence[str]) -> str:
        """How a match that is over has ended; `names` are those of its seats."""
        named = match.winners or list(range(match.seats))
        players = self.listed([names[seat] for seat in named])
        score = match.scores[named[0]]
        values = match.options | {"player": players, "players": players, "score": score}
        return self.text("results", match.verdict, **values)

    def fact(self, fact: Fact, names: Sequence[str]) -> str:
        """What happened, as a sentence without its full stop; `names` are those of the seats."""
        values = fact.values | self._players(fact.values, names)
        section, _, key = fact.key.rpartition(".")
        text = self.text(section or "story", key, **values)
        if section and values["seat"]:  # a move, in a game without a story
            text = f"{values['seat']}: {text}"
        return text[:1].upper() + text[1:]

    def decided(self, told: Decided, names: Sequence[str]) -> str:
        """What decided a match, as a sentence without its full stop."""
        text = self.text("decided", told.key, **told.values | self._players(told.values, names))
        return text[:1].upper() + text[1:]

    def _players(self, values: dict[str, Any], names: Sequence[str]) -> dict[str, str]:
        """The players that a fact names, as texts."""
        found: dict[str, str] = {}
        if "seat" in values:
            found["seat"] = names[values["seat"]] if values["seat"] >= 0 else ""
        if "seats" in values:
            found["seats"] = self.listed([names[seat] for seat in values["seats"]])
        if "by_seat" in values:
            pairs = values["by_seat"]
            found["by_seat"] = ", ".join(
                f"{names[seat]} {self._part(part)}" for seat, part in pairs
            )
        return found

    def _part(self, part: Any) -> object:
        """A part of a sentence: the name of a thing, or a key of [story] with its values."""
        return self.named(part) if isinstance(part, str) else self.text("story", part[0], **part[1])

    def listed(self, texts: Sequence[str]) -> str:
        """Several things as one says them: "Ada, Ben and Cleo"."""
        *others, last = texts
        and_, before = AND[self.language]
        return (
            f"{', '.join(others)}{before if len(others) > 1 else ''} {and_} {last}"
            if others
            else last
        )

    def objection(self, reason: str) -> str:
        """Why a move is refused: the words for the reason of a Refused."""
        return self.text("objections", reason)

    def option(self, name: str) -> dict[str, str]:
        """The label, the help and the values of an option."""
        words: dict[str, str] = self._words["options"][name]
        return words
