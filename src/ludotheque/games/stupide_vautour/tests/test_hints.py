"""What a hint says of a card is so, if the others lay any card that they may hold."""

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
SAMPLE = 2000  # replies of the others
MARGIN = 0.06  # of a share in a sample, and of the one that the hint was made from


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


def takers(view: State, memory: Memory, card: int) -> list[int]:
    """Who takes the stake if seat 0 lays this card: for every reply, or for many of them."""
    hands = [numbers(memory.hand(view, other)) for other in range(1, view.seats)]
    replies = list(product(*hands))
    if len(replies) > SAMPLE:
        replies = Random(1).sample(replies, SAMPLE)
    state, found = view.copy(), []
    for others in replies:
        state.bids[: view.seats] = [card, *others]
        found.append(GAME.rule("best_bidder")(state))
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
            may_take = set(takers(view, memory, card))
            assert (why == "sure") == (view.stake >= 0 and may_take == {0})
            if why == "safe":
                assert 0 not in may_take
    assert ("safe" in told) == (seats == 2)


# What each sentence claims: how often the card takes the stake.
CLAIMS = {
    "sure": (1, 1),
    "fight": (0.5, 1),
    "try": (0.2, 0.5),
    "duck": (0, 0.2),
    "safe": (0, 0),
    "dodge": (0, 0.2),
    "risk": (0.2, 0.5),
    "accept": (0.5, 1),
    "stuck": (0.5, 1),
}
FOR_MEERKATS = {"sure", "fight", "try", "duck"}


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_card_takes_the_stake_as_often_as_its_sentence_says(seats: int) -> None:
    told = set()
    for rounds in (0, 3, 6, 9, 11, 13):
        for seed in range(5):
            view, memory = late(seats, rounds, seed)
            for card in numbers(view.hands[0]):
                why = reason(view, 0, memory, card)
                told.add(why)
                found = takers(view, memory, card)
                least, most = CLAIMS[why]
                margin = 0 if len(found) < SAMPLE or least == most else MARGIN
                share = found.count(0) / len(found)
                assert least - margin <= share <= most + margin, f"{why}: {card} of {view}"
                assert (why in FOR_MEERKATS) == (view.stake >= 0)
    assert told >= {"fight", "try", "duck", "dodge", "risk", "accept"}


@pytest.mark.parametrize("seats", GAME.seats)
def test_higher_cards_are_kept_only_where_there_are_any(seats: int) -> None:
    told = set()
    for seed in range(60):
        view, memory = late(seats, 13 + seed % 2, seed)
        for card in numbers(view.hands[0]):
            why = reason(view, 0, memory, card)
            told.add(why)
            is_highest = card == max(numbers(view.hands[0]))
            assert not (why == "accept" and is_highest)
            assert not (why == "stuck" and not is_highest)
    assert {"accept", "stuck"} <= told
