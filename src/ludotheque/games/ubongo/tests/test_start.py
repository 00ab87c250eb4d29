"""The countdown before a race: until it is over nobody lays a card, and no time passes."""

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Fact, Story
from ludotheque.games.ubongo.notation import notes, prompt
from ludotheque.games.ubongo.rules import CALL, GO, RACING, READY, SHIFT, STARTING, STOP, TAKE_BACK
from ludotheque.games.ubongo.tests.positions import (
    EASY,
    GAME,
    close,
    deal,
    go,
    lay,
    lay_chain,
    new_match,
    points,
    ready,
    stop_all,
)

SECOND_MS = 1000


def starting(seats: int = 2, countdown: int = 3, **options: object) -> Match:
    """A match whose first race is counted down; all were ready after two seconds."""
    match = new_match(seats, EASY, fair_hands=False, countdown=countdown, **options)
    for seat in range(seats):
        match.play(seat, READY, 2 * SECOND_MS)
    deal(match)
    return match


def test_by_default_three_seconds_are_counted() -> None:
    assert Match(EASY, 2).state.countdown == 3


@pytest.mark.parametrize("countdown", [1, 3, 10])
def test_a_race_starts_when_the_seconds_are_counted(countdown: int) -> None:
    match = starting(countdown=countdown)
    assert match.state.phase == STARTING
    assert match.game.alarm(match.state) == countdown * SECOND_MS
    with pytest.raises(Refused, match=r"go now \(not now\)"):
        match.play(CHANCE, GO, (2 + countdown) * SECOND_MS - 1)
    match.play(CHANCE, GO, (2 + countdown) * SECOND_MS)
    assert (match.state.phase, match.state.started_at) == (RACING, (2 + countdown) * SECOND_MS)


def test_a_countdown_has_ten_seconds_at_most() -> None:
    with pytest.raises(Refused, match="option countdown is 11, expected"):
        new_match(2, countdown=11)


def test_everyone_sees_the_race_start() -> None:
    match = starting(seats=3)
    match.play(CHANCE, GO, 5 * SECOND_MS)
    assert match.log[-1].seen_by == {0, 1, 2, NOBODY}


def test_nobody_does_anything_while_it_is_counted() -> None:
    match = starting()
    assert match.awaited() == []
    for seat in range(2):
        assert match.legal_moves(seat) == []
        for move in (lay(0, 0, 0), TAKE_BACK, SHIFT, CALL, STOP):
            with pytest.raises(Refused, match=r"\(not yet\)"):
                match.play(seat, move, 4999)
        with pytest.raises(Refused, match=r"ready now \(not now\)"):
            match.play(seat, READY, 4999)
        assert prompt(match.view(seat), seat) == "starting"
        assert not notes(GAME, match.view(seat), seat)["may_lay"]


def test_before_the_first_race_no_earlier_round_is_spoken_of() -> None:
    match = new_match(2, EASY, fair_hands=False, countdown=0)
    assert [prompt(match.view(seat), seat) for seat in range(2)] == ["first_ready"] * 2
    match.play(0, READY)
    assert prompt(match.view(0), 0) == "first_wait"
    match.play(1, READY)
    deal(match)
    stop_all(match)
    assert [prompt(match.view(seat), seat) for seat in range(2)] == ["ready"] * 2
    match.play(0, READY)
    assert prompt(match.view(0), 0) == "wait"


def test_at_the_start_all_may_lay() -> None:
    match = starting()
    go(match)
    assert match.awaited() == [0, 1]
    assert [notes(GAME, match.view(seat), seat)["may_lay"] for seat in range(2)] == [True, True]


def test_everyone_sees_their_own_cards_while_it_is_counted() -> None:
    match = starting()
    assert match.view(0).hands[0] == match.state.hands[0]
    assert match.view(0).hands[1] == [-1] * 9


def test_the_countdown_takes_nothing_of_the_time_of_a_race() -> None:
    match = starting(time_limit=60)
    go(match)
    assert match.game.alarm(match.state) == 60 * SECOND_MS
    lay_chain(match, 0, 7)
    match.play(0, CALL, 12 * SECOND_MS)
    close(match)
    assert match.state.times[0] == 7 * SECOND_MS
    assert points(match) == [10, 0]


def test_a_late_start_is_the_start_of_the_race() -> None:
    match = starting()
    match.play(CHANCE, GO, 5 * SECOND_MS + 40)
    assert match.state.started_at == 5 * SECOND_MS + 40


def test_the_black_side_is_counted_down_too() -> None:
    match = starting()
    go(match)
    stop_all(match)
    ready(match)
    assert match.state.phase == STARTING
    go(match)
    assert (match.state.phase, match.state.rounds) == (RACING, 2)


def test_one_player_alone_starts_at_once() -> None:
    assert starting(1).state.phase == RACING


def test_without_a_countdown_the_race_starts_at_once() -> None:
    assert starting(countdown=0).state.phase == RACING


def test_chance_starts_a_race_by_itself() -> None:
    match = Match(GAME, 2, seeds=Seeds(bytes(32)))
    ready(match)
    match.draw(2999)
    assert match.state.phase == STARTING
    match.draw(3000)
    assert match.state.phase == RACING
    assert GAME.notation(CHANCE, match.log[-1].move) == "go"


def test_the_countdown_and_the_start_are_told() -> None:
    match = starting()
    story = Story(match)
    go(match)
    facts = story.facts(match, 0)
    assert facts == [
        Fact("begin", "countdown", {"number": 1, "side": "white"}, lasting=False),
        Fact("begin", "go", {}, lasting=False),
    ]
