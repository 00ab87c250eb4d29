"""The option that a wrong call takes the caller out of the round, while the others go on."""

import pytest

from ludotheque.engine.drawing import drawn
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.notation import notes, prompt
from ludotheque.games.ubongo.rules import (
    CALL,
    CALLER_IS_OUT,
    CLOSE,
    ENDS_THE_ROUND,
    NOT_CONNECTED,
    RACING,
    READYING,
    SHIFT,
    STOP,
    TAKE_BACK,
)
from ludotheque.games.ubongo.tests.positions import (
    EASY,
    begin_next,
    close,
    lay,
    lay_chain,
    lay_junk,
    new_match,
    points,
    race,
)

NAMES = ["Ada", "Duma", "Kobe"]


def wrong_call(seats: int = 3) -> Match:
    """Seat 0 has called wrongly after five seconds, seat 1 has laid four cards."""
    match = race(seats, wrong_call="caller is out")
    lay_junk(match, 0)
    if seats > 1:
        lay_chain(match, 1, 4)
    match.play(0, CALL, 5000)
    return match


def test_by_default_a_wrong_call_ends_the_round_as_on_the_sheet() -> None:
    assert new_match(2).state.wrong_call == ENDS_THE_ROUND == 0
    assert new_match(2, wrong_call="caller is out").state.wrong_call == CALLER_IS_OUT == 1
    match = race(2)
    lay_junk(match, 0)
    match.play(0, CALL)
    assert (match.state.callers, match.state.out) == (1, 0)
    assert match.awaited() == []


def test_a_wrong_call_takes_the_caller_out_and_the_race_goes_on() -> None:
    match = wrong_call()
    assert (match.state.phase, match.state.callers, match.state.out) == (RACING, 0, 1)
    assert match.awaited() == [1, 2]
    assert match.game.alarm(match.state) == -1
    match.play(1, lay(4, 12, 10), 5001)
    match.play(2, lay(0, 0, 0), 5002)


def test_a_right_call_ends_the_round_for_all() -> None:
    match = wrong_call()
    lay_chain(match, 1, 7, first=4)
    match.play(1, CALL, 9000)
    assert match.awaited() == []
    with pytest.raises(Refused, match=r"\(called\)"):
        match.play(2, lay(0, 0, 0))
    close(match)
    assert points(match) == [0, 10, 0]
    assert match.state.times[0] == 9000


def test_a_wrong_call_at_the_time_of_a_right_one_scores_nothing() -> None:
    match = race(3, wrong_call="caller is out")
    lay_chain(match, 0, 7)
    lay_junk(match, 1)
    match.play(0, CALL, 100)
    match.play(1, CALL, 200)
    assert (match.state.callers, match.state.out) == (0b011, 0)
    close(match)
    assert points(match) == [10, 0, 0]


def test_those_who_are_out_have_no_moves_until_the_next_round() -> None:
    match = wrong_call()
    assert match.legal_moves(0) == []
    for move in (lay(7, 28, 0), TAKE_BACK, SHIFT, CALL, STOP):
        with pytest.raises(Refused, match=r"\(out\)"):
            match.play(0, move)
    match.play(1, STOP)
    match.play(2, STOP)
    close(match)
    begin_next(match)
    assert match.awaited() == [0, 1, 2]
    assert (match.state.out, match.state.verdicts) == (0, [[0, 0, 0]] * 4)


def test_those_who_are_out_do_not_call_after_another_call() -> None:
    match = wrong_call()
    lay_chain(match, 1, 7, first=4)
    match.play(1, CALL)
    with pytest.raises(Refused, match=r"call now \(out\)"):
        match.play(0, CALL)


def test_a_wrong_call_scores_nothing_whatever_ends_the_round() -> None:
    match = wrong_call()
    match.play(1, STOP, 6000)
    match.play(2, STOP, 7000)
    close(match)
    assert points(match) == [0, 4, 0]
    assert match.state.times[0] == 7000


def test_those_who_are_out_need_not_agree_to_stop() -> None:
    match = wrong_call()
    match.play(1, STOP)
    assert match.state.phase == RACING
    match.play(2, STOP)
    assert match.legal_moves(CHANCE) == [CLOSE]
    close(match)
    assert match.state.phase == READYING


def test_a_wrong_call_ends_the_round_if_all_the_others_have_agreed_to_stop() -> None:
    match = race(2, wrong_call="caller is out")
    match.play(1, STOP)
    lay_junk(match, 0)
    match.play(0, CALL, 8000)
    close(match)
    assert match.state.phase == READYING
    assert match.state.times[0] == 8000


def test_a_round_ends_when_all_are_out() -> None:
    match = race(2, wrong_call="caller is out")
    for seat in range(2):
        lay_junk(match, seat)
        match.play(seat, CALL)
    assert match.awaited() == []
    close(match)
    assert points(match) == [0, 0]


def test_a_player_alone_is_out_and_the_round_is_over() -> None:
    match = wrong_call(1)
    close(match)
    assert (match.state.phase, points(match)) == (READYING, [0])


def test_the_time_limit_ends_a_round_that_goes_on() -> None:
    match = race(2, wrong_call="caller is out", time_limit=60)
    lay_junk(match, 0)
    match.play(0, CALL, 5000)
    assert match.game.alarm(match.state) == 55_000


# What is seen


def test_everyone_knows_who_is_out_and_why_but_sees_no_card_of_theirs() -> None:
    match = wrong_call()
    view = match.view(1)
    assert (view.out, view.verdicts[0]) == (1, [NOT_CONNECTED, 6, 6])
    assert view.hands[0] == [-1] * 9
    assert set(view.places[0]) == {-1, -2}


def test_those_who_are_out_see_what_was_wrong_and_the_others_nothing() -> None:
    match = wrong_call()
    own, others = notes(EASY, match.view(0), 0), notes(EASY, match.view(1), 1)
    assert (own["may_lay"], own["verdicts"]) == (False, {"0": ("not_connected", 6, 6)})
    assert (others["may_lay"], others["verdicts"]) == (True, {})
    assert prompt(match.view(0), 0) == "out"
    assert prompt(match.view(1), 1) == "lay"


def test_the_terminal_says_who_is_out() -> None:
    match = wrong_call()
    words = Words(match.game, "en")
    assert "out of the" in drawn(match.view(1), 1, words, NAMES)


def test_a_wrong_call_is_told_with_its_mistake_and_the_history_keeps_it() -> None:
    match = race(3, wrong_call="caller is out")
    match.play(0, lay(0, 0, 0))
    match.play(0, lay(1, 2, 2))  # one cell of border
    for i in range(2, 7):
        match.play(0, lay(i, 3 * i, 10))
    lay_junk(match, 1)
    story = Story(match, from_now=True)
    match.play(0, CALL)
    match.play(1, CALL)
    facts = [
        Fact("call", "called", {"seat": 0}),
        Fact("verdict", "out", {"seat": 0, "a": 1, "b": 2, "fault": "one_cell"}),
        Fact("call", "called", {"seat": 1}),
        Fact("verdict", "out_astray", {"seat": 1, "a": 7}),
    ]
    assert story.facts(match, 2) == facts
    assert [fact for _, fact in history(match, NOBODY)] == facts
    match.play(2, STOP)
    close(match)
    assert story.facts(match, 2)[:2] == [
        Fact("vote", "agreed", {"seat": 2}),
        Fact("begin", "all_agreed", {}),
    ]


def test_it_is_told_that_nobody_is_left() -> None:
    match = race(3, wrong_call="caller is out")
    for seat in range(3):
        lay_junk(match, seat)
        match.play(seat, CALL)
    story = Story(match, from_now=True)
    close(match)
    assert story.facts(match, 2)[0] == Fact("begin", "all_out", {})


SENTENCES = {
    "fr": "Ada ne joue plus cette manche\u00a0: la carte 7 est à l’écart du groupe",
    "en": "Ada is out of this round: card 7 lies away from the group",
    "de": "Ada ist in dieser Runde raus: Karte 7 liegt abseits der Gruppe",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_says_who_is_out(language: str) -> None:
    fact = Fact("verdict", "out_astray", {"seat": 0, "a": 7})
    assert Words(EASY, language).fact(fact, NAMES) == SENTENCES[language]


def test_a_layout_of_a_seat_that_is_out_stays_as_it_is() -> None:
    match = wrong_call()
    before = match.state.places[0]
    close_all(match)
    assert match.state.places[0] == before
    assert match.state.verdicts[0][0] != GOOD


def close_all(match: Match) -> None:
    match.play(1, STOP)
    match.play(2, STOP)
    close(match)
