"""Where a box may stand, stated a second time on a grid of cells, and compared with the rules.

The checker here is slow and obvious: it knows boxes only as sets of cells. It shares nothing with
the rules, which look at heights, sides and bits.
"""

from collections import Counter
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.pallet import SHAPES, stand
from ludotheque.games.team_up.rules import (
    CARDS,
    DECIDE,
    DRAW,
    OBJECTIONS,
    ORDER,
    PLACE,
    PLAIN,
    PREPARE,
    State,
    objection_to_place,
    placement,
)

GAME = load("team_up")
WAYS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
Cell = tuple[int, int, int]


class Block(NamedTuple):
    shape: int
    cells: frozenset[Cell]


Pile = list[Block]  # the neutral box first


# The rules of a placement, on cells


def block(shape: int, x: int, y: int, z: int, width: int, depth: int, height: int) -> Block:
    spans = range(x, x + width), range(y, y + depth), range(z, z + height)
    return Block(shape, frozenset(product(*spans)))


def moved(cell: Cell, way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1], cell[2] + way[2]


def is_inside(new: Block) -> bool:
    return all(x in range(6) and y in range(4) for x, y, _ in new.cells)


def column_height(pile: Pile, x: int, y: int) -> int:
    return max((z + 1 for box in pile for i, j, z in box.cells if (i, j) == (x, y)), default=0)


def rests(new: Block, pile: Pile) -> bool:
    level = min(z for _, _, z in new.cells)
    return all(column_height(pile, x, y) == level for x, y in {(x, y) for x, y, _ in new.cells})


def is_low(new: Block) -> bool:
    return all(z < 5 for _, _, z in new.cells)


def touches(new: Block, pile: Pile) -> bool:
    around = {moved(cell, way) for cell in new.cells for way in WAYS}
    return any(around & box.cells for box in pile)


def face(box: Block, way: Cell) -> set[Cell]:
    return {cell for cell in box.cells if moved(cell, way) not in box.cells}


def clones(new: Block, box: Block) -> bool:
    return any(
        {moved(cell, way) for cell in face(new, way)} == face(box, (-way[0], -way[1], -way[2]))
        for way in WAYS
    )


def broken_rule(new: Block, pile: Pile, *, ceiling: bool = False, same: bool = False) -> str:
    """The first rule that this box breaks, by its objection; empty if it may stand."""
    rivals = [box for box in pile if not same or box.shape == new.shape]
    rules = {
        "over_the_edge": is_inside(new),
        "uneven_base": rests(new, pile),
        "too_high": not ceiling or is_low(new),
        "touches_nothing": touches(new, pile),
        "clone": not any(clones(new, box) for box in rivals),
    }
    return next((name for name, kept in rules.items() if not kept), "")


NEUTRAL = block(PLAIN, 0, 0, 0, 1, 2, 3)


@pytest.mark.parametrize(
    ("box", "objection"),
    [
        pytest.param((1, 0, 0, 1, 1, 2), "", id="beside the neutral box"),
        pytest.param((0, 0, 3, 1, 1, 2), "", id="on top of the neutral box"),
        pytest.param((5, 3, 0, 1, 1, 2), "touches_nothing", id="far away"),
        pytest.param((1, 2, 0, 1, 1, 2), "touches_nothing", id="touches along an edge only"),
        pytest.param((0, 0, 2, 1, 1, 2), "uneven_base", id="inside another box"),
        pytest.param((1, 0, 1, 1, 1, 2), "uneven_base", id="in the air"),
        pytest.param((0, 0, 3, 2, 1, 1), "uneven_base", id="half of its base in the air"),
        pytest.param((0, 0, 3, 1, 1, 3), "too_high", id="above the fifth layer"),
        pytest.param((-1, 0, 0, 1, 1, 1), "over_the_edge", id="over the edge of the pallet"),
        pytest.param((1, 0, 0, 2, 2, 3), "clone", id="a clone by its side"),
        pytest.param((0, 0, 3, 1, 2, 1), "clone", id="a clone on top"),
        pytest.param((1, 1, 0, 1, 2, 3), "", id="equal faces that do not coincide"),
        pytest.param((1, 0, 0, 1, 3, 3), "", id="a face that covers a smaller one"),
    ],
)
def test_the_checker_knows_every_rule(box: tuple[int, ...], objection: str) -> None:
    x, y, z, width, depth, height = box
    assert (
        broken_rule(block(0, x, y, z, width, depth, height), [NEUTRAL], ceiling=True) == objection
    )


# Random piles


def ways_to_lie(shape: int) -> list[tuple[int, int, int]]:
    width, depth, height = SHAPES[shape]
    return sorted({(width, depth, height), (depth, width, height)})


def landed(pile: Pile, shape: int, x: int, y: int, size: tuple[int, int, int]) -> Block:
    return block(shape, x, y, column_height(pile, x, y), *size)


def random_pile(rng: Random, boxes: int, *, ceiling: bool, same: bool) -> tuple[State, Pile]:
    """A random pile of boxes that the checker allows, whatever the cards and the boxes left."""
    s, pile = State(), [NEUTRAL]
    s.ceiling, s.clones = int(ceiling), int(same)
    stand(s, PLAIN, PLAIN, 0, 0, 1, 2, 3)
    for _ in range(4 * boxes):
        shape = rng.randrange(len(SHAPES))
        x, y, size = rng.randrange(6), rng.randrange(4), rng.choice(ways_to_lie(shape))
        new = landed(pile, shape, x, y, size)
        if len(pile) <= boxes and not broken_rule(new, pile, ceiling=ceiling, same=same):
            stand(s, shape, 0, x, y, *size)
            pile.append(new)
    return s, pile


@settings(max_examples=60)
@given(
    rng=st.randoms(use_true_random=False),
    boxes=st.integers(0, 24),
    shape=st.integers(0, len(SHAPES) - 1),
    ceiling=st.booleans(),
    same=st.booleans(),
)
def test_every_place_is_refused_for_the_same_reason_as_by_cells(
    rng: Random, boxes: int, shape: int, ceiling: bool, same: bool
) -> None:
    s, pile = random_pile(rng, boxes, ceiling=ceiling, same=same)
    for x, y, size in product(range(6), range(4), ways_to_lie(shape)):
        new = landed(pile, shape, x, y, size)
        expected = broken_rule(new, pile, ceiling=ceiling, same=same)
        assert OBJECTIONS[objection_to_place(s, shape, x, y, *size)] == expected


def test_random_piles_meet_every_rule() -> None:
    rng = Random(7)
    met: Counter[str] = Counter()
    for _ in range(5):
        s, pile = random_pile(rng, 16, ceiling=True, same=False)
        for x, y, shape in product(range(6), range(4), range(len(SHAPES))):
            met[OBJECTIONS[objection_to_place(s, shape, x, y, *SHAPES[shape])]] += 1
        assert max(s.heights) == max(z + 1 for box in pile for _, _, z in box.cells)
    assert set(met) == {"", "over_the_edge", "uneven_base", "too_high", "touches_nothing", "clone"}


# Whole lists of moves


def allowed_placements(s: State) -> list[int]:
    """Every box left that the card allows, on every place that the cells allow."""
    pile = [
        block(s.box_shape[b], s.box_x[b], s.box_y[b], s.box_level[b], *size(s, b))
        for b in range(s.placed)
    ]
    kind, first, second = CARDS[s.card]
    found = []
    for shape, colour, turned in product(range(len(SHAPES)), range(3), range(2)):
        named = colour if kind == parts.COLOUR_CARD else shape
        width, depth, height = SHAPES[shape]
        sides = (depth, width) if turned else (width, depth)
        if named not in (first, second) or not s.left[shape][colour]:
            continue
        if turned and width == depth:
            continue
        for y, x in product(range(4), range(6)):
            new = landed(pile, shape, x, y, (*sides, height))
            if not broken_rule(new, pile, ceiling=s.ceiling == 1, same=s.clones == 1):
                found.append(placement(shape, colour, turned, x, y))
    return found


def size(s: State, b: int) -> tuple[int, int, int]:
    return s.box_width[b], s.box_depth[b], s.box_height[b]


@settings(max_examples=12)
@given(
    rng=st.randoms(use_true_random=False),
    cards=st.integers(1, 36),
    clones=st.sampled_from(["any", "same"]),
    ceiling=st.sampled_from(["none", "five layers"]),
)
def test_the_list_of_placements_is_what_cells_and_card_allow(
    rng: Random, cards: int, clones: str, ceiling: str
) -> None:
    match = Match(GAME, 2, {"clones": clones, "ceiling": ceiling})
    drawn = 0
    while not match.is_over and drawn < cards:
        if match.state.phase == DECIDE:
            match.play(match.state.turn, DRAW)
        elif match.state.phase in (PREPARE, ORDER):
            drawn += match.state.phase == ORDER
            match.play(CHANCE, rng.choice(match.legal_moves(CHANCE)))
        else:
            match.play(match.state.turn, rng.choice(match.legal_moves(match.state.turn)))
    if match.state.phase == PLACE:
        assert match.legal_moves(match.state.turn) == allowed_placements(match.state)
    elif match.state.is_lost:
        assert allowed_placements(match.state) == []


# The puzzle, on cells


def puzzle_pile() -> Pile:
    x, y, width, depth, height = parts.DEFAULT.puzzle_neutral
    return [block(PLAIN, x, y, 0, width, depth, height)]


def solution_block(p: parts.Placement) -> Block:
    width, depth, height = SHAPES[p.shape]
    sides = (depth, width) if p.turned else (width, depth)
    return block(p.shape, p.x, p.y, p.level, *sides, height)


def test_the_neutral_box_of_the_puzzle_stands_in_a_corner() -> None:
    (neutral,) = puzzle_pile()
    assert is_inside(neutral)
    assert neutral.cells & {(0, 0, 0), (5, 0, 0), (0, 3, 0), (5, 3, 0)}


def test_every_placement_of_the_solution_obeys_the_rules() -> None:
    pile = puzzle_pile()
    for p in parts.solution(parts.DEFAULT_DATA):
        assert broken_rule(solution_block(p), pile, ceiling=True) == "", p
        pile.append(solution_block(p))


def test_the_solution_fills_five_layers() -> None:
    pile = puzzle_pile() + [solution_block(p) for p in parts.solution(parts.DEFAULT_DATA)]
    filled = Counter(cell for box in pile for cell in box.cells)
    assert filled == {(x, y, z): 1 for x in range(6) for y in range(4) for z in range(5)}
