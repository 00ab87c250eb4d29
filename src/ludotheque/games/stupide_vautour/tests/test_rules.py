"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.stupide_vautour.rules import CARDS, FACE_DOWN, POINTS, UNKNOWN, best_bidder

GAME = load("stupide_vautour")


def new_match(seats: int, **options: object) -> Match:
    return Match(GAME, seats, options)


def reveal(match: Match, points: int) -> None:
    match.play(CHANCE, POINTS.index(points))


def play_round(match: Match, points: int, *bids: int) -> None:
    reveal(match, points)
    for seat, value in enumerate(bids):
        match.play(seat, value)


def taker(points: int, *bids: int, ties: str = "second best") -> int:
    match = new_match(len(bids), ties=ties)
    play_round(match, points, *bids)
    return int(match.state.taker)


def final(*scores: int) -> Match:
    """A finished match with these scores."""
    match = new_match(len(scores))
    match.state.rounds = CARDS
    match.state.scores[: len(scores)] = scores
    return match


# Contents


def test_point_cards_are_five_vultures_and_ten_meerkats() -> None:
    assert sorted(POINTS) == [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


# Preparation


@pytest.mark.parametrize("seats", GAME.seats)
def test_everyone_receives_one_series_of_1_to_15(seats: int) -> None:
    match = new_match(seats)
    reveal(match, 1)
    for seat in range(seats):
        assert match.legal_moves(seat) == list(range(1, 16))


@pytest.mark.parametrize("seats", GAME.seats)
def test_series_of_absent_players_are_not_used(seats: int) -> None:
    assert new_match(seats).state.hands[seats:] == [0] * (5 - seats)


def test_the_pile_has_no_order_before_it_is_drawn() -> None:
    assert new_match(2).legal_moves(CHANCE) == list(range(15))


@pytest.mark.parametrize("seats", [1, 6])
def test_the_game_is_for_two_to_five(seats: int) -> None:
    with pytest.raises(Refused, match="2 to 5 seats"):
        new_match(seats)


# 1. Reveal a point card


def test_a_draw_is_named_by_its_round() -> None:
    match = new_match(2)
    for points, value in ((6, 1), (-2, 2), (4, 3)):
        play_round(match, points, value, value)
    assert [draw.name for draw in match.draws()] == [0, 1, 2]


def test_a_round_begins_with_one_point_card() -> None:
    match = new_match(3)
    assert match.awaited() == []
    reveal(match, 6)
    assert match.state.stake == 6
    assert match.awaited() == [0, 1, 2]
    assert match.legal_moves(CHANCE) == []


def test_the_card_revealed_leaves_the_pile_for_the_table_until_it_is_taken() -> None:
    match = new_match(2)
    full = (1 << CARDS) - 1
    reveal(match, 6)
    six = 1 << POINTS.index(6)
    assert (match.state.pile, match.state.table) == (full ^ six, six)
    for seat in range(2):
        match.play(seat, 9)
    reveal(match, -2)
    both = six | 1 << POINTS.index(-2)
    assert (match.state.pile, match.state.table) == (full ^ both, both)
    match.play(0, 1)
    match.play(1, 2)
    assert (match.state.pile, match.state.table) == (full ^ both, 0)


# 2. Play a card


def test_each_player_lays_exactly_one_card() -> None:
    match = new_match(2)
    reveal(match, 6)
    match.play(0, 9)
    assert match.legal_moves(0) == []
    assert match.awaited() == [1]


def test_bids_lie_face_down_until_all_are_laid() -> None:
    match = new_match(3)
    reveal(match, 6)
    match.play(0, 9)
    match.play(1, 4)
    assert match.view(2).bids[:3] == [FACE_DOWN, FACE_DOWN, 0]
    assert match.view(0).bids[:3] == [9, FACE_DOWN, 0]
    assert match.visible_log(2) == [[CHANCE, "+6"], [0, "?"], [1, "?"]]


def test_the_lowest_card_lies_face_down_too() -> None:
    match = new_match(2)
    reveal(match, 6)
    match.play(0, 1)
    assert match.view(1).bids[:2] == [FACE_DOWN, 0]


def test_a_second_card_comes_at_the_wrong_time() -> None:
    match = new_match(2)
    reveal(match, 6)
    match.play(0, 9)
    with pytest.raises(Refused, match=r"seat 0 may not play 4 now \(not now\)"):
        match.play(0, 4)


def test_what_a_viewer_may_not_know_is_marked() -> None:
    match = new_match(2)
    reveal(match, 6)
    match.play(1, 4)
    assert match.view(0).bids == [0, -1, 0, 0, 0]
    assert match.view(0).scores == [0, -99, 0, 0, 0]


def test_bids_are_revealed_together() -> None:
    match = new_match(3)
    play_round(match, 6, 9, 4, 2)
    for viewer in (NOBODY, 0, 1, 2):
        assert match.view(viewer).tops[:3] == [9, 4, 2]


# 3. Award


def test_a_meerkat_goes_to_the_highest_card() -> None:
    assert taker(6, 5, 10, 12, 14) == 3


def test_the_smallest_vulture_goes_to_the_lowest_card_too() -> None:
    assert taker(-1, 3, 8, 5) == 0


def test_a_vulture_goes_to_the_lowest_card() -> None:
    assert taker(-2, 5, 10, 12, 14) == 0


def test_the_taker_scores_the_points() -> None:
    match = new_match(4)
    play_round(match, 6, 5, 10, 12, 14)
    play_round(match, -2, 6, 9, 11, 13)
    assert match.scores == [-2, 0, 0, 6]


def test_cards_taken_lie_face_down() -> None:
    match = new_match(2)
    play_round(match, 6, 5, 10)
    assert match.view(0).scores[:2] == [0, UNKNOWN]
    assert match.view(1).scores[:2] == [UNKNOWN, 6]


def test_nobody_has_taken_a_stake_before_the_first_award() -> None:
    match = new_match(3)
    assert match.view(0).taker == NOBODY
    play_round(match, 6, 5, 10)
    assert match.view(0).taker == NOBODY
    match.play(2, 4)
    assert match.view(0).taker == 1


def test_the_point_cards_still_to_come_are_not_told() -> None:
    match = new_match(2)
    play_round(match, 6, 5, 10)
    assert match.view(0).pile == 0


def test_scores_are_shown_at_the_end_or_with_the_option() -> None:
    match = new_match(2)
    play_round(match, 6, 5, 10)
    assert match.shown_scores() == [None, None]
    match = new_match(2, open_scores=True)
    play_round(match, 6, 5, 10)
    assert match.shown_scores() == [0, 6]
    assert final(12, -3).shown_scores() == [12, -3]


def test_after_the_last_round_everything_is_shown() -> None:
    match = final(12, -3)
    match.state.pile = 4
    assert match.view(NOBODY) == match.state


# Ties


def test_two_equal_highest_cards_leave_a_meerkat_to_the_second_highest() -> None:
    assert taker(7, 14, 12, 14, 9) == 1


def test_two_equal_lowest_cards_leave_a_vulture_to_the_second_lowest() -> None:
    assert taker(-3, 2, 5, 2, 9) == 1


def test_three_equal_cards_cancel_as_two_do() -> None:
    assert taker(7, 14, 14, 14, 9) == 3


def test_equal_cards_below_the_best_do_not_matter() -> None:
    assert taker(7, 12, 12, 14, 9) == 2


def test_a_double_tie_leaves_the_stake_on_the_table() -> None:
    assert taker(4, 14, 14, 12, 12) == NOBODY
    assert taker(4, 14, 14, 12, 12, 3) == NOBODY
    assert taker(-4, 2, 2, 5, 5, 9) == NOBODY


def test_a_full_tie_carries_the_stake() -> None:
    match = new_match(2)
    play_round(match, 4, 8, 8)
    assert match.state.taker == NOBODY
    assert match.state.stake == 4
    assert match.scores == [0, 0]


def test_with_the_option_the_best_unmatched_card_takes_the_stake() -> None:
    assert taker(4, 14, 14, 12, 12, 3, ties="unmatched") == 4
    assert taker(-4, 2, 2, 5, 5, 9, ties="unmatched") == 4
    assert taker(4, 14, 14, 12, 12, ties="unmatched") == NOBODY


def test_with_the_option_a_tie_of_all_cards_strikes_them_all_and_carries_the_stake() -> None:
    match = new_match(4, ties="unmatched")
    play_round(match, 6, 9, 9, 4, 4)
    assert (match.state.taker, match.state.stake, match.state.struck) == (NOBODY, 6, 0b1111)


def test_a_carried_stake_is_added_to_the_next_card() -> None:
    match = new_match(4)
    play_round(match, 4, 14, 14, 12, 12)
    play_round(match, -1, 1, 2, 3, 4)
    assert match.scores == [0, 0, 0, 3]


def test_a_sum_of_zero_is_played_for_as_a_meerkat() -> None:
    match = new_match(2)
    play_round(match, 1, 8, 8)
    play_round(match, -1, 3, 9)
    assert match.state.taker == 1
    assert match.scores == [0, 0]


def test_a_negative_sum_is_played_for_as_a_vulture() -> None:
    match = new_match(2)
    play_round(match, 1, 8, 8)
    play_round(match, -3, 3, 9)
    assert match.scores == [-2, 0]


def test_any_number_of_cards_may_pile_up() -> None:
    match = new_match(2)
    for points, value in ((10, 1), (9, 2), (-5, 3), (8, 4)):
        play_round(match, points, value, value)
    play_round(match, 7, 5, 15)
    assert match.scores == [0, 29]


def test_a_stake_tied_in_the_last_round_is_lost() -> None:
    match = new_match(2)
    for value, points in enumerate(POINTS, 1):
        play_round(match, points, value, value)
    assert match.is_over
    assert match.state.stake == sum(POINTS)
    assert match.scores == [0, 0]


def test_best_bidder_does_not_depend_on_the_order_of_seats() -> None:
    match = new_match(3)
    reveal(match, 5)
    match.state.bids[:3] = [9, 14, 9]
    assert best_bidder(match.state) == 1
    match.state.bids[:3] = [14, 14, 9]
    assert best_bidder(match.state) == 2


def struck(points: int, *bids: int, ties: str = "second best") -> list[int]:
    """The seats whose cards a tie has knocked out."""
    match = new_match(len(bids), ties=ties)
    play_round(match, points, *bids)
    return [seat for seat in range(len(bids)) if match.state.struck >> seat & 1]


def test_only_ties_for_the_stake_are_struck_out() -> None:
    assert struck(6, 12, 12, 4) == [0, 1]
    assert struck(6, 12, 4, 4) == []
    assert struck(6, 12, 9, 12, 4, 4) == [0, 2]
    assert struck(-3, 2, 2, 5, 9, 9) == [0, 1]
    assert struck(6, 2, 2, 5, 9, 9) == [3, 4]


def test_a_double_tie_is_struck_out_and_what_is_below_it_is_not() -> None:
    assert struck(6, 12, 12, 9, 9, 4) == [0, 1, 2, 3]
    assert struck(6, 12, 12, 9, 9, 4, ties="unmatched") == [0, 1, 2, 3]
    assert struck(6, 12, 12, 12, 12, ties="unmatched") == [0, 1, 2, 3]


def test_a_round_without_a_tie_strikes_nothing_out() -> None:
    match = new_match(3)
    play_round(match, 6, 12, 12, 4)
    play_round(match, 5, 11, 10, 3)
    assert match.state.struck == 0


# 4. End of a round


def test_only_the_last_card_of_a_discard_shows() -> None:
    match = new_match(2)
    play_round(match, 6, 5, 10)
    play_round(match, 7, 8, 11)
    view = match.view(0)
    assert view.tops[:2] == [8, 11]
    assert view.hands[1] == 0


def test_with_the_option_all_discards_show() -> None:
    match = new_match(2, open_discards=True)
    play_round(match, 6, 5, 10)
    reveal(match, 7)
    match.play(1, 11)
    held = [v for v in range(1, 16) if match.view(0).hands[1] >> v & 1]
    assert held == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]


def test_with_the_option_scores_and_the_pile_show() -> None:
    match = new_match(2, open_scores=True)
    play_round(match, 6, 5, 10)
    assert match.view(0).scores[:2] == [0, 6]
    assert match.view(0).pile == match.state.pile


def test_cards_are_spent_even_if_nobody_takes_the_stake() -> None:
    match = new_match(2)
    play_round(match, 4, 8, 8)
    reveal(match, 5)
    assert 8 not in match.legal_moves(0)
    assert match.state.tops[:2] == [8, 8]


def test_a_card_is_played_only_once() -> None:
    match = new_match(2)
    play_round(match, 4, 8, 9)
    reveal(match, 5)
    with pytest.raises(Refused, match="seat 0 may not play 8 now \\(not held\\)"):
        match.play(0, 8)


# End of the match


def test_the_match_ends_after_fifteen_rounds_with_empty_hands() -> None:
    match = new_match(2)
    for value, points in enumerate(POINTS, 1):
        assert not match.is_over
        play_round(match, points, value, 16 - value)
    assert match.is_over
    assert match.state.hands[:2] == [0, 0]
    assert match.legal_moves(CHANCE) == []


def test_a_match_of_five_has_ninety_moves_the_most_there_are() -> None:
    match = new_match(5)
    for value, points in enumerate(POINTS, 1):
        play_round(match, points, *[value] * 5)
    assert match.is_over
    assert len(match.log) == GAME.max_match_moves == 90


def test_the_highest_total_wins() -> None:
    assert final(12, -3, 20).winners == [2]


def test_every_score_may_be_negative() -> None:
    assert final(-5, -1).winners == [1]


def test_a_tie_for_first_place_is_won_by_the_second_best_score() -> None:
    assert final(12, 12, 9, 7).winners == [2]


def test_the_best_score_that_nobody_shares_wins() -> None:
    assert final(12, 12, 9, 9, 4).winners == [4]


def test_if_every_score_is_shared_the_leaders_share_the_victory() -> None:
    assert final(12, 12).winners == [0, 1]
    assert final(12, 9, 12, 9).winners == [0, 2]
    assert final(-2, -1, -2, -1).winners == [1, 3]


# A shorter match: the option `cards`


@pytest.mark.parametrize(
    ("cards", "points"),
    [(2, [1, 2]), (3, [-1, 1, 2]), (7, [-2, -1, 1, 2, 3, 4, 5]), (15, list(POINTS))],
)
def test_a_shorter_match_has_fewer_cards_of_each_kind(cards: int, points: list[int]) -> None:
    match = new_match(2, cards=cards)
    assert [POINTS[outcome] for outcome in match.legal_moves(CHANCE)] == points
    reveal(match, points[0])
    assert match.legal_moves(0) == match.legal_moves(1) == list(range(1, cards + 1))


def test_a_shorter_match_ends_when_its_cards_are_played() -> None:
    match = new_match(2, cards=3)
    play_round(match, -1, 3, 1)
    play_round(match, 2, 2, 3)
    over = [match.is_over]
    play_round(match, 1, 1, 2)
    assert [*over, match.is_over] == [False, True]
    assert (match.scores, match.winners) == ([0, 2], [1])
