"""A match is its log."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ludotheque.engine import invitation
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match, read, read_json, replay, write_text
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE

GAME = load("stupide_vautour")
KEY = bytes(32)


def played(*bids: tuple[int, int], **options: object) -> Match:
    match = Match(GAME, 2, options, key=KEY)
    for seat, value in bids:
        match.play(seat, value)
    return match


def test_chance_answers_by_itself_when_it_has_a_key() -> None:
    match = played((0, 3), (1, 4))
    assert [entry.seat for entry in match.log] == [CHANCE, 0, 1, CHANCE]


def test_the_same_key_draws_the_same_match() -> None:
    assert played((0, 3), (1, 4)).to_json() == played((0, 3), (1, 4)).to_json()


def test_without_a_key_chance_waits_to_be_played() -> None:
    match = Match(GAME, 2)
    assert match.log == []
    with pytest.raises(Refused, match="neither a deal nor a key"):
        match.draw()


def test_a_deal_is_dealt_first_then_the_key_draws() -> None:
    match = Match(GAME, 2, deal=["+6", "-2"], key=KEY)
    for value in (1, 2, 3):
        match.play(0, value)
        match.play(1, value)
    assert match.dealt()[:2] == ["+6", "-2"]
    assert len(match.dealt()) == 4


def test_a_replay_must_keep_to_its_deal() -> None:
    data = Match(GAME, 2, deal=["+6"], key=KEY).to_json()
    data["moves"][0] = [-1, "+7"]
    with pytest.raises(Refused, match=r"move 1: chance may not play \+7: the deal says \+6"):
        replay(data)


def test_a_file_replays_to_the_same_state(tmp_path: Path) -> None:
    match = played((0, 3), (1, 4), (1, 9))
    path = tmp_path / "match.json"
    path.write_text(write_text(match, about="three bids"))
    assert read(path).state == match.state
    assert json.loads(path.read_text())["about"] == "three bids"


def test_a_file_may_state_its_result_and_it_is_checked() -> None:
    data = json.loads(write_text(played((0, 3), (1, 4))))
    data["result"]["scores"] = [99, 0]
    with pytest.raises(Refused, match=r"the moves lead to .* the file says"):
        replay(data)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "the format is 2, expected 1"),
        ({"game": "chess"}, "there is no game 'chess'; the games are: "),
        ({"game": 7}, "game is 7, expected the name of a game"),
        ({"rules": 99}, "rules version 99 of stupide_vautour, expected 1"),
        ({"seats": 9}, "stupide_vautour is for 2 to 5 seats, not 9"),
        ({"seats": "2"}, "seats is '2', expected a whole number"),
        ({"options": []}, "options is [], expected an object"),
        ({"options": {"speed": 1}}, "has no option 'speed'; its options are: ties"),
        ({"options": {"ties": "third"}}, "option ties is 'third', expected 'second best'"),
        ({"deal": "+6"}, "deal is not a list of chance moves"),
        ({"deal": ["+99"]}, "'+99' is not an outcome of chance in stupide_vautour"),
        ({"moves": None}, "moves is missing"),
        ({"moves": [[0, "3"]]}, "move 1: seat 0 may not play 3 now (not now)"),
        ({"moves": [[-1, "+6"], [0, "99"]]}, "move 2: '99' is not a move in stupide_vautour"),
        ({"moves": [[-1, "+6"], [5, "9"]]}, "move 2: there is no seat 5; the seats are 0 to 1"),
        ({"moves": [[-1, "+6"], ["a", "9"]]}, 'move 2: ["a", "9"] is not a pair of a seat'),
        ({"moves": [[-1, "+6 @x"]]}, "move 1: '+6 @x' has the time 'x', expected milliseconds"),
        ({"moves": [[-1, "+6 @5"]]}, "move 1: stupide_vautour has no clock"),
        ({"parts": {}}, "stupide_vautour has no cards or boxes that a host could replace"),
        ({"colour": "red"}, "a match file has no colour"),
    ],
)
def test_bad_files_are_refused_with_one_sentence(change: dict[str, Any], complaint: str) -> None:
    data = copy.deepcopy(played((0, 3), (1, 4)).to_json()) | change
    with pytest.raises(Refused) as error:
        replay(data)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("data", [None, [], "match", 3])
def test_a_file_that_is_no_object_is_refused(data: object) -> None:
    with pytest.raises(Refused, match="a match file is a JSON object"):
        replay(data)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read: No such file"):
        read_json(tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": 1,')
    with pytest.raises(Refused, match="is not JSON: line 1, column 14"):
        read_json(broken)
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(Refused, match="is not text in UTF-8"):
        read_json(broken)


def test_scores_that_a_viewer_does_not_know_are_not_told() -> None:
    match = played((0, 3), (1, 4))
    assert match.result(0)["scores"].count(None) == 1
    assert None not in match.result()["scores"]


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        Refused, match=f"there is no game 'go'; the games are: {', '.join(slugs())}"
    ):
        load("go")


def test_an_invitation_carries_the_deal() -> None:
    match = played((0, 3), (1, 4), (0, 5), (1, 5))
    text = invitation.write(invitation.invite(match, "competition"))
    taken = invitation.read(text).match(3, KEY)
    assert taken.seats == 3
    assert [taken.game.notation(CHANCE, m) for m in taken.deal] == match.dealt()
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@pytest.mark.parametrize("text", ["", "x", "AAAA", "é", "A" * 30_000])
def test_a_broken_invitation_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="the invitation cannot be read"):
        invitation.read(text)


def test_games_with_the_same_rules_are_loaded_once() -> None:
    assert load("stupide_vautour") is GAME
    assert Game("stupide_vautour") is not GAME
