"""Lessons: small matches with fixed chance and scripted seats, which say what matters when.

A lesson is a file `lessons/NAME.toml` of a game's folder:

    title = { fr = "…", en = "…", de = "…" }
    seats = 3
    options = { }           as of a match
    deal = ["+5", "-3"]     what chance draws, in notation; the learner sits in seat 0
    start = ["0 9", "1 4"]  optional: moves that are made before the lesson begins

    [[beats]]
    say = { fr = "…", en = "…", de = "…" }
    point = "stake"         optional: the part of the board that it is about (data-point="stake")
    ask = "9"               optional: the move that the learner is asked to make, in notation
    play = ["1 4", "2 9"]   optional: what the other seats do then; "1 4 @1500" in a timed game
    tells = ["award"]       optional: facts, by their keys, that the moves of this beat must lead to
    chapter = "ties"        optional: the name by which the rules help opens the lesson here
    opening = { fr = "…", … }   optional: what is said instead of `say` if it is opened here
    picture = { }           optional: what the rules help shows of this chapter, see Picture

A beat is said; then its moves are made, and what happened is told before the next beat. The rules
in words.toml refer to chapters: `[](first/ties)` offers to open the lesson there, and
`[A caption](first/ties)` shows the picture of the chapter too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.text import typeset

LEARNER = 0
KEYS = {"say", "point", "ask", "play", "tells", "chapter", "opening", "picture"}
PICTURE_KEYS = {"part", "told", "refused"}
SEEDS = Seeds(bytes(32))  # what the deal leaves open is the same every time


class Move(NamedTuple):
    seat: int
    move: int
    at: int | None  # milliseconds since the match began, in a timed game


class Picture(NamedTuple):
    """The board of a chapter: as the beat is said, or while what follows is told."""

    part: str  # the part of the board that is shown (data-point), or "" for all of it
    told: str  # the key of the fact that has just been told, or ""
    refused: int | None  # a move that the rules refuse, which the learner holds ready


class Beat(NamedTuple):
    say: dict[str, str]
    point: str
    ask: int | None  # the learner's move
    moves: list[Move]  # that and the others', in their order
    tells: list[str]
    chapter: str  # or ""
    opening: dict[str, str]
    picture: Picture | None


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
    try:
        data = tomllib.loads((game.folder / "lessons" / f"{name}.toml").read_text("utf-8"))
    except ValueError as error:
        raise Refused(f"lesson {name} of {game.slug}: {error}") from None
    return parsed(game, name, data)


def parsed(game: Game, name: str, data: dict[str, Any]) -> Lesson:
    """The lesson that a file has in it; Refused says what is wrong with it."""
    try:
        return _lesson(game, name, data)
    except (Refused, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"lesson {name} of {game.slug}: {error}") from None


def played(lesson: Lesson) -> Iterator[tuple[Beat, Match]]:
    """Every beat, with the match in which it is said; its moves are made afterwards."""
    match = lesson.match.copy()
    for beat in lesson.beats:
        yield beat, match
        for move in beat.moves:
            match.play(*move)


def _lesson(game: Game, name: str, data: dict[str, Any]) -> Lesson:
    match = Match(
        game, data["seats"], data.get("options", {}), deal=data.get("deal", []), seeds=SEEDS
    )
    for text in data.get("start", []):
        match.play(*_move(game, text))
    beats = [_beat(game, item, number) for number, item in enumerate(data["beats"], 1)]
    chapters = [beat.chapter for beat in beats if beat.chapter]
    for chapter in chapters:
        if chapters.count(chapter) > 1:
            raise Refused(f"two beats are the chapter {chapter!r}; each needs a name of its own")
    return Lesson(game, name, _texts(data["title"], "title"), match, beats)


def _beat(game: Game, item: dict[str, Any], number: int) -> Beat:
    where = f"beat {number}"
    _check_keys(item, KEYS, where)
    if "chapter" not in item and ("opening" in item or "picture" in item):
        raise Refused(f"{where} has an opening or a picture, but no chapter to find it by")
    asked = [_move(game, f"{LEARNER} {item['ask']}")] if "ask" in item else []
    others = [_move(game, text) for text in item.get("play", [])]
    say = _texts(item["say"], f"say of {where}")
    return Beat(
        say=say,
        point=item.get("point", ""),
        ask=asked[0].move if asked else None,
        moves=[*asked, *others],
        tells=item.get("tells", []),
        chapter=item.get("chapter", ""),
        opening=_texts(item["opening"], f"opening of {where}") if "opening" in item else say,
        picture=_picture(game, item["picture"], where) if "picture" in item else None,
    )


def _picture(game: Game, item: dict[str, Any], where: str) -> Picture:
    _check_keys(item, PICTURE_KEYS, f"the picture of {where}")
    refused = game.parse(LEARNER, item["refused"]) if "refused" in item else None
    return Picture(item.get("part", ""), item.get("told", ""), refused)


def _check_keys(item: dict[str, Any], known: set[str], where: str) -> None:
    unknown = set(item) - known
    if unknown:
        names = ", ".join(sorted(unknown))
        raise Refused(f"{where} has {names}; it may have {', '.join(sorted(known))}")


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
