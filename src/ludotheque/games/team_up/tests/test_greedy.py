"""How the greedy player builds, and when it stops."""

import copy
from random import Random
from statistics import fmean
from typing import Any

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.games.team_up.bot.greedy import Greedy, expected_gain, pile_cost
from ludotheque.games.team_up.pallet import COLUMNS
from ludotheque.games.team_up.parts import DEFAULT_DATA, LAYERS
from ludotheque.games.team_up.rules import (
    AGREE,
    CARDS,
    CHALLENGE,
    DRAW,
    REFUSE,
    STOP,
    VOTE,
    State,
    legal_moves,
    score,
    setup,
)

GAME = load("team_up")
COLOUR_CARDS = [n for n, card in enumerate(CARDS) if card[0] == 0]
POST = 0


def pile(heights: dict[int, int], level: int) -> list[int]:
    return [heights.get(column, level) for column in range(COLUMNS)]


def test_a_flat_pile_is_the_best_one() -> None:
    assert pile_cost(pile({}, 2)) == 0
    assert pile_cost(pile({7: 3}, 2)) > 0


def test_a_pit_is_worse_than_a_bump_and_a_deep_one_worse_than_a_shallow_one() -> None:
    bump, pit, deep = (pile_cost(pile({7: height}, 2)) for height in (3, 1, 0))
    assert bump < pit < deep


def test_cells_above_the_last_layer_are_waste() -> None:
    assert pile_cost(pile({0: LAYERS + 1}, LAYERS)) > pile_cost(pile({0: LAYERS}, LAYERS - 1))


def before_card(heights: list[int], deck: int, shapes: range) -> State:
    """Before a card: boxes of these shapes are left, and these cards."""
    s = State()
    s.seats = 2
    setup(s)
    s.heights = list(heights)
    s.deck = deck
    s.phase = 1
    for shape, colours in enumerate(s.left):
        if shape not in shapes:
            colours[:] = [0, 0, 0]
    return s


def decided(s: State) -> int:
    moves = [0] * 5000
    return Greedy(0, Random(0)).choose(s, moves[: legal_moves(s, 0, moves)])


def cards(numbers: list[int]) -> int:
    return sum(1 << n for n in numbers)


def test_it_draws_while_cards_are_useful() -> None:
    s = before_card(pile({}, 1), cards(COLOUR_CARDS), range(9))
    assert expected_gain(s) > 0
    assert decided(s) == DRAW


def test_it_stops_when_no_card_to_come_is_useful() -> None:
    others = [n for n, card in enumerate(CARDS) if card[0] != 0 and POST not in card[1:]]
    s = before_card(pile({}, 1), cards(others), range(1))
    assert expected_gain(s) == -1
    assert decided(s) == STOP
    s.phase, s.turn, s.agreed = VOTE, 1, 2
    assert decided(s) == AGREE


def test_it_draws_while_only_more_points_can_win() -> None:
    others = [n for n, card in enumerate(CARDS) if card[0] != 0 and POST not in card[1:]]
    s = before_card(pile({}, 1), cards(others), range(1))
    s.mode, s.target = CHALLENGE, score(s, 0) + 1
    assert decided(s) == DRAW
    s.phase, s.turn, s.agreed = VOTE, 1, 2
    assert decided(s) == REFUSE
    s.target -= 1
    assert decided(s) == AGREE


def final_score(game: Game, seed: int) -> int:
    match = Match(game, 2, seeds=Seeds(seed.to_bytes(32, "big")))
    bots = [Greedy(seat, Random(seed)) for seat in range(2)]
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, bots[seat].choose(match.view(seat), match.legal_moves(seat)))
    return match.scores[0]


def test_a_team_of_two_completes_some_layers() -> None:
    assert fmean(final_score(GAME, seed) for seed in range(12)) >= 2


def test_with_other_boxes_it_still_plays_by_the_rules() -> None:
    data: Any = copy.deepcopy(DEFAULT_DATA)
    data.pop("puzzle")
    for number, shape in enumerate(data["shapes"]):
        shape["width"], shape["depth"], shape["height"] = 1 + number % 3, 1 + number % 2, 1
    assert final_score(Game("team_up", data), 0) > -60
