"""What a board is told beyond the view."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match_file import play_moves, read, read_json, start
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.team_up.rules import (
    OBJECTIONS,
    PLACE,
    PLACEMENTS,
    State,
    placement,
    shape_of,
    turned_of,
    x_of,
    y_of,
)

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
        "refused": {},
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


def test_every_place_that_is_refused_is_told_with_its_reason() -> None:
    match, moves = start(read_json(MATCHES / "perfect-puzzle.json"))
    for entry in play_moves(match, moves):
        if entry.seat == CHANCE and match.state.phase == PLACE:
            seat = match.state.turn
            assert GAME.notes(match.view(seat), seat)["refused"] == refused(match.state)


def refused(state: State) -> dict[str, list[int]]:
    """What the rules object to, asked box by box."""
    found: dict[str, set[int]] = {}
    for move in range(PLACEMENTS):
        reason = OBJECTIONS[GAME.rule("objection")(state, state.turn, move)]
        if reason and reason not in ("not_ordered", "none_left"):
            first = placement(shape_of(move), 0, turned_of(move), x_of(move), y_of(move))
            found.setdefault(reason, set()).add(first)
    return {reason: sorted(places) for reason, places in found.items()}


def test_only_the_player_to_place_is_told_what_is_refused() -> None:
    match, moves = start(read_json(MATCHES / "perfect-puzzle.json"))
    for _ in play_moves(match, moves):
        assert GAME.notes(match.view(NOBODY), NOBODY)["refused"] == {}
