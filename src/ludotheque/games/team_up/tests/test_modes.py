"""Challenge, competition and puzzle: the same deal again, and cards in a known order."""

import json
from typing import Any

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.rules import AGREE, DECIDE, DRAW, NEUTRAL_PLACES, PLACE, PUZZLE, STOP
from ludotheque.games.team_up.tests.positions import (
    GAME,
    LYING,
    STANDING,
    boxes_offered,
    draw,
    order_of,
    place,
    play_solution,
    scored,
    three_masts_gone,
)

# Challenge


@pytest.mark.parametrize("options", [{"mode": "challenge"}, {"mode": "competition"}, {"target": 5}])
def test_only_a_deal_that_is_played_again_has_a_score_to_reach(options: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="only playing an earlier deal again can set"):
        GAME.refuse_replay_options(options)


def test_a_target_is_from_minus_60_to_25() -> None:
    assert Match(GAME, 2).options["target"] == -60
    for target in (-61, 26):
        with pytest.raises(Refused, match=f"option target is {target}, expected"):
            Match(GAME, 2, {"target": target})


def first_try() -> Match:
    """Four cards, the last of them lost, then all stop."""
    match = three_masts_gone()
    draw(match, "mast")
    match.play(0, STOP)
    match.play(1, AGREE)
    return match


def test_a_challenge_has_the_same_neutral_box_and_the_same_cards() -> None:
    first = first_try()
    again = Match(GAME, 2, {"mode": "challenge"}, deal=first.chance_moves(), seeds=Seeds(bytes(32)))
    assert again.state.placed == 1
    assert again.state.heights == [1, 1, 0, 0, 0, 0] * 3 + [0] * 6
    cards = []
    for _ in range(4):
        again.play(again.state.turn, DRAW)
        cards.append(again.state.card)
        again.play(again.state.turn, again.legal_moves(again.state.turn)[0])
    assert cards == [entry.move - NEUTRAL_PLACES for entry in first.log if entry.seat < 0][1:]


def test_a_lost_card_keeps_its_place_in_a_challenge() -> None:
    first = first_try()
    again = Match(GAME, 2, {"mode": "challenge"}, deal=first.chance_moves(), seeds=Seeds(bytes(32)))
    for text in ("mast.red.a1", "post.blue.b3", "post.white.c1"):
        again.play(again.state.turn, DRAW)
        place(again, text)
    again.play(1, DRAW)
    assert order_of(again.state.card) == "mast"
    assert boxes_offered(again) == {("mast", "blue"), ("mast", "white")}


def test_chance_continues_when_the_deal_runs_out() -> None:
    again = Match(GAME, 2, {"mode": "challenge"}, deal=first_try().chance_moves()[:1])
    again.play(CHANCE, GAME.parse(CHANCE, LYING))
    again.play(0, DRAW)
    assert len(again.legal_moves(CHANCE)) == 36


def test_chance_may_not_leave_the_deal() -> None:
    again = Match(GAME, 2, {"mode": "challenge"}, deal=first_try().chance_moves())
    with pytest.raises(Refused, match="chance may not play n-a1-123: the deal says n-a1-231"):
        again.play(CHANCE, GAME.parse(CHANCE, STANDING))


@pytest.mark.parametrize("mode", ["challenge", "competition"])
def test_the_earlier_score_has_to_be_reached_or_beaten(mode: str) -> None:
    options = {"mode": mode, "target": 15}
    assert scored([4] * 24, left=3, lost=1, **options).winners == [0, 1]
    assert scored([4] * 24, left=3, lost=2, **options).winners == [0, 1]
    assert scored([4] * 24, left=3, lost=3, **options).winners == []


@pytest.mark.parametrize("mode", ["challenge", "competition"])
def test_a_target_is_beaten_equalled_or_not_reached(mode: str) -> None:
    verdicts = [
        scored([5] * 24, left=0, lost=lost, mode=mode, target=24).verdict for lost in (0, 1, 2)
    ]
    assert verdicts == ["beaten", "equalled", "not_reached"]
    assert scored([5] * 24, left=0, lost=0, mode=mode, target=25).verdict == "equalled"


def test_the_same_seeds_bring_the_same_cards_whatever_the_team_does() -> None:
    """A team of two places the first box it can, one of three the last: they lose other cards."""
    decks = []
    for seats, choice in ((2, 0), (3, -1)):
        match = Match(GAME, seats, seeds=Seeds(bytes(32)))
        while not match.is_over:
            seat = match.state.turn
            drawing = match.state.phase == DECIDE
            match.play(seat, DRAW if drawing else match.legal_moves(seat)[choice])
        decks.append((match.chance_moves(), match.state.lost))
    (one, lost), (other, also_lost) = decks
    shorter = min(len(one), len(other))
    assert one[:shorter] == other[:shorter]
    assert shorter > 20
    assert lost != also_lost


def test_another_team_may_be_challenged_with_the_same_deal() -> None:
    first = first_try()
    target = first.scores[0]
    other = Match(
        GAME,
        3,
        {"mode": "competition", "target": target},
        deal=first.chance_moves(),
        seeds=Seeds(bytes(32)),
    )
    for text in ("mast.red.a1", "post.blue.b3", "post.white.c1", "mast.blue.b2"):
        other.play(other.state.turn, DRAW)
        place(other, text)
    other.play(1, STOP)
    other.play(0, AGREE)
    other.play(2, AGREE)
    assert (target, other.scores) == (-25, [-23] * 3)
    assert other.winners == [0, 1, 2]
    assert replay(json.loads(json.dumps(other.to_json()))).state == other.state


# Puzzle


def test_the_puzzle_has_its_cards_in_order_and_its_neutral_box_in_place() -> None:
    match = Match(GAME, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32)))
    s = match.state
    neutral = (s.box_x[0], s.box_y[0], s.box_width[0], s.box_depth[0], s.box_height[0])
    assert neutral == parts.DEFAULT.puzzle_neutral
    cards = []
    while not match.is_over:
        match.play(0, DRAW)
        cards.append(match.state.card)
        if match.state.phase == PLACE:
            match.play(0, match.legal_moves(0)[0])
    assert cards == list(range(36))


def test_chance_has_no_choice_in_the_puzzle() -> None:
    match = Match(GAME, 1, {"mode": "puzzle"})
    with pytest.raises(Refused, match=r"chance may not play n-f1-123 now \(not dealt\)"):
        match.play(CHANCE, GAME.parse(CHANCE, "n-f1-123"))
    assert len(match.legal_moves(CHANCE)) == 1
    match.play(CHANCE, match.legal_moves(CHANCE)[0])
    match.play(0, DRAW)
    with pytest.raises(Refused, match=r"chance may not play card2 now \(not dealt\)"):
        match.play(CHANCE, GAME.parse(CHANCE, "card2"))


def test_the_puzzle_allows_a_perfect_pallet_which_wins_it() -> None:
    match = Match(GAME, 4, {"mode": "puzzle"})
    match.play(CHANCE, match.legal_moves(CHANCE)[0])
    play_solution(match)
    assert match.result()["scores"] == [25] * 4
    assert match.winners == [0, 1, 2, 3]


def test_a_puzzle_is_solved_by_a_perfect_pallet_alone() -> None:
    match = scored([5] * 24, left=0, lost=0)
    match.state.mode = PUZZLE
    assert match.verdict == "solved"
    match.state.lost = 1
    assert match.verdict == "unsolved"
