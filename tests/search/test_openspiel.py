"""The exact endgame of Stupide Vautour, held against OpenSpiel on the same game.

OpenSpiel plays our own rules, made into one of its games, and improves a plan for both players by
counterfactual regret; how far that plan is from perfect, it tells itself.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pyspiel
import pytest

from ludotheque.engine import CHANCE
from ludotheque.engine.game import load
from ludotheque.games.stupide_vautour.rules import CARDS, POINTS
from ludotheque.games.stupide_vautour.solver.endgame import plan

GAME = load("stupide_vautour")
TYPE = pyspiel.GameType(
    short_name="ludotheque_endgame",
    long_name="The end of Stupide Vautour",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"own": "", "other": "", "points": ""},
)


class Endgame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, parameters: dict[str, str]) -> None:
        self.own, self.other, self.points = (
            [int(number) for number in parameters[name].split()]
            for name in ("own", "other", "points")
        )
        about = pyspiel.GameInfo(
            num_distinct_actions=CARDS + 1,
            max_chance_outcomes=CARDS,
            num_players=2,
            min_utility=-60.0,
            max_utility=60.0,
            utility_sum=0.0,
            max_game_length=len(self.own),
        )
        super().__init__(TYPE, about, parameters)

    def new_initial_state(self) -> Position:
        return Position(self)

    def make_py_observer(self, *_: Any) -> Observer:
        return Observer()


class Observer:
    """Everyone sees everything."""

    tensor = None
    dict: dict[str, Any] = {}  # noqa: RUF012

    def set_from(self, state: Position, player: int) -> None:
        pass

    def string_from(self, state: Position, player: int) -> str:
        return str(state)


class Position(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: Endgame) -> None:
        super().__init__(game)
        self.state = GAME.start(2)
        hands = [sum(1 << card for card in hand) for hand in (game.own, game.other)]
        self.state.hands = [*hands, 0, 0, 0]
        self.state.pile = sum(1 << POINTS.index(points) for points in game.points)
        self.state.rounds = CARDS - len(game.own)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        is_chance = GAME.awaits(self.state, CHANCE)
        return int(pyspiel.PlayerId.CHANCE if is_chance else pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return GAME.legal_moves(self.state, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = GAME.legal_moves(self.state, CHANCE)
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, outcome: int) -> None:
        GAME.play(self.state, CHANCE, outcome)

    def _apply_actions(self, cards: list[int]) -> None:
        for seat, card in enumerate(cards):
            GAME.play(self.state, seat, card)

    def is_terminal(self) -> bool:
        return GAME.is_over(self.state)

    def returns(self) -> list[float]:
        lead = float(self.state.scores[0] - self.state.scores[1]) if self.is_terminal() else 0.0
        return [lead, -lead]

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def information_state_string(self, player: int) -> str:
        return str(self)

    def __str__(self) -> str:
        return str(self.state.key())


pyspiel.register_game(TYPE, Endgame)


@pytest.mark.parametrize(
    ("own", "other", "points", "steps"),
    [
        ([2, 5], [3, 5], [10, -5], 300),
        ([1, 2], [1, 2], [4, 3], 300),
        ([4, 9], [4, 9], [-2, 7], 300),
        ([2, 5, 9], [1, 5, 8], [10, -5, 3], 8),
    ],
)
def test_openspiel_finds_the_same_value(
    own: list[int], other: list[int], points: list[int], steps: int
) -> None:
    named = {"own": own, "other": other, "points": points}
    parameters = {name: " ".join(map(str, numbers)) for name, numbers in named.items()}
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("ludotheque_endgame", parameters))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    both = solver.average_policy()
    found = pyspiel.expected_returns(game.new_initial_state(), both, -1, True)[0]
    doubt = 2 * pyspiel.exploitability(game, both)
    ours = fmean(plan(own, other, without(points, shown), shown).value for shown in points)
    assert abs(found - ours) <= doubt + 1e-6
    assert doubt < 30 / steps


def without(points: list[int], shown: int) -> list[int]:
    return [card for card in points if card != shown]
