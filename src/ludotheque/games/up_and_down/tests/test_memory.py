"""What a seat remembers of a deal, and how it guesses the rest."""

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest

from ludotheque.engine import CHANCE
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.up_and_down.bot.memory import Memory, cards_held
from ludotheque.games.up_and_down.checks import faults
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    FACE_DOWN,
    HAND_SIZE,
    NO_CARD,
    PACK,
    VALUES,
    State,
    setup,
)

GAME = load("up_and_down")


class Moment(NamedTuple):
    state: State
    views: list[State]  # by seat
    shown: int  # the cards shown in this deal so far, as bits


def watched(seats: int, seed: int) -> list[Moment]:
    """Every moment of a random match."""
    match = Match(GAME, seats, {"deals": 1}, seeds=Seeds(seed.to_bytes(32, "big")))
    rng, moments, deal, shown = Random(seed), [], 0, 0
    while not match.is_over:
        state = match.state.copy()
        if state.deal != deal:
            deal, shown = state.deal, 0
        if state.phase == CHANGING and cards_held(state, 0) < HAND_SIZE[seats]:
            shown |= sum(1 << card for card in state.trick[:seats])
        moments.append(Moment(state, [match.view(seat) for seat in range(seats)], shown))
        seat = rng.choice(match.awaited())
        match.play(seat, rng.choice(match.legal_moves(seat)))
    return moments


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_guess_looks_like_the_view_and_keeps_the_rules(seats: int) -> None:
    rng, memories = Random(seats), [Memory(seat) for seat in range(seats)]
    for _, views, shown in watched(seats, seats):
        for seat, view in enumerate(views):
            guess = memories[seat].guess(view, rng)
            assert GAME.view(guess, seat) == view
            assert [*guess.faults(), *faults(guess)] == []
            in_play = sum(guess.hands) + sum(1 << c for c in guess.laid if c != NO_CARD)
            assert in_play & shown == 0


def test_a_seat_knows_all_cards_shown_in_the_deal_and_no_others() -> None:
    memory = Memory(1)
    for _, views, shown in watched(3, 7):
        memory.watch(views[1])
        assert memory.unshown() == PACK & ~shown


def test_a_newcomer_guesses_from_the_last_trick_alone() -> None:
    for _, views, _ in watched(4, 3):
        guess = Memory(2).guess(views[2], Random(0))
        assert GAME.view(guess, 2) == views[2]
        assert list(faults(guess)) == []


def test_everyone_can_tell_how_many_cards_a_seat_holds() -> None:
    for state, views, _ in watched(3, 1):
        for seat in range(3):
            assert cards_held(views[0], seat) == state.hands[seat].bit_count()


def test_a_guess_is_right_in_number_while_cards_are_dealt() -> None:
    match = Match(GAME, 3)
    for card in range(0, CARDS, 3):
        guess = Memory(1).guess(match.view(1), Random(card))
        assert GAME.view(guess, 1) == match.view(1)
        assert list(faults(guess)) == []
        match.play(CHANCE, card)


def late() -> State:
    """Two tricks to go at two seats; seat 1 has laid a card, and six cards were not shown."""
    s = State()
    s.seats, s.values = 2, VALUES
    setup(s)
    s.phase, s.dice = CHOOSING, [3, 4]
    s.tricks[0][0], s.tricks[1][0] = 7, 6
    s.trick = [42, 43, NO_CARD, NO_CARD]
    s.hands[0] = 0b11
    s.laid[1] = FACE_DOWN
    return s


def test_all_hands_and_face_down_cards_are_equally_likely() -> None:
    memory, rng = Memory(0), Random(5)
    memory.watch(late())
    memory._shown = PACK & ~0b111111  # seat 0 holds two of these six
    guesses = [memory.guess(late(), rng) for _ in range(2400)]
    found = Counter((guess.hands[1], guess.laid[1]) for guess in guesses)
    assert len(found) == 4 * 3  # a card in the hand, another one laid
    assert all(140 <= count <= 260 for count in found.values())


def test_a_forgetful_seat_remembers_the_last_trick_and_little_more() -> None:
    memory = Memory(0, forgetting=1.0, rng=Random(1))
    for state, views, shown in watched(4, 9):
        memory.watch(views[0])
        last = sum(1 << card for card in state.trick if shown >> max(card, 0) & 1 and card >= 0)
        assert CARDS - memory.unshown().bit_count() == last.bit_count()
