"""What a board is told beyond the view."""

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE, NOBODY

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
    assert noted["stakes"] == [-3, 7]
    assert noted["left"] == [-5, -4, -2, -1, 1, 2, 3, 4, 5, 6, 8, 9, 10]


def test_what_is_to_come_is_not_told_if_it_is_memory() -> None:
    match = Match(GAME, 2)
    play_round(match, "+7")
    assert GAME.notes(match.view(0), 0) == {"stakes": [7], "left": [], "struck": []}


def test_everybody_is_told_whose_cards_a_tie_has_struck() -> None:
    match = Match(GAME, 4)
    play_round(match, "+7", 9, 12, 4, 12)
    play_round(match, "+2")
    for viewer in (0, 3, NOBODY):
        assert GAME.notes(match.view(viewer), viewer)["struck"] == [1, 3]
