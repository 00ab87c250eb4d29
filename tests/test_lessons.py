"""Every lesson can be played, and what it claims is what happens."""

import pytest

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import load, slugs
from ludotheque.engine.lesson import LEARNER
from ludotheque.engine.story import Story
from ludotheque.engine.text import typeset

LESSONS = [(slug, name) for slug in slugs() for name in lessons.names(load(slug))]


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_what_a_lesson_asks_for_is_legal_and_tells_what_it_says(slug: str, name: str) -> None:
    lesson = lessons.read(load(slug), name)
    match = lesson.match.copy()
    story = Story(match, from_now=True)
    for number, beat in enumerate(lesson.beats, 1):
        if beat.ask is not None:
            assert match.refusal(LEARNER, beat.ask) is None, f"beat {number}"
        for move in beat.moves:
            match.play(*move)
        told = [fact.key for step in story.go_on(match, {LEARNER})[LEARNER] for fact in step.facts]
        assert set(beat.tells) <= set(told), f"beat {number}"


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_a_lesson_asks_for_a_move_within_its_first_beats(slug: str, name: str) -> None:
    beats = lessons.read(load(slug), name).beats
    assert any(beat.ask is not None for beat in beats[:3])


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_what_a_lesson_says_is_typeset(slug: str, name: str) -> None:
    lesson = lessons.read(load(slug), name)
    for texts in [lesson.title, *(beat.say for beat in lesson.beats)]:
        assert texts == {language: typeset(text, language) for language, text in texts.items()}
