"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims.

Where a box may stand is in test_placing.py, the modes of a replayed deal are in test_modes.py.
"""

from copy import deepcopy
from typing import Any

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.rules import (
    AGREE,
    BOXES,
    DRAW,
    NEUTRAL_PLACES,
    OVER,
    PLACE,
    PLACEMENTS,
    PLAIN,
    REFUSE,
    STOP,
    complete_layers,
)
from ludotheque.games.team_up.tests.positions import (
    GAME,
    boxes_offered,
    build,
    draw,
    new_match,
    order_of,
    place,
    play_solution,
    refused,
    scored,
    three_masts_gone,
)

# Cover


@pytest.mark.parametrize("seats", [0, 5])
def test_the_game_is_for_one_to_four(seats: int) -> None:
    assert list(GAME.seats) == [1, 2, 3, 4]
    with pytest.raises(Refused, match="1 to 4 seats"):
        Match(GAME, seats)


def test_all_seats_are_one_team() -> None:
    assert GAME.team


# Contents and set-up


def test_the_pallet_has_room_for_the_neutral_box_and_a_box_for_every_card() -> None:
    fields = GAME.State.FIELDS
    assert fields["box_x"].shape == (37,)
    assert fields["heights"].high >= 36 * 5 + 4  # all of them in one tower


def test_before_the_first_card_none_is_drawn() -> None:
    assert new_match().state.card == -1


def test_the_neutral_box_has_neither_shape_nor_colour() -> None:
    s = new_match().state
    assert (s.box_shape[0], s.box_colour[0]) == (-1, -1)


def test_the_pallet_is_empty_before_the_neutral_box() -> None:
    match = Match(GAME, 2)
    assert match.state.heights == [0] * 24
    assert match.state.placed == 0


def test_the_neutral_box_stands_in_a_random_corner_on_any_of_its_sides() -> None:
    start = Match(GAME, 2)
    places = set()
    for outcome in start.legal_moves(CHANCE):
        match = Match(GAME, 2)
        match.play(CHANCE, outcome)
        s = match.state
        assert (s.placed, s.box_shape[0], s.box_colour[0]) == (1, PLAIN, PLAIN)
        places.add((s.box_x[0], s.box_y[0], s.box_width[0], s.box_depth[0], s.box_height[0]))
    assert places == {
        (x, y, width, depth, 6 - width - depth)
        for width in (1, 2, 3)
        for depth in {1, 2, 3} - {width}
        for x in (0, 6 - width)
        for y in (0, 4 - depth)
    }
    assert len(places) == 24


def test_all_36_cards_are_shuffled_face_down() -> None:
    match = new_match()
    assert match.state.deck.bit_count() == 36
    match.play(0, DRAW)
    assert match.legal_moves(CHANCE) == list(range(24, 60))


def test_27_boxes_in_three_colours_are_available_to_everyone() -> None:
    assert [sum(counts[colour] for counts in BOXES) for colour in range(3)] == [9, 9, 9]
    for seat in range(2):
        match = new_match()
        match.state.turn = seat
        draw(match, "red")
        assert boxes_offered(match) == {(shape, "red") for shape in parts.DEFAULT_NAMES.shapes}
        assert [counts[:3] for counts in match.state.left[:9]] == [[1, 1, 1]] * 9


# Aim


def test_all_players_share_one_score_and_win_together() -> None:
    match = scored([5] * 24, left=0, lost=0, seats=4)
    assert match.scores == [25, 25, 25, 25]
    assert match.winners == [0, 1, 2, 3]


def test_a_perfect_pallet_is_worth_exactly_25_points() -> None:
    match = Match(GAME, 3, {"mode": "puzzle"})
    match.play(CHANCE, match.legal_moves(CHANCE)[0])
    play_solution(match)
    assert match.state.heights == [5] * 24
    assert match.scores == [25, 25, 25]


@pytest.mark.parametrize(("left", "lost"), [(1, 0), (0, 1)])
def test_a_pallet_that_is_not_perfect_does_not_win(left: int, lost: int) -> None:
    match = scored([5] * 24, left=left, lost=lost)
    assert match.scores == [24, 24]
    assert match.winners == []


# What the card asks for


def test_a_colour_card_leaves_the_shape_free_among_the_boxes_left() -> None:
    match = build(new_match(), "cube.red.b1")
    draw(match, "red")
    assert boxes_offered(match) == {
        (shape, "red") for shape in parts.DEFAULT_NAMES.shapes if shape != "cube"
    }
    assert refused(match, "cube.red.d1") == "none_left"
    assert refused(match, "post.blue.a1") == "not_ordered"


def test_a_shape_card_leaves_the_colour_free_among_the_boxes_left() -> None:
    match = build(new_match(), "cube.red.b1")
    draw(match, "cube")
    assert boxes_offered(match) == {("cube", "blue"), ("cube", "white")}
    assert refused(match, "cube.red.d1") == "none_left"
    assert refused(match, "tile.blue.d1") == "not_ordered"


# A turn


def test_a_player_draws_a_card_then_places_a_box() -> None:
    match = new_match()
    assert match.awaited() == [0]
    match.play(0, DRAW)
    assert match.awaited() == []
    match.play(CHANCE, NEUTRAL_PLACES)
    assert match.state.card == 0
    assert match.awaited() == [0]
    assert all(move < PLACEMENTS for move in match.legal_moves(0))
    place(match, "cube.blue.b1")
    assert match.state.placed == 2
    assert match.state.left[8] == [1, 0, 1]
    assert match.state.heights == [3, 2, 2, 0, 0, 0] + [3, 2, 2, 0, 0, 0] + [0] * 12


def test_then_it_is_the_next_players_turn() -> None:
    match = new_match(3)
    turns = []
    for text in ("post.red.b1", "plank.red.b2", "slab.blue.c1", "tile.blue.d1"):
        turns.append(match.awaited())
        build(match, text)
    assert turns == [[0], [1], [2], [0]]


def test_nobody_moves_out_of_turn() -> None:
    match = new_match(3)
    draw(match, "red")
    assert match.legal_moves(1) == match.legal_moves(2) == []
    with pytest.raises(Refused, match=r"seat 1 may not play post\.red\.b1 now \(not now\)"):
        match.play(1, GAME.parse(1, "post.red.b1"))


def test_a_red_card_asks_for_one_of_the_red_boxes() -> None:
    match = new_match()
    draw(match, "red")
    assert {colour for _, colour in boxes_offered(match)} == {"red"}


def test_a_shape_card_asks_for_one_of_the_boxes_of_that_shape() -> None:
    match = new_match()
    draw(match, "wall")
    assert boxes_offered(match) == {("wall", "red"), ("wall", "blue"), ("wall", "white")}


def test_a_card_with_two_shapes_allows_either() -> None:
    match = new_match()
    draw(match, "mast beam")
    assert boxes_offered(match) == {
        (shape, colour) for shape in ("mast", "beam") for colour in ("red", "blue", "white")
    }


def test_a_box_that_can_be_placed_must_be_placed() -> None:
    match = new_match()
    draw(match, "wall")
    assert not {DRAW, STOP, AGREE, REFUSE} & set(match.legal_moves(0))


# End of a turn


def test_a_card_that_placed_its_box_is_discarded_face_up() -> None:
    match = three_masts_gone()
    draw(match, "mast")
    build(match, "cube.red.c1")
    assert (match.state.lost, match.state.is_lost) == (1, 0)
    assert not match.state.face_down >> match.state.card & 1
    assert match.state.deck.bit_count() == 31
    match.play(1, DRAW)
    assert NEUTRAL_PLACES + match.state.card not in match.legal_moves(CHANCE)


def test_a_card_that_allows_no_box_ends_the_turn_at_once() -> None:
    match = three_masts_gone()
    assert match.awaited() == [1]
    draw(match, "mast")
    assert match.awaited() == [0]
    assert match.state.placed == 4


def test_a_card_that_allows_no_box_goes_face_down_and_costs_a_point() -> None:
    match = three_masts_gone()
    before = match.scores
    draw(match, "mast")
    assert (match.state.lost, match.state.is_lost) == (1, 1)
    assert match.state.face_down == 1 << match.state.card
    assert match.scores == [score - 1 for score in before]
    match.play(0, DRAW)
    assert NEUTRAL_PLACES + match.state.card not in match.legal_moves(CHANCE)


def test_a_card_is_lost_too_if_its_boxes_fit_nowhere() -> None:
    match = new_match(ceiling="five layers")
    match.state.heights = [5] * 24
    draw(match, "cube")
    assert match.state.lost == 1


# End of the match


def test_the_match_ends_when_all_boxes_are_placed() -> None:
    match = Match(GAME, 2, {"mode": "puzzle"})
    match.play(CHANCE, match.legal_moves(CHANCE)[0])
    play_solution(match)
    assert match.is_over
    assert match.state.placed == 28
    assert match.state.deck.bit_count() == 9


def test_the_match_ends_when_the_deck_is_out() -> None:
    match = new_match()
    match.state.deck = 1 << 0  # only the first card is left
    draw(match, "cube")
    assert match.awaited() == [0]
    place(match, "cube.red.b1")
    assert match.is_over
    assert match.legal_moves(0) == match.legal_moves(1) == match.legal_moves(CHANCE) == []


def test_the_match_ends_if_the_last_card_is_lost() -> None:
    match = three_masts_gone()
    match.state.deck = 1 << next(i for i in range(36) if order_of(i) == "mast")
    draw(match, "mast")
    assert match.is_over


def test_the_match_ends_when_all_agree_to_draw_no_more() -> None:
    match = build(new_match(4), "post.red.b1")
    match.play(1, STOP)
    assert match.awaited() == [0, 2, 3]
    match.play(3, AGREE)
    match.play(0, AGREE)
    assert match.awaited() == [2]
    match.play(2, AGREE)
    assert match.is_over
    assert match.scores == [-26] * 4


def test_after_one_refusal_the_card_is_drawn() -> None:
    match = new_match(4)
    match.play(0, STOP)
    match.play(1, AGREE)
    match.play(2, REFUSE)
    assert match.awaited() == []
    match.play(CHANCE, NEUTRAL_PLACES)
    assert match.awaited() == [0]
    assert match.state.phase == PLACE
    assert match.state.agreed == 0


def test_stopping_may_be_proposed_before_each_card_only() -> None:
    match = new_match(2)
    assert match.legal_moves(0) == [DRAW, STOP]
    match.play(0, STOP)
    assert match.legal_moves(0) == []
    assert match.legal_moves(1) == [AGREE, REFUSE]
    match.play(1, REFUSE)
    match.play(CHANCE, NEUTRAL_PLACES)
    assert STOP not in match.legal_moves(0)
    assert match.legal_moves(1) == []


def test_any_player_may_propose_to_stop_and_all_others_answer() -> None:
    match = new_match(3)
    assert match.awaited() == [0]
    assert match.legal_moves(1) == match.legal_moves(2) == [STOP]
    match.play(2, STOP)
    assert match.awaited() == [0, 1]
    match.play(0, AGREE)
    match.play(1, AGREE)
    assert match.is_over


def test_after_a_refusal_the_player_whose_turn_it_is_draws() -> None:
    match = new_match(3)
    match.play(2, STOP)
    match.play(1, REFUSE)
    match.play(CHANCE, NEUTRAL_PLACES)
    assert match.awaited() == [0]


def test_a_player_alone_stops_at_once() -> None:
    match = build(new_match(1), "post.red.b1")
    assert match.awaited() == [0]
    match.play(0, STOP)
    assert match.is_over
    assert match.scores == [-26]


def test_a_match_has_at_most_a_vote_a_card_and_a_box_for_every_card() -> None:
    assert GAME.max_match_moves == 1 + 36 * (4 + 1 + 1)


# Score


@pytest.mark.parametrize("layers", range(6))
def test_every_complete_layer_is_worth_five_points(layers: int) -> None:
    assert scored([layers] * 23 + [layers + 1], left=0, lost=0).scores == [5 * layers] * 2


def test_a_layer_with_one_cell_missing_is_worth_nothing() -> None:
    assert scored([5] * 23 + [4], left=0, lost=0).scores == [20, 20]
    assert scored([5] * 23 + [0], left=0, lost=0).scores == [0, 0]


def test_a_taller_box_fills_several_layers() -> None:
    match = new_match()
    match.state.heights = [3, 2, 2, 2, 2, 2] * 4
    assert complete_layers(match.state) == 2


def test_every_box_left_costs_a_point() -> None:
    assert scored([4] * 24, left=4, lost=0).scores == [16, 16]


def test_every_card_face_down_costs_a_point() -> None:
    assert scored([4] * 24, left=0, lost=3).scores == [17, 17]


def test_four_layers_three_boxes_left_and_two_cards_lost_make_15() -> None:
    assert scored([4] * 24, left=3, lost=2).scores == [15, 15]


def test_no_pallet_is_worth_more_than_25_points() -> None:
    assert scored([6] * 24, left=0, lost=0).scores == [25, 25]


@pytest.mark.parametrize(
    ("heights", "left", "verdict"),
    [
        (5, 0, "perfect"),
        (5, 1, "great"),
        (3, 0, "great"),
        (3, 1, "good"),
        (1, 0, "good"),
        (1, 1, "modest"),
        (0, 20, "modest"),
    ],
)
def test_normal_play_is_praised_by_its_score(heights: int, left: int, verdict: str) -> None:
    match = scored([heights] * 24, left=left, lost=0)
    assert match.verdict == match.result()["verdict"] == verdict
    assert match.winners == ([0, 1] if verdict == "perfect" else [])


# Nothing is secret


def test_everybody_sees_the_whole_table() -> None:
    match = build(new_match(3), "post.red.b1")
    for viewer in (0, 1, 2, NOBODY):
        assert match.view(viewer) == match.state
        assert match.visible_log(viewer) == match.to_json()["moves"]


# A host's own set


def hosts_set() -> dict[str, Any]:
    """Ten flat shapes and two towers, a neutral box with equal sides, four cards, no puzzle."""
    data = deepcopy(parts.DEFAULT_DATA)
    assert isinstance(data, dict)
    del data["puzzle"]
    sizes = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]
    data["shapes"] = [
        {"name": f"flat {w} {d}", "width": w, "depth": d, "height": 1, "boxes": [1, 0, 2]}
        for w, d in sizes
    ]
    data["shapes"] += [
        {"name": name, "width": 1, "depth": 1, "height": 5, "boxes": [0, 1, 0]}
        for name in ("tower", "spire")
    ]
    data["neutral"] = {"width": 2, "depth": 2, "height": 1}
    data["cards"] = [
        {"colour": "red"},
        {"shape": "tower"},
        {"shapes": ["spire", "flat 4 4"]},
        {"colour": "white"},
    ]
    return data


HOSTS = Game("team_up", hosts_set())


def test_a_hosts_set_brings_its_own_boxes_and_cards() -> None:
    match = Match(HOSTS, 2)
    assert match.state.left == [[1, 0, 2]] * 10 + [[0, 1, 0]] * 2
    assert match.state.deck == 0b1111
    assert match.scores == [-32, -32]
    match.play(CHANCE, HOSTS.parse(CHANCE, "n-f4-123"))
    match.play(0, DRAW)
    match.play(CHANCE, HOSTS.parse(CHANCE, "card3"))
    places = {HOSTS.notation(0, move) for move in match.legal_moves(0)}
    assert places == {
        *("shape10.red.a1", "shape10.white.a1"),
        *(f"shape12.blue.{cell}" for cell in ("d3", "d4", "e2", "f2", "e3", "f3", "e4", "f4")),
    }


def test_boxes_that_only_a_hosts_set_has_count_as_left() -> None:
    """Its eleventh shape is none of ours; a box of it that is left keeps the pallet imperfect."""
    match = Match(HOSTS, 1)
    match.state.heights = [5] * 24
    match.state.left = [[0] * 3 for _ in range(10)] + [[0, 1, 0], [0, 0, 0]]
    match.state.phase = OVER
    noted = HOSTS.notes(match.state, 0)
    assert (noted["complete"], noted["boxes_left"], match.winners) == (5, 1, [])
    assert match.verdict == "great"


def test_equal_sides_do_not_make_a_place_of_the_neutral_box_more_likely() -> None:
    places = set()
    for outcome in Match(HOSTS, 2).legal_moves(CHANCE):
        match = Match(HOSTS, 2)
        match.play(CHANCE, outcome)
        s = match.state
        place = s.box_x[0], s.box_y[0], s.box_width[0], s.box_depth[0], s.box_height[0]
        assert place not in places
        places.add(place)
    assert len(places) == 12  # four corners, flat or upright on either side


def test_a_neutral_box_as_deep_as_the_pallet_has_two_places_not_four() -> None:
    data = hosts_set() | {"neutral": {"width": 4, "depth": 4, "height": 4}}
    assert len(Match(Game("team_up", data), 1).legal_moves(CHANCE)) == 2


def test_a_neutral_box_as_deep_as_the_pallet_counts_as_standing_in_front() -> None:
    data = hosts_set() | {"neutral": {"width": 1, "depth": 4, "height": 2}}
    game = Game("team_up", data)
    places = [game.notation(CHANCE, outcome) for outcome in Match(game, 1).legal_moves(CHANCE)]
    deep = [place for place in places if place.endswith(("-123", "-321"))]
    assert deep == ["n-a1-123", "n-a1-321", "n-f1-123", "n-f1-321"]


@pytest.mark.parametrize(("x", "y"), [(0, 0), (5, 0), (0, 2), (5, 2)])
def test_a_hosts_puzzle_has_its_neutral_box_in_its_own_corner(x: int, y: int) -> None:
    data: Any = deepcopy(parts.DEFAULT_DATA)
    data["puzzle"] = {"neutral": {"x": x, "y": y, "width": 1, "depth": 2, "height": 3}}
    s = Match(Game("team_up", data), 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32))).state
    assert (s.box_x[0], s.box_y[0], s.box_width[0], s.box_depth[0]) == (x, y, 1, 2)


def test_without_a_puzzle_its_mode_shuffles_the_cards() -> None:
    match = Match(HOSTS, 1, {"mode": "puzzle"})
    assert len(match.legal_moves(CHANCE)) == 12
    match.play(CHANCE, HOSTS.parse(CHANCE, "n-f4-123"))
    match.play(0, DRAW)
    assert len(match.legal_moves(CHANCE)) == 4


@pytest.mark.parametrize(
    "name",
    ["legal_moves_are_those_accepted", "replay_gives_the_same_state", "fields_stay_in_range"],
)
def test_a_hosts_set_obeys_what_all_games_obey(name: str) -> None:
    conformance.run(HOSTS, 2, name)


def test_compiled_rules_take_a_hosts_set_too() -> None:
    conformance.run(HOSTS, 2, "compiled_rules_are_the_plain_ones")


# Notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("post.red.a1", 0),
        ("post.red.b3", 13),
        ("post.red.a1t", 24),
        ("post.blue.a1", 48),
        ("cube.white.f4t", 1295),
        ("shape12.white.f4t", 1727),
        ("draw", 1728),
        ("refuse", 1731),
    ],
)
def test_moves_are_written_by_shape_colour_and_cell(text: str, move: int) -> None:
    assert GAME.parse(0, text) == move
    assert GAME.notation(0, move) == text


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("n-a1-123", 0), ("n-f1-132", 7), ("n-f4-321", 23), ("card1", 24), ("card36", 59)],
)
def test_outcomes_are_written_by_corner_and_sides_or_by_card(text: str, outcome: int) -> None:
    assert GAME.parse(CHANCE, text) == outcome
    assert GAME.notation(CHANCE, outcome) == text
