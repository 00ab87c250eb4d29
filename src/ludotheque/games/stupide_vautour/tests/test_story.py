"""What is told of a round: the stake, the cards turned up, ties, and who takes it."""

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words

GAME = load("stupide_vautour")
NAMES = ["Ada", "Ben", "Cleo", "Dan", "Emil"]


def table(seats: int, *deal: str, **options: object) -> Match:
    return Match(GAME, seats, options, deal=list(deal), seeds=Seeds(bytes(32)))


def lay(match: Match, *bids: int) -> None:
    for seat, bid in enumerate(bids):
        match.play(seat, bid)


def told(match: Match, *bids: int) -> list[Fact]:
    """What a spectator is told of a round, without what only the history keeps."""
    story = Story(match, from_now=True)
    lay(match, *bids)
    return [fact for fact in story.facts(match, NOBODY) if fact.kind != "note"]


def sentences(match: Match, *bids: int) -> list[str]:
    return [Words(GAME, "en").fact(fact, NAMES) for fact in told(match, *bids)]


def revealed(*bids: int) -> Fact:
    pairs = [[seat, str(bid)] for seat, bid in enumerate(bids)]
    return Fact("reveal", "revealed", {"by_seat": pairs}, lasting=False)


def struck(value: int, *seats: int) -> Fact:
    return Fact("cancel", "struck", {"value": value, "seats": list(seats)}, lasting=False)


def taken(kind: str, seat: int, worth: str, value: int) -> Fact:
    return Fact(kind, kind, {"seat": seat, "worth": worth, "value": value}, lasting=False)


# The stake


@pytest.mark.parametrize(
    ("deal", "sentence"),
    [
        (["+5"], "Meerkat +5: the highest card takes it"),
        (["-5"], "Vulture −5: the lowest card takes it"),
    ],
)
def test_a_stake_says_which_card_takes_it(deal: list[str], sentence: str) -> None:
    match = table(2, *deal)
    match.play(0, 1)  # nothing is told of a bid that lies face down
    facts = Story(match).facts(match, 1)
    assert [Words(GAME, "en").fact(fact, NAMES) for fact in facts] == [sentence]


def test_a_card_that_joins_in_tells_the_sum_and_who_takes_that() -> None:
    assert sentences(table(2, "+3", "-3", "-1"), 8, 8)[-1] == (
        "Vulture −3 joins in, the stake is 0: the highest card takes it"
    )
    assert sentences(table(2, "+3", "-5"), 8, 8)[-1] == (
        "Vulture −5 joins in, the stake is −2: the lowest card takes it"
    )


# Who takes it


def test_cards_are_turned_up_then_the_stake_goes_to_its_taker_then_the_next_one_lies_there() -> (
    None
):
    assert told(table(3, "+5", "-3"), 9, 4, 7)[:2] == [
        revealed(9, 4, 7),
        taken("award", 0, "+5", 9),
    ]
    assert [fact.kind for fact in told(table(3, "+5", "-3"), 9, 4, 7)] == [
        "reveal", "award", "begin",
    ]  # fmt: skip


def test_a_vulture_that_has_to_be_taken_is_a_penalty() -> None:
    assert told(table(3, "-3"), 9, 4, 7)[1] == taken("penalty", 1, "−3", 4)


def test_ties_are_struck_out_before_the_next_card_takes_it() -> None:
    assert told(table(3, "+8"), 14, 14, 3)[:3] == [
        revealed(14, 14, 3),
        struck(14, 0, 1),
        taken("award", 2, "+8", 3),
    ]


def test_several_ties_are_struck_out_in_the_order_in_which_they_would_win() -> None:
    """The highest first for meerkats, the lowest first for vultures."""
    for deal, values in (("+3", [8, 7]), ("-3", [7, 8])):
        facts = told(table(5, deal), 7, 8, 8, 7, 7)
        assert [fact.values["value"] for fact in facts if fact.key == "struck"] == values


def test_a_double_tie_says_why_nobody_takes_the_stake() -> None:
    assert sentences(table(5, "+3"), 7, 8, 8, 7, 7)[:4] == [
        "Ada 7, Ben 8, Cleo 8, Dan 7, Emil 7",
        "The 8s cancel each other",
        "The 7s cancel each other",
        "Nobody takes the stake: +3 stays on the table",
    ]


def test_a_stake_that_nobody_takes_in_the_last_round_is_lost() -> None:
    match = table(2, "+1", "+2", cards=2)
    lay(match, 1, 2)
    assert sentences(match, 2, 1)[-1] == "Ada takes +2 with the 2"
    tied = table(2, "+1", "+2", cards=2)
    lay(tied, 1, 1)
    assert sentences(tied, 2, 2)[-1] == "Nobody takes the stake: +3 is lost"


# What the history keeps


def kept(match: Match) -> list[tuple[int, str]]:
    return [(number, Words(GAME, "en").fact(f, NAMES)) for number, f in history(match, 0)]


def two_rounds(**options: object) -> Match:
    match = table(2, "+5", "-3", "+1", **options)
    lay(match, 9, 4)
    lay(match, 6, 6)
    return match


def test_the_history_keeps_neither_bids_nor_points_while_the_table_hides_them() -> None:
    assert kept(two_rounds()) == [(1, "Ada took the stake"), (2, "Nobody took the stake")]


def test_the_history_keeps_points_and_bids_where_they_lie_open() -> None:
    assert kept(two_rounds(open_scores=True, open_discards=True)) == [
        (1, "Meerkat +5: the highest card takes it"),
        (1, "Ada 9, Ben 4"),
        (1, "Ada takes +5 with the 9"),
        (2, "Vulture −3: the lowest card takes it"),
        (2, "Ada 6, Ben 6"),
        (2, "Nobody takes the stake: −3 stays on the table"),
        (3, "Meerkat +1 joins in, the stake is −2: the lowest card takes it"),
    ]


def test_the_history_of_a_finished_match_tells_everything() -> None:
    match = table(2, "+1", "+2", cards=2)
    lay(match, 1, 2)
    lay(match, 2, 1)
    assert (1, "Ada 1, Ben 2") in kept(match)
    assert (2, "Ada takes +2 with the 2") in kept(match)
    assert not any("took the stake" in text for _, text in kept(match))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_reads_well_in_every_language(language: str) -> None:
    words = Words(GAME, language)
    texts = [words.fact(fact, NAMES) for fact in told(table(3, "+8", "-4"), 14, 14, 3)]
    assert (
        texts
        == {
            "fr": [
                "Ada 14, Ben 14, Cleo 3",
                "Les 14 s’annulent",
                "Cleo prend +8 avec le 3",
                "Vautour −4\N{NO-BREAK SPACE}: la carte la plus faible le prend",
            ],
            "en": [
                "Ada 14, Ben 14, Cleo 3",
                "The 14s cancel each other",
                "Cleo takes +8 with the 3",
                "Vulture −4: the lowest card takes it",
            ],
            "de": [
                "Ada 14, Ben 14, Cleo 3",
                "Die 14er heben sich auf",
                "Cleo bekommt +8 mit der 3",
                "Geier −4: Die niedrigste Karte bekommt den Einsatz",
            ],
        }[language]
    )
