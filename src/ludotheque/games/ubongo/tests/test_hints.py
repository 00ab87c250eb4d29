"""What the master advises: legal moves that lead to seven cards, and the reasons for them."""

from random import Random

import pytest

from ludotheque.engine.game import LANGUAGES, load
from ludotheque.engine.words import Words
from ludotheque.games.ubongo.bot.hints import advise
from ludotheque.games.ubongo.bot.player import Master
from ludotheque.games.ubongo.bot.skill import SKILLS
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.field import FIELD_PLACES, IN_HAND
from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    BLACK,
    CALL,
    MOVES,
    NO_CARD,
    READY,
    ROUNDS,
    SHIFT,
    STOP,
    TAKE_BACK,
    State,
    count_laid,
    is_legal,
    play,
    verdict,
)
from ludotheque.games.ubongo.solver.hand import MIDDLE, card_of, hand_of, place_of, placement_at
from ludotheque.games.ubongo.solver.solve import read, solve
from ludotheque.games.ubongo.tests.test_hand import before_the_match, hands, race, race_with_fewer
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

WORDS = [Words(load("ubongo"), language) for language in LANGUAGES]


def advice(s: State, deadline: Deadline = NO_DEADLINE) -> list[Advice]:
    """At most three legal moves, each with words in every language."""
    given = advise(s, 0, deadline)
    assert 1 <= len(given) <= 3
    assert len({entry.move for entry in given}) == len(given)
    for entry in given:
        assert is_legal(s, 0, entry.move)
        assert all(words.text("hints", entry.reason, **entry.values) for words in WORDS)
    return given


def follow(s: State, choice: int = 0) -> list[Advice]:
    """Follow the first advice, or the last, until it is to call or to stop."""
    followed = [advice(s)[choice]]
    while followed[-1].move not in (CALL, STOP):
        play(s, 0, followed[-1].move)
        assert len(followed) < 40
        followed.append(advice(s)[choice])
    return followed


@pytest.mark.parametrize("choice", [0, -1])
def test_following_the_advice_lays_seven_cards_and_takes_none_back(choice: int) -> None:
    for hand in hands(True, 5):
        s = race(hand)
        followed = follow(s, choice)
        assert [entry.reason for entry in followed] == ["begin", *["lay"] * 5, "last", "call"]
        assert verdict(s, 0)[0] == GOOD


@pytest.mark.parametrize("cards", range(4, HAND))
def test_following_the_advice_lays_all_cards_of_a_smaller_hand_but_two(cards: int) -> None:
    s = race_with_fewer(cards)
    reasons = [entry.reason for entry in follow(s)]
    assert reasons == ["begin", *["lay"] * (cards - 4), "last", "call"]
    assert verdict(s, 0)[0] == GOOD


def test_following_the_advice_lays_the_most_cards_possible_if_that_is_fewer_than_seven() -> None:
    for hand in hands(False, 3):
        s = race(hand)
        assert follow(s)[-1].reason == "stop"
        most = len(solve(read({"round": ROUNDS, "cards": hand})).layout)
        assert most == count_laid(s, 0) < SEVEN
        assert verdict(s, 0)[0] == GOOD


def test_a_card_that_is_in_the_way_of_seven_should_be_taken_back() -> None:
    for s in dead_ends(5):
        given = advice(s)[0]
        assert given.move == TAKE_BACK + int(str(given.values["card"])) - 1
        play(s, 0, given.move)
        if given.reason == "dead_end":
            assert advice(s)[0].reason in ("lay", "begin", "room")
        assert follow(s)[-1].reason == "call"


def dead_ends(count: int) -> list[State]:
    """Correct layouts from which seven cannot be reached, of hands that allow seven."""
    rng, found = Random(1), []
    for cards in hands(True, 100):
        hand, group = hand_of(cards, BLACK), [placement_at(0, MIDDLE)]
        while len(group) < SEVEN - 1 and hand.placements(group):
            group.append(rng.choice(hand.placements(group)))
        if not hand.complete(group, SEVEN, 10_000).placements:
            s = race(cards)
            for own in group:
                s.places[0][card_of(own)] = place_of(own)
            found.append(s)
        if len(found) == count:
            break
    assert len(found) == count
    return found


def test_a_wrong_contact_is_named_and_one_of_the_two_cards_taken_back() -> None:
    s = race(hands(True, 1)[0])
    s.places[0][3] = MIDDLE
    s.places[0][4] = MIDDLE + 3  # side by side: a border of two cells
    while verdict(s, 0)[0] == GOOD:
        s.hands[0][4] = s.hands[0][4] + 1
    given = advice(s)
    assert {entry.move for entry in given} == {TAKE_BACK + 3, TAKE_BACK + 4}
    assert [entry.reason for entry in given] == ["wrong", "wrong"]
    assert given[0].values["fault"] in ("unequal", "crossed")


def test_a_card_away_from_the_others_should_be_taken_back() -> None:
    s = race(hands(True, 1)[0])
    s.places[0][3], s.places[0][4] = MIDDLE, MIDDLE + 9
    assert advice(s)[0].reason == "apart"


def test_cards_at_the_edge_should_be_shifted_first() -> None:
    s = race(hands(True, 1)[0])
    s.places[0][3] = 0
    assert advice(s)[0] == Advice(SHIFT + 1, "room", {"direction": "e"})
    assert follow(s)[-1].move == CALL


def test_without_time_there_is_still_a_card_to_lay() -> None:
    over = Deadline(0)
    s = race(hands(True, 1)[0])
    play(s, 0, advice(s, over)[0].move)
    given = advice(s, over)
    assert [entry.reason for entry in given] == ["fits"]
    play(s, 0, given[0].move)
    assert verdict(s, 0)[0] == GOOD


def test_between_rounds_the_advice_is_to_be_ready_and_after_a_call_to_call() -> None:
    assert advice(before_the_match(2)) == [Advice(READY, "ready", {})]
    s = race(hands(True, 1)[0], seats=2)
    follow(s)
    s.callers = 2
    assert advice(s) == [Advice(CALL, "call_too", {})]


def test_advice_depends_on_the_own_cards_alone() -> None:
    cards = hands(True, 1)[0]
    hidden, shown = race(cards, seats=2), race(cards, seats=2)
    hidden.hands[1] = [NO_CARD] * HAND
    shown.hands[1] = [card for card in range(2 * PILE, 3 * PILE) if card not in cards][:HAND]
    assert follow(hidden) == follow(shown)


def test_advice_changes_neither_the_view_nor_what_the_master_does() -> None:
    cards = hands(True, 1)[0]
    asked, left_alone = (Master(0, SKILLS["master"], Random(1)) for _ in range(2))
    s = race(cards)
    for _ in range(SEVEN):
        before = s.copy()
        asked.advise(s, range(MOVES))
        assert s == before
        move = asked.choose(s, range(MOVES))
        assert left_alone.choose(s, range(MOVES)) == move
        play(s, 0, move)


def test_an_advised_card_is_still_in_hand() -> None:
    s = race(hands(True, 1)[0])
    for _ in range(SEVEN):
        given = advice(s)
        assert all(s.places[0][entry.move // FIELD_PLACES] == IN_HAND for entry in given)
        play(s, 0, given[0].move)
