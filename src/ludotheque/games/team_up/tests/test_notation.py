"""What a board is told beyond the view."""

from ludotheque.engine.game import load
from ludotheque.engine.match_file import play_moves, read, read_json, start

GAME = load("team_up")
MATCHES = GAME.folder / "matches"


def test_a_perfect_pallet_is_told() -> None:
    match = read(MATCHES / "perfect-puzzle.json")
    assert GAME.notes(match.view(0), 0) == {"complete": 5, "is_perfect": True}


def test_layers_are_told_as_they_are_completed() -> None:
    match, moves = start(read_json(MATCHES / "perfect-puzzle.json"))
    told = [GAME.notes(match.view(0), 0) for _ in play_moves(match, moves)]
    complete = [step["complete"] for step in told]
    assert complete == sorted(complete)
    assert (complete[0], complete[-1]) == (0, 5)
    assert [step["is_perfect"] for step in told].count(True) == 1
