"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.whats_up.notation import COLOUR_LETTERS, face_text
from ludotheque.games.whats_up.rules import (
    AGREE,
    CARDS,
    DECK,
    FACES,
    HOLE,
    NAMING,
    NONE,
    UNKNOWN,
    cards_left,
    fits,
)

GAME = load("whats_up")
EMPTY = [0, 0, 0, 0]
MISFIT = "p2/p3"  # fits nobody without a purple bird


def face(text: str) -> int:
    return 4 * COLOUR_LETTERS.index(text[0]) + int(text[1])


def deal(match: Match, *laid: str) -> Match:
    """Lay these cards from a1 on, then the others as they come."""
    for text in laid:
        match.play(CHANCE, GAME.parse(CHANCE, text))
    while match.state.dealt < CARDS:
        match.play(CHANCE, match.legal_moves(CHANCE)[0])
    return match


def table(seats: int, *laid: str, **options: object) -> Match:
    """A match that seat 0 begins, with these cards in the first cells."""
    return deal(Match(GAME, seats, {"first": 0, **options}), *laid)


def turn(match: Match, *cells: str) -> None:
    """Let the active seats turn these cards, one after the other."""
    for cell in cells:
        seat = match.state.turn
        match.play(seat, GAME.parse(seat, cell))


def idle(match: Match, turns: int) -> None:
    """Turn a1 to and fro, where MISFIT lies."""
    turn(match, *["a1"] * turns)
    assert match.state.quiet >= turns


def give(match: Match, seat: int, *rows: int) -> None:
    """Fill a collection with cards from the end of the grid."""
    match.state.rows[seat] = list(rows)
    for _ in range(sum(rows)):
        cell = max(c for c in range(CARDS) if match.state.up[c] != HOLE)
        match.state.up[cell] = match.state.down[cell] = HOLE


def final(*collections: list[int]) -> Match:
    """A match that ended with these collections, without a goal reached."""
    match = table(len(collections))
    match.state.rows[: len(collections)] = collections
    match.state.turn = NOBODY
    return match


# Contents


@pytest.mark.parametrize("seats", [1, 5])
def test_the_game_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(Refused, match="2 to 4 seats"):
        Match(GAME, seats)


def test_there_are_thirty_different_cards() -> None:
    assert len(DECK) == len({frozenset(card) for card in DECK}) == CARDS == 30


# Preparation


def test_any_card_may_come_first_either_side_up() -> None:
    assert Match(GAME, 2).legal_moves(CHANCE) == list(range(60))


def test_a_card_is_dealt_only_once() -> None:
    match = Match(GAME, 2)
    match.play(CHANCE, GAME.parse(CHANCE, "r2/r1"))
    assert GAME.parse(CHANCE, "r1/r2") not in match.legal_moves(CHANCE)
    with pytest.raises(Refused, match="chance may not play r1/r2 now \\(is dealt\\)"):
        match.play(CHANCE, GAME.parse(CHANCE, "r1/r2"))


def test_all_cards_lie_in_five_rows_of_six() -> None:
    match = table(2)
    lying = [tuple(sorted(pair)) for pair in zip(match.state.up, match.state.down, strict=True)]
    assert sorted(lying) == sorted(DECK)
    cells = [GAME.notation(0, move) for move in match.legal_moves(0)]
    assert cells == [f"{column}{row}" for row in "12345" for column in "abcdef"]


def test_cards_are_laid_row_by_row_with_the_dealt_side_up() -> None:
    match = table(2, "r2/g2", "g3/g1", "p1/y1")
    assert match.state.up[:3] == [face("r2"), face("g3"), face("p1")]
    assert match.state.down[:3] == [face("g2"), face("g1"), face("y1")]


@pytest.mark.parametrize("viewer", [NOBODY, 0, 1])
def test_every_card_shows_one_face_and_hides_the_other(viewer: int) -> None:
    match = table(2)
    assert match.view(viewer).up == match.state.up
    assert match.view(viewer).down == [UNKNOWN] * CARDS
    assert match.visible_log(viewer) == [[CHANCE, "?"]] * CARDS


def test_the_cards_still_to_be_dealt_do_not_show() -> None:
    match = Match(GAME, 2)
    match.play(CHANCE, GAME.parse(CHANCE, "r2/g2"))
    view = match.view(0)
    assert (view.undealt, view.up[:2], view.down[:2]) == (0, [face("r2"), HOLE], [UNKNOWN, HOLE])


@pytest.mark.parametrize("seats", GAME.seats)
def test_collections_begin_empty(seats: int) -> None:
    assert table(seats).state.rows == [EMPTY] * 4
    assert table(seats).scores == [0] * seats


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_first_player_is_drawn_among_all(seats: int) -> None:
    match = deal(Match(GAME, seats))
    assert match.legal_moves(CHANCE) == [NAMING + seat for seat in range(seats)]
    assert match.awaited() == []
    match.play(CHANCE, GAME.parse(CHANCE, "first1"))
    assert match.awaited() == [1]


@pytest.mark.parametrize("first", range(3))
def test_everybody_is_told_who_begins(first: int) -> None:
    match = deal(Match(GAME, 3))
    match.play(CHANCE, NAMING + first)
    for viewer in (NOBODY, 0, 1, 2):
        assert match.visible_log(viewer) == [*[[CHANCE, "?"]] * CARDS, [CHANCE, f"first{first}"]]


def test_an_empty_seat_does_not_begin() -> None:
    match = deal(Match(GAME, 3))
    with pytest.raises(Refused, match="chance may not play first3 now \\(no seat\\)"):
        match.play(CHANCE, GAME.parse(CHANCE, "first3"))


def test_nobody_begins_before_all_cards_lie() -> None:
    match = Match(GAME, 2)
    for seat, text in ((CHANCE, "first0"), (0, "a1"), (1, "agree")):
        with pytest.raises(Refused, match="not now"):
            match.play(seat, GAME.parse(seat, text))


@pytest.mark.parametrize("first", range(4))
def test_with_the_option_a_chosen_player_begins(first: int) -> None:
    match = deal(Match(GAME, 4, {"first": first}))
    assert match.awaited() == [first]
    assert match.legal_moves(CHANCE) == []


# The turn


@pytest.mark.parametrize("seats", GAME.seats)
def test_turns_go_round_clockwise(seats: int) -> None:
    match = table(seats, MISFIT, first=1)
    active = []
    for _ in range(2 * seats):
        active += match.awaited()
        idle(match, 1)
    assert active == [*range(1, seats), 0] * 2


def test_only_the_active_player_turns_a_card() -> None:
    match = table(3)
    assert match.legal_moves(1) == match.legal_moves(2) == []
    with pytest.raises(Refused, match="seat 1 may not play a1 now \\(not your turn\\)"):
        match.play(1, 0)


def test_the_active_player_must_turn_one_card_and_may_turn_any() -> None:
    match = table(2)
    assert match.awaited() == [0]
    assert match.legal_moves(0) == list(range(CARDS))


def test_the_card_just_turned_may_be_turned_back() -> None:
    match = table(2, "r2/r3")
    turn(match, "a1", "a1")
    assert (match.state.up[0], match.state.down[0]) == (face("r2"), face("r3"))


def test_a_card_that_fits_once_turned_is_taken() -> None:
    match = table(2, "g1/r1")
    turn(match, "a1")
    assert match.state.rows == [[1, 0, 0, 0], EMPTY, EMPTY, EMPTY]
    assert match.awaited() == [1]


def test_a_taken_card_leaves_a_hole_that_stays() -> None:
    match = table(2, "g1/r1", "r2/r3")
    turn(match, "a1")
    assert (match.state.up[:2], match.state.down[:2]) == (
        [HOLE, face("r2")],
        [HOLE, face("r3")],
    )
    assert match.legal_moves(1) == list(range(1, CARDS))
    with pytest.raises(Refused, match="seat 1 may not play a1 now \\(no card\\)"):
        match.play(1, 0)


def test_a_card_that_does_not_fit_stays_as_turned() -> None:
    match = table(2, "g2/r2")
    turn(match, "a1")
    assert (match.state.up[0], match.state.down[0]) == (face("r2"), face("g2"))
    assert match.state.rows == [EMPTY] * 4


def test_the_table_shows_who_turned_what_last() -> None:
    match = table(2, "g1/r1", "r2/r3")
    assert (match.state.turner, match.state.turned) == (NOBODY, NONE)
    turn(match, "a1")
    assert (match.state.turner, match.state.turned, match.state.taken) == (0, 0, face("r1"))
    turn(match, "b1")
    assert (match.state.turner, match.state.turned, match.state.taken) == (1, 1, HOLE)


def test_a_collection_has_one_row_of_each_colour() -> None:
    match = table(2, "g1/r1", "r1/y1", "p1/g1", "y1/p1", "r2/r3")
    turn(match, "a1", "e1", "b1", "e1", "c1", "e1", "d1")
    assert match.state.rows[0] == [1, 1, 1, 1]


@pytest.mark.parametrize("reach", range(4))
def test_rows_rise_from_one_bird_to_three(reach: int) -> None:
    match = table(2)
    give(match, 0, *[reach] * 4)
    fitting = [f for f in FACES if fits(match.state, 0, f)]
    assert fitting == [f for f in FACES if f % 4 == reach + 1]


def test_the_example_row_of_yellow_birds() -> None:
    match = table(2, "r1/y1", "y1/y2", "g3/y3", "r2/r3")
    turn(match, "a1", "d1", "b1", "d1", "c1")
    assert match.state.rows[0] == [0, 0, 3, 0]
    assert match.scores == [6, 0]


def test_faces_show_one_to_three_birds_in_four_colours() -> None:
    texts = [face_text(f) for f in FACES]
    assert texts == ["r1", "r2", "r3", "g1", "g2", "g3", "y1", "y2", "y3", "p1", "p2", "p3"]


def test_the_faces_of_a_card_share_the_number_or_the_colour() -> None:
    cards = [(face_text(one), face_text(other)) for one, other in DECK]
    assert all((a[0] == b[0]) + (a[1] == b[1]) == 1 for a, b in cards)
    assert sum(a[1] == b[1] for a, b in cards) == 18
    assert sum(a[0] == b[0] for a, b in cards) == 12


def test_every_face_is_on_five_cards() -> None:
    assert [sum(f in card for card in DECK) for f in FACES] == [5] * 12


def test_the_example_of_two_red_birds() -> None:
    red = face("r2")
    backs = {face_text(sum(card) - red) for card in DECK if red in card}
    assert backs == {"g2", "y2", "p2", "r1", "r3"}


# The end: a) complete rows


@pytest.mark.parametrize(("seats", "goal"), [(2, 4), (3, 3), (4, 2)])
def test_four_three_or_two_complete_rows_win_at_once(seats: int, goal: int) -> None:
    match = table(seats, "g3/r3")
    give(match, 0, 2, *[3] * (goal - 1), *[0] * (4 - goal))
    turn(match, "a1")
    assert match.is_over
    assert match.winners == [0]


@pytest.mark.parametrize(("seats", "goal"), [(2, 4), (3, 3), (4, 2)])
def test_one_row_less_does_not_win(seats: int, goal: int) -> None:
    match = table(seats, "g3/r3")
    give(match, 0, 2, *[3] * (goal - 2), *[0] * (5 - goal))
    turn(match, "a1")
    assert not match.is_over
    assert match.winners == []


def test_the_goal_wins_against_more_birds() -> None:
    match = table(4, "g3/r3")
    give(match, 0, 2, 3, 0, 0)
    give(match, 1, 3, 2, 2, 2)
    turn(match, "a1")
    assert match.scores == [12, 15, 0, 0]
    assert match.winners == [0]


def test_the_goal_wins_also_if_three_cards_are_left() -> None:
    match = table(4, "g3/r3")
    for seat, rows in enumerate(([2, 3, 0, 0], [3, 2, 2, 2], [3, 2, 1, 0], [3, 2, 1, 0])):
        give(match, seat, *rows)
    turn(match, "a1")
    assert cards_left(match.state) == 3
    assert match.winners == [0]


# The end: b) three cards left


@pytest.mark.parametrize(("purple", "left", "over"), [(2, 3, True), (1, 4, False)])
def test_three_cards_left_on_the_table_end_the_match(purple: int, left: int, over: bool) -> None:
    match = table(3, "g1/r1")
    for seat, rows in enumerate(([0, 3, 3, 2], [3, 3, 2, 1], [2, 3, 2, purple])):
        give(match, seat, *rows)
    turn(match, "a1")
    assert cards_left(match.state) == left
    assert match.is_over == over
    assert match.winners == ([0, 1] if over else [])


# The end: b) nobody takes a card any more


@pytest.mark.parametrize("seats", GAME.seats)
def test_two_rounds_without_a_taking_open_the_vote(seats: int) -> None:
    match = table(seats, MISFIT)
    idle(match, 2 * seats - 1)
    assert [AGREE in match.legal_moves(seat) for seat in range(seats)] == [False] * seats
    with pytest.raises(Refused, match="seat 0 may not play agree now \\(no vote\\)"):
        match.play(0, AGREE)
    idle(match, 1)
    assert [AGREE in match.legal_moves(seat) for seat in range(seats)] == [True] * seats


def test_everybody_may_agree_in_turn_or_not() -> None:
    match = table(3, MISFIT)
    idle(match, 6)
    match.play(2, AGREE)
    assert match.awaited() == [0]
    assert match.legal_moves(0) == [*range(CARDS), AGREE]
    assert match.legal_moves(1) == [AGREE]


def test_an_agreement_is_given_once_and_stands() -> None:
    match = table(2, MISFIT)
    idle(match, 4)
    match.play(1, AGREE)
    idle(match, 3)
    assert match.state.agreed[:2] == [0, 1]
    with pytest.raises(Refused, match="seat 1 may not play agree now \\(has agreed\\)"):
        match.play(1, AGREE)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_match_ends_when_all_agree(seats: int) -> None:
    match = table(seats, MISFIT)
    idle(match, 2 * seats)
    for seat in range(seats):
        assert not match.is_over
        match.play(seat, AGREE)
    assert match.is_over
    assert match.awaited() == []


def test_a_taking_closes_the_vote() -> None:
    match = table(2, MISFIT, "g1/r1")
    idle(match, 4)
    match.play(1, AGREE)
    turn(match, "b1")
    assert (match.state.quiet, match.state.agreed[:2]) == (0, [0, 0])
    assert match.legal_moves(0) == []
    assert AGREE not in match.legal_moves(1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_without_agreement_six_more_rounds_end_the_match(seats: int) -> None:
    match = table(seats, MISFIT)
    idle(match, 2 * seats + 6 * seats - 1)
    assert not match.is_over
    idle(match, 1)
    assert match.is_over


def test_a_taking_restarts_the_count_of_rounds() -> None:
    match = table(2, MISFIT, "g1/r1")
    idle(match, 15)
    turn(match, "b1")
    idle(match, 15)
    assert not match.is_over
    idle(match, 1)
    assert match.is_over


@pytest.mark.parametrize("seats", GAME.seats)
def test_with_the_option_eight_quiet_turns_end_the_match_without_a_vote(seats: int) -> None:
    match = table(seats, MISFIT, "g1/r1", stall="eight turns")
    idle(match, 7)
    turn(match, "b1")
    idle(match, 7)
    assert not match.is_over
    assert all(AGREE not in match.legal_moves(seat) for seat in range(seats))
    idle(match, 1)
    assert match.is_over


def test_the_longest_match_waits_all_rounds_and_all_agree_before_each_of_27_takings() -> None:
    assert GAME.max_match_moves == 30 + 1 + 27 * (4 * 8 + 4)


# The end: b) who wins


def test_the_most_birds_win() -> None:
    match = final([3, 0, 0, 0], [2, 1, 1, 1], [3, 1, 0, 0])
    assert match.scores == [6, 6, 7]
    assert match.winners == [2]


def test_equal_birds_are_won_by_fewer_cards() -> None:
    match = final([2, 1, 1, 1], [3, 0, 0, 0], [2, 2, 0, 0])
    assert match.scores == [6, 6, 6]
    assert match.winners == [1]


def test_fewer_cards_do_not_make_up_for_fewer_birds() -> None:
    assert final([1, 0, 0, 0], [2, 1, 0, 0], [1, 1, 1, 0]).winners == [1]


def test_equal_birds_on_equal_cards_share_the_victory() -> None:
    assert final([3, 0, 2, 0], [1, 0, 0, 0], [0, 2, 0, 3]).winners == [0, 2]
    assert final(EMPTY, EMPTY).winners == [0, 1]


# Attention


def test_a_card_is_turned_before_it_is_looked_at() -> None:
    match = table(2, "r1/r2")
    turn(match, "a1")
    assert match.state.rows[0] == EMPTY
    assert match.state.up[0] == face("r2")
    turn(match, "a1")
    assert match.state.rows[1] == [1, 0, 0, 0]


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_a_colour_never_begins_a_second_row(reach: int) -> None:
    match = table(2, "g1/r1")
    give(match, 0, reach, 0, 0, 0)
    turn(match, "a1")
    assert match.state.rows[0] == [reach, 0, 0, 0]
    assert match.state.up[0] == face("r1")


def test_a_card_never_leaves_a_collection() -> None:
    match = table(2, "g1/r1", MISFIT)
    turn(match, "a1")
    while not match.is_over:
        turn(match, "b1")
        assert match.state.rows == [[1, 0, 0, 0], EMPTY, EMPTY, EMPTY]


# What shows


def test_a_face_that_was_turned_down_does_not_show() -> None:
    match = table(2, "r2/r3")
    turn(match, "a1")
    view = match.view(0)
    assert (view.up[0], view.down[0], view.seen) == (face("r3"), UNKNOWN, 0)


def test_with_the_option_faces_seen_before_show() -> None:
    match = table(2, "r2/r3", "g1/r1", open_memory=True)
    turn(match, "a1", "b1")
    for viewer in (NOBODY, 0, 1):
        view = match.view(viewer)
        assert view.down == [face("r2"), HOLE] + [UNKNOWN] * 28
        assert view.seen == 0b1


def test_with_the_option_every_cell_has_its_own_memory() -> None:
    match = table(2, "r2/r3", "g2/g3", "y2/y3", open_memory=True)
    turn(match, "b1")
    assert match.view(0).down == [UNKNOWN, face("g2")] + [UNKNOWN] * 28


def test_a_view_marks_faces_and_cells_that_are_not_known() -> None:
    view = table(2).view(0)
    assert view.down == [-1] * CARDS
    assert view.turned == -1


def test_everything_shows_when_the_match_is_over() -> None:
    match = table(2, MISFIT)
    idle(match, 16)
    for viewer in (NOBODY, 0, 1):
        assert match.view(viewer) == match.state
