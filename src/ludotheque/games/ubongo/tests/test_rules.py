"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims."""

import pytest

from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.ubongo.cards import FACES, GOOD, ONE_CELL, THREE_CELLS, UNEQUAL
from ludotheque.games.ubongo.field import IN_HAND, SOMEWHERE
from ludotheque.games.ubongo.layable import SEVEN
from ludotheque.games.ubongo.notation import ROUND_SIDES
from ludotheque.games.ubongo.rules import (
    BLACK,
    CALL,
    CLOSE,
    MOVES,
    NO_CARD,
    RACING,
    READY,
    READYING,
    SHIFT,
    STOP,
    TAKE_BACK,
    WHITE,
)
from ludotheque.games.ubongo.tests.positions import (
    GAME,
    begin_next,
    close,
    deal,
    deck,
    final,
    judge,
    lay,
    lay_chain,
    new_match,
    points,
    race,
    ready,
    stop_all,
)

# Contents


def test_there_are_three_piles_of_36_cards_with_two_sides_of_six_symbols() -> None:
    assert [[len(face) for face in card] for card in FACES] == [[6, 6]] * 108


@pytest.mark.parametrize("seats", [0, 5])
def test_the_game_is_for_one_to_four(seats: int) -> None:
    with pytest.raises(Refused, match="1 to 4 seats"):
        new_match(seats)


# Preparation


def test_before_the_first_deal_nobody_has_a_card() -> None:
    assert new_match(2).state.hands == [[-1] * 9] * 4
    assert new_match(2).state.places == [[-1] * 9] * 4


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


def test_chance_deals_one_of_36_cards_or_starts_or_closes_a_race() -> None:
    assert GAME.outcomes == 36 + 2


def test_draws_are_named_by_their_round_and_by_their_card_or_the_closing() -> None:
    match = race(2, time_limit=60)
    close(match)
    begin_next(match)
    close(match)
    begin_next(match)
    cards = list(range(18))
    names = [draw.name for draw in match.draws()]
    assert names == [*cards, 756, 757 + 756, *(2 * 757 + card for card in cards)]


def test_the_cards_of_another_attempt_to_deal_have_names_of_their_own() -> None:
    match = new_match(1, Game("ubongo", deck({0: "bbbbbb", 1: "cccccc", 2: "dddddd"})))
    ready(match)
    deal(match)
    match.play(CHANCE, 5)
    assert [draw.name for draw in match.draws()] == [*range(9), 36]


def test_cards_that_are_not_dealt_are_hidden() -> None:
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
    dealt = [text for seat, text in match.visible_log(1) if seat == CHANCE]
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


def test_nobody_is_ready_twice_or_in_a_race() -> None:
    match = new_match(2, fair_hands=False)
    match.play(1, READY)
    with pytest.raises(Refused, match=r"seat 1 may not play ready now \(already\)"):
        match.play(1, READY)
    match.play(0, READY)
    deal(match)
    with pytest.raises(Refused, match=r"seat 1 may not play ready now \(not now\)"):
        match.play(1, READY)


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
    assert match.visible_log(1)[-5:] == [[0, "?"]] * 5


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


@pytest.mark.parametrize("i", range(9))
def test_a_laid_card_may_be_taken_back(i: int) -> None:
    match = race(1)
    match.play(0, lay(i, 10, 10))
    assert [move for move in match.legal_moves(0) if TAKE_BACK <= move < SHIFT] == [TAKE_BACK + i]
    match.play(0, TAKE_BACK + i)
    assert match.state.places[0] == [IN_HAND] * 9
    with pytest.raises(Refused, match=rf"-{i + 1} now \(not laid\)"):
        match.play(0, TAKE_BACK + i)


def test_cards_never_lie_on_each_other() -> None:
    match = race(1)
    match.play(0, lay(0, 10, 10))
    with pytest.raises(Refused, match=r"2:12,11r1 now \(covered\)"):
        match.play(0, lay(1, 12, 11, 1))
    match.play(0, lay(1, 13, 11, 1))


def test_a_card_in_the_corner_of_the_field_covers_its_cells_too() -> None:
    match = race(1)
    match.play(0, lay(0, 0, 0))
    near = {lay(1, x, y, turn) for turn in range(4) for x in range(4) for y in range(3)}
    free = {lay(1, 3, y, turn) for turn in range(4) for y in range(3)}
    free |= {lay(1, x, 2, turn) for turn in range(4) for x in range(4)}
    assert near & set(match.legal_moves(0)) == free
    assert {move for move in near if match.game.is_legal(match.state, 0, move)} == free


@pytest.mark.parametrize("i", [0, 4, 8])
@pytest.mark.parametrize("move", [lay(0, 29, 30), lay(0, 30, 29, 1), lay(0, 28, 30), lay(0, 0, 0)])
def test_cards_in_the_hand_touch_nothing(i: int, move: int) -> None:
    match = race(1)
    match.play(0, lay(i, 0, 0) + move)
    assert judge(match, 0) == (GOOD, 0, 0)


def test_a_card_in_the_corner_of_the_field_touches_others_and_counts() -> None:
    match = race(1)
    match.play(0, lay(0, 0, 0))
    match.play(0, lay(1, 3, 0))
    assert judge(match, 0) == (GOOD, 0, 0)
    match.play(0, lay(1, 0, 2))
    assert judge(match, 0) == (THREE_CELLS, 0, 1)


@pytest.mark.parametrize("move", [lay(0, 30, 5), lay(0, 31, 5, 1), lay(0, 5, 31), lay(0, 5, 30, 3)])
def test_cards_stay_in_the_field(move: int) -> None:
    with pytest.raises(Refused, match="outside"):
        race(1).play(0, move)


def test_no_other_fault_is_refused() -> None:
    match = race(1, GAME)
    match.play(0, lay(0, 10, 10))
    match.play(0, lay(1, 10, 12))
    match.play(0, lay(2, 13, 11))
    assert judge(match, 0)[0] == THREE_CELLS


def test_there_is_no_move_that_turns_a_card_over() -> None:
    words = {GAME.notation(0, move) for move in range(TAKE_BACK, MOVES)}
    shifts = {f"shift-{direction}" for direction in "nesw"}
    assert words == {f"-{i}" for i in range(1, 10)} | shifts | {"call", "stop", "ready"}


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


def test_all_layouts_are_visible_when_they_are_checked() -> None:
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


def test_nobody_agrees_to_stop_twice() -> None:
    match = race(2)
    match.play(1, STOP)
    with pytest.raises(Refused, match=r"seat 1 may not play stop now \(already\)"):
        match.play(1, STOP)


def test_agreeing_to_stop_is_final_but_the_race_continues_until_all_agree() -> None:
    match = race(2)
    match.play(0, STOP)
    with pytest.raises(Refused, match=r"stop now \(already\)"):
        match.play(0, STOP)
    lay_chain(match, 0, 7)
    match.play(0, CALL)
    close(match)
    assert points(match) == [10, 0]


# 4. Later rounds


def test_a_round_knows_nothing_of_calls_and_redeals_before_it() -> None:
    match = new_match(1, Game("ubongo", deck({0: "bbbbbb", 1: "cccccc", 2: "dddddd"})))
    ready(match)
    deal(match)
    for card in range(2, 11):
        match.play(CHANCE, card)
    lay_chain(match, 0, 8, 1)
    match.play(0, CALL, 500)
    assert (match.state.redeals, match.state.called_at) == (1, 500)
    close(match)
    ready(match)
    assert (match.state.redeals, match.state.called_at) == (0, 0)


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


def test_the_third_round_is_dealt_from_the_second_pile() -> None:
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


def test_the_longest_match_has_all_redeals_and_races_of_three_hundred_moves() -> None:
    assert GAME.max_match_moves == 3 * 36 * 21 + 6 * (4 + 300 + 2)


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


def test_of_equal_scores_the_one_with_more_tens_wins() -> None:
    assert final([7, 7, 6, 0, 0, 0], [10, 10, 0, 0, 0, 0], [10, 5, 5, 0, 0, 0]).winners == [1]


def test_if_the_tens_are_equal_too_the_victory_is_shared() -> None:
    assert final([10, 5, 0, 0, 0, 0], [0, 0, 0, 10, 4, 1], [9, 6, 0, 0, 0, 0]).winners == [0, 1]


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
        "call_needs": SEVEN,
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
