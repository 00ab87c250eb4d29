"""A story is told from views alone, whole and in every language."""

from random import Random
from typing import Any

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import (
    KINDS,
    Fact,
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
MATCHES = 2


def played(slug: str, seats: int) -> Match:
    """A random match, played to its end."""
    game, rng = load(slug), Random(f"{slug} {seats}")
    match = Match(game, seats, conformance.random_options(game, seats, rng))
    for _ in conformance.walk(match, rng):
        pass
    return match


def steps(match: Match, viewer: int) -> list[tuple[Any, Entry, Any]]:
    """Every entry of the log with the states around it."""
    found = []
    for state, entry in match.steps():
        before, after = state.copy(), state.copy()
        match.game.play(after, entry.seat, entry.move)
        found.append((before, entry, after))
    return found


def told(match: Match, viewer: int, before: Any, entry: Entry, after: Any) -> list[Fact]:
    view = match.game.view
    move = entry.move if viewer in entry.seen_by else None
    facts: list[Fact] = story_module(match.game).tell(
        view(before, viewer), entry.seat, move, view(after, viewer)
    )
    return facts


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_what_is_not_told_has_no_facts_for_anybody(slug: str, seats: int) -> None:
    match = played(slug, seats)
    is_told = story_module(match.game).is_told
    for viewer in (*range(seats), NOBODY):
        for before, entry, after in steps(match, viewer):
            if is_told is not None and not is_told(before, entry.seat, entry.move):
                assert told(match, viewer, before, entry, after) == []


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_facts_do_not_change_with_what_the_viewer_may_not_know(slug: str, seats: int) -> None:
    match, rng = played(slug, seats), Random(0)
    reseal = match.game.module("checks").reseal
    for viewer in (*range(seats), NOBODY):
        for before, entry, after in steps(match, viewer):
            others = before.copy(), after.copy()
            for state in others:
                reseal(state, viewer, rng)
            assert told(match, viewer, others[0], entry, others[1]) == told(
                match, viewer, before, entry, after
            )


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_facts_have_a_known_kind_and_seats_of_the_match(slug: str, seats: int) -> None:
    match = played(slug, seats)
    for viewer in (*range(seats), NOBODY):
        for before, entry, after in steps(match, viewer):
            for fact in told(match, viewer, before, entry, after):
                assert fact.kind in KINDS
                mentioned = [fact.values["seat"]] if "seat" in fact.values else []
                mentioned += fact.values.get("seats", [])
                mentioned += [seat for seat, _ in fact.values.get("by_seat", [])]
                assert set(mentioned) <= set(range(-1, seats))


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


# What decided a match


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_what_decided_a_match_is_told_in_every_language(slug: str, seats: int) -> None:
    match = played(slug, seats)
    told = decided(match)
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
        ([[3, 0], [0, 3], [1, 0]], 2),  # a tie is no lead
        ([[3, 0], [0, 3]], -1),
    ],
)
def test_the_lead_is_taken_where_nobody_comes_up_again(gains: list[list[int]], place: int) -> None:
    assert lead_taken(gains, 0) == place
