"""What a player remembers, and how it guesses what it cannot know."""

from collections import Counter
from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.checks import faults
from ludotheque.games.stupide_vautour.rules import State

GAME = load("stupide_vautour")


def played(seats: int, bids: int, seed: int, watchers: list[Memory], **options: object) -> Match:
    """A match of random bids, watched from the start."""
    match, rng = Match(GAME, seats, options, seeds=Seeds(seed.to_bytes(32, "big"))), Random(seed)
    for _ in range(bids):
        for seat, memory in enumerate(watchers):
            memory.watch(match.view(seat))
        seat = match.awaited()[0]
        match.play(seat, rng.choice(match.legal_moves(seat)))
    for seat, memory in enumerate(watchers):
        memory.watch(match.view(seat))
    return match


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("bids", [0, 1, 7, 20, 29])
@pytest.mark.parametrize("options", [{}, {"open_scores": True}, {"open_discards": True}])
def test_a_guess_fits_all_that_was_seen(seats: int, bids: int, options: dict[str, object]) -> None:
    memories = [Memory(seat) for seat in range(seats)]
    match = played(seats, bids, bids, memories, **options)
    for seat, memory in enumerate(memories):
        view = match.view(seat)
        for _ in range(5):
            guess = memory.guess(view, Random(bids))
            assert GAME.view(guess, seat) == view
            assert list(faults(guess)) == []
            assert without_bids(guess) == without_bids(match.state)
            assert memory.is_complete(view)


def without_bids(state: State) -> State:
    """All that a player who has watched from the start knows."""
    known = state.copy()
    for seat in range(state.seats):
        if known.bids[seat]:
            known.hands[seat] |= 1 << known.bids[seat]
            known.bids[seat] = 0
    return known


@pytest.mark.parametrize("bids", [1, 8, 25])
def test_a_memory_that_starts_late_guesses_a_possible_state(bids: int) -> None:
    match = played(3, bids, bids, [])
    for seat in range(3):
        memory, view = Memory(seat), match.view(seat)
        memory.watch(view)
        guess = memory.guess(view, Random(bids))
        assert GAME.view(guess, seat) == view
        assert list(faults(guess)) == []


def test_a_face_down_bid_is_guessed_evenly_among_the_cards_held() -> None:
    memories = [Memory(0), Memory(1)]
    match = played(2, 23, 4, memories)  # seat 0 has bid, and seat 1 guesses what
    view, rng = match.view(1), Random(1)
    held = without_bids(match.state).hands[0]
    drawn = Counter(memories[1].guess(view, rng).bids[0] for _ in range(2_000))
    cards = [card for card in range(16) if held >> card & 1]
    assert sorted(drawn) == cards
    assert all(0.75 < drawn[card] / (2_000 / len(cards)) < 1.25 for card in cards)


def test_unsealed_bids_return_to_the_hand_and_are_chosen_again() -> None:
    memories = [Memory(0), Memory(1)]
    match = played(2, 23, 4, memories)
    state = match.state.copy()
    memories[1].unseal(state)
    assert GAME.awaits(state, 0)
    assert GAME.awaits(state, 1)
    assert state.hands[0] == without_bids(match.state).hands[0]
