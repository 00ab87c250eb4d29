"""Rules no. 2 and 3 of the sheet: how cards touch and form one group, also cell by cell."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.games.ubongo import checks
from ludotheque.games.ubongo.cards import (
    APART,
    CROSSED,
    FACES,
    GOOD,
    HEIGHT,
    ONE_CELL,
    OVERLAP,
    THREE_CELLS,
    TURNED,
    UNEQUAL,
    WIDTH,
)
from ludotheque.games.ubongo.field import FIELD, IN_HAND
from ludotheque.games.ubongo.layable import HAND, can_lay
from ludotheque.games.ubongo.rules import (
    FAULTS,
    NOT_CONNECTED,
    OBJECTIONS,
    RACING,
    State,
    contact,
    objection_to_laying,
    verdict,
    worth,
)
from ludotheque.games.ubongo.tests.positions import GAME, found, judge, lay, lay_chain, race

# Rule 2: the cells of `abcdef` are a b c above d e f


def test_short_side_against_short_side_is_right_if_both_pairs_are_equal() -> None:
    assert found("abcdef", "cbafed", 3, 0) == GOOD


def test_long_sides_shifted_by_one_are_right_if_both_pairs_are_equal() -> None:
    assert found("abcdef", "efabcd", 1, 2) == GOOD
    assert found("abcdef", "bdeabc", -1, 2) == GOOD


def test_a_short_side_within_a_long_one_is_right_if_both_pairs_are_equal() -> None:
    # Turned once clockwise, the face c b d / a e f shows a c above e b above f d.
    assert found("abcaca", "cbdaef", 0, 2, 1) == GOOD
    assert found("abcbac", "cbdaef", 1, 2, 1) == GOOD


def test_the_orientation_of_symbols_does_not_matter() -> None:
    for turn, x, y in ((0, 3, 0), (1, 3, -1), (2, 3, 0), (3, 3, -1)):
        assert found("aaaaaa", "aaaaaa", x, y, turn) == GOOD


def test_one_pair_of_equal_symbols_is_not_enough() -> None:
    assert found("aaaaaa", "aaaaaa", 3, 1) == ONE_CELL
    assert found("aaaaaa", "aaaaaa", 2, 2) == ONE_CELL
    assert found("abcdef", "abcdef", 3, 0) == UNEQUAL
    assert found("abcdef", "caaaaa", 3, 0) == UNEQUAL


def test_two_equal_pairs_beside_a_different_one_are_wrong() -> None:
    assert found("abcdef", "deaaaa", 0, 2) == THREE_CELLS


def test_pairs_may_not_be_crossed() -> None:
    assert found("abcdef", "fabcde", 3, 0) == CROSSED
    assert found("abcdef", "fedcba", 1, 2) == CROSSED


def test_three_equal_pairs_are_wrong() -> None:
    assert found("abcdef", "defabc", 0, 2) == THREE_CELLS
    assert found("aaaaaa", "aaaaaa", 3, 0, 1) == GOOD
    assert found("aaaaaa", "aaaaaa", -2, -1, 1) == GOOD


def test_corners_do_not_touch() -> None:
    for x, y in ((3, 2), (-3, 2), (3, -2), (-3, -2)):
        assert found("abcdef", "abcdef", x, y) == APART


@pytest.mark.parametrize(
    ("turn", "rows"),
    [
        (0, ["abc", "def"]),
        (1, ["da", "eb", "fc"]),
        (2, ["fed", "cba"]),
        (3, ["cf", "be", "ad"]),
    ],
)
def test_a_turn_is_a_quarter_clockwise(turn: int, rows: list[str]) -> None:
    assert "".join("abcdef"[cell] for cell in TURNED[turn]) == "".join(rows)
    assert (WIDTH[turn], HEIGHT[turn]) == (len(rows[0]), len(rows))


# Rule 3


def test_all_cards_must_form_one_group() -> None:
    match = race(1)
    lay_chain(match, 0, 3)
    match.play(0, lay(5, 20, 20))
    match.play(0, lay(6, 23, 20))
    assert judge(match, 0) == (NOT_CONNECTED, 5, 5)


def test_branches_are_allowed() -> None:
    match = race(1)
    lay_chain(match, 0, 3)
    match.play(0, lay(3, 3, 12, 1))
    match.play(0, lay(4, 3, 15, 1))
    match.play(0, lay(5, 3, 7, 1))
    assert judge(match, 0) == (GOOD, 0, 0)


def test_every_fault_has_a_name() -> None:
    kinds = (OVERLAP, ONE_CELL, THREE_CELLS, UNEQUAL, CROSSED, NOT_CONNECTED)
    names = ["overlap", "one_cell", "three_cells", "unequal", "crossed", "not_connected"]
    assert [FAULTS[kind] for kind in kinds] == names
    for language in GAME.words.values():
        assert set(names) <= set(language["names"])


# The geometry against a slow and obvious checker


Cells = dict[tuple[int, int], Any]


def quarter_turned(face: Any, turns: int) -> Cells:
    """The cells of a face, (column, row): a quarter turn takes (x, y) to (height − 1 − y, x)."""
    cells = {(n % 3, n // 3): symbol for n, symbol in enumerate(face)}
    for _ in range(turns):
        height = 1 + max(y for _, y in cells)
        cells = {(height - 1 - y, x): symbol for (x, y), symbol in cells.items()}
    return dict(sorted(cells.items(), key=lambda item: item[0][::-1]))


def cells_of(s: State, seat: int, i: int) -> Cells:
    place = s.places[seat][i]
    face = FACES[s.hands[seat][i]][(s.rounds - 1) % 2]
    turned = quarter_turned(face, place // FIELD // FIELD)
    return {(place % FIELD + x, place // FIELD % FIELD + y): v for (x, y), v in turned.items()}


def obvious_contact(here: Cells, there: Cells) -> int:
    if here.keys() & there.keys():
        return OVERLAP
    pairs = [
        (symbol, there[beside])
        for (x, y), symbol in here.items()
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if beside in there
    ]
    if len(pairs) != 2:
        return {0: APART, 1: ONE_CELL, 3: THREE_CELLS}[len(pairs)]
    (a, b), (c, d) = pairs
    if (a, c) == (b, d):
        return GOOD
    return CROSSED if (a, c) == (d, b) else UNEQUAL


def obvious_worth(s: State, seat: int) -> int:
    """The points for a layout without a call."""
    laid = [i for i in range(9) if s.places[seat][i] != IN_HAND]
    cells = {i: cells_of(s, seat, i) for i in laid}
    contacts = {(a, b): obvious_contact(cells[a], cells[b]) for a, b in combinations(laid, 2)}
    if any(found > GOOD for found in contacts.values()):
        return 0
    joined = set(laid[:1])
    for _ in laid:
        for pair, kind in contacts.items():
            if kind == GOOD and joined & set(pair):
                joined |= set(pair)
    return len(laid) if joined == set(laid) else 0


def dealt_state(rounds: int, seed: int) -> State:
    s: Any = GAME.start(1)
    s.rounds, s.phase, s.dealt = rounds, RACING, 9
    s.hands[0] = [(rounds - 1) // 2 * 36 + card for card in Random(seed).sample(range(36), 9)]
    return s  # type: ignore[no-any-return]


rounds_drawn = st.integers(1, 6)
seeds = st.integers(0, 10_000)
turns = st.integers(0, 3)
near = st.integers(-4, 4)


@settings(max_examples=300)
@given(rounds_drawn, seeds, turns, turns, near, near)
def test_contacts_are_those_of_the_cells(
    rounds: int, seed: int, turn: int, other_turn: int, dx: int, dy: int
) -> None:
    s = dealt_state(rounds, seed)
    s.places[0][:2] = [lay(0, 15, 15, turn), lay(0, 15 + dx, 15 + dy, other_turn)]
    expected = obvious_contact(cells_of(s, 0, 0), cells_of(s, 0, 1))
    assert contact(s, 0, 0, 1) == contact(s, 0, 1, 0) == expected
    covered = objection_to_laying(s, 0, 1, s.places[0][1]) == OBJECTIONS.index("covered")
    assert covered == (expected == OVERLAP)


@settings(max_examples=150)
@given(rounds_drawn, seeds, st.integers(0, 7), st.integers(0, 6), turns, near, near)
def test_verdicts_are_those_of_the_cells(
    rounds: int, seed: int, count: int, moved: int, turn: int, dx: int, dy: int
) -> None:
    """A right layout, cut short, in which one card may have been moved and turned."""
    s = dealt_state(rounds, seed)
    aims = checks.layout(s, 0)
    laid = [i for i in range(9) if aims[i] != IN_HAND][:count]
    for i in laid:
        s.places[0][i] = aims[i]
    if moved < len(laid):
        place = aims[laid[moved]]
        to = lay(0, place % FIELD + dx, place // FIELD % FIELD + dy, turn)
        if objection_to_laying(s, 0, laid[moved], to) == 0:
            s.places[0][laid[moved]] = to
    assert worth(s, 0) == obvious_worth(s, 0)
    fault, a, b = verdict(s, 0)
    if fault not in (GOOD, NOT_CONNECTED):
        assert fault == obvious_contact(cells_of(s, 0, a), cells_of(s, 0, b))


@pytest.mark.parametrize("rounds", range(1, 7))
def test_a_hand_that_counts_as_layable_has_a_right_layout_of_seven(rounds: int) -> None:
    for seed in range(20):
        s = dealt_state(rounds, seed)
        s.places[0] = checks.layout(s, 0)
        side = (rounds - 1) % 2
        assert can_lay(s.hands[0], HAND, side) == (obvious_worth(s, 0) == 7)
