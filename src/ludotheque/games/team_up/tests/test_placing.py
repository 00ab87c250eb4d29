"""Where a box may stand, as the sheet says; test_placements.py compares it with a grid of cells."""

import pytest

from ludotheque.games.team_up.pallet import SHAPES
from ludotheque.games.team_up.rules import shape_of
from ludotheque.games.team_up.tests.positions import (
    GAME,
    LYING,
    STANDING,
    build,
    draw,
    new_match,
    refused,
)


def test_a_box_touches_at_least_one_other() -> None:
    match = new_match()
    draw(match, "post")
    assert refused(match, "post.red.f4") == "touches_nothing"
    assert refused(match, "post.red.b1") == ""  # by its side
    assert refused(match, "post.red.a1") == ""  # by its base


def test_boxes_that_meet_in_an_edge_do_not_touch() -> None:
    match = new_match()
    draw(match, "post")
    assert refused(match, "post.red.b3") == "touches_nothing"
    assert refused(match, "post.red.b2") == ""


def test_the_coloured_face_stays_on_top() -> None:
    match = new_match()
    draw(match, "red")
    for move in match.legal_moves(0):
        after = match.state.copy()
        GAME.play(after, 0, move)
        width, depth, height = SHAPES[shape_of(move)]
        assert after.box_height[1] == height
        assert (after.box_width[1], after.box_depth[1]) in {(width, depth), (depth, width)}


def test_a_box_may_be_turned_on_its_base() -> None:
    match = build(new_match(), "crate.red.b1t")
    assert match.state.heights[:12] == [3, 1, 1, 1, 0, 0, 3, 1, 1, 1, 0, 0]


def test_turning_a_square_box_is_no_other_move() -> None:
    match = new_match()
    draw(match, "tile")
    assert refused(match, "tile.red.b1t") == "turned_square"
    assert refused(match, "tile.red.b1") == ""


def test_a_box_does_not_stick_out_of_the_pallet() -> None:
    match = new_match()
    draw(match, "wall")
    assert refused(match, "wall.red.b3") == "over_the_edge"
    assert refused(match, "wall.red.b2") == ""  # flush with the back edge
    assert refused(match, "wall.red.e1t") == "over_the_edge"
    assert refused(match, "wall.red.b1t") == ""


@pytest.mark.parametrize(
    ("neutral", "standing", "cells"),
    [(STANDING, "b2", ("b1", "b3", "c2")), ("n-f1-123", "e2", ("e1", "e3", "d2"))],
)
def test_equal_faces_side_by_side_are_clones(
    neutral: str, standing: str, cells: tuple[str, ...]
) -> None:
    match = build(new_match(neutral=neutral), f"post.red.{standing}")
    draw(match, "blue")
    assert [refused(match, f"post.blue.{cell}") for cell in cells] == ["clone"] * 3
    assert [refused(match, f"mast.blue.{cell}") for cell in cells] == [""] * 3


def test_equal_faces_on_top_of_each_other_are_clones() -> None:
    match = build(new_match(), "post.red.b1")
    draw(match, "post")
    assert refused(match, "post.blue.b1") == "clone"


def test_boxes_of_different_shapes_clone_each_other_too() -> None:
    match = build(new_match(), "plank.red.b1")
    draw(match, "tile")
    assert refused(match, "tile.blue.c1") == "clone"


def test_the_neutral_box_is_not_to_be_cloned_either() -> None:
    match = new_match()
    draw(match, "red")
    assert refused(match, "mast.red.a3") == "clone"  # its back is as wide and as high
    assert refused(match, "slab.red.a1") == "clone"  # its top is as wide and as deep


def test_equal_faces_that_do_not_cover_each_other_are_no_clones() -> None:
    match = build(new_match(), "plank.red.b1")
    draw(match, "tile")
    assert refused(match, "tile.blue.c2") == ""


def test_a_larger_face_may_cover_a_smaller_one() -> None:
    match = build(new_match(), "plank.red.b1")
    draw(match, "wall")
    assert refused(match, "wall.blue.c1") == ""


def test_with_the_option_only_boxes_of_one_shape_are_clones() -> None:
    match = build(new_match(clones="same"), "plank.red.b1", "post.red.a1")
    draw(match, "white")
    assert refused(match, "tile.white.c1") == ""  # as high and as deep as the plank
    assert refused(match, "plank.white.c1") == "clone"
    assert refused(match, "post.white.a1") == "clone"
    assert refused(match, "mast.white.a3") == ""  # as wide and as high as the neutral box


def test_no_part_of_a_base_hangs_in_the_air() -> None:
    match = build(new_match(neutral=LYING), "plank.red.c1")
    draw(match, "tile")
    assert refused(match, "tile.red.c1") == "uneven_base"
    assert refused(match, "tile.red.d1") == "clone"
    assert refused(match, "tile.red.d2") == ""  # all of it on the pallet


def test_a_base_may_rest_on_several_boxes() -> None:
    match = build(new_match(neutral=LYING), "plank.red.c1", "tile.red.b1")
    assert match.state.box_level[:3] == [0, 0, 1]
    assert match.state.heights[:12] == [1, 2, 2, 0, 0, 0] * 2


def test_the_stack_may_rise_above_the_fifth_layer() -> None:
    match = build(new_match(), "mast.red.a1")
    assert match.state.heights[0] == 6


def test_with_the_option_no_box_rises_above_the_fifth_layer() -> None:
    match = new_match(ceiling="five layers")
    draw(match, "red")
    assert refused(match, "mast.red.a1") == "too_high"
    assert refused(match, "post.red.a1") == ""
