"""What a board is told beyond the view."""

from typing import Any

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import play_moves, read, read_json, start
from ludotheque.engine.seats import NOBODY

GAME = load("whats_up")
MATCHES = GAME.folder / "matches"


def noted(match: Match, viewer: int = 0) -> dict[str, Any]:
    return GAME.notes(match.view(viewer), viewer)


def test_everybody_is_told_the_same() -> None:
    match = read(MATCHES / "all-agree.json")
    assert noted(match, 0) == noted(match, 1) == noted(match, NOBODY)


@pytest.mark.parametrize(("seats", "goal"), [(2, 4), (3, 3), (4, 2)])
def test_the_goal_and_the_quiet_turns_depend_on_the_seats(seats: int, goal: int) -> None:
    assert noted(Match(GAME, seats)) == {
        "goal": goal,
        "complete": [0] * seats,
        "left": 30,
        "calm": 2 * seats,
        "quiet_limit": 8 * seats,
        "rounds_left": 8,
        "is_vote_open": False,
        "ending": "",
    }


def test_with_eight_turns_there_is_no_vote_to_wait_for() -> None:
    told = noted(Match(GAME, 3, {"stall": "eight turns"}))
    assert (told["calm"], told["quiet_limit"], told["rounds_left"]) == (0, 8, 0)


@pytest.mark.parametrize(("quiet", "left"), [(1, 8), (3, 7), (4, 7), (23, 1)])
def test_a_round_is_left_until_its_last_turn(quiet: int, left: int) -> None:
    match = Match(GAME, 3)
    match.state.quiet = quiet
    assert noted(match)["rounds_left"] == left


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("four-rows-at-two", "goal"),
        ("two-rows-at-four", "goal"),
        ("three-cards-left", "leftover"),
        ("all-agree", "agreement"),
        ("nothing-taken", "stalled"),
        ("eight-turns", "stalled"),
    ],
)
def test_a_board_is_told_how_the_match_ended(name: str, ending: str) -> None:
    assert noted(read(MATCHES / f"{name}.json"))["ending"] == ending


def test_a_match_that_ends_by_the_goal_has_as_many_complete_rows() -> None:
    told = noted(read(MATCHES / "four-rows-at-two.json"))
    assert max(told["complete"]) == told["goal"] == 4


def test_the_vote_is_told_while_it_is_open_and_not_after_the_end() -> None:
    match, moves = start(read_json(MATCHES / "all-agree.json"))
    told = [noted(match) for _ in play_moves(match, moves)]
    assert [step["is_vote_open"] for step in told[-4:]] == [True, True, True, False]
    assert [step["ending"] for step in told[-2:]] == ["", "agreement"]
