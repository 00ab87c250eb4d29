"""The exact endgame of Stupide Vautour, held against OpenSpiel on the same game.

OpenSpiel plays our own rules from where the endgame begins, and improves a plan for both players by
counterfactual regret; how far that plan is from perfect, it tells itself.
"""

from __future__ import annotations

from operator import ne
from statistics import fmean

import pyspiel
import pytest

from ludotheque.games.stupide_vautour.rules import CARDS, POINTS
from ludotheque.games.stupide_vautour.solver.endgame import plan
from ludotheque.learn import openspiel  # noqa: F401  (registers the games)


@pytest.mark.parametrize(
    ("own", "other", "points"),
    [
        ([2, 5], [3, 5], [10, -5]),
        ([1, 2], [1, 2], [4, 3]),
        ([4, 9], [4, 9], [-2, 7]),
    ],
)
def test_openspiel_finds_the_same_value(
    own: list[int], other: list[int], points: list[int]
) -> None:
    parameters = {"players": 2, "returns": "lead", "opening": opening(own, other, points)}
    game = pyspiel.load_game("ludotheque_stupide_vautour_turn_based", parameters)
    scores = game.new_initial_state().position.match.scores
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    both = solver.average_policy()
    found = pyspiel.expected_returns(game.new_initial_state(), both, -1, True)[0]
    doubt = 2 * pyspiel.exploitability(game, both)
    ours = fmean(plan(own, other, without(points, shown), shown).value for shown in points)
    assert abs(found - (scores[0] - scores[1]) - ours) <= doubt + 1e-6
    assert doubt < 0.5


def opening(own: list[int], other: list[int], points: list[int]) -> str:
    """Rounds without a tie in which both lay all their other cards."""
    series = range(1, CARDS + 1)
    ours = [card for card in series if card not in own]
    theirs = [card for card in series if card not in other]
    turned = (theirs[k:] + theirs[:k] for k in range(1, len(theirs)))
    answers = next(each for each in turned if all(map(ne, ours, each)))
    shown = [card for card in POINTS if card not in points]
    return " ".join(f"{card:+d} {a} {b}" for card, a, b in zip(shown, ours, answers, strict=True))


def without(points: list[int], shown: int) -> list[int]:
    return [card for card in points if card != shown]
