"""A story is told from views alone, whole and in every language."""

from random import Random
from typing import Any

import pytest

from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.random_matches import random_options, walk
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import (
    Step,
    Story,
    _PlainStory,
    decided,
    history,
    lead_taken,
    story_module,
)
from ludotheque.engine.words import Words

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]
MOST_WITHOUT_FACTS = 1.5  # times as many entries may be told as are
FEW = 4


def played(slug: str, seats: int) -> Match:
    """A random match, played to its end."""
    game, rng = load(slug), Random(f"{slug} {seats}")
    match = Match(game, seats, random_options(game, seats, rng))
    for _ in walk(match, rng):
        pass
    return match


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_a_story_told_in_pieces_is_the_story_told_at_once(slug: str, seats: int) -> None:
    match, rng = played(slug, seats), Random(0)
    viewers = {*range(seats), NOBODY}
    whole = Story(match).go_on(match, viewers)
    story, so_far = Story(match), Match(match.game, seats, match.options)
    pieces: dict[int, list[Step]] = {viewer: [] for viewer in viewers}
    for entry in match.log:
        so_far.play(entry.seat, entry.move, entry.at)
        if rng.random() < 0.3:
            for viewer, some in story.go_on(so_far, viewers).items():
                pieces[viewer] += some
    for viewer, some in story.go_on(so_far, viewers).items():
        pieces[viewer] += some
    assert pieces == whole


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_the_history_keeps_what_lasts(slug: str, seats: int) -> None:
    match = played(slug, seats)
    last = match.log.pop()  # so that it is not over
    match.state = [state.copy() for state, _ in Match.steps(match)][-1]
    match.game.play(match.state, match.log[-1].seat, match.log[-1].move)
    for viewer in (*range(seats), NOBODY):
        told_so_far = Story(match).go_on(match, {viewer})[viewer]
        kept = [(s.chapter, f) for s in told_so_far for f in s.facts if f.lasting]
        assert list(history(match, viewer)) == kept
    assert last.seat >= -1


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_views_are_made_only_where_there_may_be_facts(
    slug: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, made = played(slug, seats), []
    game, module = match.game, story_module(match.game)
    view = game.view

    def counted(state: Any, viewer: int) -> Any:
        made.append(viewer)
        return view(state, viewer)

    monkeypatch.setattr(game, "view", counted)
    steps = Story(match).go_on(match, {0, NOBODY})
    may_tell = sum(
        module.is_told is None or module.is_told(state, entry.seat, entry.move)
        for state, entry in match.steps()
    )
    assert len(made) <= 2 * len(steps) * may_tell  # before and after
    assert may_tell <= max(FEW, MOST_WITHOUT_FACTS * len(steps[0]))
    if slug == "ubongo":  # in which much is done without a word
        assert may_tell < len(match.log) / 2
    made.clear()
    Story(match).go_on(match, set())
    assert made == []


# What decided a match


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_what_decided_a_match_is_told_in_every_language(slug: str, seats: int) -> None:
    match = played(slug, seats)
    told = decided(match, list(history(match, NOBODY)))
    assert told is not None
    names = ["Anna", "Ben", "Cleo", "Dora", "Emil"][:seats]
    for language in LANGUAGES:
        text = Words(match.game, language).decided(told, names)
        assert text
        assert "{" not in text
    named = [told.values["seat"]] if "seat" in told.values else []
    assert set(named + told.values.get("seats", [])) <= set(range(seats))


def test_a_game_without_a_story_says_nothing_of_what_decided_it() -> None:
    assert story_module(load("stupide_vautour")).decided is not None
    assert _PlainStory(load("stupide_vautour")).decided is None


@pytest.mark.parametrize(
    ("gains", "place"),
    [
        ([[3, 0], [0, 5], [4, 0]], 2),  # Anna leads, Ben passes her, Anna comes back
        ([[3, 0], [0, 1], [0, 1]], 0),  # never caught
        ([[0, -2], [0, 0]], 0),  # because of what Ben lost
        ([[3, 0], [0, 3], [1, 0]], 2),  # a tie is not a lead
        ([[3, 0], [0, 3]], -1),
    ],
)
def test_the_lead_is_taken_where_nobody_comes_up_again(gains: list[list[int]], place: int) -> None:
    assert lead_taken(gains, 0) == place
