"""The end of a match between two is solved exactly."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from ludotheque.engine.game import load
from ludotheque.games.stupide_vautour.rules import CARDS, POINTS, State
from ludotheque.games.stupide_vautour.solver.endgame import plan

GAME = load("stupide_vautour")
Cards = tuple[int, ...]


def endgames(size: int) -> st.SearchStrategy[tuple[Cards, Cards, Cards]]:
    hand = st.permutations(range(1, CARDS + 1)).map(lambda cards: tuple(sorted(cards[:size])))
    points = st.permutations(POINTS).map(lambda cards: tuple(cards[:size]))
    return st.tuples(hand, hand, points)


# The same value in another way: the game's own rules, and a linear program for every bid


@cache
def worth(own: Cards, other: Cards, pile: Cards, stake: int) -> float:
    """The points to come, before a card is turned up."""
    if not pile:
        return 0.0
    rests = [pile[:i] + pile[i + 1 :] for i in range(len(pile))]
    bids = [
        bid_worth(own, other, rest, stake + card) for card, rest in zip(pile, rests, strict=True)
    ]
    return sum(bids) / len(bids)


@cache
def bid_worth(own: Cards, other: Cards, pile: Cards, stake: int) -> float:
    payoffs = np.array([[after(own, other, a, b, pile, stake) for b in other] for a in own])
    size = len(own)
    answer = linprog(
        np.r_[np.zeros(size), -1],
        A_ub=np.c_[-payoffs.T, np.ones(size)],
        b_ub=np.zeros(size),
        A_eq=[np.r_[np.ones(size), 0]],
        b_eq=[1],
        bounds=[(0, None)] * size + [(None, None)],
    )
    return float(-answer.fun)


def after(own: Cards, other: Cards, a: int, b: int, pile: Cards, stake: int) -> float:
    state = bidding(own, other, stake)
    GAME.play(state, 0, a)
    GAME.play(state, 1, b)
    rest = worth(without(own, a), without(other, b), pile, state.stake)
    return state.scores[0] - state.scores[1] + rest


def bidding(own: Cards, other: Cards, stake: int) -> State:
    state: Any = GAME.start(2)
    state.hands = [sum(1 << card for card in hand) for hand in (own, other)] + [0, 0, 0]
    state.stake, state.rounds, state.waiting = stake, 1, 2
    return state  # type: ignore[no-any-return]


def without(cards: Cards, card: int) -> Cards:
    return tuple(c for c in cards if c != card)


@pytest.mark.parametrize("size", [1, 2, 3])
@settings(max_examples=12)
@given(data=st.data())
def test_the_value_is_that_of_the_rules_and_linear_programs(size: int, data: st.DataObject) -> None:
    own, other, points = data.draw(endgames(size))
    solved = plan(own, other, points[1:], points[0])
    assert abs(solved.value - bid_worth(own, other, points[1:], points[0])) < 1e-6


@settings(max_examples=20)
@given(endgames(5))
def test_changing_sides_changes_the_sign(endgame: tuple[Cards, Cards, Cards]) -> None:
    own, other, points = endgame
    there = plan(own, other, points[1:], points[0]).value
    back = plan(other, own, points[1:], points[0]).value
    assert abs(there + back) < 1e-6


@settings(max_examples=20)
@given(endgames(6))
def test_a_plan_is_a_mixture_and_no_card_gains_more_than_it(
    endgame: tuple[Cards, Cards, Cards],
) -> None:
    own, other, points = endgame
    solved = plan(own, other, points[1:], points[0])
    assert abs(sum(solved.chances) - 1) < 1e-6
    assert min(solved.chances) >= 0
    assert max(solved.gains) < solved.value + 1e-6
    mean = sum(c * g for c, g in zip(solved.chances, solved.gains, strict=True))
    assert abs(mean - solved.value) < 1e-6


def test_equal_hands_of_seven_are_even_and_fit_into_the_table_of_states() -> None:
    rng = Random(1)
    hand = tuple(rng.sample(range(1, CARDS + 1), 7))
    points = rng.sample(POINTS, 7)
    assert abs(plan(hand, hand, points[1:], points[0]).value) < 1e-6


def test_hands_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="hands of 2 and 3 cards and a pile of 1; expected equal"):
        plan([1, 2], [1, 2, 3], [5], 4)
