"""The words of a game in one language, from its words.toml.

Every language holds the same keys:

    name, pitch, rules      the game, why to play it, and its rules in short
    [moves] [outcomes]      what a move or an outcome of chance says, filled in by notation.py
    [prompts]               what a seat is asked to do
    [results]               how a match ended: won, shared, nobody, or what `verdict` of
                            notation.py says; {player}, {players}, {score} and the options
                            may be filled in
    [objections]            why a move is refused, by the names in OBJECTIONS
    [options.NAME]          label, help, and a word for each value of a choice
    [board]                 whatever stands on the board
    [names]                 the sheet's things: colours, suits, shapes

A value filled in that is itself a key of [names] is replaced by that name. How blanks and plural
forms are written is told in text.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.text import fill


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
        return str(self._words["rules"]).strip()

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
        winners, scores = match.winners, match.scores
        score = scores[winners[0]] if winners else max(scores)
        players = ", ".join(names[seat] for seat in winners)
        values = match.options | {"player": players, "players": players, "score": score}
        return self.text("results", match.verdict, **values)

    def objection(self, reason: str) -> str:
        """Why a move is refused: the words for the reason of a Refused."""
        return self.text("objections", reason)

    def option(self, name: str) -> dict[str, str]:
        """The label, the help and the values of an option."""
        words: dict[str, str] = self._words["options"][name]
        return words
