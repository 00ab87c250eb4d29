"""Our set of Team UP, how its puzzle is made and proven, and the errors in a host's set."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import groupby
from math import prod
from typing import Any

import pytest

from ludotheque.games.team_up import parts
from ludotheque.games.team_up.tools import make_puzzle

Data = dict[str, Any]


def ours() -> Data:
    data: Data = json.loads(parts.SET_FILE.read_text(encoding="utf-8"))
    return data


def without_puzzle() -> Data:
    data = ours()
    del data["puzzle"]
    return data


def three_flat_formats() -> Data:
    """A set as reviewers describe the printed one: square, wide and bar, three of each colour."""
    data = without_puzzle()
    sizes = {"square": (2, 2), "wide": (2, 3), "bar": (1, 4)}
    data["shapes"] = [
        {"name": name, "width": width, "depth": depth, "height": 1, "boxes": [3, 3, 3]}
        for name, (width, depth) in sizes.items()
    ]
    data["cards"] = [{"colour": "red"}, {"shape": "bar"}, {"shapes": ["square", "wide"]}]
    return data


# The boxes


def test_each_colour_has_38_cells() -> None:
    sizes = list(zip(parts.DEFAULT.shapes, parts.DEFAULT.boxes, strict=True))
    assert [sum(prod(s) * n[colour] for s, n in sizes) for colour in range(3)] == [38, 38, 38]


def test_all_boxes_fill_the_120_cells_of_the_pallet() -> None:
    assert prod(parts.DEFAULT.neutral) == 6
    assert parts.volume(parts.DEFAULT) == 120


def test_nine_shapes_come_once_in_each_of_three_colours() -> None:
    assert dict(zip(parts.DEFAULT_NAMES.shapes, parts.DEFAULT.shapes, strict=True)) == {
        "post": (1, 1, 2),
        "plank": (1, 2, 1),
        "mast": (1, 1, 3),
        "beam": (1, 3, 1),
        "slab": (1, 2, 2),
        "tile": (2, 2, 1),
        "wall": (1, 3, 2),
        "crate": (2, 3, 1),
        "cube": (2, 2, 2),
    }
    assert parts.DEFAULT_NAMES.colours == ("red", "blue", "white")
    assert parts.DEFAULT.boxes == ((1, 1, 1),) * 9
    assert sorted(parts.DEFAULT.neutral) == [1, 2, 3]


# The cards


def test_36_cards_order_colours_shapes_and_pairs_of_shapes() -> None:
    post, plank, mast, beam, slab, tile, wall, crate, _cube = range(9)
    pairs = {(post, plank): 1, (mast, beam): 1, (slab, tile): 2, (wall, crate): 2}
    assert Counter(parts.DEFAULT.cards) == (
        Counter({(parts.COLOUR_CARD, colour, colour): 4 for colour in range(3)})
        + Counter({(parts.SHAPE_CARD, shape, shape): 2 for shape in range(9)})
        + Counter({(parts.TWO_SHAPES_CARD, *pair): count for pair, count in pairs.items()})
    )
    assert len(parts.DEFAULT.cards) == 36


def test_the_puzzle_never_shows_three_cards_of_one_kind_in_a_row() -> None:
    kinds = [kind for kind, _, _ in parts.DEFAULT.cards[:27]]
    assert set(kinds) == {0, 1, 2}
    assert max(len(list(run)) for _, run in groupby(kinds)) == 2


# The puzzle


def test_every_card_of_the_solution_allows_its_box() -> None:
    for number, placement in enumerate(ours()["puzzle"]["solution"], 1):
        card = ours()["cards"][number - 1]
        assert placement["card"] == number
        assert (
            card.get("colour") == placement["colour"]
            or card.get("shape") == placement["shape"]
            or placement["shape"] in card.get("shapes", [])
        )


def test_the_solution_places_all_27_boxes_once() -> None:
    boxes = {(p["shape"], p["colour"]) for p in ours()["puzzle"]["solution"]}
    assert len(boxes) == len(ours()["puzzle"]["solution"]) == 27


def test_the_replay_scores_25_points() -> None:
    assert make_puzzle.prove(ours()) == 25


@pytest.mark.parametrize("card", [1, 2, 5, 14, 27])
def test_the_replay_refuses_a_solution_with_one_box_elsewhere(card: int) -> None:
    data = ours()
    placement = data["puzzle"]["solution"][card - 1]
    placement["x"] += 1 if placement["x"] == 0 else -1
    with pytest.raises(ValueError, match=r"^placement \d+: seat 0 may not play"):
        make_puzzle.prove(data)


def test_the_replay_refuses_a_box_that_its_card_does_not_allow() -> None:
    data = ours()
    data["cards"].sort(key=str)
    with pytest.raises(ValueError, match=r"^placement 1: .* \(not ordered\)"):
        make_puzzle.prove(data)


def test_the_replay_refuses_a_box_listed_on_another_level() -> None:
    data = ours()
    data["puzzle"]["solution"][0]["level"] = 1
    with pytest.raises(ValueError, match="placement 1 stands on level 0, not 1"):
        make_puzzle.prove(data)


def test_the_replay_refuses_a_puzzle_without_its_solution() -> None:
    data = ours()
    del data["puzzle"]["solution"]
    with pytest.raises(ValueError, match="the solution scores -27 points, not 25"):
        make_puzzle.prove(data)


def test_the_script_makes_the_file_again_from_any_order_of_the_cards() -> None:
    data = ours()
    random.Random(3).shuffle(data["cards"])
    made = make_puzzle.make(data, seed=1, tries=1000, say=lambda _: None)
    assert make_puzzle.as_text(made) + "\n" == parts.SET_FILE.read_text(encoding="utf-8")


def test_the_script_says_that_three_flat_formats_do_not_fill_the_pallet() -> None:
    data = three_flat_formats()
    data["cards"] *= 9
    with pytest.raises(ValueError, match="fill 132 cells, expected the 120 of a perfect pallet"):
        make_puzzle.make(data, seed=1, tries=1, say=lambda _: None)


# A host's own set


def test_a_set_of_three_flat_formats_can_be_written() -> None:
    tables = parts.read(three_flat_formats())
    assert tables == parts.Tables(
        shapes=((2, 2, 1), (2, 3, 1), (1, 4, 1)),
        boxes=((3, 3, 3),) * 3,
        cards=((0, 0, 0), (1, 2, 2), (2, 0, 1)),
        neutral=(1, 2, 3),
        has_puzzle=0,
        puzzle_neutral=(0, 0, 0, 0, 0),
        similar=tables.similar,
    )
    assert parts.names(three_flat_formats()).shapes == ("square", "wide", "bar")


def test_the_ways_to_lie_that_may_be_clones_of_a_box_share_two_sides_with_it() -> None:
    similar = parts.read(three_flat_formats()).similar
    square, wide, wide_turned, bar, bar_turned = (1 << way for way in (0, 2, 3, 4, 5))
    assert similar[2][2][1] == square | wide | wide_turned  # 2 × 2, one high
    assert similar[2][3][1] == square | wide
    assert similar[4][1][2] == bar_turned
    assert similar[1][4][1] == bar
    assert similar[3][4][5] == 0


def test_a_set_without_a_puzzle_has_no_puzzle_mode() -> None:
    assert parts.DEFAULT.has_puzzle == 1
    assert parts.read(without_puzzle()) == parts.DEFAULT._replace(
        has_puzzle=0, puzzle_neutral=(0, 0, 0, 0, 0)
    )
    assert parts.solution(without_puzzle()) == ()


def test_a_puzzle_may_come_without_its_solution() -> None:
    data = ours()
    del data["puzzle"]["solution"]
    assert parts.read(data) == parts.DEFAULT
    assert parts.solution(data) == ()


def test_the_solution_is_read_in_numbers() -> None:
    placements = parts.solution(ours())
    assert [p.card for p in placements] == list(range(1, 28))
    assert {(p.shape, p.colour) for p in placements} == {(s, c) for s in range(9) for c in range(3)}


def put(*path: str | int, value: object) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        at(data, path[:-1])[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        del at(data, path[:-1])[path[-1]]

    return change


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def many_boxes(data: Data) -> None:
    for shape in data["shapes"]:
        shape["boxes"] = [2, 2, 1]


def no_boxes(data: Data) -> None:
    for shape in data["shapes"]:
        shape["boxes"] = [0, 0, 0]


ERRORS: list[tuple[Callable[[Data], None], str]] = [
    (drop("cards"), "the set has no 'cards', expected an object with pallet, colours, shapes,"),
    (put("card", value=[]), "the set has an unknown 'card', expected an object with pallet,"),
    (put("pallet", value=24), "pallet is 24, expected an object with width, depth, layers"),
    (put("pallet", "width", value=7), "pallet: width is 7, expected 6"),
    (put("pallet", "depth", value=3), "pallet: depth is 3, expected 4"),
    (put("pallet", "layers", value=6), "pallet: layers is 6, expected 5"),
    (put("colours", value="red"), "colours: the value is 'red', expected a list"),
    (put("colours", value=["red", "blue"]), "colours: the list has 2 items, expected 3"),
    (put("colours", 2, value=3), "colour 3 is 3, expected a name of 1 to 24 characters"),
    (put("colours", 2, value="red"), "colours: 'red' is there 2 times, expected once"),
    (put("shapes", value={}), "shapes: the value is {}, expected a list"),
    (put("shapes", value=[]), "shapes: the list has 0 items, expected 1 to 12"),
    (put("shapes", value=[0] * 13), "shapes: the list has 13 items, expected 1 to 12"),
    (put("shapes", 0, value="post"), "shape 1 is 'post', expected an object with name, width,"),
    (drop("shapes", 1, "boxes"), "shape 2 has no 'boxes', expected an object with name, width,"),
    (put("shapes", 0, "name", value=" post"), "shape 1: name is ' post', expected a name of 1 to"),
    (put("shapes", 0, "name", value=""), "shape 1: name is '', expected a name of 1 to 24"),
    (put("shapes", 0, "name", value="tile"), "shapes: 'tile' is there 2 times, expected once"),
    (put("shapes", 0, "width", value=7), "shape 1: width is 7, expected 1 to 6"),
    (put("shapes", 0, "depth", value=0), "shape 1: depth is 0, expected 1 to 6"),
    (put("shapes", 0, "height", value=6), "shape 1: height is 6, expected 1 to 5"),
    (put("shapes", 0, "height", value=True), "shape 1: height is True, expected 1 to 5"),
    (put("shapes", 0, "height", value=2.0), "shape 1: height is 2.0, expected 1 to 5"),
    (
        put(
            "shapes", 0, value={"name": "x", "width": 5, "depth": 6, "height": 1, "boxes": [1] * 3}
        ),
        "shape 1: the footprint is 5 by 6, expected one that fits the pallet of 6 by 4",
    ),
    (put("shapes", 0, "boxes", value=3), "shape 1: boxes: the value is 3, expected a list"),
    (put("shapes", 0, "boxes", value=[1]), "shape 1: boxes: the list has 1 items, expected 3"),
    (put("shapes", 0, "boxes", 1, value=4), "shape 1: boxes in colour 2 is 4, expected 0 to 3"),
    (many_boxes, "shapes: there are 45 boxes in all, expected 1 to 40"),
    (no_boxes, "shapes: there are 0 boxes in all, expected 1 to 40"),
    (drop("neutral", "height"), "neutral has no 'height', expected an object with width, depth,"),
    (put("neutral", "depth", value=5), "neutral: depth is 5, expected 1 to 4"),
    (put("cards", value=None), "cards: the value is None, expected a list"),
    (put("cards", value=[]), "cards: the list has 0 items, expected 1 to 36"),
    (put("cards", value=[0] * 37), "cards: the list has 37 items, expected 1 to 36"),
    (put("cards", 3, value=8), "card 4 is 8, expected an object with colour, shape, shapes"),
    (put("cards", 3, value={"form": 1}), "card 4 has an unknown 'form', expected an object with"),
    (put("cards", 3, value={}), "card 4 has 0 orders, expected exactly one of colour, shape,"),
    (
        put("cards", 3, value={"colour": "red", "shape": "post"}),
        "card 4 has 2 orders, expected exactly one of colour, shape, shapes",
    ),
    (
        put("cards", 3, value={"colour": "green"}),
        "card 4: colour is 'green', expected one of red, blue, white",
    ),
    (
        put("cards", 3, value={"shape": "pole"}),
        "card 4: shape is 'pole', expected one of post, plank, mast,",
    ),
    (
        put("cards", 3, value={"shapes": ["post", ["tile"]]}),
        "card 4: shapes is ['tile'], expected one of post, plank,",
    ),
    (
        put("cards", 3, value={"shapes": ["post"]}),
        "card 4: shapes: the list has 1 items, expected 2",
    ),
    (
        put("cards", 3, value={"shapes": ["post", "post"]}),
        "card 4: shapes are both 'post', expected two different ones",
    ),
    (
        put("cards", value=[{"colour": "red"}] * 26),
        "puzzle: there are 26 cards for 27 boxes, expected at least one card for each box",
    ),
    (
        put("shapes", 0, "height", value=3),
        "puzzle: the boxes and the neutral box fill 123 cells, expected the 120 of a perfect",
    ),
    (put("puzzle", value=[]), "puzzle is [], expected an object with neutral, solution"),
    (drop("puzzle", "neutral"), "puzzle has no 'neutral', expected an object with neutral,"),
    (
        put("puzzle", "neutral", value={"x": 0, "y": 0, "width": 1, "depth": 2, "height": 2}),
        "puzzle: neutral measures 1 by 2 by 2, expected the sides 1, 2, 3 in any order",
    ),
    (
        put("puzzle", "neutral", value={"x": 1, "y": 0, "width": 1, "depth": 2, "height": 3}),
        "puzzle: neutral is at x 1, y 0, expected a corner: x 0 or 5, y 0 or 2",
    ),
    (put("puzzle", "neutral", "x", value=6), "puzzle: neutral: x is 6, expected 0 to 5"),
    (put("puzzle", "solution", value=1), "puzzle: solution: the value is 1, expected a list"),
    (drop("puzzle", "solution", 26), "puzzle: solution places 26 boxes, expected all 27 of them"),
    (drop("puzzle", "solution", 4, "x"), "puzzle: placement 5 has no 'x', expected an object with"),
    (
        put("puzzle", "solution", 4, "card", value=6),
        "puzzle: placement 5: card is 6, expected 5",
    ),
    (
        put("puzzle", "solution", 4, "shape", value="pole"),
        "puzzle: placement 5: shape is 'pole', expected one of post, plank,",
    ),
    (
        put("puzzle", "solution", 4, "colour", value=1),
        "puzzle: placement 5: colour is 1, expected one of red, blue, white",
    ),
    (
        put("puzzle", "solution", 4, "turned", value=0),
        "puzzle: placement 5: turned is 0, expected true or false",
    ),
    (
        put("puzzle", "solution", 4, "level", value=5),
        "puzzle: placement 5: level is 5, expected 0 to 4",
    ),
    (
        put("puzzle", "solution", 0, "colour", value="blue"),
        "puzzle: solution places 2 times cube in blue, expected 1",
    ),
    (
        put("puzzle", "solution", 0, "x", value=5),
        "puzzle: placement 1 reaches x 7, y 2, level 2, expected at most 6, 4, 5",
    ),
]


@pytest.mark.parametrize(("spoil", "sentence"), ERRORS, ids=[sentence for _, sentence in ERRORS])
def test_an_error_says_what_is_wrong_where_and_what_was_expected(
    spoil: Callable[[Data], None], sentence: str
) -> None:
    data = ours()
    spoil(data)
    with pytest.raises(ValueError, match="expected") as caught:
        parts.read(data)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_set_is_an_object() -> None:
    with pytest.raises(ValueError, match=r"the set is \[1\], expected an object with pallet"):
        parts.read([1])


RUBBISH: list[object] = [None, True, -1, 10**30, 0.5, "", "post", [], [[]], {}, {"": {}}]


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    keys = data.keys() if isinstance(data, dict) else range(len(data))
    for key in keys:
        yield (*path, key)
        if isinstance(data[key], dict | list):
            yield from paths(data[key], (*path, key))


def test_arbitrary_data_raises_nothing_but_a_value_error() -> None:
    data = ours()
    for path in list(paths(data)):
        owner = at(data, path[:-1])
        kept = deepcopy(owner[path[-1]])
        for rubbish in RUBBISH:
            owner[path[-1]] = rubbish
            with suppress(ValueError):
                assert isinstance(parts.read(data), parts.Tables)
        owner[path[-1]] = kept
    assert data == ours()
