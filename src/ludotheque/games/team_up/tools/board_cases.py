"""What the rules say of placements, for the board's own geometry to be compared with.

The board draws a box where the pointer holds it before the table hears of it.
scripts/write_types.py writes these cases to board/cases.json.
"""

from typing import Any

from ludotheque.engine.game import load
from ludotheque.engine.match_file import play_moves, read_json, start
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up.rules import (
    PLACEMENTS,
    State,
    colour_of,
    shape_of,
    turned_of,
    x_of,
    y_of,
)

STEP = 7  # every STEP-th placement is taken


def cases() -> dict[str, list[Any]]:
    return {
        "placement": [_placement(move) for move in range(0, PLACEMENTS, STEP)],
        "standing": _standing(),
    }


def _placement(move: int) -> list[int]:
    return [move, shape_of(move), colour_of(move), turned_of(move), x_of(move), y_of(move)]


def _standing() -> list[Any]:
    """For every box of a match: the heights before, the move, and how the box stands then."""
    game = load("team_up")
    match, moves = start(read_json(game.folder / "matches" / "perfect-puzzle.json"))
    found = []
    heights = match.state.heights[:]
    for entry in play_moves(match, moves):
        if entry.seat != CHANCE and entry.move < PLACEMENTS:
            found.append([heights, entry.move, _last_box(match.state)])
        heights = match.state.heights[:]
    return found


def _last_box(s: State) -> list[int]:
    box = s.placed - 1
    where = [s.box_x[box], s.box_y[box], s.box_level[box]]
    return [*where, s.box_width[box], s.box_depth[box], s.box_height[box]]
