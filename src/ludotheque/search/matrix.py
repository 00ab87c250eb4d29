"""Matrix games: what two opponents who choose at the same time should do, exactly.

The simplex method on the small tableaux of a game tree, compiled: a few in a microsecond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.search.jit import jit

EPSILON = 1e-9
STEEPEST_STEPS = 50  # after which Bland's rule chooses: it cannot go round in circles


@jit
def solve(
    payoffs: Any,
    rows: int,
    columns: int,
    tableau: Any,
    basis: Any,
    row_strategy: Any,
    column_strategy: Any,
) -> float:
    """The value of a game to the player who chooses the row, both playing their best.

    `payoffs` is what the row player gains; only its first rows and columns count. The two
    strategies receive the probabilities of rows and columns. `tableau` is working space of
    rows + 1 by rows + columns + 1, `basis` of rows.
    """
    row, column = best_row(payoffs, rows, columns), best_column(payoffs, rows, columns)
    if is_saddle(payoffs, rows, columns, row, column):
        set_pure(row_strategy, rows, row)
        set_pure(column_strategy, columns, column)
        return float(payoffs[row, column])
    shift = fill_tableau(payoffs, rows, columns, tableau, basis)
    width = rows + columns
    for step in range(1 << 20):
        column = entering_column(tableau, rows, width, step < STEEPEST_STEPS)
        if column < 0:
            break
        row = leaving_row(tableau, rows, width, basis, column)
        pivot(tableau, rows, width, row, column)
        basis[row] = column
    total = tableau[rows, width]
    for i in range(rows):  # under the slack variables
        row_strategy[i] = max(tableau[rows, columns + i], 0.0) / total
    for j in range(columns):
        column_strategy[j] = 0.0
    for i in range(rows):
        if basis[i] < columns:
            column_strategy[basis[i]] = tableau[i, width] / total
    return float(1.0 / total - shift)


@jit
def best_row(payoffs: Any, rows: int, columns: int) -> int:
    """The row whose worst payoff is best."""
    best, chosen = -np.inf, 0
    for i in range(rows):
        worst = payoffs[i, 0]
        for j in range(1, columns):
            worst = min(worst, payoffs[i, j])
        if worst > best:
            best, chosen = worst, i
    return chosen


@jit
def best_column(payoffs: Any, rows: int, columns: int) -> int:
    """The column that gives the row player least at best."""
    best, chosen = np.inf, 0
    for j in range(columns):
        worst = payoffs[0, j]
        for i in range(1, rows):
            worst = max(worst, payoffs[i, j])
        if worst < best:
            best, chosen = worst, j
    return chosen


@jit
def is_saddle(payoffs: Any, rows: int, columns: int, row: int, column: int) -> bool:
    """Whether neither player has a reason to leave this row and this column."""
    value = payoffs[row, column]
    for i in range(rows):
        if payoffs[i, column] > value:
            return False
    worst = value
    for j in range(columns):
        worst = min(worst, payoffs[row, j])
    return bool(worst == value)


@jit
def set_pure(strategy: Any, count: int, chosen: int) -> None:
    for i in range(count):
        strategy[i] = 0.0
    strategy[chosen] = 1.0


@jit
def fill_tableau(payoffs: Any, rows: int, columns: int, tableau: Any, basis: Any) -> float:
    """Maximise the sum of y under payoffs · y ≤ 1: the column player's side of the game.

    All payoffs are raised, so that they and the value are positive; returns by how much.
    """
    lowest = payoffs[0, 0]
    for i in range(rows):
        for j in range(columns):
            lowest = min(lowest, payoffs[i, j])
    shift = 1.0 - lowest
    width = rows + columns
    for i in range(rows + 1):
        for j in range(width + 1):
            tableau[i, j] = 0.0
    for i in range(rows):
        for j in range(columns):
            tableau[i, j] = payoffs[i, j] + shift
        tableau[i, columns + i] = 1.0
        tableau[i, width] = 1.0
        basis[i] = columns + i
    for j in range(columns):
        tableau[rows, j] = -1.0
    return float(shift)


@jit
def entering_column(tableau: Any, rows: int, width: int, steepest: bool) -> int:
    """The variable that improves most, or by Bland's rule the first that improves at all."""
    best, chosen = -EPSILON, -1
    for j in range(width):
        if tableau[rows, j] < best:
            best, chosen = tableau[rows, j], j
            if not steepest:
                break
    return chosen


@jit
def leaving_row(tableau: Any, rows: int, width: int, basis: Any, column: int) -> int:
    """The row that limits first; of several the one whose variable comes first."""
    best, chosen = np.inf, -1
    for i in range(rows):
        if tableau[i, column] > EPSILON:
            ratio = tableau[i, width] / tableau[i, column]
            ties = ratio <= best + EPSILON and chosen >= 0
            if ratio < best - EPSILON or (ties and basis[i] < basis[chosen]):
                best, chosen = ratio, i
    return chosen


@jit
def pivot(tableau: Any, rows: int, width: int, row: int, column: int) -> None:
    scale = 1.0 / tableau[row, column]
    for j in range(width + 1):
        tableau[row, j] *= scale
    for i in range(rows + 1):
        factor = tableau[i, column]
        if i != row and factor != 0.0:
            for j in range(width + 1):
                tableau[i, j] -= factor * tableau[row, j]
