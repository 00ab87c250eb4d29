"""What a board is told beyond the view."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.stupide_vautour.rules import CARDS

GAME = load("stupide_vautour")


def play_round(match: Match, points: str, *bids: int) -> None:
    match.play(CHANCE, GAME.parse(CHANCE, points))
    for seat, value in enumerate(bids):
        match.play(seat, value)


def test_cards_are_told_by_their_points() -> None:
    match = Match(GAME, 2, {"open_scores": True})
    play_round(match, "+7", 4, 4)
    play_round(match, "-3")
    noted = GAME.notes(match.view(0), 0)
    assert noted["stakes"] == (-3, 7)
    assert noted["left"] == (-5, -4, -2, -1, 1, 2, 3, 4, 5, 6, 8, 9, 10)


def test_the_cards_to_come_are_told_only_if_scores_are_open() -> None:
    match = Match(GAME, 2)
    play_round(match, "+7")
    assert GAME.notes(match.view(0), 0) == {
        "stakes": (7,),
        "left": (),
        "struck": (),
        "tied": [],
        "settled": 0,
    }


def test_a_round_is_settled_when_all_have_bid() -> None:
    match = Match(GAME, 2)
    settled = [GAME.notes(match.view(0), 0)["settled"]]
    for seat, move in ((CHANCE, GAME.parse(CHANCE, "+7")), (0, 3), (1, 5)):
        match.play(seat, move)
        settled.append(GAME.notes(match.view(0), 0)["settled"])
    assert settled == [0, 0, 0, 1]


def test_everybody_is_told_whose_cards_a_tie_has_struck() -> None:
    match = Match(GAME, 4)
    play_round(match, "+7", 9, 12, 4, 12)
    play_round(match, "+2")
    for viewer in (0, 3, NOBODY):
        assert GAME.notes(match.view(viewer), viewer)["struck"] == (1, 3)


@pytest.mark.parametrize(
    ("scores", "tied"), [([14, 12, 14], [0, 2]), ([14, 12, 3], []), ([5, 5], [])]
)
def test_seats_that_share_a_better_score_than_the_winner_are_told_at_the_end(
    scores: list[int], tied: list[int]
) -> None:
    state = GAME.start(len(scores))
    state.scores[: len(scores)] = scores
    assert GAME.notes(state, 0)["tied"] == []
    state.rounds, state.pile = CARDS, 0
    assert GAME.notes(state, 0)["tied"] == tied
