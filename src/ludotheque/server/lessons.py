"""Lessons as the page plays them: every beat with the match as the learner sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused
from ludotheque.engine.story import Story
from ludotheque.server import messages
from ludotheque.server.match_info import MatchTeller, Time, step_told

VIEWER = lessons.LEARNER


@lru_cache(maxsize=64)
def lesson(game: Game, name: str) -> messages.Lesson:
    found = lessons.read(game, name)
    story, beats = Story(found.match, from_now=True), []
    for beat, match in lessons.played(found):
        told = story.go_on(match, {VIEWER})[VIEWER]
        steps = [step_told(match, VIEWER, step) for step in told]
        info = MatchTeller(match.copy(), [0] * match.seats, Time(match.now, -1)).tell(VIEWER)
        beats.append(
            messages.LessonBeat(
                beat.chapter, beat.say, beat.opening, beat.point, beat.ask, info, steps
            )
        )
    return messages.Lesson(game.slug, name, found.title, found.match.options, beats)


@lru_cache(maxsize=64)
def pictures(game: Game) -> dict[str, messages.Picture]:
    """The pictures of all lessons of a game, by "lesson/chapter"."""
    return {
        f"{name}/{beat.chapter}": _picture(lesson(game, name), place, beat.picture)
        for name in lessons.names(game)
        for place, beat in enumerate(lessons.read(game, name).beats)
        if beat.picture
    }


def _picture(told: messages.Lesson, place: int, picture: lessons.Picture) -> messages.Picture:
    for match, facts in _scenes(told, place):
        if not picture.told or (facts and facts[-1].key == picture.told):
            return messages.Picture(picture.part, picture.refused, told.options, match, facts)
    chapter = told.beats[place].chapter
    raise Refused(f"lesson {told.name} of {told.game}: {chapter} does not tell {picture.told!r}")


def _scenes(
    told: messages.Lesson, place: int
) -> Iterator[tuple[messages.MatchInfo, list[messages.Fact]]]:
    """What is seen from a beat to the next one, as the director in the page shows it."""
    match = told.beats[place].match
    yield match, []
    if place + 1 == len(told.beats):
        return
    following = told.beats[place + 1]
    for step in following.steps:
        after = following.match
        if step.view is not None and step.notes is not None and step.scores is not None:
            after = replace(match, view=step.view, notes=step.notes, scores=step.scores)
        shown = after if step.facts[0].kind == "begin" else match
        for count in range(1, len(step.facts) + 1):
            yield shown, step.facts[:count]
        match = after
