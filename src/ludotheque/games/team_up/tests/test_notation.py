"""What a board is told beyond the view."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match_file import play_moves, read, read_json, start

GAME = load("team_up")
MATCHES = GAME.folder / "matches"


def test_a_perfect_pallet_is_told() -> None:
    match = read(MATCHES / "perfect-puzzle.json")
    assert match.verdict == "solved"
    assert GAME.notes(match.view(0), 0) == {
        "complete": 5,
        "filled": [24] * 5,
        "boxes_left": 0,
        "has_target": False,
    }


def test_layers_are_told_as_they_are_completed() -> None:
    match, moves = start(read_json(MATCHES / "perfect-puzzle.json"))
    told = [GAME.notes(match.view(0), 0) for _ in play_moves(match, moves)]
    complete = [step["complete"] for step in told]
    assert complete == sorted(complete)
    assert (complete[0], complete[-1]) == (0, 5)
    assert complete == [step["filled"].count(24) for step in told]


@pytest.mark.parametrize(
    ("mode", "is_told"),
    [("normal", False), ("challenge", True), ("competition", True), ("puzzle", False)],
)
def test_a_score_to_reach_is_told_where_there_is_one(mode: str, is_told: bool) -> None:
    assert GAME.notes(GAME.start(2, {"mode": mode}), 0)["has_target"] is is_told


def test_boxes_are_told_as_they_go() -> None:
    match, moves = start(read_json(MATCHES / "perfect-puzzle.json"))
    left = [GAME.notes(match.view(0), 0)["boxes_left"] for _ in play_moves(match, moves)]
    assert sorted(set(left), reverse=True) == list(range(27, -1, -1))
