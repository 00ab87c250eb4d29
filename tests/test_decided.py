"""What decided a match is said in one sentence, whose names and numbers are those of the match."""

from typing import Any

import pytest

from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import decided, history, story_module
from ludotheque.engine.words import Words

NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil"]
SENTENCES = [
    (
        "stupide_vautour",
        "sheet-examples",
        "Round 8: Ben takes +9 with the 7, goes into the lead and keeps it",
    ),
    (
        "stupide_vautour",
        "tie-for-first",
        "More points, but tied: Anna and Cleo. A shared score does not win",
    ),
    ("stupide_vautour", "nobody-ever", "Nobody pulled away: the leaders have the same total"),
    (
        "up_and_down",
        "suit-at-nobody",
        "Deal 1: Cleo wins 7 tricks in it, goes into the lead and keeps it",
    ),
    (
        "up_and_down",
        "special-tricks",
        "Trick 7: Cleo takes 3 tricks with the pot, goes into the lead and keeps it",
    ),
    ("up_and_down", "five-deals", "It took an extra deal: Ben wins 2 tricks in it"),
    ("up_and_down", "three-share", "The leaders have equally many tricks: nobody pulled away"),
    ("ubongo", "sheet-example", "Round 5: Anna scores 5 points, goes into the lead and keeps it"),
    ("ubongo", "tie-broken-by-tens", "Equal points, but Anna has more correct “Ubongo!” calls: 1"),
    ("ubongo", "solo", "Correct “Ubongo!” calls: 5 of 6"),
    ("whats_up", "four-rows-at-two", "Ben completes the green row: 4 rows are enough"),
    (
        "whats_up",
        "three-cards-left",
        "Only three cards are left: Cleo has the most birds",
    ),
    ("whats_up", "fewest-cards", "Equally many birds, but Anna has only 3 cards: the fewest win"),
    (
        "whats_up",
        "shared-victory",
        "Equally many birds and equally many cards: nothing separates Anna and Ben",
    ),
    ("team_up", "perfect-puzzle", "Five complete layers and nothing lost"),
    ("team_up", "challenge-equalled", "Layer 2 lacked 2 cells for 5 points more"),
]
FINISHED = [
    (slug, path.stem)
    for slug in slugs()
    for path in sorted((load(slug).folder / "matches").glob("*.json"))
]


def recorded(slug: str, name: str) -> Match:
    return read(load(slug).folder / "matches" / f"{name}.json")


@pytest.mark.parametrize(("slug", "name", "sentence"), SENTENCES)
def test_it_is_said_what_decided_a_recorded_match(slug: str, name: str, sentence: str) -> None:
    match = recorded(slug, name)
    told = decided(match, list(history(match, NOBODY)))
    assert told is not None
    assert Words(match.game, "en").decided(told, NAMES) == sentence


def scores_by_chapter(match: Match) -> dict[int, list[int]]:
    """The scores at the end of every round."""
    chapter, found = story_module(match.game).chapter, {}
    for state, entry in match.steps():
        after: Any = state.copy()
        match.game.play(after, entry.seat, entry.move)
        found[chapter(after)] = [match.game.score(after, seat) for seat in range(match.seats)]
    return found


def leads(scores: list[int], seat: int) -> bool:
    return all(scores[seat] > other for place, other in enumerate(scores) if place != seat)


@pytest.mark.parametrize(("slug", "name"), FINISHED)
def test_the_winner_leads_from_the_round_that_decided_it(slug: str, name: str) -> None:
    match = recorded(slug, name)
    told = decided(match, list(history(match, NOBODY))) if match.is_over else None
    if told is None or "number" not in told.values:
        return
    (winner,) = match.winners
    turn, scores = told.values["number"], scores_by_chapter(match)
    assert all(leads(scores[number], winner) for number in scores if number >= turn)
    assert not leads(scores.get(turn - 1, [0] * match.seats), winner)


@pytest.mark.parametrize(("slug", "name"), FINISHED)
def test_the_parts_of_a_score_add_up_to_it(slug: str, name: str) -> None:
    match = recorded(slug, name)
    for seat, score in enumerate(match.scores):
        parts = match.game.breakdown(match.state, seat)
        assert not parts or sum(points for _, _, points in parts) == score


def test_a_player_alone_beats_nobody() -> None:
    match = recorded("ubongo", "solo")
    assert match.verdict == "solo"
    assert Words(match.game, "en").result(match, NAMES) == "57 points in six rounds"
