"""What the master thinks that the others think."""

from collections import Counter
from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.bot.rivals import Rivals
from ludotheque.games.stupide_vautour.checks import faults
from ludotheque.games.stupide_vautour.rules import SERIES, State

GAME = load("stupide_vautour")


def guesses(stake: str, bids: dict[int, int], count: int) -> list[State]:
    """What seat 0 of three expects of the first round, when these have bid already."""
    match = Match(GAME, 3, deal=[stake], seeds=Seeds(bytes(32)))
    for seat, card in bids.items():
        match.play(seat, card)
    rng, view = Random(1), match.view(0)
    rivals = Rivals(GAME, 0, Memory(0), rng, 0.3)
    rivals.foresee(view, rng)
    return [rivals.guess(view, rng) for _ in range(count)]


@pytest.mark.parametrize("bids", [{}, {1: 9}, {1: 9, 2: 3}])
def test_rivals_bid_as_foreseen_or_have_still_to_bid(bids: dict[int, int]) -> None:
    laid = Counter[bool]()
    for state in guesses("+7", bids, 60):
        assert list(faults(state)) == []
        assert GAME.awaits(state, 0)
        assert state.hands[0] == SERIES
        laid.update(state.bids[seat] > 0 for seat in (1, 2))
    assert 30 < laid[True] < 90


def test_rivals_are_expected_to_bid_more_for_more() -> None:
    means = []
    for stake in ("+1", "+10"):
        bids = [bid for state in guesses(stake, {}, 60) for bid in state.bids[1:3] if bid]
        means.append(sum(bids) / len(bids))
    assert means[1] > means[0] + 2


def test_what_lies_face_down_is_not_known() -> None:
    known, other = ([state.bids for state in guesses("+7", {1: card}, 30)] for card in (2, 15))
    assert known == other
