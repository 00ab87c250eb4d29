"""A match is its log."""

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.engine import chance
from ludotheque.engine.chance import Draw, Seeds
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import play_moves, read, read_json, replay, start, write_text
from ludotheque.engine.random_matches import random_matches, walk
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE

GAME = load("stupide_vautour")
SEEDS = Seeds(bytes(32))
CLIENTS = (bytes(16), b"sixteen bytes !!")


def played(*bids: tuple[int, int], **options: object) -> Match:
    match = Match(GAME, 2, options, seeds=SEEDS)
    for seat, value in bids:
        match.play(seat, value)
    return match


def played_out(game: Game = GAME, **given: Any) -> Match:
    """A match in which everyone makes the first move there is."""
    match = Match(game, 2, **({"seeds": SEEDS} | given))
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, match.legal_moves(seat)[0])
    return match


def test_chance_answers_by_itself_when_it_has_seeds() -> None:
    match = played((0, 3), (1, 4))
    assert [entry.seat for entry in match.log] == [CHANCE, 0, 1, CHANCE]


def test_the_same_seeds_draw_the_same_match() -> None:
    assert played((0, 3), (1, 4)).to_json() == played((0, 3), (1, 4)).to_json()


def test_without_seeds_chance_waits_to_be_played() -> None:
    match = Match(GAME, 2)
    assert match.log == []
    with pytest.raises(Refused, match="neither a deal nor seeds to draw from"):
        match.draw()


def test_the_same_seeds_deal_the_same_cards_whatever_people_do() -> None:
    assert played((0, 3), (1, 4)).chance_moves() == played((1, 9), (0, 9)).chance_moves()


def test_the_same_seeds_deal_the_same_cards_to_more_people() -> None:
    three = Match(GAME, 3, seeds=SEEDS)
    for seat in range(3):
        three.play(seat, 5)
    assert three.chance_moves() == played((0, 3), (1, 4)).chance_moves()


def test_a_seed_of_another_length_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(ValueError, match="a server seed has 3 bytes, expected 32"):
        Match(GAME, 2, seeds=Seeds(b"abc"))


# A deal


def test_a_deal_is_dealt_first_then_the_seeds_draw() -> None:
    match = Match(GAME, 2, deal=["+6", "-2"], seeds=SEEDS)
    for value in (1, 2, 3):
        match.play(0, value)
        match.play(1, value)
    assert match.chance_moves()[:2] == ["+6", "-2"]
    assert len(match.chance_moves()) == 4


def test_a_replay_must_keep_to_its_deal() -> None:
    data = Match(GAME, 2, deal=["+6"], seeds=SEEDS).to_json()
    data["moves"][0] = [-1, "+7"]
    with pytest.raises(Refused, match=r"move 1: chance may not play \+7: the deal says \+6"):
        replay(data)


@pytest.mark.parametrize("seeds", [None, SEEDS])
def test_a_deal_whose_opening_does_not_fit_is_refused(seeds: Seeds | None) -> None:
    dice_before_cards = ["r2", "r3", "1+1"]
    with pytest.raises(Refused, match=r"move 3 of the deal does not fit: chance may not play 1\+1"):
        Match(load("up_and_down"), 2, deal=dice_before_cards, seeds=seeds)


def test_a_later_move_that_does_not_fit_ends_the_deal_and_the_seeds_draw_on() -> None:
    match = played_out(deal=["+6", "+6", "-2"])
    assert match.is_over
    assert match.chance_moves()[0] == "+6"
    assert sorted(match.chance_moves()) == sorted(GAME.notation(CHANCE, n) for n in range(15))
    assert match.to_json()["deal"] == ["+6"]
    assert replay(match.to_json()).state == match.state


def test_without_seeds_a_later_move_that_does_not_fit_is_refused() -> None:
    match = Match(GAME, 2, deal=["+6", "+6"])
    for seat, move in ((CHANCE, GAME.parse(CHANCE, "+6")), (0, 1), (1, 1)):
        match.play(seat, move)
    with pytest.raises(Refused, match=r"chance may not play \+6 now"):
        match.draw()


# All or nothing


class Failure(Exception):
    """Something that no rules file foresees."""


def failing_game(name: str, at: int) -> Game:
    """A game in which the function of that name fails when it is asked for the n-th time."""
    game, asked = Game("stupide_vautour"), 0
    function = getattr(game, name)

    def fail(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == at:
            raise Failure
        return function(*arguments)

    setattr(game, name, fail)
    return game


def everything(match: Match) -> object:
    return copy.deepcopy({k: v for k, v in vars(match).items() if k != "game"})


@pytest.mark.parametrize("name", ["draw_name", "weight", "sees", "play", "awaits", "is_legal"])
def test_whatever_fails_a_move_is_made_with_its_answer_or_not_at_all(name: str) -> None:
    kept = 0
    for at in range(1, 200):
        try:
            match = Match(failing_game(name, at), 2, deal=["+1", "+2"], seeds=SEEDS)
        except Failure:
            continue
        for seat, move in [(seat, value) for value in (1, 2, 3) for seat in (0, 1)]:
            before, state = everything(match), match.state
            try:
                match.play(seat, move)
            except Failure:
                assert everything(match) == before
                assert match.state is state
                match.play(seat, move)
                kept += 1
        assert match.chance_moves() == played_deal()
    assert kept >= 2


def played_deal() -> list[str]:
    match = Match(GAME, 2, deal=["+1", "+2"], seeds=SEEDS)
    for value in (1, 2, 3):
        match.play(0, value)
        match.play(1, value)
    return match.chance_moves()


def test_a_move_stays_unmade_if_chance_cannot_answer_it() -> None:
    match = played((0, 3))
    before = everything(match)
    match.game = failing_game("draw_name", 1)
    with pytest.raises(Failure):
        match.play(1, 4)
    assert everything(match) == before


def test_a_refused_move_does_not_move_the_clock() -> None:
    match = Match(load("ubongo"), 2, seeds=SEEDS)
    match.play(0, match.legal_moves(0)[0], 500)
    before = everything(match)
    with pytest.raises(Refused, match="seat 0 may not play"):
        match.play(0, 0, 900)
    assert everything(match) == before
    with pytest.raises(Refused, match="there is no seat 5"):
        match.make(5, 0, 900)
    assert everything(match) == before


def test_a_move_that_is_not_legal_is_refused_with_the_games_own_reason() -> None:
    match = played((0, 3))
    with pytest.raises(Refused) as caught:
        match.play(0, 4)
    assert caught.value.reason == "not_now"
    match.play(1, 4)
    with pytest.raises(Refused) as caught:
        match.play(0, 3)
    assert caught.value.reason == "not_held"


def test_a_move_that_is_none_is_refused_without_a_reason_of_the_game() -> None:
    with pytest.raises(Refused, match="there is no move 99; moves are 0 to 15") as caught:
        played().play(0, 99)
    assert caught.value.reason == ""


def test_the_reason_is_that_of_the_time_at_which_the_move_came() -> None:
    match = Match(load("ubongo"), 1, {"time_limit": 1}, seeds=SEEDS)
    match.play(0, match.legal_moves(0)[-1], 0)
    assert match.game.is_legal(match.state, 0, 0)
    with pytest.raises(Refused) as caught:
        match.play(0, 0, 1500)
    assert caught.value.reason == "too_late"


def test_a_draw_that_is_refused_does_not_move_the_clock() -> None:
    match = Match(load("ubongo"), 1, {"time_limit": 1})
    match.play(0, match.legal_moves(0)[0], 0)
    before = everything(match)
    with pytest.raises(Refused, match="neither a deal nor seeds"):
        match.draw(900)
    assert everything(match) == before


@settings(deadline=None)
@given(st.data())
def test_after_any_attempts_the_state_is_the_replay_of_the_log(data: st.DataObject) -> None:
    game = load(data.draw(st.sampled_from(slugs())))
    seeds = Seeds(data.draw(st.binary(min_size=32, max_size=32)))
    match = Match(game, game.seats[-1], game.playout_options, seeds=seeds)
    for _ in range(data.draw(st.integers(1, 12))):
        seat = data.draw(st.integers(-2, match.seats))
        legal = match.legal_moves(seat)[-50:] if 0 <= seat < match.seats else []
        move = data.draw(st.sampled_from(legal) if legal else st.integers(-1, game.moves))
        move = data.draw(st.sampled_from([move, move, move + 1]))
        at = data.draw(st.integers(match.now - 300, match.now + 20_000)) if game.timed else None
        before = everything(match)
        try:
            match.play(seat, move, at)
        except Refused:
            assert everything(match) == before
        assert replay(match.to_json()).state == match.state


# Copies


def test_a_copy_goes_on_by_itself() -> None:
    match = played((0, 3))
    before = everything(match)
    twin = match.copy()
    assert everything(twin) == before
    twin.play(1, 4)
    assert everything(match) == before
    match.play(1, 4)
    assert everything(match) == everything(twin)


def test_a_copy_shares_what_never_changes() -> None:
    match = played((0, 3))
    twin = match.copy()
    assert twin.game is match.game
    assert twin.options is match.options
    assert twin.seeds is match.seeds


# Draws


def test_draws_tell_name_cases_and_case_of_everything_that_chance_did() -> None:
    match = played((0, 3), (1, 4), (0, 5), (1, 5))
    expected = [Draw(n, 15 - n, chance.case_of(SEEDS.key, n, 15 - n)) for n in range(3)]
    assert match.draws() == expected


def test_a_draw_of_weighted_outcomes_tells_the_case_that_the_key_gives() -> None:
    match = played_out(load("up_and_down"), options={"deals": 1})
    key = SEEDS.key
    assert [d.case for d in match.draws()] == [
        chance.case_of(key, d.name, d.cases) for d in match.draws()
    ]
    assert 36 in [d.cases for d in match.draws()]


def test_a_move_that_the_deal_fixed_is_a_draw_with_one_case() -> None:
    match = Match(GAME, 2, deal=["+6"], seeds=SEEDS)
    match.play(0, 1)
    match.play(1, 2)
    assert match.draws() == [Draw(0, 1, 0), Draw(1, 14, chance.case_of(SEEDS.key, 1, 14))]


def test_without_seeds_a_draw_tells_the_first_case_of_its_outcome() -> None:
    match = Match(GAME, 2)
    match.play(CHANCE, 7)
    assert match.draws() == [Draw(0, 15, 7)]


def test_the_commitment_is_that_of_the_server_seed() -> None:
    assert played().commitment == chance.commitment(SEEDS.server)
    assert Match(GAME, 2).commitment == ""


# Files


def test_a_file_replays_to_the_same_state(tmp_path: Path) -> None:
    match = played((0, 3), (1, 4), (1, 9))
    path = tmp_path / "match.json"
    path.write_text(write_text(match, about="three bids"))
    assert read(path).state == match.state
    assert json.loads(path.read_text())["about"] == "three bids"


def test_the_file_of_a_finished_match_tells_its_seeds() -> None:
    match = played_out(seeds=Seeds(bytes(32), CLIENTS))
    data = json.loads(write_text(match))
    assert data["seeds"] == {
        "server": bytes(32).hex(),
        "clients": [seed.hex() for seed in CLIENTS],
    }
    assert replay(data).seeds == match.seeds
    assert replay(data).to_json() == match.to_json()


def test_the_file_of_an_unfinished_match_keeps_its_seeds_secret() -> None:
    assert "seeds" not in played((0, 3), (1, 4)).to_json()


@pytest.mark.parametrize(
    ("seeds", "complaint"),
    [
        ("00", "seeds is not an object with server and clients"),
        ({"server": "00"}, "seeds is not an object with server and clients"),
        ({"server": "00", "clients": [], "key": ""}, "seeds is not an object with server and"),
        ({"server": "xyz", "clients": []}, "a seed is 'xyz', expected hexadecimal digits"),
        ({"server": "00" * 32, "clients": [7]}, "a seed is 7, expected hexadecimal digits"),
        ({"server": "00", "clients": []}, "a server seed has 1 bytes, expected 32"),
        ({"server": "00" * 32, "clients": ["00"]}, "a client seed has 1 bytes, expected 16"),
    ],
)
def test_seeds_that_are_none_are_refused(seeds: object, complaint: str) -> None:
    with pytest.raises(Refused, match=complaint):
        replay(played_out().to_json() | {"seeds": seeds})


def test_seeds_told_before_the_end_are_refused() -> None:
    told = played_out().to_json()["seeds"]
    with pytest.raises(Refused, match="seeds of a match that is not over; leave them out"):
        replay(played((0, 3)).to_json() | {"seeds": told})


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


def test_games_with_the_same_rules_are_loaded_once() -> None:
    assert load("stupide_vautour") is GAME
    assert Game("stupide_vautour") is not GAME


# What is told


def test_a_move_that_there_is_not_is_refused() -> None:
    match = played((0, 3))
    for move in (-1, 16):
        with pytest.raises(Refused, match=f"^there is no move {move}; moves are 0 to 15$"):
            match.play(1, move)
    with pytest.raises(Refused, match=r"^there is no move 15; moves are 0 to 14$"):
        match.play(CHANCE, 15)


@pytest.mark.parametrize(
    ("held", "allowed"),
    [
        ([2, 3, 4, 5, 6, 7], "it may play 2, 3, 4, 5, 6, 7"),
        ([2, 3, 4, 5, 6, 7, 9], "it may play 2, 3, 4, 5, 6, 7 and 1 more"),
    ],
)
def test_a_refusal_tells_six_moves_that_may_be_made(held: list[int], allowed: str) -> None:
    match = played()
    match.state.hands[0] = sum(1 << value for value in held)
    with pytest.raises(Refused, match=rf"^seat 0 may not play 8 now \(not held\); {allowed}$"):
        match.play(0, 8)


def test_a_refusal_tells_that_no_move_may_be_made() -> None:
    match = played((0, 3))
    with pytest.raises(Refused, match=r"now \(not now\); it may play nothing now$"):
        match.play(0, 8)


def test_a_view_is_the_state_as_the_rules_hide_it() -> None:
    match = played((0, 3))
    assert match.view(0).bids[:2] == [3, 0]
    assert match.view(1).bids[:2] == [-1, 0]


def test_a_log_is_told_with_marks_in_place_of_hidden_moves() -> None:
    match = played((0, 3))
    card = match.chance_moves()[0]
    assert match.visible_log(0) == [[CHANCE, card], [0, "3"]]
    assert match.visible_log(1) == [[CHANCE, card], [0, "?"]]


def test_winners_and_verdict_are_told_at_the_end() -> None:
    match = Match(GAME, 2, seeds=SEEDS)
    while not match.is_over:
        assert (match.winners, match.verdict) == ([], "")
        match.play(0, match.legal_moves(0)[0])
        match.play(1, match.legal_moves(1)[-1])
    assert match.scores == [25, 15]
    assert (match.winners, match.verdict) == ([0], "won")


# Time


def timed(*times: int) -> Match:
    """A race of one seat in which these are the times of its first moves."""
    match = Match(load("ubongo"), 1, {"time_limit": 1}, seeds=SEEDS)
    for at in times:
        match.play(0, match.legal_moves(0)[0], at)
    return match


def test_time_passes_with_the_moves_of_a_timed_game() -> None:
    assert timed().now == 0
    assert timed(500).now == timed(500).state.clock == 500
    assert timed(500, 700).now == 700
    assert played((0, 3)).now == 0


def test_time_never_goes_back() -> None:
    match = timed(500)
    with pytest.raises(Refused, match="a move came at 499 ms, but the match is at 500 ms already"):
        match.play(0, match.legal_moves(0)[0], 499)


def test_chance_may_be_let_act_at_a_time() -> None:
    match = timed(500)
    match.draw(1500)
    assert match.now == 1500
    assert match.log[-1].at == 1500
    assert match.state.times[0] == 1000


def test_the_steps_of_a_timed_match_have_the_time_of_their_moves() -> None:
    match = timed(500, 700, 900)
    assert [state.clock for state, _ in match.steps()] == [entry.at for entry in match.log]
    assert {entry.at for entry in match.log} == {500, 700, 900}


# More of deals, draws and files


def test_a_deal_may_end_within_the_opening() -> None:
    match = Match(load("up_and_down"), 2, deal=["r2"], seeds=SEEDS)
    assert match.chance_moves()[0] == "r2"
    assert match.awaited() != []


def test_a_draw_that_the_key_did_not_give_tells_the_first_case_of_its_outcome() -> None:
    drawn = chance.case_of(SEEDS.key, 0, 15)
    for outcome in (drawn - 1, drawn + 1):
        match = Match(GAME, 2)
        match.play(CHANCE, outcome)
        match.seeds = SEEDS
        assert match.draws() == [Draw(0, 15, outcome)]


def test_the_cards_of_a_host_stand_in_the_file() -> None:
    deck = json.loads((load("ubongo").folder / "data" / "deck.json").read_text("utf-8"))
    match = Match(Game("ubongo", deck), 2, seeds=SEEDS)
    assert match.to_json()["parts"] == deck
    assert replay(match.to_json()).game.parts == deck
    assert "parts" not in Match(load("ubongo"), 2).to_json()


def test_a_replay_gives_its_entries_one_by_one() -> None:
    data = played((0, 3), (1, 4)).to_json()
    match, moves = start(data)
    assert [entry.seat for entry in play_moves(match, moves)] == [CHANCE, 0, 1, CHANCE]


def test_a_file_holds_notation_as_it_is_read() -> None:
    game = Game("stupide_vautour")
    game.notation = lambda seat, move: f"n° {move}"  # type: ignore[method-assign]
    match = Match(game, 2)
    match.play(CHANCE, 7)
    assert '    [-1, "n° 7"]\n' in write_text(match)


@pytest.mark.parametrize("slug", slugs())
def test_a_replay_has_the_digest_of_the_match(slug: str) -> None:
    rng = Random(7)
    match = next(random_matches(load(slug), 2, rng))
    for _ in walk(match, rng):
        pass
    twin = Match(match.game, match.seats, match.options)
    digests = set()
    for entry in match.log:
        twin.make(entry.seat, entry.move, entry.at)
        digests.add(twin.digest())
    assert twin.digest() == match.digest()
    assert len(digests) > 1


def test_a_digest_does_not_depend_on_fields_that_a_later_version_adds() -> None:
    match = played_out()
    before, fields = match.digest(), dict(vars(match.state))
    vars(match.state).clear()
    vars(match.state).update({"added": 0, "added_rows": [[0, 0], [0, 0]]} | fields)
    assert match.digest() == before
    vars(match.state)["added"] = 1
    assert match.digest() != before


def test_a_digest_depends_on_who_has_won(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played_out()
    before = match.digest()
    monkeypatch.setattr(GAME, "wins", lambda state, seat: seat == 1)
    assert match.digest() != before
