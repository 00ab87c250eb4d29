"""Moves that had a longer way than others count when they were made."""

from random import Random

import pytest

from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Story, history
from ludotheque.engine.words import Words
from ludotheque.games.ubongo.checks import faults
from ludotheque.games.ubongo.rules import CALL, CLOSE, READY, STOP, TAKE_BACK
from ludotheque.games.ubongo.tests.positions import (
    EASY,
    close,
    deck,
    lay,
    lay_chain,
    lay_junk,
    new_match,
    points,
    race,
)

NAMES = ["Ada", "Duma", "Kobe"]


def finished(seats: int = 2) -> Match:
    """Everybody has laid seven cards, and nobody has called."""
    match = race(seats)
    for seat in range(seats):
        lay_chain(match, seat, 7)
    return match


def test_the_first_call_is_the_one_that_was_made_first() -> None:
    match = finished()
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 9900)
    assert match.state.calls[:2] == [10_000, 9900]
    assert match.state.called_at == 9900
    close(match)
    assert points(match) == [10, 10]
    assert match.state.times[0] == 9900


def test_a_late_move_does_not_turn_the_clock_back() -> None:
    match = finished()
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 9900)
    assert match.now == 10_000
    assert match.game.alarm(match.state) == 150
    assert [entry.at for entry in match.log[-2:]] == [10_000, 9900]


def test_the_window_runs_from_the_call_that_was_made_first() -> None:
    match = finished(3)
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 9900)
    with pytest.raises(Refused, match="too late"):
        match.play(2, CALL, 10_151)
    match.play(2, CALL, 10_150)
    assert match.state.callers == 0b111


def test_a_call_that_comes_in_after_the_window_counts_if_it_was_made_within() -> None:
    match = finished(3)
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 10_240)
    match.play(2, CALL, 10_200)
    assert match.state.calls[:3] == [10_000, 10_240, 10_200]


def test_a_card_laid_before_the_call_counts_though_it_comes_after_it() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 6)
    match.play(0, CALL, 10_000)
    for made in (10_000, 10_001):
        with pytest.raises(Refused, match="called"):
            match.play(1, lay(6, 18, 10), made)
    match.play(1, lay(6, 18, 10), 9999)
    assert match.awaited() == [1]
    match.play(1, CALL, 10_100)
    close(match)
    assert points(match) == [10, 10]


def test_a_late_card_opens_the_field_to_nobody() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    match.play(0, CALL, 10_000)
    match.play(1, lay(0, 0, 0), 9990)
    assert match.legal_moves(1) == []
    with pytest.raises(Refused, match="called"):
        match.play(1, lay(1, 3, 0))


def test_what_was_laid_before_a_late_call_came_in_stays() -> None:
    match = finished()
    match.play(0, lay(7, 21, 10), 10_000)
    match.play(1, CALL, 9900)
    close(match)
    assert points(match) == [8, 10]


def test_nobody_moves_before_their_own_last_move() -> None:
    match = finished()
    match.play(1, TAKE_BACK, 9950)
    match.play(0, CALL, 10_000)
    with pytest.raises(Refused, match="a move came at 9949 ms, but the match is at 9950 ms"):
        match.play(1, lay(0, 0, 10), 9949)
    match.play(1, lay(0, 0, 10), 9950)


def test_nobody_moves_before_what_chance_did() -> None:
    match = race(2, time_limit=60)
    match.play(CHANCE, CLOSE, 60_100)
    with pytest.raises(Refused, match="the match is at 60100 ms already"):
        match.play(0, READY, 60_099)
    with pytest.raises(Refused, match="the match is at 60100 ms already"):
        match.draw(60_099)


def test_nobody_moves_before_the_race_began() -> None:
    match = race(2)
    match.play(0, STOP, 1000)
    match.play(1, STOP, 1000)
    match.play(0, READY, 2000)
    match.play(1, READY, 5000)
    with pytest.raises(Refused, match="not yet"):
        match.play(0, lay(0, 0, 0), 4999)
    match.play(1, lay(0, 0, 0), 5100)
    match.play(0, lay(0, 0, 0), 5000)


def test_an_agreement_to_stop_that_comes_in_after_a_call_is_void() -> None:
    match = finished()
    match.play(0, STOP, 9000)
    match.play(0, CALL, 10_000)
    with pytest.raises(Refused, match="called"):
        match.play(1, STOP, 9900)


def test_a_wrong_call_made_before_a_right_one_stops_nobody() -> None:
    match = race(3, wrong_call="caller is out")
    lay_chain(match, 0, 7)
    lay_junk(match, 1)
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 9900)
    assert (match.state.callers, match.state.out, match.state.called_at) == (0b001, 0b010, 10_000)


def test_only_a_race_takes_late_moves() -> None:
    game = type(EASY)("ubongo", deck())
    game.race = False
    match = race(2, game)
    match.play(0, lay(0, 0, 0), 500)
    assert match.earliest(1) == 500
    with pytest.raises(Refused, match="a move came at 499 ms, but the match is at 500 ms already"):
        match.play(1, lay(0, 0, 0), 499)


def test_a_log_with_late_moves_replays_to_the_same_state_and_story() -> None:
    rng = Random(5)
    match = race(3)
    story = Story(match, from_now=True)
    facts = []
    for _ in range(300):
        seat = rng.randrange(3)
        moves = [lay(rng.randrange(9), rng.randrange(30), rng.randrange(30)), CALL]
        made = max(match.now + rng.randrange(-120, 60), match.earliest(seat))
        try:
            match.play(seat, rng.choice(moves), made)
        except Refused:
            continue
        assert list(faults(match.state)) == []
        facts += story.facts(match, 0)
    assert match.state.callers
    close(match)
    facts += story.facts(match, 0)
    times = [entry.at or 0 for entry in match.log]
    assert times != sorted(times)
    assert replay(match.to_json()).state == match.state
    assert [fact for _, fact in history(match, 0)] == [fact for fact in facts if fact.lasting]


PHOTO_FINISH = {
    "fr": "Photo-finish\u00a0: Kobe en premier, Duma 80 ms plus tard, Ada 100 ms plus tard\u202f; "
    "c’est compté comme simultané",
    "en": "Photo finish: Kobe first, Duma 80 ms later, Ada 100 ms later; "
    "that counts as the same time",
    "de": "Fotofinish: Kobe zuerst, Duma 80 ms später, Ada 100 ms später; "
    "das zählt als gleichzeitig",
}


@pytest.mark.parametrize("language", PHOTO_FINISH)
def test_the_photo_finish_tells_the_order_in_which_calls_were_made(language: str) -> None:
    match = finished(3)
    story = Story(match, from_now=True)
    match.play(0, CALL, 10_000)
    match.play(1, CALL, 9980)
    match.play(2, CALL, 9900)
    close(match)
    facts = story.facts(match, 0)
    assert [fact.key for fact in facts[:5]] == [
        "called",
        "called_too",
        "called_too",
        "checked",
        "photo_finish",
    ]
    assert Words(match.game, language).fact(facts[4], NAMES) == PHOTO_FINISH[language]
    assert facts[4] in [fact for _, fact in history(match, NOBODY)]


def test_calls_of_the_same_millisecond_are_tied() -> None:
    match = finished(3)
    story = Story(match, from_now=True)
    for seat, at in enumerate((10_000, 10_000, 10_030)):
        match.play(seat, CALL, at)
    close(match)
    photo = next(fact for fact in story.facts(match, 0) if fact.key == "photo_finish")
    assert Words(match.game, "en").fact(photo, NAMES) == (
        "Photo finish: Ada tied, Duma tied, Kobe 30 ms later; that counts as the same time"
    )


def test_one_call_alone_makes_no_photo_finish() -> None:
    match = finished()
    story = Story(match, from_now=True)
    match.play(0, CALL, 10_000)
    close(match)
    assert "photo_finish" not in [fact.key for fact in story.facts(match, 0)]


def test_a_new_round_knows_nothing_of_the_calls_before() -> None:
    match = finished()
    match.play(0, CALL, 10_000)
    close(match)
    for seat in range(2):
        match.play(seat, READY)
    assert match.state.calls == [0, 0, 0, 0]
    assert new_match(2).state.calls == [0, 0, 0, 0]
