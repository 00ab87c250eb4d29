"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims."""

import json
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.engine.game import Game, load, shared_scope
from ludotheque.engine.match import Match, replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.ubongo import checks
from ludotheque.games.ubongo.cards import (
    APART,
    CROSSED,
    FACES,
    GOOD,
    HEIGHT,
    ONE_CELL,
    OVERLAP,
    THREE_CELLS,
    TURNED,
    UNEQUAL,
    WIDTH,
    stand_of,
)
from ludotheque.games.ubongo.layable import can_lay_seven
from ludotheque.games.ubongo.notation import ROUND_SIDES
from ludotheque.games.ubongo.rules import (
    BLACK,
    CALL,
    CLOSE,
    DEALING,
    FAULTS,
    FIELD,
    FIELD_PLACES,
    IN_HAND,
    MAX_REDEALS,
    MOVES,
    NO_CARD,
    NOT_CONNECTED,
    OBJECTIONS,
    RACING,
    READY,
    READYING,
    SHIFT,
    SOMEWHERE,
    STOP,
    TAKE_BACK,
    WHITE,
    State,
    assists,
    contact,
    objection_to_laying,
    verdict,
    worth,
)

GAME = load("ubongo")
LETTERS = "abcdef"


def deck(faces: dict[int, str] | None = None) -> dict[str, Any]:
    """A host's deck: all symbols are `a`, but for the white sides given."""
    white = ["aaaaaa"] * 108
    for card, face in (faces or {}).items():
        white[card] = face
    cards = [{"white": face, "black": "aaaaaa"} for face in white]
    return {
        "symbols": [{"letter": letter, "name": letter} for letter in LETTERS],
        "piles": [cards[:36], cards[36:72], cards[72:]],
    }


EASY = Game("ubongo", deck())  # any two cells against two are right


def lay(i: int, x: int, y: int, turn: int = 0) -> int:
    return i * FIELD_PLACES + (turn * FIELD + y) * FIELD + x


def new_match(seats: int, game: Game = EASY, **options: object) -> Match:
    return Match(game, seats, options)


def ready(match: Match) -> None:
    for seat in range(match.seats):
        match.play(seat, READY)


def deal(match: Match) -> None:
    """Deal the first cards of the pile in their order."""
    for card in range(9 * match.seats):
        match.play(CHANCE, card)


def race(seats: int, game: Game = EASY, **options: object) -> Match:
    """A match at the start of its first race."""
    match = new_match(seats, game, fair_hands=False, **options)
    ready(match)
    deal(match)
    return match


def lay_chain(match: Match, seat: int, count: int, first: int = 0) -> None:
    """Lay cards in a chain, short side against short side: right in an easy deck."""
    for i in range(first, count):
        match.play(seat, lay(i, 3 * i, 10))


def close(match: Match) -> None:
    """Let time pass until the round is counted."""
    match.game.wait(match.state, match.game.alarm(match.state))
    match.play(CHANCE, CLOSE)


def begin_next(match: Match) -> None:
    ready(match)
    if match.state.phase == DEALING:
        deal(match)


def stop_all(match: Match) -> None:
    for seat in range(match.seats):
        match.play(seat, STOP)


def points(match: Match) -> list[int]:
    """The points of the last round."""
    return [match.state.points[seat][match.state.rounds - 1] for seat in range(match.seats)]


def final(*rows: list[int]) -> Match:
    """A finished match with these points, a row a seat."""
    match = new_match(len(rows))
    match.state.rounds = 6
    match.state.points[: len(rows)] = [list(row) for row in rows]
    return match


def found(first: str, second: str, x: int, y: int, turn: int = 0) -> int:
    """How a card with the second face stands, turned and (x, y) away from one with the first."""
    game = Game("ubongo", deck({0: first, 1: second}))
    state: Any = game.start(1)
    state.rounds = 1
    state.hands[0][:2] = [0, 1]
    state.places[0][:2] = [lay(0, 10, 10), lay(0, 10 + x, 10 + y, turn)]
    result: int = shared_scope(game, lambda function: function)["contact"](state, 0, 0, 1)
    return result


# Contents


def test_there_are_three_piles_of_36_cards_with_two_sides_of_six_symbols() -> None:
    assert [[len(face) for face in card] for card in FACES] == [[6, 6]] * 108


@pytest.mark.parametrize("seats", [0, 5])
def test_the_game_is_for_two_to_four_or_one_alone(seats: int) -> None:
    with pytest.raises(Refused, match="1 to 4 seats"):
        new_match(seats)


# Preparation


def test_the_piles_have_no_order_before_they_are_dealt() -> None:
    match = new_match(2)
    ready(match)
    assert match.legal_moves(CHANCE) == list(range(36))


# The game


def test_each_pile_serves_two_rounds() -> None:
    match = new_match(1, fair_hands=False)
    piles = []
    for _ in range(6):
        begin_next(match)
        piles.append({card // 36 for card in match.state.hands[0]})
        stop_all(match)
    assert piles == [{0}, {0}, {1}, {1}, {2}, {2}]


# 1. Dealing


@pytest.mark.parametrize("seats", GAME.seats)
def test_everyone_is_dealt_nine_cards_one_each_in_turn(seats: int) -> None:
    match = race(seats)
    hands = [list(range(seat, 9 * seats, seats)) for seat in range(seats)]
    assert match.state.hands == hands + [[NO_CARD] * 9] * (4 - seats)
    assert match.state.phase == RACING


def test_a_card_is_dealt_only_once() -> None:
    match = new_match(2, fair_hands=False)
    ready(match)
    match.play(CHANCE, 7)
    assert match.legal_moves(CHANCE) == [card for card in range(36) if card != 7]


def test_cards_that_are_not_dealt_do_not_show() -> None:
    match = race(2)
    assert match.view(NOBODY).hands == [[NO_CARD] * 9] * 4
    match.play(0, STOP)
    match.play(1, STOP)
    held = sorted(card for hand in match.view(NOBODY).hands[:2] for card in hand)
    assert held == list(range(18))


def test_everyone_sees_their_own_nine_cards_only() -> None:
    match = race(3)
    for viewer in range(3):
        hands = [match.state.hands[s] if s == viewer else [NO_CARD] * 9 for s in range(4)]
        assert match.view(viewer).hands == hands
    dealt = [text for seat, text in match.told(1) if seat == CHANCE]
    assert dealt[:6] == ["?", "c1 @0", "?", "?", "c4 @0", "?"]


# 2. Laying


def test_the_race_starts_when_everyone_is_ready() -> None:
    match = new_match(2, fair_hands=False)
    match.play(0, READY, 1000)
    assert match.awaited() == [1]
    with pytest.raises(Refused, match=r"seat 0 may not play ready now \(already\)"):
        match.play(0, READY)
    match.play(1, READY, 5000)
    deal(match)
    assert (match.state.phase, match.state.started_at) == (RACING, 5000)
    assert match.awaited() == [0, 1]


def test_nobody_lays_before_the_race() -> None:
    with pytest.raises(Refused, match=r"may not play 1:0,0r0 now \(not now\)"):
        new_match(2).play(0, lay(0, 0, 0))


def test_all_lay_at_the_same_time() -> None:
    match = race(3)
    match.play(2, lay(0, 0, 0))
    match.play(0, lay(4, 7, 5, 1))
    match.play(2, lay(1, 3, 0))
    laid = [[i for i in range(9) if places[i] != IN_HAND] for places in match.state.places]
    assert laid == [[4], [], [0, 1], []]


# Rule 1


def test_everyone_lays_in_a_field_of_their_own() -> None:
    match = race(2)
    match.play(0, lay(0, 10, 10))
    match.play(1, lay(0, 10, 10))
    assert match.state.places[0] == match.state.places[1]


def test_the_others_see_how_many_cards_are_laid_but_not_which_or_where() -> None:
    match = race(2)
    match.play(0, lay(5, 10, 10))
    match.play(0, lay(8, 13, 10))
    match.play(0, TAKE_BACK + 5)
    match.play(0, SHIFT)
    match.play(0, lay(2, 20, 20))
    assert match.view(1).places[0] == [SOMEWHERE] * 2 + [IN_HAND] * 7
    assert match.view(0).places[0] == match.state.places[0]
    assert match.told(1)[-5:] == [[0, "?"]] * 5


@pytest.mark.parametrize(
    ("direction", "x", "y"), [(0, 10, 9), (1, 11, 10), (2, 10, 11), (3, 9, 10)]
)
def test_all_cards_may_be_shifted_together(direction: int, x: int, y: int) -> None:
    match = race(1)
    match.play(0, lay(0, 10, 10))
    match.play(0, lay(3, 13, 11, 1))
    match.play(0, SHIFT + direction)
    moved = [lay(0, x, y), lay(0, x + 3, y + 1, 1)]
    assert [match.state.places[0][i] for i in (0, 3)] == moved
    assert match.state.places[0].count(IN_HAND) == 7


@pytest.mark.parametrize(
    ("direction", "edge"),
    [(0, lay(0, 9, 0)), (1, lay(0, 30, 9, 1)), (2, lay(0, 9, 30)), (3, lay(0, 0, 9, 3))],
)
def test_no_card_is_shifted_out_of_the_field(direction: int, edge: int) -> None:
    match = race(1)
    match.play(0, edge)
    with pytest.raises(Refused, match="outside"):
        match.play(0, SHIFT + direction)
    match.play(0, SHIFT + (direction + 2) % 4)


def test_without_cards_there_is_nothing_to_shift() -> None:
    with pytest.raises(Refused, match=r"shift-n now \(not laid\)"):
        race(1).play(0, SHIFT)


# Rule 2: the cells of `abcdef` are a b c above d e f


def test_short_side_against_short_side_is_right_if_both_pairs_are_equal() -> None:
    assert found("abcdef", "cbafed", 3, 0) == GOOD


def test_long_sides_shifted_by_one_are_right_if_both_pairs_are_equal() -> None:
    assert found("abcdef", "efabcd", 1, 2) == GOOD
    assert found("abcdef", "bdeabc", -1, 2) == GOOD


def test_a_short_side_within_a_long_one_is_right_if_both_pairs_are_equal() -> None:
    # Turned once clockwise, the face c b d / a e f shows a c above e b above f d.
    assert found("abcaca", "cbdaef", 0, 2, 1) == GOOD
    assert found("abcbac", "cbdaef", 1, 2, 1) == GOOD


def test_the_direction_in_which_symbols_stand_does_not_matter() -> None:
    for turn, x, y in ((0, 3, 0), (1, 3, -1), (2, 3, 0), (3, 3, -1)):
        assert found("aaaaaa", "aaaaaa", x, y, turn) == GOOD


def test_one_pair_of_equal_symbols_is_not_enough() -> None:
    assert found("aaaaaa", "aaaaaa", 3, 1) == ONE_CELL
    assert found("aaaaaa", "aaaaaa", 2, 2) == ONE_CELL
    assert found("abcdef", "abcdef", 3, 0) == UNEQUAL
    assert found("abcdef", "caaaaa", 3, 0) == UNEQUAL


def test_two_equal_pairs_beside_a_different_one_are_wrong() -> None:
    assert found("abcdef", "deaaaa", 0, 2) == THREE_CELLS


def test_pairs_may_not_be_crossed() -> None:
    assert found("abcdef", "fabcde", 3, 0) == CROSSED
    assert found("abcdef", "fedcba", 1, 2) == CROSSED


def test_three_equal_pairs_are_wrong() -> None:
    assert found("abcdef", "defabc", 0, 2) == THREE_CELLS
    assert found("aaaaaa", "aaaaaa", 3, 0, 1) == GOOD
    assert found("aaaaaa", "aaaaaa", -2, -1, 1) == GOOD


def test_corners_do_not_touch() -> None:
    for x, y in ((3, 2), (-3, 2), (3, -2), (-3, -2)):
        assert found("abcdef", "abcdef", x, y) == APART


@pytest.mark.parametrize(
    ("turn", "rows"),
    [
        (0, ["abc", "def"]),
        (1, ["da", "eb", "fc"]),
        (2, ["fed", "cba"]),
        (3, ["cf", "be", "ad"]),
    ],
)
def test_a_turn_is_a_quarter_clockwise(turn: int, rows: list[str]) -> None:
    assert "".join("abcdef"[cell] for cell in TURNED[turn]) == "".join(rows)
    assert (WIDTH[turn], HEIGHT[turn]) == (len(rows[0]), len(rows))


# Rule 3


def test_all_cards_must_hang_together() -> None:
    match = race(1)
    lay_chain(match, 0, 3)
    match.play(0, lay(5, 20, 20))
    match.play(0, lay(6, 23, 20))
    assert judge(match, 0) == (NOT_CONNECTED, 5, 5)


def test_branches_are_allowed() -> None:
    match = race(1)
    lay_chain(match, 0, 3)
    match.play(0, lay(3, 3, 12, 1))
    match.play(0, lay(4, 3, 15, 1))
    match.play(0, lay(5, 3, 7, 1))
    assert judge(match, 0) == (GOOD, 0, 0)


def test_the_order_in_which_cards_are_laid_does_not_matter() -> None:
    forth, back = race(1), race(1)
    lay_chain(forth, 0, 5)
    for i in (2, 4, 0, 3, 1):
        back.play(0, lay(i, 3 * i, 10))
    assert forth.state == back.state


def test_a_laid_card_may_be_moved_and_turned() -> None:
    match = race(1)
    match.play(0, lay(0, 10, 10))
    match.play(0, lay(0, 11, 10, 1))
    assert match.state.places[0] == [lay(0, 11, 10, 1)] + [IN_HAND] * 8


def test_a_laid_card_may_be_taken_back() -> None:
    match = race(1)
    match.play(0, lay(4, 10, 10))
    match.play(0, TAKE_BACK + 4)
    assert match.state.places[0] == [IN_HAND] * 9
    with pytest.raises(Refused, match=r"-5 now \(not laid\)"):
        match.play(0, TAKE_BACK + 4)


def test_cards_never_lie_on_each_other() -> None:
    match = race(1)
    match.play(0, lay(0, 10, 10))
    with pytest.raises(Refused, match=r"2:12,11r1 now \(covered\)"):
        match.play(0, lay(1, 12, 11, 1))
    match.play(0, lay(1, 13, 11, 1))


@pytest.mark.parametrize("move", [lay(0, 30, 5), lay(0, 31, 5, 1), lay(0, 5, 31), lay(0, 5, 30, 3)])
def test_cards_stay_in_the_field(move: int) -> None:
    with pytest.raises(Refused, match="outside"):
        race(1).play(0, move)


def test_nothing_else_is_refused_however_wrong() -> None:
    match = race(1, GAME)
    match.play(0, lay(0, 10, 10))
    match.play(0, lay(1, 10, 12))
    match.play(0, lay(2, 13, 11))
    assert judge(match, 0)[0] == THREE_CELLS


# 3. Scoring


def test_a_call_needs_seven_laid_cards() -> None:
    match = race(2)
    lay_chain(match, 0, 6)
    with pytest.raises(Refused, match=r"call now \(too few\)"):
        match.play(0, CALL)
    lay_chain(match, 0, 7, 6)
    match.play(0, CALL)
    assert match.state.callers == 0b01


def test_a_call_stops_everybody_at_once() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 2)
    match.play(0, CALL)
    for seat, move in ((1, lay(5, 20, 20)), (1, TAKE_BACK), (1, SHIFT + 2), (0, STOP), (0, SHIFT)):
        with pytest.raises(Refused, match="called"):
            match.play(seat, move)
    assert [match.legal_moves(seat) for seat in range(2)] == [[], []]


def test_all_layouts_show_when_they_are_checked() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 4)
    match.play(0, CALL)
    assert match.view(NOBODY).places[1] == [SOMEWHERE] * 4 + [IN_HAND] * 5
    close(match)
    for viewer in (NOBODY, 0, 1):
        assert match.view(viewer) == match.state


def test_a_player_with_any_card_against_the_rules_scores_nothing() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 4)
    match.play(1, lay(4, 12, 11))
    match.play(0, CALL)
    close(match)
    assert points(match) == [10, 0]
    assert judge(match, 1) == (ONE_CELL, 3, 4)


def test_a_right_call_scores_ten() -> None:
    match = race(1)
    lay_chain(match, 0, 7)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10]


def test_a_wrong_call_scores_nothing() -> None:
    match = race(2)
    lay_chain(match, 0, 6)
    match.play(0, lay(6, 25, 25))
    lay_chain(match, 1, 5)
    match.play(0, CALL)
    close(match)
    assert points(match) == [0, 5]


@pytest.mark.parametrize("laid", range(10))
def test_the_others_score_a_point_a_card(laid: int) -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, laid)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10, laid]


@pytest.mark.parametrize("laid", [8, 9])
def test_more_than_seven_cards_may_be_laid_and_a_call_still_scores_ten(laid: int) -> None:
    match = race(1)
    lay_chain(match, 0, laid)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10]


@pytest.mark.parametrize("later", [0, 249, 250])
def test_calls_within_250_ms_are_simultaneous(later: int) -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 7)
    match.play(1, CALL, 9000)
    match.play(0, CALL, 9000 + later)
    assert match.state.called_at == 9000
    close(match)
    assert points(match) == [10, 10]
    assert match.state.clock == 9250


def test_a_call_after_251_ms_is_too_late() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 7)
    match.play(1, CALL, 9000)
    with pytest.raises(Refused, match=r"call now \(too late\)"):
        match.play(0, CALL, 9251)
    assert match.state.clock == 9000
    close(match)
    assert points(match) == [7, 10]


def test_of_simultaneous_calls_only_the_right_ones_score() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 6)
    match.play(1, lay(6, 25, 25))
    match.play(1, CALL, 100)
    match.play(0, CALL, 200)
    close(match)
    assert points(match) == [10, 0]


def test_nobody_calls_twice() -> None:
    match = race(1)
    lay_chain(match, 0, 7)
    match.play(0, CALL, 100)
    with pytest.raises(Refused, match=r"call now \(already\)"):
        match.play(0, CALL, 200)


def test_the_round_is_counted_250_ms_after_the_first_call() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    match.play(0, CALL, 4000)
    assert match.game.alarm(match.state) == 250
    with pytest.raises(Refused, match="close now"):
        match.play(CHANCE, CLOSE, 4249)
    match.play(CHANCE, CLOSE, 4250)
    assert match.state.phase == READYING
    assert match.state.times == [4000, 0, 0, 0, 0, 0]


def test_points_are_written_down_round_by_round() -> None:
    match = race(1)
    lay_chain(match, 0, 7)
    match.play(0, CALL)
    close(match)
    begin_next(match)
    lay_chain(match, 0, 3)
    stop_all(match)
    assert match.state.points[0] == [10, 3, 0, 0, 0, 0]


def test_the_example_of_the_sheet() -> None:
    match = race(3)
    lay_chain(match, 1, 4)
    lay_chain(match, 2, 4)
    match.play(2, lay(4, 12, 11))
    lay_chain(match, 0, 7)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10, 4, 0]


def test_all_may_agree_to_stop_early_and_nobody_scores_ten() -> None:
    match = race(3)
    lay_chain(match, 0, 6)
    lay_chain(match, 1, 2)
    match.play(1, lay(2, 20, 20))
    lay_chain(match, 2, 7)
    match.play(0, STOP, 1000)
    match.play(1, STOP, 2000)
    assert match.awaited() == [2]
    match.play(2, STOP, 3000)
    assert points(match) == [6, 0, 7]
    assert match.state.times == [3000, 0, 0, 0, 0, 0]


def test_agreeing_to_stop_stands_but_the_race_goes_on_until_all_agree() -> None:
    match = race(2)
    match.play(0, STOP)
    with pytest.raises(Refused, match=r"stop now \(already\)"):
        match.play(0, STOP)
    lay_chain(match, 0, 7)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10, 0]


# 4. Later rounds


def test_the_second_round_is_played_with_the_black_side_of_the_same_cards() -> None:
    match = race(2)
    hands = [list(hand) for hand in match.state.hands]
    lay_chain(match, 0, 7)
    stop_all(match)
    ready(match)
    assert match.state.phase == RACING
    assert match.state.hands == hands
    assert match.state.places == [[IN_HAND] * 9] * 4
    assert match.legal_moves(CHANCE) == []


def test_each_side_has_its_own_symbols() -> None:
    match = race(1, Game("ubongo", deck({1: "bbbbbb"})))
    for side, fault in ((WHITE, UNEQUAL), (BLACK, GOOD)):
        lay_chain(match, 0, 2)
        assert (match.state.rounds - 1) % 2 == side
        assert judge(match, 0)[0] == fault
        stop_all(match)
        ready(match)


def test_the_cards_of_others_are_hidden_again_in_the_second_round() -> None:
    match = race(2)
    stop_all(match)
    assert match.view(0).hands[1] == match.state.hands[1]
    ready(match)
    assert match.view(0).hands[1] == [NO_CARD] * 9


def test_the_third_round_is_dealt_anew_from_the_second_pile() -> None:
    match = race(2)
    stop_all(match)
    begin_next(match)
    stop_all(match)
    ready(match)
    assert match.state.hands == [[NO_CARD] * 9] * 4
    assert match.legal_moves(CHANCE) == list(range(36))
    match.play(CHANCE, 5)
    assert match.state.hands[0][0] == 36 + 5


# End of the match


def test_the_match_ends_after_six_rounds() -> None:
    match = new_match(2, fair_hands=False)
    for _ in range(6):
        assert not match.is_over
        begin_next(match)
        stop_all(match)
    assert match.is_over
    assert match.awaited() == []
    assert [match.legal_moves(seat) for seat in (CHANCE, 0, 1)] == [[], [], []]


def test_the_points_of_all_rounds_are_added_up() -> None:
    assert final([10, 0, 7, 3, 1, 9], [4, 4, 4, 4, 4, 4]).scores == [30, 24]


def test_the_most_points_win() -> None:
    assert final([10, 10, 0, 0, 0, 0], [4, 4, 4, 4, 4, 1]).winners == [1]


def test_a_tie_goes_to_whoever_scored_ten_more_often() -> None:
    assert final([7, 7, 6, 0, 0, 0], [10, 10, 0, 0, 0, 0], [10, 5, 5, 0, 0, 0]).winners == [1]


def test_if_the_tens_are_equal_too_the_victory_is_shared() -> None:
    assert final([10, 5, 0, 0, 0, 0], [0, 0, 0, 10, 4, 1], [9, 6, 0, 0, 0, 0]).winners == [0, 1]


# Time


def test_the_limit_ends_a_round_and_nobody_scores_ten() -> None:
    match = race(2, time_limit=60)
    lay_chain(match, 0, 7)
    assert match.game.alarm(match.state) == 60_000
    with pytest.raises(Refused, match="close now"):
        match.play(CHANCE, CLOSE, 59_999)
    match.play(CHANCE, CLOSE, 60_000)
    assert points(match) == [7, 0]
    assert match.state.times == [60_000, 0, 0, 0, 0, 0]


def test_what_comes_after_the_limit_is_too_late() -> None:
    match = race(1, time_limit=60)
    lay_chain(match, 0, 7)
    for move in (lay(8, 25, 25), TAKE_BACK, SHIFT + 2, STOP, CALL):
        with pytest.raises(Refused, match="too late"):
            match.play(0, move, 60_001)
    assert match.state.clock == 0


def test_a_call_in_the_last_moment_still_leaves_250_ms_for_others() -> None:
    match = race(2, time_limit=60)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 7)
    match.play(0, CALL, 60_000)
    match.play(1, CALL, 60_250)
    close(match)
    assert points(match) == [10, 10]
    assert match.state.times[0] == 60_000


def test_the_limit_runs_from_the_start_of_each_race() -> None:
    match = race(1, time_limit=60)
    match.play(0, STOP, 50_000)
    match.play(0, READY, 80_000)
    assert match.game.alarm(match.state) == 60_000
    match.play(0, lay(0, 0, 0), 140_000)


def test_without_a_limit_a_race_may_last() -> None:
    match = race(2)
    assert match.game.alarm(match.state) == -1
    match.play(0, lay(0, 0, 0), 10_000_000)
    assert match.state.clock == 10_000_000


def test_a_refused_move_leaves_the_clock_as_it_was() -> None:
    match = race(1)
    match.play(0, lay(0, 10, 10), 500)
    before = match.state.copy()
    with pytest.raises(Refused, match="covered"):
        match.play(0, lay(1, 10, 10), 900)
    assert match.state == before
    with pytest.raises(Refused, match="a move came at 499 ms"):
        match.play(0, lay(1, 0, 0), 499)


def test_a_timed_log_replays_to_the_same_state() -> None:
    match = race(2, GAME)
    match.play(1, lay(3, 4, 5, 2), 1234)
    match.play(0, lay(0, 10, 10), 2345)
    match.play(0, STOP, 3456)
    match.play(1, STOP, 3999)
    data = json.loads(json.dumps(match.to_json()))
    assert data["moves"][-4:] == [
        [1, "4:4,5r2 @1234"],
        [0, "1:10,10r0 @2345"],
        [0, "stop @3456"],
        [1, "stop @3999"],
    ]
    assert replay(data).state == match.state


def test_alone_the_time_of_every_race_is_kept() -> None:
    match = race(1)
    lay_chain(match, 0, 7)
    match.play(0, CALL, 33_000)
    match.play(CHANCE, CLOSE, 33_250)
    match.play(0, READY, 50_000)
    match.play(0, STOP, 71_500)
    assert match.state.times == [33_000, 21_500, 0, 0, 0, 0]
    assert match.scores == [10]


# Options


@pytest.mark.parametrize(
    ("assist", "seats", "expected"),
    [("auto", 1, True), ("auto", 2, False), ("on", 2, True), ("off", 1, False)],
)
def test_assistance_is_by_default_for_one_alone(assist: str, seats: int, expected: bool) -> None:
    assert assists(new_match(seats, assist=assist).state) == expected


def test_assistance_changes_no_legal_move() -> None:
    on, off = race(1, assist="on"), race(1, assist="off")
    for match in (on, off):
        match.play(0, lay(0, 10, 10))
    assert on.legal_moves(0) == off.legal_moves(0)


def odd_deck() -> dict[str, Any]:
    """A deck in which the first three cards fit nothing."""
    return deck({0: "bbbbbb", 1: "cccccc", 2: "dddddd"})


def test_a_deal_with_a_hand_that_cannot_be_laid_is_dealt_anew() -> None:
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
def test_hands_are_alike_if_none_has_more_than_half_as_many_matches_again(
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
    count: int = scope["matches"](list(range(9)), WHITE)
    return count


def test_after_twenty_redeals_the_cards_lie_as_they_fall() -> None:
    match = new_match(1, Game("ubongo", odd_deck()))
    ready(match)
    for _ in range(MAX_REDEALS):
        deal(match)
    assert (match.state.phase, match.state.redeals) == (DEALING, 20)
    deal(match)
    assert match.state.phase == RACING


def test_without_fair_hands_the_first_deal_stands() -> None:
    match = race(1, Game("ubongo", odd_deck()))
    assert (match.state.phase, match.state.redeals) == (RACING, 0)
    assert match.state.hands[0] == list(range(9))


# A host's own cards


def test_a_host_may_bring_other_cards() -> None:
    ours, theirs = race(1, GAME), race(1, EASY)
    for match in (ours, theirs):
        lay_chain(match, 0, 7)
    assert judge(theirs, 0) == (GOOD, 0, 0)
    assert judge(ours, 0)[0] != GOOD


def test_other_cards_are_compiled_too() -> None:
    from ludotheque.engine.kernels import compiled  # noqa: PLC0415  # slow to import

    beside = stand_of(0, 0, 0, 0, 3, 0)
    assert compiled(EASY)["touch"](0, 1, 0, beside) == GOOD
    other = Game("ubongo", deck({1: "bbbbbb"}))
    assert compiled(other)["touch"](0, 1, 0, beside) == UNEQUAL


# The geometry against a slow and obvious checker


Cells = dict[tuple[int, int], Any]


def quarter_turned(face: Any, turns: int) -> Cells:
    """The cells of a face, (column, row): a quarter turn takes (x, y) to (height − 1 − y, x)."""
    cells = {(n % 3, n // 3): symbol for n, symbol in enumerate(face)}
    for _ in range(turns):
        height = 1 + max(y for _, y in cells)
        cells = {(height - 1 - y, x): symbol for (x, y), symbol in cells.items()}
    return dict(sorted(cells.items(), key=lambda item: item[0][::-1]))


def cells_of(s: State, seat: int, i: int) -> Cells:
    place = s.places[seat][i]
    face = FACES[s.hands[seat][i]][(s.rounds - 1) % 2]
    turned = quarter_turned(face, place // FIELD // FIELD)
    return {(place % FIELD + x, place // FIELD % FIELD + y): v for (x, y), v in turned.items()}


def obvious_contact(here: Cells, there: Cells) -> int:
    if here.keys() & there.keys():
        return OVERLAP
    pairs = [
        (symbol, there[beside])
        for (x, y), symbol in here.items()
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if beside in there
    ]
    if len(pairs) != 2:
        return {0: APART, 1: ONE_CELL, 3: THREE_CELLS}[len(pairs)]
    (a, b), (c, d) = pairs
    if (a, c) == (b, d):
        return GOOD
    return CROSSED if (a, c) == (d, b) else UNEQUAL


def obvious_worth(s: State, seat: int) -> int:
    """The points for a layout without a call."""
    laid = [i for i in range(9) if s.places[seat][i] != IN_HAND]
    cells = {i: cells_of(s, seat, i) for i in laid}
    contacts = {(a, b): obvious_contact(cells[a], cells[b]) for a, b in combinations(laid, 2)}
    if any(found > GOOD for found in contacts.values()):
        return 0
    joined = set(laid[:1])
    for _ in laid:
        for pair, kind in contacts.items():
            if kind == GOOD and joined & set(pair):
                joined |= set(pair)
    return len(laid) if joined == set(laid) else 0


def judge(match: Match, seat: int) -> tuple[int, int, int]:
    """The verdict by the cards of the match."""
    scope = shared_scope(match.game, lambda function: function)
    result: tuple[int, int, int] = scope["verdict"](match.state, seat)
    return result


def dealt_state(rounds: int, seed: int) -> State:
    s: Any = GAME.start(1)
    s.rounds, s.phase, s.dealt = rounds, RACING, 9
    s.hands[0] = [(rounds - 1) // 2 * 36 + card for card in Random(seed).sample(range(36), 9)]
    return s  # type: ignore[no-any-return]


rounds_drawn = st.integers(1, 6)
seeds = st.integers(0, 10_000)
turns = st.integers(0, 3)
near = st.integers(-4, 4)


@settings(max_examples=300)
@given(rounds_drawn, seeds, turns, turns, near, near)
def test_contacts_are_those_of_the_cells(
    rounds: int, seed: int, turn: int, other_turn: int, dx: int, dy: int
) -> None:
    s = dealt_state(rounds, seed)
    s.places[0][:2] = [lay(0, 15, 15, turn), lay(0, 15 + dx, 15 + dy, other_turn)]
    expected = obvious_contact(cells_of(s, 0, 0), cells_of(s, 0, 1))
    assert contact(s, 0, 0, 1) == contact(s, 0, 1, 0) == expected
    covered = objection_to_laying(s, 0, 1, s.places[0][1]) == OBJECTIONS.index("covered")
    assert covered == (expected == OVERLAP)


@settings(max_examples=150)
@given(rounds_drawn, seeds, st.integers(0, 7), st.integers(0, 6), turns, near, near)
def test_verdicts_are_those_of_the_cells(
    rounds: int, seed: int, count: int, moved: int, turn: int, dx: int, dy: int
) -> None:
    """A right layout, cut short, in which one card may have been moved and turned."""
    s = dealt_state(rounds, seed)
    aims = checks.layout(s, 0)
    laid = [i for i in range(9) if aims[i] != IN_HAND][:count]
    for i in laid:
        s.places[0][i] = aims[i]
    if moved < len(laid):
        place = aims[laid[moved]]
        to = lay(0, place % FIELD + dx, place // FIELD % FIELD + dy, turn)
        if objection_to_laying(s, 0, laid[moved], to) == 0:
            s.places[0][laid[moved]] = to
    assert worth(s, 0) == obvious_worth(s, 0)
    fault, a, b = verdict(s, 0)
    if fault not in (GOOD, NOT_CONNECTED):
        assert fault == obvious_contact(cells_of(s, 0, a), cells_of(s, 0, b))


@pytest.mark.parametrize("rounds", range(1, 7))
def test_a_hand_that_counts_as_layable_has_a_right_layout_of_seven(rounds: int) -> None:
    for seed in range(20):
        s = dealt_state(rounds, seed)
        s.places[0] = checks.layout(s, 0)
        side = (rounds - 1) % 2
        assert can_lay_seven(s.hands[0], side) == (obvious_worth(s, 0) == 7)


def test_every_fault_has_a_name() -> None:
    kinds = (OVERLAP, ONE_CELL, THREE_CELLS, UNEQUAL, CROSSED, NOT_CONNECTED)
    names = ["overlap", "one_cell", "three_cells", "unequal", "crossed", "not_connected"]
    assert [FAULTS[kind] for kind in kinds] == names
    for language in GAME.words.values():
        assert set(names) <= set(language["names"])


def test_there_is_no_move_that_turns_a_card_over() -> None:
    words = {GAME.notation(0, move) for move in range(TAKE_BACK, MOVES)}
    shifts = {f"shift-{direction}" for direction in "nesw"}
    assert words == {f"-{i}" for i in range(1, 10)} | shifts | {"call", "stop", "ready"}


# What a board is told of the faults


def test_with_assistance_ones_own_faults_are_noted_while_racing() -> None:
    match = race(2, assist="on")
    match.play(0, lay(0, 0, 0))
    match.play(0, lay(1, 0, 2))  # three cells of its long side against three
    match.play(0, lay(2, 3, 0))
    noted = match.game.notes(match.view(0), 0)
    assert noted == {
        "assists": True,
        "may_lay": True,
        "laid": [3, 0],
        "counted": 0,
        "faults": [(0, 0, 1, "three_cells")],
        "verdicts": {"0": ("three_cells", 0, 1)},
    }
    noted = match.game.notes(match.view(1), 1)
    assert (noted["assists"], noted["faults"]) == (True, [])
    assert noted["verdicts"] == {"1": ("", 0, 0)}


def test_without_assistance_nothing_is_noted_while_racing() -> None:
    match = race(2)
    match.play(0, lay(0, 0, 0))
    match.play(0, lay(1, 0, 2))
    noted = match.game.notes(match.view(0), 0)
    assert (noted["assists"], noted["faults"], noted["verdicts"]) == (False, [], {})


def test_after_a_round_every_layout_is_judged_for_everyone() -> None:
    match = race(2)
    match.play(0, lay(0, 0, 0))
    match.play(1, lay(0, 0, 0))
    match.play(1, lay(1, 10, 10))
    stop_all(match)
    noted = match.game.notes(match.view(NOBODY), NOBODY)
    assert noted["verdicts"] == {"0": ("", 0, 0), "1": ("not_connected", 1, 1)}
    assert (noted["may_lay"], noted["laid"], noted["counted"]) == (False, [1, 2], 1)


def test_rounds_are_noted_as_counted_between_races_only() -> None:
    match = race(2)
    racing = match.game.notes(match.view(0), 0)["counted"]
    stop_all(match)
    between = match.game.notes(match.view(0), 0)["counted"]
    ready(match)
    again = match.game.notes(match.view(0), 0)["counted"]
    assert (racing, between, again) == (0, 1, 1)


def test_the_rounds_alternate_between_the_sides_of_the_cards() -> None:
    assert ROUND_SIDES == ("white", "black") * 3
