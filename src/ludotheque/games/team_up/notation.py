"""How moves are written, and which of the words tell them.

A placement is shape, colour and cell, `post.red.b3`, with a `t` at the end if the box is turned:
columns a to f, rows 1 to 4, the cell of the lowest column and row. Shapes and colours have the
names of our set, with a host's own set too: `post` is its first shape. Further shapes are `shape10`
to `shape12`.
The neutral box is `n-f1-132`: its corner, then which of its sides, as the set lists them, is its
width, depth and height. Order cards are `card1` to `card36`.
"""

from typing import TypedDict

from ludotheque.engine.game import Game
from ludotheque.games.team_up.pallet import COLUMNS
from ludotheque.games.team_up.parts import DEFAULT_NAMES, DEPTH, LAYERS, WIDTH
from ludotheque.games.team_up.rules import (
    AGREE,
    DECIDE,
    DRAW,
    LAYER_POINTS,
    NEUTRAL_PLACES,
    OBJECTIONS,
    ORIENTATIONS,
    PERFECT,
    PLACE,
    PLACEMENTS,
    PUZZLE,
    REFUSE,
    STOP,
    VOTE,
    State,
    awaits,
    colour_of,
    complete_layers,
    has_target,
    placement,
    shape_of,
    turned_of,
    x_of,
    y_of,
)

SHAPE_NAMES, COLOUR_NAMES = DEFAULT_NAMES
WORDS = {DRAW: "draw", STOP: "stop", AGREE: "agree", REFUSE: "refuse"}


def move_text(move: int) -> str:
    if move >= PLACEMENTS:
        return WORDS[move]
    colour = COLOUR_NAMES[colour_of(move)]
    place = cell(x_of(move), y_of(move)) + "t" * turned_of(move)
    return f"{shape_name(shape_of(move))}.{colour}.{place}"


def outcome_text(outcome: int) -> str:
    if outcome >= NEUTRAL_PLACES:
        return f"card{outcome - NEUTRAL_PLACES + 1}"
    sides = "".join(str(side + 1) for side in ORIENTATIONS[outcome % 6])
    return f"n-{corner(outcome)}-{sides}"


def shape_name(shape: int) -> str:
    return SHAPE_NAMES[shape] if shape < len(SHAPE_NAMES) else f"shape{shape + 1}"


def cell(x: int, y: int) -> str:
    return f"{'abcdef'[x]}{y + 1}"


CELL_NAMES = tuple(cell(x, y) for y in range(DEPTH) for x in range(WIDTH))  # by column of cells


def corner(place: int) -> str:
    return cell((WIDTH - 1) * (place // 6 % 2), (DEPTH - 1) * (place // 12))


def move_words(move: int) -> tuple[str, dict[str, object]]:
    if move >= PLACEMENTS:
        return WORDS[move], {}
    return "place_turned" if turned_of(move) else "place", {
        "shape": shape_name(shape_of(move)),
        "colour": COLOUR_NAMES[colour_of(move)],
        "cell": cell(x_of(move), y_of(move)),
    }


def outcome_words(outcome: int) -> tuple[str, dict[str, object]]:
    if outcome >= NEUTRAL_PLACES:
        return "card", {"number": outcome - NEUTRAL_PLACES + 1}
    return "neutral", {"corner": corner(outcome)}


def prompt(view: State, seat: int) -> str:
    if not awaits(view, seat):
        return "wait_answers" if view.phase == VOTE else "wait"
    if view.phase == DECIDE:
        return "decide_alone" if view.seats == 1 else "decide"
    return "place" if view.phase == PLACE else "answer"


VERDICTS = (
    *("perfect", "great", "good", "modest"),  # normal play: praise by the score alone
    *("beaten", "equalled", "not_reached"),  # of the target
    *("solved", "unsolved"),  # the puzzle
)
GREAT, GOOD = 15, 5  # points from which normal play is praised so


def verdict(game: Game, view: State) -> str:
    points = game.score(view, 0)
    if has_target(view):
        return _against(points, view.target)
    if view.mode == PUZZLE:
        return "solved" if points == PERFECT else "unsolved"
    return _praise(points)


def _against(points: int, target: int) -> str:
    if points == target:
        return "equalled"
    return "beaten" if points > target else "not_reached"


def _praise(points: int) -> str:
    if points == PERFECT:
        return "perfect"
    return "great" if points >= GREAT else "good" if points >= GOOD else "modest"


class Notes(TypedDict):
    complete: int  # layers that are full
    filled: list[int]  # by layer: cells that hold a box
    boxes_left: int
    has_target: bool  # there is a score to reach
    # by objection: where the player to place may not stand a box that the card allows, as
    # placements of the first colour
    refused: dict[str, list[int]]


def notes(game: Game, view: State, viewer: int) -> Notes:
    return {
        "complete": complete_layers(view),
        "filled": [sum(h > layer for h in view.heights) for layer in range(LAYERS)],
        "boxes_left": game.rule("boxes_left")(view),
        "has_target": has_target(view),
        "refused": _refused(game, view) if view.phase == PLACE and view.turn == viewer else {},
    }


def breakdown(game: Game, state: State, seat: int) -> list[tuple[str, int, int]]:
    """[Décompte] what the points are made of."""
    layers, left = complete_layers(state), game.rule("boxes_left")(state)
    return [
        ("layers", layers, LAYER_POINTS * layers),
        ("left", left, -left),
        ("lost", state.lost, -state.lost),
    ]


def _refused(game: Game, view: State) -> dict[str, list[int]]:
    """One colour of each shape is asked about: where a box may stand is the same for all."""
    allowed_colours, objection = game.rule("allowed_colours"), game.rule("objection_to_placement")
    found: dict[str, list[int]] = {}
    for shape in range(len(view.left)):
        colours = allowed_colours(view, shape)
        if colours:
            colour = (colours & -colours).bit_length() - 1
            first, asked = (placement(shape, one, 0, 0, 0) for one in (0, colour))
            for place in range(2 * COLUMNS):
                reason = OBJECTIONS[objection(view, asked + place)]
                if reason:
                    found.setdefault(reason, []).append(first + place)
    return found
