"""What a hint says of a card is so, whatever the others lay."""

from itertools import product
from random import Random

import pytest

from ludotheque.engine.bits import numbers
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.hints import reason
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import State

GAME = load("stupide_vautour")


def late(seats: int, rounds: int, seed: int) -> tuple[State, Memory]:
    """A view in which each holds few cards, and what its seat remembers of the match."""
    match, rng = Match(GAME, seats, seeds=Seeds(seed.to_bytes(32))), Random(seed)
    memory = Memory(0)
    memory.watch(match.view(0))
    while match.state.rounds <= rounds:
        seat = match.awaited()[0]
        match.play(seat, rng.choice(match.legal_moves(seat)))
        memory.watch(match.view(0))
    return match.view(0), memory


def takers(view: State, memory: Memory, card: int) -> set[int]:
    """Who may take the stake if seat 0 lays this card."""
    hands = [numbers(memory.hand(view, other)) for other in range(1, view.seats)]
    found = set()
    for others in product(*hands):
        state = view.copy()
        state.bids[: view.seats] = [card, *others]
        found.add(GAME.rule("best_bidder")(state))
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_card_that_is_sure_takes_the_stake_and_a_safe_one_never_takes_a_vulture(
    seats: int,
) -> None:
    told = set()
    for seed in range(60):
        view, memory = late(seats, 11, seed)
        for card in numbers(view.hands[0]):
            why = reason(view, 0, memory, card)
            told.add(why)
            may_take = takers(view, memory, card)
            assert (why == "sure") == (view.stake >= 0 and may_take == {0})
            if why == "safe":
                assert 0 not in may_take
    assert {"sure", "duck", "fight", "accept", "dodge"} <= told
    assert ("safe" in told) == (seats == 2)


def test_a_low_card_for_a_vulture_is_not_called_free() -> None:
    for seed in range(40):
        view, memory = late(3, 6, seed)
        reasons = {reason(view, 0, memory, card) for card in numbers(view.hands[0])}
        assert reasons <= ({"sure", "duck", "fight"} if view.stake >= 0 else {"accept", "dodge"})
