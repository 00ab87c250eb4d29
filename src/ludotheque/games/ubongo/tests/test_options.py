"""The options of a table, fair hands among them, and a host's own cards."""

from typing import Any

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.scope import shared_scope
from ludotheque.engine.seats import CHANCE
from ludotheque.games.ubongo.cards import GOOD, UNEQUAL, relation_index
from ludotheque.games.ubongo.rules import (
    AUTO,
    CALL,
    DEALING,
    MAX_REDEALS,
    NO_CARD,
    OFF,
    ON,
    RACING,
    TAKE_BACK,
    WHITE,
    assists,
)
from ludotheque.games.ubongo.solver.hand import hand_of
from ludotheque.games.ubongo.tests.positions import (
    EASY,
    GAME,
    close,
    deal,
    deck,
    judge,
    lay,
    lay_chain,
    new_match,
    race,
    ready,
)

# Options


@pytest.mark.parametrize(
    ("assist", "seats", "expected"),
    [("auto", 1, True), ("auto", 2, False), ("on", 2, True), ("off", 1, False)],
)
def test_assistance_is_by_default_for_a_player_alone(
    assist: str, seats: int, expected: bool
) -> None:
    assert assists(new_match(seats, assist=assist).state) == expected


def test_a_state_holds_the_place_of_the_choice_of_assistance() -> None:
    values = [new_match(1, assist=assist).state.assist for assist in ("auto", "on", "off")]
    assert values == [AUTO, ON, OFF] == [0, 1, 2]


def test_assistance_changes_no_legal_move() -> None:
    on, off = race(1, assist="on"), race(1, assist="off")
    for match in (on, off):
        match.play(0, lay(0, 10, 10))
    assert on.legal_moves(0) == off.legal_moves(0)


def odd_deck() -> dict[str, Any]:
    """A deck in which the first three cards fit nothing."""
    return deck({0: "bbbbbb", 1: "cccccc", 2: "dddddd"})


def test_a_deal_with_a_hand_that_cannot_be_laid_is_dealt_again() -> None:
    match = new_match(1, Game("ubongo", odd_deck()))
    ready(match)
    deal(match)
    assert (match.state.phase, match.state.redeals, match.state.dealt) == (DEALING, 1, 0)
    assert match.state.hands == [[NO_CARD] * 9] * 4
    for card in range(2, 11):
        match.play(CHANCE, card)
    assert (match.state.phase, match.state.redeals) == (RACING, 1)


@pytest.mark.parametrize(
    ("odd", "phase"), [({0: "bbbbbb"}, RACING), ({0: "bbbbbb", 2: "cccccc"}, DEALING)]
)
def test_hands_are_alike_if_their_matches_are_as_three_to_two_at_most(
    odd: dict[int, str], phase: int
) -> None:
    # Of 36 pairs of cards in a hand, one card that fits nothing leaves 28, two leave 21.
    match = new_match(2, Game("ubongo", deck(odd)))
    ready(match)
    deal(match)
    assert match.state.phase == phase


def test_matches_are_counted_by_pairs_of_cards_and_ways_to_touch() -> None:
    assert matches_in(deck({0: "bbbbbb"})) == 28 * 28
    assert matches_in(deck({0: "bbbbbb", 1: "cccccc"})) == 21 * 28
    assert matches_in(deck()) == 36 * 28


def matches_in(cards: dict[str, Any]) -> int:
    """The matches of the first nine cards."""
    scope = shared_scope(Game("ubongo", cards), lambda function: function)
    count: int = scope["matches"](list(range(9)), 9, WHITE)
    return count


def test_after_twenty_redeals_an_unfair_deal_is_played() -> None:
    match = new_match(1, Game("ubongo", odd_deck()))
    ready(match)
    for _ in range(MAX_REDEALS):
        deal(match)
    assert (match.state.phase, match.state.redeals) == (DEALING, 20)
    deal(match)
    assert match.state.phase == RACING


def test_without_fair_hands_the_first_deal_is_played() -> None:
    match = race(1, Game("ubongo", odd_deck()))
    assert (match.state.phase, match.state.redeals) == (RACING, 0)
    assert match.state.hands[0] == list(range(9))


# Smaller hands


@pytest.mark.parametrize("cards", range(4, 10))
def test_all_cards_of_a_smaller_hand_but_two_are_laid(cards: int) -> None:
    match = race(2, cards=cards)
    assert [sum(card != NO_CARD for card in hand) for hand in match.state.hands[:2]] == [cards] * 2
    lay_chain(match, 0, cards - 3)
    assert not match.game.is_legal(match.state, 0, CALL)
    lay_chain(match, 0, cards - 2, first=cards - 3)
    match.play(0, CALL)
    close(match)
    assert match.scores == [10, 0]


def test_a_card_that_a_smaller_hand_lacks_is_not_laid() -> None:
    match = race(1, cards=5)
    assert match.game.is_legal(match.state, 0, lay(4, 0, 0))
    with pytest.raises(Refused, match="not held"):
        match.play(0, lay(5, 0, 0))
    assert max(move for move in match.legal_moves(0) if move < TAKE_BACK) < lay(5, 0, 0)


def test_too_few_cards_of_a_smaller_hand_are_said_to_be_too_few() -> None:
    with pytest.raises(Refused, match="too few of hand"):
        race(1, cards=5).play(0, CALL)


@pytest.mark.parametrize("seats", GAME.seats)
def test_smaller_hands_are_fair_too(seats: int) -> None:
    match = Match(GAME, seats, {"cards": 5, "countdown": 0}, seeds=Seeds(bytes(32)))
    ready(match)
    assert match.state.redeals < MAX_REDEALS
    for hand in match.state.hands[:seats]:
        for side in range(2):
            assert hand_of(hand[:5], side).find(3).placements


def test_a_host_may_not_ask_for_three_cards_or_ten() -> None:
    for cards in (3, 10):
        with pytest.raises(Refused, match="expected a whole number from 4 to 9"):
            new_match(1, cards=cards)


# A host's own cards


def test_a_host_may_bring_other_cards() -> None:
    ours, theirs = race(1, GAME), race(1, EASY)
    for match in (ours, theirs):
        lay_chain(match, 0, 7)
    assert judge(theirs, 0) == (GOOD, 0, 0)
    assert judge(ours, 0)[0] != GOOD


def test_other_cards_are_compiled_too() -> None:
    from ludotheque.engine.kernels import compiled  # noqa: PLC0415  # slow to import

    beside = relation_index(0, 0, 0, 0, 3, 0)
    assert compiled(EASY)["touch"](0, 1, 0, beside) == GOOD
    other = Game("ubongo", deck({1: "bbbbbb"}))
    assert compiled(other)["touch"](0, 1, 0, beside) == UNEQUAL
