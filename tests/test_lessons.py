"""Every lesson can be played, and what it claims is what happens."""

import re
from pathlib import Path
from random import Random

import pytest

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import LANGUAGES, Game, load, slugs
from ludotheque.engine.lesson import LEARNER, Beat
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.random_matches import random_options, walk
from ludotheque.engine.refused import Refused
from ludotheque.engine.story import Fact, Story, told
from ludotheque.engine.text import typeset
from ludotheque.engine.words import LESSON_LINK, Words
from ludotheque.server.lessons import pictures

WORDS_BEFORE_A_MOVE = 75  # read in half a minute
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
        facts = [fact.key for fact in story.facts(match, LEARNER)]
        assert set(beat.tells) <= set(facts), f"beat {number}"


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_a_lesson_asks_for_a_move_within_its_first_beats(slug: str, name: str) -> None:
    beats = lessons.read(load(slug), name).beats
    assert any(beat.ask is not None for beat in beats[:3])


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_a_lesson_asks_for_a_move_within_half_a_minute(slug: str, name: str) -> None:
    beats = lessons.read(load(slug), name).beats
    first = next(number for number, beat in enumerate(beats) if beat.ask is not None)
    for language in LANGUAGES:
        said = " ".join(beat.say[language] for beat in beats[: first + 1])
        assert len(said.split()) <= WORDS_BEFORE_A_MOVE, language


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_what_a_lesson_says_is_typeset(slug: str, name: str) -> None:
    lesson = lessons.read(load(slug), name)
    said = [text for beat in lesson.beats for text in (beat.say, beat.opening)]
    for texts in [lesson.title, *said]:
        assert texts == {language: typeset(text, language) for language, text in texts.items()}


# What is taught


MATCHES = 4  # random ones, at every number of seats
PARTS = {"chapter", "card", "first", "later", "tied"}  # of sentences: no facts
# What explains itself when it happens, or happens to those who know the game.
UNTAUGHT = {
    "stupide_vautour": {"stake_joins_high", "lost"},
    "team_up": {"ended_boxes", "ended_cards"},
    "ubongo": {
        "all_agreed", "all_out", "astray", "gave_up", "nothing", "out_astray", "time_up",
    },
    "up_and_down": {
        "extra_deal", "lost", "lost_all_cancelled", "lost_none_fits", "next_deal",
        "pot_all_cancelled", "rolled_none",
    },
    "whats_up": {"agreement", "leftover", "rounds_left", "row_wins", "stalled", "turns_left"},
}  # fmt: skip


def taught(game: Game) -> list[Fact]:
    """What happens in the matches of all lessons of a game, the deal included."""
    found = []
    for name in lessons.names(game):
        lesson = lessons.read(game, name)
        match = lesson.match.copy()
        for beat in lesson.beats:
            for move in beat.moves:
                match.play(*move)
        found += Story(match).facts(match, LEARNER)
    return found


@pytest.mark.parametrize("slug", slugs())
def test_every_kind_of_fact_occurs_in_a_lesson(slug: str) -> None:
    game, rng = load(slug), Random(slug)
    matches = [read(path) for path in sorted((game.folder / "matches").glob("*.json"))]
    for seats in game.seats:
        matches += [played_out(game, seats, rng) for _ in range(MATCHES)]
    kinds = {fact.kind for match in matches for _, fact in told(match, None)}
    assert kinds <= {fact.kind for fact in taught(game)}


@pytest.mark.parametrize("slug", slugs())
def test_a_fact_that_no_lesson_tells_is_known_to_be_untaught(slug: str) -> None:
    game = load(slug)
    told_of = set(game.words["en"]["story"]) - PARTS
    assert told_of - {fact.key for fact in taught(game)} == UNTAUGHT.get(slug, set())


def played_out(game: Game, seats: int, rng: Random) -> Match:
    match = Match(game, seats, random_options(game, seats, rng))
    for _ in walk(match, rng):
        pass
    return match


# Chapters, and the rules that refer to them


def chapters(game: Game) -> dict[str, tuple[Beat, Match]]:
    """Every chapter with the match that it begins with, by "lesson/chapter"."""
    return {
        f"{name}/{beat.chapter}": (beat, match.copy())
        for name in lessons.names(game)
        for beat, match in lessons.played(lessons.read(game, name))
        if beat.chapter
    }


def links(game: Game, language: str) -> list[tuple[str, bool]]:
    """The chapters that the rules refer to, each with whether they show its picture."""
    found = LESSON_LINK.findall(game.words[language]["rules"])
    return [(f"{lesson}/{chapter}", bool(caption)) for caption, lesson, chapter in found]


@pytest.mark.parametrize("slug", slugs())
def test_a_chapter_can_be_played_from_where_it_begins(slug: str) -> None:
    for place, (beat, match) in chapters(load(slug)).items():
        if beat.ask is not None:
            assert match.refusal(LEARNER, beat.ask) is None, place
        for move in beat.moves:
            match.play(*move)


@pytest.mark.parametrize("slug", slugs())
def test_the_rules_refer_to_every_chapter_and_to_no_other(slug: str) -> None:
    game = load(slug)
    for language in LANGUAGES:
        assert {place for place, _ in links(game, language)} == set(chapters(game)), language


@pytest.mark.parametrize("slug", slugs())
def test_the_rules_show_every_picture_in_every_language(slug: str) -> None:
    game = load(slug)
    drawn = set(pictures(game))
    assert len(drawn) > 0
    for language in LANGUAGES:
        assert {place for place, is_shown in links(game, language) if is_shown} == drawn, language
        assert links(game, language) == links(game, LANGUAGES[0]), language


@pytest.mark.parametrize("slug", slugs())
def test_a_picture_of_what_is_forbidden_shows_what_the_rules_refuse(slug: str) -> None:
    for place, (beat, match) in chapters(load(slug)).items():
        if beat.picture and beat.picture.refused is not None:
            assert match.refusal(LEARNER, beat.picture.refused) is not None, place


@pytest.mark.parametrize("slug", slugs())
def test_a_terminal_shows_the_rules_without_the_lessons(slug: str) -> None:
    for language in LANGUAGES:
        rules = Words(load(slug), language).rules
        assert re.search(r"[\[\]]|first/", rules) is None
        assert "**" in rules


# What is wrong with a file is said


@pytest.fixture
def vautour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose lessons are in a folder of the test."""
    game = load("stupide_vautour")
    monkeypatch.setattr(game, "folder", tmp_path)
    (tmp_path / "lessons").mkdir()
    return game


SAY = 'say = { fr = "a", en = "b", de = "c" }\n'


@pytest.mark.parametrize(
    ("beats", "complaint"),
    [
        ("[[beats]]\nsaid = 1\n", "beat 1 has said; it may have ask, chapter"),
        (f"[[beats]]\n{SAY}picture = {{}}\n", "beat 1 has an opening or a picture, but no chapter"),
        (f'[[beats]]\n{SAY}chapter = "a"\n' * 2, "two beats are the chapter 'a'"),
        (
            f'[[beats]]\n{SAY}chapter = "a"\npicture = {{ of = "hand" }}\n',
            "the picture of beat 1 has of; it may have part, refused, told",
        ),
    ],
)
def test_a_lesson_that_cannot_be_read_says_why(vautour: Game, beats: str, complaint: str) -> None:
    head = 'title = { fr = "a", en = "b", de = "c" }\nseats = 2\n'
    (vautour.folder / "lessons" / "wrong.toml").write_text(head + beats, "utf-8")
    with pytest.raises(Refused, match=f"lesson wrong of stupide_vautour: {complaint}"):
        lessons.read(vautour, "wrong")


def test_a_picture_of_what_is_not_told_says_so(vautour: Game) -> None:
    beat = f'[[beats]]\n{SAY}chapter = "a"\npicture = {{ told = "award" }}\n'
    head = 'title = { fr = "a", en = "b", de = "c" }\nseats = 2\n'
    (vautour.folder / "lessons" / "wrong.toml").write_text(head + beat, "utf-8")
    pictures.cache_clear()
    with pytest.raises(Refused, match="wrong of stupide_vautour: a does not tell 'award'"):
        pictures(vautour)
