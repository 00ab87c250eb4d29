"""Races on the clock: the limit, late moves and calls, and the time of every race."""

import json

import pytest

from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.games.ubongo.rules import CALL, CLOSE, READY, SHIFT, STOP, TAKE_BACK
from ludotheque.games.ubongo.tests.positions import (
    GAME,
    close,
    deal,
    go,
    lay,
    lay_chain,
    new_match,
    points,
    race,
    ready,
)


def test_the_limit_ends_a_round_and_nobody_scores_ten() -> None:
    match = race(2, time_limit=60)
    lay_chain(match, 0, 7)
    assert match.game.alarm(match.state) == 60_000
    with pytest.raises(Refused, match="close now"):
        match.play(CHANCE, CLOSE, 59_999)
    match.play(CHANCE, CLOSE, 60_000)
    assert points(match) == [7, 0]
    assert match.state.times == [60_000, 0, 0, 0, 0, 0]


def test_a_limit_is_an_hour_at_most() -> None:
    assert new_match(1).state.time_limit == 0
    assert new_match(1, time_limit=3600).state.time_limit == 3600
    for seconds in (-1, 3601):
        with pytest.raises(Refused, match=f"option time_limit is {seconds}, expected"):
            new_match(1, time_limit=seconds)


def test_times_are_whole_numbers_that_a_browser_holds_exactly() -> None:
    for name in ("clock", "started_at", "called_at", "calls", "times"):
        assert GAME.State.FIELDS[name].high == 2**53 - 1


def test_the_phases_of_a_round_have_numbers() -> None:
    match = new_match(2, fair_hands=False, countdown=3)
    phases = [match.state.phase]
    ready(match)
    phases.append(match.state.phase)
    deal(match)
    phases.append(match.state.phase)
    go(match)
    phases.append(match.state.phase)
    assert phases == [0, 1, 2, 3]


def test_a_race_waits_for_its_seats_up_to_the_limit() -> None:
    match = race(2, time_limit=60)
    assert match.awaited() == [0, 1]
    match.game.wait(match.state, 60_000)
    assert match.awaited() == [0, 1]
    match.game.wait(match.state, 1)
    assert match.awaited() == []


def test_after_a_call_the_table_waits_for_those_who_may_still_call() -> None:
    match = race(3)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 7)
    match.play(0, CALL)
    assert match.awaited() == [1]


def test_nobody_is_awaited_while_cards_are_dealt() -> None:
    match = new_match(2, time_limit=60)
    ready(match)
    assert match.awaited() == []


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


def test_without_a_limit_a_race_may_take_any_time() -> None:
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


def test_the_time_of_every_race_of_a_player_alone_is_kept() -> None:
    match = race(1)
    lay_chain(match, 0, 7)
    match.play(0, CALL, 33_000)
    match.play(CHANCE, CLOSE, 33_250)
    match.play(0, READY, 50_000)
    match.play(0, STOP, 71_500)
    assert match.state.times == [33_000, 21_500, 0, 0, 0, 0]
    assert match.scores == [10]
