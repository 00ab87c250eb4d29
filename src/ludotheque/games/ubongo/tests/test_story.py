"""What is told of a race: its start, the calls, the cards checked, the points."""

import pytest

from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words
from ludotheque.games.ubongo.rules import CALL, STOP
from ludotheque.games.ubongo.tests.positions import (
    begin_next,
    close,
    lay,
    lay_chain,
    race,
    stop_all,
)

NAMES = ["Ada", "Duma", "Kobe"]


def now(match: Match) -> Story:
    return Story(match, from_now=True)


def called() -> tuple[Match, Story]:
    """Ada has laid seven cards, Duma three, Kobe two apart; Ada has called."""
    match = race(3)
    story = now(match)
    lay_chain(match, 0, 7)
    lay_chain(match, 1, 3)
    match.play(2, lay(0, 0, 0))
    match.play(2, lay(1, 20, 20))
    match.play(0, CALL)
    return match, story


def test_a_race_begins_with_the_last_card_of_a_deal() -> None:
    match = race(2)
    assert Story(match).facts(match, NOBODY) == [
        Fact("begin", "started", {"number": 1, "side": "white"}, lasting=False)
    ]


def test_a_race_with_the_black_side_begins_when_all_are_ready() -> None:
    match = race(2)
    stop_all(match)
    story = now(match)
    begin_next(match)
    assert story.facts(match, 0) == [
        Fact("begin", "started", {"number": 2, "side": "black"}, lasting=False)
    ]


def test_laying_is_not_told() -> None:
    match = race(2)
    story = now(match)
    lay_chain(match, 0, 9)
    lay_chain(match, 1, 2)
    assert [story.facts(match, viewer) for viewer in (0, 1, NOBODY)] == [[], [], []]


def test_a_call_is_told_at_once_and_the_verdict_when_the_round_is_closed() -> None:
    match, story = called()
    assert story.facts(match, 0) == [Fact("call", "called", {"seat": 0})]
    close(match)
    assert story.facts(match, 0) == [
        Fact("begin", "checked", {"seats": [0]}, lasting=False),
        Fact("verdict", "right", {"seat": 0, "count": 7}),
        Fact("verdict", "right", {"seat": 1, "count": 3}),
        Fact("verdict", "astray", {"seat": 2, "a": 2}),
        Fact("score", "scored", {"by_seat": [[0, "+10"], [1, "+3"], [2, "0"]]}),
    ]


def test_callers_are_judged_first_and_a_fault_names_its_cards() -> None:
    match = race(2)
    lay_chain(match, 0, 7)
    match.play(1, lay(0, 0, 0))
    match.play(1, lay(1, 2, 2))  # one cell of border
    for i in range(2, 7):
        match.play(1, lay(i, 3 * i, 10))
    story = now(match)
    match.play(1, CALL)
    match.play(0, CALL)
    close(match)
    assert story.facts(match, 0) == [
        Fact("call", "called", {"seat": 1}),
        Fact("call", "called_too", {"seat": 0}),
        Fact("begin", "checked", {"seats": [0, 1]}, lasting=False),
        Fact("call", "photo_finish", {"by_seat": [[0, ["tied", {}]], [1, ["tied", {}]]]}),
        Fact("verdict", "right", {"seat": 0, "count": 7}),
        Fact("verdict", "wrong", {"seat": 1, "a": 1, "b": 2, "fault": "one_cell"}),
        Fact("score", "scored", {"by_seat": [[0, "+10"], [1, "0"]]}),
    ]


def test_agreeing_to_stop_is_told_and_the_last_to_agree_ends_the_round() -> None:
    match = race(2)
    lay_chain(match, 0, 1)
    story = now(match)
    match.play(1, STOP)
    assert story.facts(match, 0) == [Fact("vote", "agreed", {"seat": 1})]
    match.play(0, STOP)
    assert story.facts(match, 0) == [
        Fact("begin", "all_agreed", {}),
        Fact("verdict", "right", {"seat": 0, "count": 1}),
        Fact("verdict", "nothing", {"seats": [1]}),
        Fact("score", "scored", {"by_seat": [[0, "+1"], [1, "0"]]}),
    ]


def test_somebody_alone_gives_up() -> None:
    match = race(1)
    story = now(match)
    match.play(0, STOP)
    assert story.facts(match, 0)[0] == Fact("begin", "gave_up", {"seat": 0})


def test_the_end_of_time_is_told() -> None:
    match = race(2, time_limit=5)
    story = now(match)
    close(match)
    assert story.facts(match, 0)[0] == Fact("begin", "time_up", {})


def test_the_history_keeps_why_a_round_ended_and_what_was_found() -> None:
    match, _ = called()
    close(match)
    assert [(chapter, fact.key) for chapter, fact in history(match, NOBODY)] == [
        (1, "called"),
        (1, "right"),
        (1, "right"),
        (1, "astray"),
        (1, "scored"),
    ]


SENTENCES = {
    "fr": [
        "Manche 1 sur 6, côté blanc\u00a0: c’est parti\u202f!",
        "Ada\u00a0: «\u00a0Ubongo\u202f!\u00a0»",
        "Ada\u00a0: tout est-il juste\u202f?",
        "Ada\u00a0: 7 cartes, tout est juste",
        "Duma\u00a0: 3 cartes, tout est juste",
        "Kobe\u00a0: faute, la carte 2 est à l’écart du groupe",
        "Points\u00a0: Ada +10, Duma +3, Kobe 0",
    ],
    "en": [
        "Round 1 of 6, white side: go!",
        "Ada: “Ubongo!”",
        "Ada: is everything correct?",
        "Ada: 7 cards, all correct",
        "Duma: 3 cards, all correct",
        "Kobe: a mistake, card 2 lies away from the group",
        "Points: Ada +10, Duma +3, Kobe 0",
    ],
    "de": [
        "Runde 1 von 6, weiße Seite: Los!",
        "Ada: „Ubongo!“",
        "Ada: Ist alles richtig?",
        "Ada: 7 Karten, alles richtig",
        "Duma: 3 Karten, alles richtig",
        "Kobe: Fehler, Karte 2 liegt abseits der Gruppe",
        "Punkte: Ada +10, Duma +3, Kobe 0",
    ],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_round_reads_as_a_story(language: str) -> None:
    match, _ = called()
    close(match)
    words = Words(match.game, language)
    facts = Story(match).facts(match, 1)
    assert [words.fact(fact, NAMES) for fact in facts] == SENTENCES[language]
