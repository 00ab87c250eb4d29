"""Lessons as the page plays them: every beat with the match as the learner sees it."""

from __future__ import annotations

from functools import lru_cache

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import Game
from ludotheque.engine.story import Story
from ludotheque.server import messages
from ludotheque.server.snapshot import MatchTeller, Time, step_told

VIEWER = lessons.LEARNER


@lru_cache(maxsize=64)
def lesson(game: Game, name: str) -> messages.Lesson:
    found = lessons.read(game, name)
    story, beats = Story(found.match, from_now=True), []
    for beat, match in lessons.played(found):
        told = story.go_on(match, {VIEWER})[VIEWER]
        steps = [step_told(match, VIEWER, step) for step in told]
        info = MatchTeller(match.copy(), [0] * match.seats, Time(match.now, -1)).tell(VIEWER)
        beats.append(messages.LessonBeat(beat.say, beat.point, beat.ask, info, steps))
    return messages.Lesson(game.slug, name, found.title, found.match.options, beats)
