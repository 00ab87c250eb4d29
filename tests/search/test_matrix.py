"""Matrix games are solved exactly: held against a linear program."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from ludotheque.search.matrix import solve

LARGEST = 8
GAMES = st.tuples(st.integers(1, LARGEST), st.integers(1, LARGEST)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-20, 20).map(float))
)


def solved(payoffs: Any) -> tuple[float, Any, Any]:
    rows, columns = payoffs.shape
    plan, counterplan = np.zeros(rows), np.zeros(columns)
    table = np.zeros((rows + 1, rows + columns + 1))
    value = solve(payoffs, rows, columns, table, np.zeros(rows, np.int64), plan, counterplan)
    return value, plan, counterplan


def by_linear_program(payoffs: Any) -> float:
    """The most that the row player can make sure of."""
    rows, columns = payoffs.shape
    answer = linprog(
        np.r_[np.zeros(rows), -1],
        A_ub=np.c_[-payoffs.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[np.r_[np.ones(rows), 0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(-answer.fun)


@settings(max_examples=150)
@given(GAMES)
def test_the_value_is_that_of_the_linear_program(payoffs: Any) -> None:
    assert abs(solved(payoffs)[0] - by_linear_program(payoffs)) < 1e-7


@settings(max_examples=150)
@given(GAMES)
def test_neither_plan_can_be_beaten(payoffs: Any) -> None:
    value, plan, counterplan = solved(payoffs)
    assert abs(plan.sum() - 1) < 1e-7
    assert abs(counterplan.sum() - 1) < 1e-7
    assert plan.min() >= 0
    assert counterplan.min() >= -1e-9
    assert (plan @ payoffs).min() > value - 1e-7
    assert (payoffs @ counterplan).max() < value + 1e-7


def test_rock_paper_scissors_is_even() -> None:
    value, plan, _ = solved(np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    assert abs(value) < 1e-9
    assert np.allclose(plan, 1 / 3)
