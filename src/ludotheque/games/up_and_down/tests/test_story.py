"""What is told of a deal: its beginning, every change, every trick and where it went."""

from typing import Any

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words
from ludotheque.games.up_and_down.rules import CARDS, HAND_SIZE

GAME = load("up_and_down")
NAMES = ["Ada", "Ben", "Cleo", "Dan"]


def say(match: Match, seat: int, text: str) -> None:
    match.play(seat, GAME.parse(seat, text))


def table(*hands: str, dice: str = "3+4", toss: str = "down-rose") -> Match:
    """Everyone is dealt these cards first, then what is left; the leader is to change a rule."""
    match = Match(GAME, len(hands))
    wanted = [[GAME.parse(0, text) for text in hand.split()] for hand in hands]
    spare = [card for card in range(CARDS) if all(card not in hand for hand in wanted)]
    for _ in range(HAND_SIZE[match.seats]):
        for hand in wanted:
            match.play(CHANCE, (hand or spare).pop(0))
    say(match, CHANCE, dice)
    say(match, CHANCE, toss)
    return match


def lay(match: Match, *cards: str) -> None:
    for seat, text in enumerate(cards):
        say(match, seat, text)


def trick(*cards: str) -> list[Fact]:
    """What is told of the first trick: on UP, 7 is trump, the suits are dealt in order."""
    match = table(*cards)
    say(match, 0, "flip")
    story = Story(match, from_now=True)
    lay(match, *cards)
    return story.facts(match, 0)


def revealed(*cards: tuple[str, int]) -> Fact:
    pairs = [[seat, ["card", {"suit": s, "value": v}]] for seat, (s, v) in enumerate(cards)]
    return Fact("reveal", "revealed", {"by_seat": pairs}, lasting=False)


def leads(seat: int) -> Fact:
    return Fact("begin", "leads", {"seat": seat}, lasting=False)


# The beginning of a deal


def test_a_deal_begins_with_its_hand_size_the_trump_the_card_and_the_leader() -> None:
    suits = [[0, "feather"], [1, "monocle"], [2, "hat"], [3, "rose"]]
    match = table("r2", "f2", "m2", "h2", dice="2+6", toss="up-feather")
    assert Story(match).facts(match, 0) == [
        Fact("begin", "first_deal", {"cards": 11}),
        Fact("begin", "rolled", {"low": 2, "high": 6, "trump": 8}),
        Fact("begin", "side_up", {}),
        Fact("begin", "suits", {"by_seat": suits}),
        Fact("begin", "rose_leads", {"seat": 3}),
    ]


def test_dice_that_show_a_value_left_out_are_told_to_give_no_trump() -> None:
    match = Match(GAME, 4, {"values": 3})
    for text in ["r8", "f8", "m8", "h8", "r7", "f7", "m7", "h7", "r6", "f6", "m6", "h6"]:
        match.play(CHANCE, GAME.parse(CHANCE, text))
    story = Story(match)
    match.play(CHANCE, GAME.parse(CHANCE, "6+6"))
    assert story.facts(match, 0) == [
        Fact("begin", "first_deal", {"cards": 3}),
        Fact("begin", "rolled_none", {"low": 6, "high": 6, "trump": 12}),
    ]


@pytest.mark.parametrize(("seats", "cards"), [(2, 15), (3, 14), (4, 11)])
def test_the_hand_size_told_is_the_sheets(seats: int, cards: int) -> None:
    match = table(*["", "", "", ""][:seats])
    assert Story(match).facts(match, 0)[0].values == {"cards": cards}


def test_a_later_deal_begins_with_the_tricks_so_far() -> None:
    match = read(GAME.folder / "matches/five-deals.json")
    facts = [fact for fact in Story(match).facts(match, NOBODY) if fact.key.endswith("_deal")]
    assert [fact.key for fact in facts] == ["first_deal"] + ["next_deal"] * 3 + ["extra_deal"]
    standing: list[list[Any]] = facts[1].values["by_seat"]
    assert standing == [[seat, str(match.state.tricks[seat][0])] for seat in range(match.seats)]


def test_after_a_tie_the_extra_deal_names_those_who_are_tied() -> None:
    match = read(GAME.folder / "matches/extra-deal-decides.json")
    extra = [fact for fact in Story(match).facts(match, NOBODY) if fact.key == "extra_deal"]
    planned = match.state.deal - 1
    scores = [sum(row[:planned]) for row in match.state.tricks[: match.seats]]
    tied = [seat for seat in range(match.seats) if scores[seat] == max(scores)]
    assert extra == [Fact("begin", "extra_deal", {"seats": tied})]


# The leader's change


def change(text: str, roll: str = "") -> list[Fact]:
    match = table("r2", "f2", "m2", "h2")
    story = Story(match, from_now=True)
    say(match, match.state.leader, text)
    if roll:
        say(match, CHANCE, roll)
    return story.facts(match, 2)


def test_turning_the_card_over_is_told_with_what_wins_now() -> None:
    assert change("flip") == [Fact("begin", "flipped", {"seat": 0}), Fact("begin", "side_up", {})]


def test_turning_the_card_round_is_told_with_everyones_suit() -> None:
    suits = [[0, "hat"], [1, "rose"], [2, "feather"], [3, "monocle"]]
    assert change("turn-hat") == [
        Fact("begin", "turned", {"seat": 0}),
        Fact("begin", "suits", {"by_seat": suits}),
    ]


def test_a_reroll_is_told_with_the_new_trump() -> None:
    assert change("roll") == []
    assert change("roll", "5+6") == [
        Fact("begin", "rerolled", {"seat": 0}),
        Fact("begin", "rolled", {"low": 5, "high": 6, "trump": 11}),
    ]


# The trick


def test_cards_laid_face_down_are_not_told() -> None:
    match = table("r2", "f2", "m2", "h2")
    say(match, 0, "flip")
    story = Story(match, from_now=True)
    lay(match, "r2", "f2", "m2")
    for viewer in (0, 3, NOBODY):
        assert story.facts(match, viewer) == []


def test_the_highest_card_that_counts_takes_the_trick() -> None:
    assert trick("r9", "f4", "h11", "h5") == [
        revealed(("rose", 9), ("feather", 4), ("hat", 11), ("hat", 5)),
        Fact(
            "award",
            "won_highest",
            {"seat": 0, "tricks": 1, "suit": "rose", "value": 9, "idle": [2]},
            lasting=False,
        ),
        Fact("note", "took", {"seat": 0, "tricks": 1, "number": 1}),
        leads(1),
    ]


def test_equal_values_cancel_each_other_before_the_lowest_wins() -> None:
    match = table("r2", "f5", "r5", "h3")
    say(match, 0, "roll")
    say(match, CHANCE, "4+4")
    story = Story(match, from_now=True)
    lay(match, "r2", "f5", "r5", "h3")
    assert story.facts(match, 0)[1:3] == [
        Fact("cancel", "struck", {"value": 5, "seats": [1, 2]}, lasting=False),
        Fact(
            "award",
            "won_lowest",
            {"seat": 0, "tricks": 1, "suit": "rose", "value": 2, "idle": []},
            lasting=False,
        ),
    ]


def test_a_trump_takes_the_trick_in_any_suit() -> None:
    values = {"seat": 1, "tricks": 1, "suit": "hat", "value": 7, "idle": []}
    assert trick("r12", "h7", "m11", "h9")[1] == Fact("award", "won_trump", values, lasting=False)


def test_two_pairs_are_cancelled_in_the_order_in_which_they_would_win() -> None:
    assert trick("r9", "f4", "r4", "h9") == [
        revealed(("rose", 9), ("feather", 4), ("rose", 4), ("hat", 9)),
        Fact("cancel", "struck", {"value": 9, "seats": [0, 3]}, lasting=False),
        Fact("cancel", "struck", {"value": 4, "seats": [1, 2]}, lasting=False),
        Fact("carry", "pot_all_cancelled", {"tricks": 1, "idle": []}, lasting=False),
        Fact("note", "pot", {"tricks": 1, "number": 1}),
        leads(1),
    ]


def test_cards_that_fit_nobody_go_into_the_pot_and_the_next_winner_takes_it() -> None:
    match = table("f9 r9", "r4 f4", "r5 m5", "r6 h6")
    say(match, 0, "flip")
    story = Story(match, from_now=True)
    lay(match, "f9", "r4", "r5", "r6")
    assert story.facts(match, 0)[1:3] == [
        Fact("carry", "pot_none_fits", {"tricks": 1, "idle": [0, 1, 2, 3]}, lasting=False),
        Fact("note", "pot", {"tricks": 1, "number": 1}),
    ]
    say(match, 1, "flip")
    lay(match, "r9", "f4", "m5", "h6")
    award = {"seat": 1, "tricks": 2, "suit": "feather", "value": 4, "idle": []}
    assert story.facts(match, 0)[3:] == [
        Fact("award", "won_lowest", award, lasting=False),
        Fact("note", "took", {"seat": 1, "tricks": 2, "number": 2}),
        leads(2),
    ]


def test_a_pot_that_nobody_wins_in_the_last_trick_is_lost_and_nobody_leads_next() -> None:
    match = read(GAME.folder / "matches/nobody-ever.json")
    facts = Story(match).facts(match, NOBODY)
    lost = [fact for fact in facts if fact.kind == "carry" and fact.key.startswith("lost_")]
    assert {fact.values["tricks"] for fact in lost} == {HAND_SIZE[match.seats]}
    assert len(lost) == match.state.deal
    tricks = HAND_SIZE[match.seats]
    assert facts[-1] == Fact("note", "lost", {"tricks": tricks, "number": tricks})


# Who is told what, and what is kept


def test_everyone_is_told_the_same_of_a_trick() -> None:
    match = table("r9", "f4", "m5", "h6")
    say(match, 0, "flip")
    story = Story(match, from_now=True)
    lay(match, "r9", "f4", "m5", "h6")
    by_viewer = story.go_on(match, {0, 1, 2, 3, NOBODY})
    facts = [steps[0].facts for steps in by_viewer.values()]
    assert facts == [facts[0]] * 5


def test_the_last_trick_of_a_deal_belongs_to_that_deal() -> None:
    match = read(GAME.folder / "matches/five-deals.json")
    chapters = [chapter for chapter, fact in history(match, NOBODY) if fact.key == "revealed"]
    size = HAND_SIZE[match.seats]
    assert chapters == [deal for deal in range(1, 6) for _ in range(size)]


SENTENCES = {
    "fr": [
        "Chacun reçoit 14 cartes",
        "Dés : 3 et 4, l’atout est 7",
        "DOWN : la plus basse carte gagne",
        "Couleurs : Ada rose, Ben plume, Cleo monocle",
        "La rose pointe vers Ada, qui mène le premier pli",
        "Ada retourne la carte",
        "UP : la plus haute carte gagne",
        "Ada 9 de rose, Ben 9 de plume, Cleo 3 de chapeau",
        "Les 9 s’annulent",
        "Il ne reste ni atout ni couleur juste : le pli va au pot (1 pli)",
        "Ben mène le pli suivant",
        "Ben tourne la carte",
        "Couleurs : Ada chapeau, Ben rose, Cleo plume",
        "Ada 5 de chapeau, Ben 4 de rose, Cleo 6 de plume",
        "Cleo prend 2 plis avec le pot : 6 de plume, la plus haute qui compte",
        "Cleo mène le pli suivant",
        "Cleo relance les dés",
        "Dés : 1 et 2, l’atout est 3",
        "Ada 3 de rose, Ben 12 de rose, Cleo 5 de monocle",
        "Ada prend le pli : le 3 est atout",
        "Ada mène le pli suivant",
    ],
    "en": [
        "Everyone gets 14 cards",
        "Dice: 3 and 4, 7 is trump",
        "DOWN: the lowest card wins",
        "Suits: Ada rose, Ben feather, Cleo monocle",
        "The rose points at Ada, who leads the first trick",
        "Ada turns the card over",
        "UP: the highest card wins",
        "Ada rose 9, Ben feather 9, Cleo hat 3",
        "The 9s cancel each other",
        "No trump and no matching suit left: the trick goes into the pot (1 trick)",
        "Ben leads the next trick",
        "Ben turns the card round",
        "Suits: Ada hat, Ben rose, Cleo feather",
        "Ada hat 5, Ben rose 4, Cleo feather 6",
        "Cleo takes 2 tricks with the pot: feather 6 is the highest that counts",
        "Cleo leads the next trick",
        "Cleo rolls the dice again",
        "Dice: 1 and 2, 3 is trump",
        "Ada rose 3, Ben rose 12, Cleo monocle 5",
        "Ada takes the trick: the 3 is trump",
        "Ada leads the next trick",
    ],
    "de": [
        "Jeder bekommt 14 Karten",
        "Würfel: 3 und 4, Trumpf ist 7",
        "DOWN: Die niedrigste Karte gewinnt",
        "Farben: Ada Rose, Ben Feder, Cleo Monokel",
        "Die Rose zeigt auf Ada: Ada führt den ersten Stich an",
        "Ada wendet die Karte",
        "UP: Die höchste Karte gewinnt",
        "Ada Rose 9, Ben Feder 9, Cleo Hut 3",
        "Die 9er heben sich auf",
        "Kein Trumpf und keine passende Farbe übrig: Der Stich kommt in den Topf (1 Stich)",
        "Ben führt den nächsten Stich an",
        "Ben dreht die Karte",
        "Farben: Ada Hut, Ben Rose, Cleo Feder",
        "Ada Hut 5, Ben Rose 4, Cleo Feder 6",
        "Cleo bekommt 2 Stiche mit dem Topf: Feder 6 ist die höchste, die zählt",
        "Cleo führt den nächsten Stich an",
        "Cleo würfelt neu",
        "Würfel: 1 und 2, Trumpf ist 3",
        "Ada Rose 3, Ben Rose 12, Cleo Monokel 5",
        "Ada bekommt den Stich: Die 3 ist Trumpf",
        "Ada führt den nächsten Stich an",
    ],
}


def three_tricks() -> Match:
    match = table("r9 h5 r3", "f9 r4 r12", "h3 f6 m5")
    say(match, 0, "flip")
    lay(match, "r9", "f9", "h3")
    say(match, 1, "turn-rose")
    lay(match, "h5", "r4", "f6")
    say(match, 2, "roll")
    say(match, CHANCE, "1+2")
    lay(match, "r3", "r12", "m5")
    return match


@pytest.mark.parametrize("language", SENTENCES)
def test_three_tricks_read_as_a_story(language: str) -> None:
    match, words = three_tricks(), Words(GAME, language)
    facts = [fact for fact in Story(match).facts(match, 1) if fact.kind != "note"]
    plain = [words.fact(fact, NAMES).replace("\u00a0", " ") for fact in facts]
    assert plain == SENTENCES[language]


def test_the_history_keeps_rules_and_takers_but_no_cards() -> None:
    words = Words(GAME, "en")
    kept = [(deal, words.fact(fact, NAMES)) for deal, fact in history(three_tricks(), 1)]
    assert kept[5:] == [
        (1, "Ada turns the card over"),
        (1, "UP: the highest card wins"),
        (1, "Trick 1: it goes into the pot (1 trick)"),
        (1, "Ben turns the card round"),
        (1, "Suits: Ada hat, Ben rose, Cleo feather"),
        (1, "Trick 2: Cleo takes 2 tricks with the pot"),
        (1, "Cleo rolls the dice again"),
        (1, "Dice: 1 and 2, 3 is trump"),
        (1, "Trick 3: Ada takes it"),
    ]
