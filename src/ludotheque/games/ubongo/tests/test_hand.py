"""A hand as its holder sees it; and the hands and races that other tests start from."""

from functools import cache
from random import Random

import pytest

from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES, IN_HAND
from ludotheque.games.ubongo.layable import HAND, SEVEN, SIDES, can_lay
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    AUTO,
    BLACK,
    NO_CARD,
    RACING,
    ROUNDS,
    State,
    is_legal,
    objection_to_laying,
    play,
    setup,
    verdict,
)
from ludotheque.games.ubongo.solver.hand import (
    MIDDLE,
    Found,
    card_of,
    direction_to_the_middle,
    group_of,
    hand_of,
    lay_move,
    place_of,
    placement_at,
    shift_move,
    take_back_move,
)


def before_the_match(seats: int) -> State:
    s = State()
    s.seats, s.cards = seats, HAND
    setup(s)
    return s


def race(hand: list[int], seats: int = 1, number: int = ROUNDS, assist: int = AUTO) -> State:
    """A round, with this hand for seat 0."""
    s = before_the_match(seats)
    s.assist, s.rounds, s.phase, s.dealt = assist, number, RACING, seats * HAND
    s.hands[0] = list(hand)
    return s


def race_with_fewer(cards: int, number: int = ROUNDS) -> State:
    """A round with a smaller hand, of which all cards but two can be laid."""
    rng, side = Random(number), (number - 1) % SIDES
    pile = range((number - 1) // SIDES * PILE, ((number - 1) // SIDES + 1) * PILE)
    hand = rng.sample(pile, cards)
    while not hand_of(hand, side).find(cards - 2).placements:
        hand = rng.sample(pile, cards)
    s = race(hand + [NO_CARD] * (HAND - cards), number=number)
    s.cards = s.dealt = cards
    return s


@cache
def hands(playable: bool, count: int, number: int = ROUNDS) -> list[list[int]]:
    """Hands of a round of which seven cards can be laid, or cannot."""
    rng = Random(number)
    pile, side = divmod(number - 1, SIDES)
    found: list[list[int]] = []
    while len(found) < count:
        hand = rng.sample(range(pile * PILE, (pile + 1) * PILE), HAND)
        if can_lay(hand, HAND, side) == playable:
            found.append(hand)
    return found


def grown(cards: list[int], count: int, rng: Random) -> list[int]:
    """The placements of this many cards, or of as many as could be laid, one beside the other."""
    hand, group = hand_of(cards, BLACK), [placement_at(0, MIDDLE)]
    while len(group) < count and hand.placements(group):
        group.append(rng.choice(hand.placements(group)))
    return group


# Placements and moves


@pytest.mark.parametrize("place", [0, MIDDLE, FIELD_PLACES - 1])
def test_a_placement_is_a_card_and_a_place(place: int) -> None:
    for card in range(HAND):
        placed = placement_at(card, place)
        assert (card_of(placed), place_of(placed)) == (card, place)


def test_moves_do_what_they_are_called() -> None:
    s = race(hands(True, 1)[0])
    play(s, 0, lay_move(placement_at(4, MIDDLE)))
    play(s, 0, lay_move(placement_at(7, MIDDLE + 5)))
    assert group_of(s.places[0]) == [placement_at(4, MIDDLE), placement_at(7, MIDDLE + 5)]
    play(s, 0, shift_move(1))
    play(s, 0, take_back_move(4))
    assert group_of(s.places[0]) == [placement_at(7, MIDDLE + 6)]


@pytest.mark.parametrize(
    ("x", "y", "direction"),
    [(0, 15, 1), (2, 15, 1), (29, 15, 3), (15, 0, 2), (15, 30, 0), (3, 3, None), (15, 15, None)],
)
def test_cards_near_an_edge_should_be_shifted_away_from_it(
    x: int, y: int, direction: int | None
) -> None:
    assert direction_to_the_middle([placement_at(0, y * FIELD + x)]) == direction


def test_without_cards_there_is_nothing_to_shift() -> None:
    assert direction_to_the_middle([]) is None


# One card more


def test_cards_fit_exactly_where_the_rules_find_no_fault() -> None:
    rng = Random(3)
    for cards in hands(True, 3):
        group = grown(cards, 2, rng)
        s = race(cards)
        for placed in group:
            play(s, 0, lay_move(placed))
        assert hand_of(cards, BLACK).placements(group) == sorted(correct_placements(s))


def correct_placements(s: State) -> list[int]:
    """Where another card could be laid correctly, by trying all places near the laid ones."""
    near = [(turn * FIELD + y) * FIELD + x for turn in range(4) for y in NEAR for x in NEAR]
    held = [card for card in range(HAND) if s.places[0][card] == IN_HAND]
    return [
        placement_at(card, place)
        for card in held
        for place in near
        if objection_to_laying(s, 0, card, place) == ALLOWED and is_correct_with(s, card, place)
    ]


NEAR = range(FIELD // 2 - 8, FIELD // 2 + 8)  # no neighbour of two cards is further away


def is_correct_with(s: State, card: int, place: int) -> bool:
    wider = s.copy()
    wider.places[0][card] = place
    return bool(verdict(wider, 0)[0] == GOOD)


def test_a_group_is_correct_if_the_rules_find_no_fault() -> None:
    rng, answers = Random(4), set()
    for cards in hands(True, 20):
        group = grown(cards, 4, rng)
        if rng.random() < 0.5:
            group.pop(rng.randrange(len(group)))
        s = race(cards)
        for placed in group:
            play(s, 0, lay_move(placed))
        answers.add(verdict(s, 0)[0] == GOOD)
        assert hand_of(cards, BLACK).is_correct(group) == (verdict(s, 0)[0] == GOOD)
    assert answers == {True, False}


def test_no_card_fits_outside_the_field() -> None:
    for cards in hands(True, 3):
        s = race(cards)
        s.places[0][0] = 0
        found = hand_of(cards, BLACK).placements(group_of(s.places[0]))
        assert all(is_legal(s, 0, lay_move(placed)) for placed in found)


# Many cards more


def test_a_group_is_completed_around_the_laid_cards() -> None:
    rng, answers = Random(5), set()
    for cards in hands(True, 20) + hands(False, 20):
        hand, start = hand_of(cards, BLACK), grown(cards, 2, rng)
        found = hand.complete(start, SEVEN, 10_000)
        answers.add(bool(found.placements))
        assert found.is_exhaustive
        if found.placements:
            assert list(found.placements[: len(start)]) == start
            assert len({card_of(placed) for placed in found.placements}) == SEVEN
            assert hand.is_correct(found.placements)
        else:
            assert not any(
                hand.complete([*start, placed], SEVEN, 10_000).placements
                for placed in hand.placements(start)
            )
    assert answers == {True, False}


def test_a_search_that_gives_up_says_so() -> None:
    hand = hand_of(hands(True, 1)[0], BLACK)
    assert hand.find(SEVEN, max_groups=2) == Found((), groups=2, is_exhaustive=False)
