"""What the master expects the others to bid."""

from collections import Counter
from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.bot.opponents import OpponentModel
from ludotheque.games.stupide_vautour.checks import faults
from ludotheque.games.stupide_vautour.rules import State, series

GAME = load("stupide_vautour")


def guesses(stake: str, bids: dict[int, int], count: int) -> list[State]:
    """What seat 0 of three expects in the first round, when these seats have bid already."""
    match = Match(GAME, 3, deal=[stake], seeds=Seeds(bytes(32)))
    for seat, card in bids.items():
        match.play(seat, card)
    rng, view = Random(1), match.view(0)
    model = OpponentModel(GAME, 0, Memory(0), rng, 0.3)
    model.predict(view, rng)
    return [model.guess(view, rng) for _ in range(count)]


@pytest.mark.parametrize("bids", [{}, {1: 9}, {1: 9, 2: 3}])
def test_opponents_have_made_a_predicted_bid_or_none_yet(bids: dict[int, int]) -> None:
    laid = Counter[bool]()
    for state in guesses("+7", bids, 60):
        assert list(faults(state)) == []
        assert GAME.awaits(state, 0)
        assert state.hands[0] == series(state)
        laid.update(state.bids[seat] > 0 for seat in (1, 2))
    assert 30 < laid[True] < 90


def test_opponents_are_expected_to_bid_more_for_a_higher_stake() -> None:
    means = []
    for stake in ("+1", "+10"):
        bids = [bid for state in guesses(stake, {}, 60) for bid in state.bids[1:3] if bid]
        means.append(sum(bids) / len(bids))
    assert means[1] > means[0] + 2


def test_predictions_do_not_depend_on_the_face_down_bids() -> None:
    known, other = ([state.bids for state in guesses("+7", {1: card}, 30)] for card in (2, 15))
    assert known == other
