"""A match as it is told to its viewers: the view, the log and the story, in messages.

Everything told is a function of a view: a visitor without a name is a viewer like any other.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from ludotheque.engine.drawing import drawn
from ludotheque.engine.game import Game
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Step, decided, history
from ludotheque.engine.words import Words
from ludotheque.language import say
from ludotheque.server import messages
from ludotheque.server.table import Table
from ludotheque.server.text import isolated

log = logging.getLogger(__name__)
encode = msgspec.json.Encoder().encode


class Time(msgspec.Struct, frozen=True):
    """What the clocks of a table show."""

    now: int  # milliseconds since a match on a clock began, 0 without one
    deadline: int  # milliseconds until the move clock runs out, −1 for none


class MatchTeller:
    """Tells one state of a match to several viewers; what is the same for all is found once."""

    def __init__(self, match: Match, advised: list[int], time: Time) -> None:
        self.match = match
        self.advised = advised
        self.time = time
        self.over = match.is_over
        self.shown_scores = match.shown_scores()
        self.winners = winners(match) if self.over else []
        self.verdict = match.game.verdict(match.state) if self.over else ""
        self.decided = ending(match).decided if self.over else None
        self.awaited = match.awaited()
        self.alarm = time_to_alarm(match, time.now)

    def tell(self, viewer: int) -> messages.MatchInfo:
        """The match as this viewer may see it."""
        match, game = self.match, self.match.game
        view = match.view(viewer)
        return messages.MatchInfo(
            viewer=viewer,
            view=vars(view),
            notes=game.notes(view, viewer),
            legal=_listed(game, view, viewer),
            prompt=game.prompt(view, viewer) if viewer >= 0 else "",
            awaited=self.awaited,
            over=self.over,
            scores=match.known_scores(viewer, self.shown_scores),
            winners=self.winners,
            verdict=self.verdict,
            decided=self.decided,
            breakdown=self._breakdown(viewer),
            advised=self.advised,
            now=self.time.now,
            alarm=self.alarm,
            deadline=self.time.deadline,
        )

    def _breakdown(self, viewer: int) -> list[messages.Portion]:
        game = self.match.game
        seat = 0 if game.team else viewer
        if not self.over or seat < 0:
            return []
        return [messages.Portion(*part) for part in game.breakdown(self.match.state, seat)]


def winners(match: Match) -> list[int]:
    """Who has won a match that is over: nobody where a player played alone."""
    return match.winners if match.game.is_contest(match.seats) else []


class Ending(NamedTuple):
    """How a match that is over is told, to everyone alike."""

    history: msgspec.Raw
    decided: messages.Saying | None


_endings: WeakKeyDictionary[Match, Ending] = WeakKeyDictionary()


def ending(match: Match) -> Ending:
    """How a match has ended: found once, since it takes the whole log."""
    if match not in _endings:
        told = list(history(match, NOBODY))
        _endings[match] = Ending(encoded_history(told), _what_decided(match, told))
    return _endings[match]


def _what_decided(match: Match, told: list[tuple[int, Fact]]) -> messages.Saying | None:
    try:
        what = decided(match, told)
    except Exception:  # a match whose end cannot be explained is over all the same
        log.exception("%s cannot say what decided a match", match.game.slug)
        return None
    return None if what is None else messages.Saying(what.key, what.values)


def encoded_history(told: Iterable[tuple[int, Fact]]) -> msgspec.Raw:
    return msgspec.Raw(encode([told_fact(chapter, fact) for chapter, fact in told]))


def plain_board(table: Table, viewer: int, language: str) -> messages.PlainBoard:
    """The match as text, made of the viewer's view and of the names at the table alone."""
    match = table.match
    assert match is not None
    game, view = match.game, match.view(viewer)
    moves = [
        messages.PlainMove(move, game.notation(viewer, move), *game.move_words(viewer, move))
        for move in _listed(game, view, viewer)
    ]
    return messages.PlainBoard(_drawing(table, view, viewer, language), moves)


def _drawing(table: Table, view: Any, viewer: int, language: str) -> str:
    names = [
        say(language, "seat", number=seat + 1) if occupant is None else isolated(occupant.name)
        for seat, occupant in enumerate(table.seats)
    ]
    try:
        return drawn(view, viewer, Words(table.game, language), names)
    except Exception:  # a game that cannot be drawn can still be played
        log.exception("table %s: %s cannot be drawn", table.id, table.game.slug)
        return ""


def time_to_alarm(match: Match, now: int) -> int:
    """The milliseconds from now until chance acts by itself, −1 for never."""
    if not match.game.timed or match.is_over:
        return -1
    after_last_move = match.game.alarm(match.state)
    return after_last_move if after_last_move < 0 else max(0, match.now + after_last_move - now)


def _listed(game: Game, view: Any, viewer: int) -> list[int]:
    """The legal moves of a viewer, from the first one that the game lists."""
    if viewer < 0:
        return []
    if game.unlisted_moves:
        return [m for m in range(game.unlisted_moves, game.moves) if game.is_legal(view, viewer, m)]
    return game.legal_moves(view, viewer)


def encoded_steps(match: Match, viewer: int, steps: list[Step]) -> list[msgspec.Raw]:
    """Steps as they are sent; the view after the last move is in the update itself."""
    return [msgspec.Raw(encode(step_told(match, viewer, step))) for step in steps]


def step_told(match: Match, viewer: int, step: Step) -> messages.Step:
    facts = [told_fact(step.chapter, fact) for fact in step.facts]
    if step.place == len(match.log) - 1:
        return messages.Step(facts, None, None, None)
    notes = match.game.notes(step.view, viewer)
    return messages.Step(facts, vars(step.view), notes, step.scores)


def told_fact(chapter: int, fact: Fact) -> messages.Fact:
    return messages.Fact(fact.kind, fact.key, fact.values, fact.lasting, chapter)


@lru_cache(maxsize=4096)
def encoded_line(game: Game, seat: int, move: int, at: int | None, seen: bool) -> msgspec.Raw:
    return msgspec.Raw(encode(line(game, Entry(seat, move, at, frozenset()), seen)))


def line(game: Game, entry: Entry, seen: bool) -> messages.Line:
    """An entry of the log in words, or the fact that there was one."""
    if not seen:
        return messages.Line(entry.seat, None, entry.at, "", {})
    return messages.Line(entry.seat, entry.move, entry.at, *game.move_words(entry.seat, entry.move))
