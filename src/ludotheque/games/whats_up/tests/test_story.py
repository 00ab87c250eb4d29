"""What is told of built situations, and what the history keeps of it."""

import pytest

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words
from ludotheque.games.whats_up.rules import CARDS

GAME = load("whats_up")
NAMES = ["Ada", "Ben", "Cleo", "Dan"]
MISFIT = "p2/p3"  # fits nobody without a purple bird


def table(seats: int, *laid: str, **options: object) -> Match:
    """A match that seat 0 begins, with these cards from a1 on, then the others as they come."""
    match = Match(GAME, seats, {"first": 0, **options})
    for text in laid:
        match.play(CHANCE, GAME.parse(CHANCE, text))
    while match.state.dealt < CARDS:
        match.play(CHANCE, match.legal_moves(CHANCE)[0])
    return match


def play(match: Match, *moves: str) -> list[Fact]:
    """What seat 0 is told of these moves of the seats in turn; "1 agree" is seat 1's."""
    story = Story(match, from_now=True)
    for text in moves:
        seat, _, move = text.rpartition(" ")
        mover = int(seat) if seat else match.state.turn
        match.play(mover, GAME.parse(mover, move))
    return story.facts(match, 0)


def collect(match: Match, seat: int, *rows: int) -> None:
    match.state.rows[seat] = list(rows)


def kept(match: Match) -> list[str]:
    return [Words(GAME, "en").fact(fact, NAMES) for _, fact in history(match, 0)]


# A turn


def test_a_card_that_fits_is_turned_and_taken() -> None:
    assert play(table(2, "r2/r1"), "a1") == [
        Fact("turn", "turned", {"seat": 0, "cell": "a1", "face": "r1"}, lasting=False),
        Fact("place", "taken", {"seat": 0, "face": "r1"}),
    ]


def test_a_card_that_comes_too_early_stays_and_says_what_is_needed_first() -> None:
    values = {"seat": 0, "cell": "a1", "face": "p3", "needed": "p1"}
    assert play(table(2, MISFIT), "a1") == [Fact("turn", "stays_early", values, lasting=False)]


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_a_card_that_is_held_already_stays_and_says_so(reach: int) -> None:
    match = table(2, "g1/r1")
    collect(match, 0, reach, 0, 0, 0)
    values = {"seat": 0, "cell": "a1", "face": "r1"}
    assert play(match, "a1") == [Fact("turn", "stays_held", values, lasting=False)]


def test_a_complete_row_is_a_gain_with_the_rows_that_win() -> None:
    match = table(2, "r2/r3")
    collect(match, 0, 2, 3, 0, 0)
    assert play(match, "a1") == [
        Fact("turn", "turned", {"seat": 0, "cell": "a1", "face": "r3"}, lasting=False),
        Fact("gain", "row", {"seat": 0, "row": "red_row", "count": 2, "goal": 4}),
    ]


def test_the_last_row_wins() -> None:
    match = table(4, "r2/r3")
    collect(match, 0, 2, 3, 0, 0)
    assert play(match, "a1")[1:] == [
        Fact("gain", "row_wins", {"seat": 0, "row": "red_row", "count": 2, "goal": 2})
    ]


# A stall


def test_two_quiet_rounds_open_the_vote_and_every_further_round_is_counted() -> None:
    facts = play(table(2, MISFIT), *["a1"] * 15)
    assert [fact for fact in facts if fact.kind == "warning"] == [
        Fact("warning", "vote_opens", {"rounds": 6}),
        *(Fact("warning", "rounds_left", {"rounds": left}) for left in (5, 4, 3, 2, 1)),
    ]


def test_the_last_quiet_turn_says_that_the_match_ends() -> None:
    match = table(2, MISFIT)
    play(match, *["a1"] * 15)
    assert play(match, "a1")[1:] == [Fact("warning", "stalled", {})]


def test_turns_are_counted_from_half_on_where_eight_of_them_end_the_match() -> None:
    facts = play(table(3, MISFIT, stall="eight turns"), *["a1"] * 8)
    assert [fact for fact in facts if fact.kind == "warning"] == [
        *(Fact("warning", "turns_left", {"turns": left}) for left in (4, 3, 2, 1)),
        Fact("warning", "stalled", {}),
    ]


def test_votes_are_counted_until_everybody_agrees() -> None:
    match = table(2, MISFIT)
    play(match, *["a1"] * 4)
    assert play(match, "1 agree", "0 agree") == [
        Fact("vote", "agreed", {"seat": 1, "votes": 1, "voters": 2}),
        Fact("vote", "agreed", {"seat": 0, "votes": 2, "voters": 2}),
        Fact("warning", "agreement", {}),
    ]


def test_a_taking_closes_the_vote() -> None:
    match = table(2, MISFIT, "r2/r1")
    play(match, *["a1"] * 4)
    assert play(match, "b1")[1:] == [
        Fact("place", "taken", {"seat": 0, "face": "r1"}),
        Fact("vote", "vote_closed", {}),
    ]


def test_three_cards_left_end_the_match() -> None:
    match = table(4, "r2/r1")
    for seat, rows in enumerate([(0, 2, 2, 2), (3, 2, 2, 0), (3, 2, 1, 0), (3, 2, 1, 1)]):
        collect(match, seat, *rows)
    assert play(match, "a1")[2:] == [Fact("warning", "leftover", {})]


# The beginning, and the history


def whole(match: Match) -> list[Fact]:
    return Story(match).facts(match, 0)


def test_only_who_begins_is_told_of_the_layout() -> None:
    assert whole(table(3)) == [Fact("begin", "begins", {"seat": 0})]


def test_the_lot_says_who_begins() -> None:
    match = table(3, first=CHANCE)
    assert whole(match) == []
    match.play(CHANCE, GAME.parse(CHANCE, "first2"))
    assert whole(match) == [Fact("begin", "begins", {"seat": 2})]


def test_the_history_names_what_was_taken_and_no_cell_while_the_match_runs() -> None:
    match = table(2, "r2/r1", MISFIT)
    play(match, "a1", "b1")
    assert kept(match) == ["Ada begins", "Ada takes 1 red bird"]


def test_an_open_memory_keeps_the_turnings_too() -> None:
    match = table(2, "r2/r1", MISFIT, open_memory=True)
    play(match, "a1", "b1")
    assert kept(match) == [
        "Ada begins",
        "Ada turns over a1: 1 red bird",
        "Ada takes 1 red bird",
        "Ben turns over b1: 3 purple birds. The card stays, 1 purple bird must come first",
    ]


SENTENCES = {
    "fr": [
        "Ada retourne a1 : 1 oiseau rouge",
        "Ada prend 1 oiseau rouge",
        "Ben retourne b1 : 3 oiseaux violets. La carte reste, il faut d’abord 1 oiseau violet",
        "Ada retourne c1 : 1 oiseau rouge. La carte reste, Ada l’a déjà",
        "Ben retourne d1 : 3 oiseaux jaunes",
        "Ben complète sa rangée jaune : 1 sur 4",
        "Deux tours de table sans prise : arrêtez si tout le monde est d’accord, "
        "sinon il en reste 6",
        "Ada accepte d’arrêter : 1 sur 2",
        "Toujours aucune prise : encore 1 tour de table avant la fin",
        "Plus personne ne prend de carte : la partie s’arrête",
    ],
    "en": [
        "Ada turns over a1: 1 red bird",
        "Ada takes 1 red bird",
        "Ben turns over b1: 3 purple birds. The card stays, 1 purple bird must come first",
        "Ada turns over c1: 1 red bird. The card stays, Ada already has it",
        "Ben turns over d1: 3 yellow birds",
        "Ben completes the yellow row: 1 of 4",
        "Two rounds without a card taken: stop if everybody agrees, or else 6 rounds are left",
        "Ada agrees to stop: 1 of 2",
        "Still no card taken: 1 round left before the end",
        "Nobody takes a card any more: the match ends",
    ],
    "de": [
        "Ada dreht a1 um: 1 roter Vogel",
        "Ada nimmt: 1 roter Vogel",
        "Ben dreht b1 um: 3 lila Vögel. Die Karte bleibt liegen, vorher fehlt noch: 1 lila Vogel",
        "Ada dreht c1 um: 1 roter Vogel. Die Karte bleibt liegen, Ada hat sie schon",
        "Ben dreht d1 um: 3 gelbe Vögel",
        "Ben hat die gelbe Reihe vollständig: 1 von 4",
        "Zwei Runden, ohne dass jemand nimmt: Wenn alle wollen, ist Schluss, "
        "sonst bleiben noch 6 Runden",
        "Ada will aufhören: 1 von 2",
        "Noch immer nimmt niemand: 1 Runde bis zum Ende",
        "Niemand nimmt mehr etwas: Die Partie ist zu Ende",
    ],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_two_rounds_and_a_stall_as_sentences(language: str) -> None:
    match = table(2, "r2/r1", MISFIT, "g1/r1", "y2/y3")
    collect(match, 1, 0, 0, 2, 0)
    facts = play(match, "a1", "b1", "c1", "d1")
    quiet = play(match, *["b1"] * 4, "0 agree", *["b1"] * 12)
    told = [fact for fact in quiet if fact.kind != "turn"]
    words = Words(GAME, language)
    sentences = [words.fact(fact, NAMES) for fact in [*facts, *told[:2], *told[-2:]]]
    assert [plain(text) for text in sentences] == SENTENCES[language]


def plain(text: str) -> str:
    """Without the narrow and the unbreakable spaces."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def test_every_kind_of_fact_occurs_in_a_lesson() -> None:
    kinds = set()
    for name in lessons.names(GAME):
        for _, match in lessons.played(lessons.read(GAME, name)):
            kinds |= {fact.kind for fact in whole(match)}
    assert kinds == {"begin", "turn", "place", "gain", "warning", "vote"}
