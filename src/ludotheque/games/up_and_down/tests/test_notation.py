"""What a board is told beyond the view."""

from typing import Any

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import play_moves, read_json, start
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    DEALING,
    FLIP,
    HAND_SIZE,
    OVER,
    ROLLING,
    TOSSING,
    tricks_played,
)

GAME = load("up_and_down")
MATCHES = GAME.folder / "matches"


def noted(match: Match, viewer: int = 0) -> dict[str, Any]:
    return GAME.notes(match.view(viewer), viewer)


def say(match: Match, seat: int, text: str) -> None:
    match.play(seat, GAME.parse(seat, text))


def table(laid: str, dice: str) -> Match:
    """Four seats hold these cards, and the rose points at the first of them."""
    match = Match(GAME, 4)
    first = [GAME.parse(0, text) for text in laid.split()]
    rest = [card for card in range(CARDS) if card not in first]
    for card in (first + rest)[: 4 * HAND_SIZE[4]]:
        match.play(CHANCE, card)
    say(match, CHANCE, dice)
    say(match, CHANCE, "down-rose")
    return match


def after(laid: str, dice: str = "6+6") -> Match:
    """A trick for the highest card; the seats have rose, feather, monocle, hat."""
    match = table(laid, dice)
    match.play(match.state.leader, FLIP)
    for seat, text in enumerate(laid.split()):
        say(match, seat, text)
    return match


@pytest.mark.parametrize(
    ("seats", "places", "deals", "size"),
    [(2, [0, 2], 2, 15), (3, [0, 1, 2], 3, 14), (4, [0, 1, 2, 3], 4, 11)],
)
def test_places_and_length_depend_on_the_seats(
    seats: int, places: list[int], deals: int, size: int
) -> None:
    told = noted(Match(GAME, seats))
    assert (told["places"], told["deals"], told["hand_size"]) == (places, deals, size)
    assert (told["fates"], told["trump"]) == ([], 0)


def test_a_single_deal_is_told_as_one() -> None:
    assert noted(Match(GAME, 3, {"deals": 1}))["deals"] == 1


def test_suits_and_trump_are_those_of_the_table() -> None:
    told = noted(table("r2 f3 m4 h5", dice="3+4"))
    assert (told["suits"], told["trump"]) == ([0, 1, 2, 3], 7)


def test_the_best_card_has_won_and_the_others_of_their_suit_are_beaten() -> None:
    told = noted(after("r9 f4 m7 h5"))
    assert told["fates"] == ["won", "beaten", "beaten", "beaten"]


def test_equal_values_are_cancelled_and_foreign_suits_idle() -> None:
    told = noted(after("r9 f9 h11 h5"))
    assert told["fates"] == ["cancelled", "cancelled", "idle", "won"]


def test_equal_trumps_are_cancelled() -> None:
    told = noted(after("r12 h12 h11 r5"))
    assert told["fates"] == ["cancelled", "cancelled", "idle", "idle"]


def test_fates_stay_those_of_the_trick_when_its_rules_have_gone() -> None:
    match = after("r9 f4 h11 h5")
    before = noted(match)["fates"]
    say(match, match.state.leader, "turn-hat")
    assert noted(match)["suits"] != [0, 1, 2, 3]
    assert noted(match)["fates"] == before == ["won", "beaten", "idle", "beaten"]


def test_of_every_trick_just_the_takers_card_has_won() -> None:
    match, moves = start(read_json(MATCHES / "five-deals.json"))
    for _ in play_moves(match, moves):
        fates = noted(match, NOBODY)["fates"]
        winners = [seat for seat, fate in enumerate(fates) if fate == "won"]
        assert winners == [seat for seat in (match.state.taker,) if seat != NOBODY]


def test_every_side_of_the_table_has_a_suit_though_nobody_sits_there() -> None:
    state = GAME.start(2)
    state.facing = 3
    told = GAME.notes(state, 0)
    assert (told["suits"], told["suits_round"]) == ([3, 1], [3, 0, 1, 2])


def test_a_card_of_ones_suit_and_a_trump_are_useful() -> None:
    useful = noted(table("r2 f3 m4 h5", dice="3+4"))["useful"]
    texts = [[GAME.notation(0, card) for card in cards] for cards in useful]
    feathers = [f"f{value}" for value in range(2, 13)]
    assert texts[1] == ["r7", *feathers, "m7", "h7"]
    assert [len(cards) for cards in useful] == [14] * 4


def test_before_the_dice_only_ones_suit_is_useful() -> None:
    assert noted(Match(GAME, 2))["useful"][0] == tuple(range(11))


def test_a_deal_is_set_up_once_it_has_its_trump_and_its_leader() -> None:
    match, moves = start(read_json(MATCHES / "five-deals.json"))
    by_phase: dict[int, set[bool]] = {}
    for _ in play_moves(match, moves):
        is_first_roll = match.state.dice == [0, 0]
        if match.state.phase != ROLLING or is_first_roll:
            by_phase.setdefault(match.state.phase, set()).add(noted(match)["is_set_up"])
    assert by_phase == {
        DEALING: {False},
        ROLLING: {False},
        TOSSING: {False},
        CHANGING: {True},
        CHOOSING: {True},
        OVER: {True},
    }


def test_tricks_played_and_tricks_lost_are_noted() -> None:
    match, moves = start(read_json(MATCHES / "five-deals.json"))
    for _ in play_moves(match, moves):
        told, state = noted(match), match.state
        assert told["played"] == (0 if state.phase == OVER else tricks_played(state))
        assert [HAND_SIZE[state.seats] - lost for lost in told["lost"]] == [
            sum(row[deal] for row in state.tricks) for deal in range(state.deal)
        ]
