"""How a pile is finished: what spare boxes can fill, and in which order they can come."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from ludotheque.engine.game import load
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.pallet import COLUMNS, PALLET, is_clone
from ludotheque.games.team_up.parts import LAYERS, MAX_SHAPES, WIDTH
from ludotheque.games.team_up.rules import PERFECT, PLACE, State, placement
from ludotheque.games.team_up.solver.beam import Search
from ludotheque.games.team_up.solver.bounds import (
    blocked_columns,
    is_cramped,
    is_too_odd,
    waiting_columns,
)
from ludotheque.games.team_up.solver.filling import is_touching
from ludotheque.games.team_up.solver.gaps import give_back, list_choices, reset, take_next
from ludotheque.games.team_up.solver.optimise import FLAWLESS_WEIGHTS, Optimiser
from ludotheque.games.team_up.solver.pile import roughness
from ludotheque.games.team_up.solver.solve import Problem, draw, read
from ludotheque.search.deadline import NO_DEADLINE

GAME = load("team_up")
SOLUTION = parts.solution(parts.DEFAULT_DATA)
POST, PLANK, MAST, CUBE = 0, 1, 2, 8
MAX_STEPS = 50_000


def puzzle_after(count: int) -> State:
    """The puzzle with the first boxes of its solution in place."""
    state: State = GAME.start(1, {"mode": "puzzle"})
    GAME.play(state, CHANCE, GAME.legal_moves(state, CHANCE)[0])
    for p in SOLUTION[:count]:
        draw(GAME, state, p.card - 1)
        GAME.play(state, 0, placement(p.shape, p.colour, p.turned, p.x, p.y))
    return state


def begun(count: int, order: tuple[int, ...]) -> tuple[Optimiser, Search]:
    """A beam with one pile, that of the puzzle after so many boxes."""
    optimiser = Optimiser(GAME, puzzle_after(count), order)
    task = optimiser._task(FLAWLESS_WEIGHTS, True, False)
    return optimiser, Search(optimiser._new_beam(4), task, 0, 0, 4)


def spare(*shapes: int) -> list[int]:
    return [int(shape in shapes) for shape in range(9)]


def layers(heights: dict[int, int], level: int) -> list[int]:
    """The pile as `survey` writes it."""
    every = [heights.get(column, level) for column in range(COLUMNS)]
    return [sum(1 << c for c, height in enumerate(every) if height <= k) for k in range(LAYERS)]


# Bounds


def test_a_column_that_no_spare_box_fits_is_blocked() -> None:
    pit = layers({0: 3}, 5)
    assert blocked_columns(pit, spare(CUBE)) == 1
    assert blocked_columns(pit, spare(CUBE, POST)) == 0


def test_a_full_pile_has_no_blocked_column() -> None:
    assert blocked_columns(layers({}, 5), spare()) == 0


def test_a_blocked_column_beside_a_lower_one_waits_for_its_rise() -> None:
    stairs = layers({0: 1, 1: 3}, 5)
    assert blocked_columns(stairs, spare(CUBE)) == 0b11
    assert waiting_columns(stairs, 0b11) == 0b10


def test_more_odd_columns_than_boxes_of_odd_height_cover_cannot_be_filled() -> None:
    pile = layers({0: 4, 5: 4, 12: 2}, 5)
    assert is_too_odd(pile, spare(POST, PLANK))
    assert not is_too_odd(pile, spare(POST, PLANK, MAST))


def test_a_spare_box_without_room_in_the_layers_cannot_be_placed() -> None:
    corner, wide = {0: 3, 1: 3, 6: 3, 7: 3}, {4: 3, 5: 3, 6: 3, 7: 3}
    assert not is_cramped(layers(corner, 5), spare(CUBE, POST))
    assert is_cramped(layers(corner, 5), spare(CUBE, MAST))
    assert is_cramped(layers(wide, 5), spare(CUBE))


def test_single_cells_and_lanes_cost_their_weights() -> None:
    alone, lane, step = [0] * 15, [0] * 15, [0] * 15
    step[2], alone[LAYERS + 2], lane[2 * LAYERS + 2] = 3, 5, 7
    corner, pair = 0b1, 0b11
    assert [roughness(corner, 2, weights) for weights in (step, alone, lane)] == [6, 5, 0]
    assert [roughness(pair, 2, weights) for weights in (step, alone, lane)] == [9, 0, 14]
    assert roughness(PALLET, 2, lane) == roughness(corner, 1, step) == 0


# The boxes for a gap


def gaps_of(count: int, **options: int) -> tuple[Any, State]:
    """The gaps of the puzzle after so many boxes, and its pile."""
    state = puzzle_after(count)
    for name, value in options.items():
        setattr(state, name, value)
    gaps = Optimiser(GAME, state, ())._gaps.view(np.recarray)[0]
    reset(gaps, state)
    return gaps, state


@pytest.mark.parametrize("clones", [0, 1])
def test_a_corner_is_barred_if_a_box_there_would_be_a_clone(clones: int) -> None:
    gaps, state = gaps_of(14, clones=clones)
    for (box, about), corner in product(enumerate(gaps.boxes.tolist()), range(COLUMNS)):
        shape, wide, deep, high, _ = about
        x, y, level = corner % WIDTH, corner // WIDTH, state.heights[corner]
        clone_of = [
            is_clone(state, i, shape, x, y, level, wide, deep, high) for i in range(state.placed)
        ]
        assert (gaps.barred[0, level, box] >> corner & 1) == any(clone_of)


@pytest.mark.parametrize("clones", [0, 1])
def test_boxes_of_the_search_bar_the_same_corners_as_boxes_on_the_pallet(clones: int) -> None:
    taken, _ = gaps_of(14, clones=clones)
    left = [3] * MAX_SHAPES
    p = SOLUTION[14]
    box = next(
        i
        for i, about in enumerate(taken.boxes.tolist())
        if about[0] == p.shape and about[1] == parts.DEFAULT.shapes[p.shape][p.turned]
    )
    taken.choices[0, 0], taken.untried[0] = box * COLUMNS + p.y * WIDTH + p.x, 1
    take_next(taken, left, 0)
    stood, _ = gaps_of(15, clones=clones)
    assert np.array_equal(taken.low[1], stood.low[0])
    assert np.array_equal(taken.barred[1, :LAYERS], stood.barred[0, :LAYERS])
    assert left[p.shape] == 2
    give_back(taken, left, 0)
    assert left[p.shape] == 3


def choices_for(heights: dict[int, int], level: int, *shapes: int) -> list[int]:
    """The choices for the next column of a pile that has no boxes to clone."""
    gaps, _ = gaps_of(0)
    gaps.low[0], gaps.barred[0] = layers(heights, level), 0
    with np.errstate(over="ignore"):  # bits are counted by a product
        count = list_choices(gaps, spare(*shapes), 0)
    return [int(choice) for choice in gaps.choices[0, :count]]


def test_the_column_with_the_fewest_choices_comes_first() -> None:
    pit, plain = COLUMNS - 1, {0: 3, 1: 3, 6: 3, 7: 3}
    only = choices_for(plain | {pit: 3}, 5, POST, CUBE)
    assert [choice % COLUMNS for choice in only] == [pit]


def test_a_gap_that_no_spare_box_can_fill_leaves_no_choice() -> None:
    assert choices_for({0: 3, 1: 3, 6: 3, 7: 3, COLUMNS - 1: 3}, 5, CUBE) == []


# Filling


@pytest.mark.parametrize("count", [15, 20, 26])
def test_a_pile_of_a_perfect_pallet_is_finished_in_the_order_of_the_cards(count: int) -> None:
    optimiser, search = begun(count, tuple(range(count, 36)))
    assert optimiser._kernel["fill"](search, 0, 1, MAX_STEPS)
    plan = optimiser._plan(search.beam.states[1, 0], PERFECT)
    state = puzzle_after(count)
    for card, move in zip(range(count, 27), plan.placements, strict=True):
        draw(GAME, state, card)
        assert state.phase == PLACE
        assert GAME.is_legal(state, 0, move)
        GAME.play(state, 0, move)
    assert GAME.score(state, 0) == PERFECT


def test_a_pile_is_left_as_it_was_whether_it_can_be_filled_or_not() -> None:
    for order in (tuple(range(12, 36)), tuple(Random(1).sample(range(12, 36), 24))):
        optimiser, search = begun(12, order)
        state, left = search.beam.states[0, 0].copy(), search.beam.spares[0, 0].copy()
        optimiser._kernel["fill"](search, 0, 1, 2_000)
        after = search.beam.states[0, 0]
        for field in ("placed", "heights", "left", "lost"):
            assert np.array_equal(after[field], state[field])
        assert np.array_equal(search.beam.spares[0, 0], left)


def test_a_pile_that_no_box_can_fill_is_dropped() -> None:
    optimiser, search = begun(20, tuple(range(20, 36)))
    search.beam.spares[0, 0] = 0
    search.beam.spares[0, 0, CUBE] = 7
    assert not optimiser._kernel["fill"](search, 0, 1, MAX_STEPS)
    assert optimiser._kernel["keep"](search, 1) == 0


def test_a_box_on_the_ground_comes_after_one_that_it_touches() -> None:
    far, between, above = 0b100000, 0b011110, 0  # column 0 is built, the rest of the row is not
    others = PALLET & ~0b111111
    ground = [far, between, above, others]
    assert not is_touching(ground, 0, 0, 4)
    assert is_touching(ground, 1, 0, 4)
    assert is_touching(ground, 0, 0b0010, 4)
    assert is_touching(ground, 2, 0, 4)


# Whole decks


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_perfect_pallet_is_found_for_shuffled_decks(seed: int) -> None:
    cards = Random(seed).sample(range(1, 37), 36)
    problem: Problem = read({"cards": cards, "neutral": "n-a1-123"})
    assert Optimiser(*problem).run(NO_DEADLINE, 30).points == PERFECT
