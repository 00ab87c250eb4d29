"""Lessons: small matches with fixed chance and scripted seats, which say what matters when.

A lesson is a file `lessons/NAME.toml` of a game's folder:

    title = { fr = "…", en = "…", de = "…" }
    seats = 3
    options = { }           as of a match
    deal = ["+5", "-3"]     what chance draws, in notation; the learner sits in seat 0

    [[beats]]
    say = { fr = "…", en = "…", de = "…" }
    point = "stake"         optional: the part of the board that it is about (data-point="stake")
    ask = "9"               optional: the move that the learner is asked to make, in notation
    play = ["1 4", "2 9"]   optional: what the other seats do then; "1 4 @1500" in a timed game
    tells = ["award"]       optional: facts, by their keys, that the moves of this beat must lead to

A beat is said; then its moves are made, and what happened is told before the next beat.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.text import typeset

LEARNER = 0
KEYS = {"say", "point", "ask", "play", "tells"}
SEEDS = Seeds(bytes(32))  # what the deal leaves open is the same every time


class Move(NamedTuple):
    seat: int
    move: int
    at: int | None  # milliseconds since the match began, in a timed game


class Beat(NamedTuple):
    say: dict[str, str]
    point: str
    ask: int | None  # the learner's move
    moves: list[Move]  # that and the others', in their order
    tells: list[str]


class Lesson(NamedTuple):
    game: Game
    name: str
    title: dict[str, str]
    match: Match  # before the first beat
    beats: list[Beat]


def names(game: Game) -> list[str]:
    """The lessons of a game, in the order of their names."""
    return sorted(path.stem for path in (game.folder / "lessons").glob("*.toml"))


def read(game: Game, name: str) -> Lesson:
    """The lesson of this name; Refused says what is wrong with its file."""
    if name not in names(game):
        known = ", ".join(names(game)) or "none"
        raise Refused(f"{game.slug} has no lesson {name!r}; its lessons are: {known}")
    path = game.folder / "lessons" / f"{name}.toml"
    try:
        return _lesson(game, path)
    except (Refused, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise Refused(f"lesson {name} of {game.slug}: {error}") from None


def played(lesson: Lesson) -> Iterator[tuple[Beat, Match]]:
    """Every beat, with the match in which it is said; its moves are made afterwards."""
    match = lesson.match.copy()
    for beat in lesson.beats:
        yield beat, match
        for move in beat.moves:
            match.play(*move)


def _lesson(game: Game, path: Path) -> Lesson:
    data = tomllib.loads(path.read_text("utf-8"))
    match = Match(
        game, data["seats"], data.get("options", {}), deal=data.get("deal", []), seeds=SEEDS
    )
    beats = [_beat(game, item, number) for number, item in enumerate(data["beats"], 1)]
    return Lesson(game, path.stem, _texts(data["title"], "title"), match, beats)


def _beat(game: Game, item: dict[str, Any], number: int) -> Beat:
    unknown = set(item) - KEYS
    if unknown:
        raise Refused(f"beat {number} has no {', '.join(sorted(unknown))}")
    asked = [_move(game, f"{LEARNER} {item['ask']}")] if "ask" in item else []
    others = [_move(game, text) for text in item.get("play", [])]
    say = _texts(item["say"], f"say of beat {number}")
    ask = asked[0].move if asked else None
    return Beat(say, item.get("point", ""), ask, [*asked, *others], item.get("tells", []))


def _move(game: Game, text: str) -> Move:
    """A move as "SEAT MOVE"; in a timed game "SEAT MOVE @MILLISECONDS"."""
    made, _, at = text.partition(" @")
    seat, _, notation = made.partition(" ")
    return Move(int(seat), game.parse(int(seat), notation), int(at) if at else None)


def _texts(value: object, where: str) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) != set(LANGUAGES):
        raise Refused(f"{where} is not a text in each of {', '.join(LANGUAGES)}")
    return {
        language: typeset(" ".join(str(value[language]).split()), language)
        for language in LANGUAGES
    }
