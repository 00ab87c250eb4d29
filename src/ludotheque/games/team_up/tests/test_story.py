"""What a match tells: the facts of built situations, and a whole match in three languages."""

import pytest

from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Story, history
from ludotheque.engine.words import Words
from ludotheque.games.team_up.rules import AGREE, DRAW, REFUSE, STOP, placement
from ludotheque.games.team_up.tests.positions import (
    GAME,
    LYING,
    build,
    draw,
    new_match,
    place,
    three_masts_gone,
)

NAMES = ["Ada", "Ben", "Cleo", "Dina"]


def told(match: Match, viewer: int = 0) -> list[Fact]:
    return Story(match).facts(match, viewer)


def sentences(match: Match, language: str) -> list[str]:
    words = Words(match.game, language)
    return [words.fact(fact, NAMES) for fact in told(match)]


def test_the_neutral_box_comes_first() -> None:
    assert told(new_match()) == [Fact("begin", "neutral", {"corner": "a1"})]


@pytest.mark.parametrize(
    ("order", "key", "values"),
    [
        ("red", "drawn_colour", {"number": 12, "colour": "red"}),
        ("mast", "drawn_shape", {"number": 10, "shape": "mast"}),
        ("mast beam", "drawn_either", {"number": 16, "first": "mast", "second": "beam"}),
    ],
)
def test_a_card_is_told_with_what_it_asks_for(
    order: str, key: str, values: dict[str, object]
) -> None:
    match = new_match()
    story = Story(match, from_now=True)
    draw(match, order)
    assert story.facts(match, 0) == [Fact("begin", key, {"seat": 0, **values}, lasting=False)]


def test_a_box_is_told_with_its_place_and_its_point() -> None:
    match = new_match()
    draw(match, "red")
    story = Story(match, from_now=True)
    place(match, "plank.red.b1t")
    values = {"colour": "red", "shape": "plank", "cell": "b1", "points": 1}
    move = placement(1, 0, 1, 1, 0)
    assert story.facts(match, 0) == [Fact("place", "placed", {"seat": 0, "move": move, **values})]


def test_a_card_that_allows_no_box_is_looked_at_and_then_lost() -> None:
    match = three_masts_gone()
    story = Story(match, from_now=True)
    draw(match, "mast")
    assert story.facts(match, 0) == [
        Fact("turn", "drawn_shape", {"seat": 1, "number": 10, "shape": "mast"}, lasting=False),
        Fact("loss", "lost", {"seat": 1, "points": -1}),
    ]


def test_a_box_that_completes_two_layers_tells_both_from_below() -> None:
    match = build(new_match(neutral=LYING), "cube.red.c1")
    match.state.heights = [2] * 22 + [0, 0]
    draw(match, "slab")
    story = Story(match, from_now=True)
    place(match, "slab.red.e4t")
    assert [fact for fact in story.facts(match, 0) if fact.kind == "gain"] == [
        Fact("gain", "layer", {"layer": 1, "points": 5}),
        Fact("gain", "layer", {"layer": 2, "points": 5}),
    ]


def test_the_points_told_lead_from_the_first_score_to_the_last() -> None:
    for path in sorted((GAME.folder / "matches").glob("*.json")):
        match = read(path)
        start = match.game.score(match.game.start(match.seats, match.options), 0)
        points = [fact.values.get("points", 0) for fact in told(match)]
        assert start + sum(points) == match.scores[0], path.stem


def test_a_refusal_is_told_before_the_card() -> None:
    match = new_match(seats=3)
    story = Story(match, from_now=True)
    for seat, move in ((0, STOP), (2, AGREE), (1, REFUSE)):
        match.play(seat, move)
    assert story.facts(match, 0) == [
        Fact("vote", "proposed", {"seat": 0}),
        Fact("vote", "agreed", {"seat": 2}),
        Fact("vote", "refused", {"seat": 1}),
    ]


def test_the_last_agreement_ends_the_match_with_its_score() -> None:
    match = new_match()
    story = Story(match, from_now=True)
    match.play(0, STOP)
    match.play(1, AGREE)
    assert story.facts(match, 0) == [
        Fact("vote", "proposed", {"seat": 0}),
        Fact("vote", "agreed", {"seat": 1}),
        Fact("score", "ended_stop", {"left": 27, "score": -27}),
    ]


def test_who_plays_alone_asks_nobody() -> None:
    match = new_match(seats=1)
    story = Story(match, from_now=True)
    match.play(0, STOP)
    assert story.facts(match, 0) == [Fact("score", "ended_stop", {"left": 27, "score": -27})]


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("perfect-puzzle", Fact("score", "ended_boxes", {"left": 0, "score": 25})),
        ("deck-out", Fact("score", "ended_cards", {"left": 11, "score": -31})),
    ],
)
def test_the_end_tells_why(name: str, last: Fact) -> None:
    assert told(read(GAME.folder / "matches" / f"{name}.json"))[-1] == last


def test_to_draw_is_told_with_its_card_only() -> None:
    match = new_match()
    match.play(0, DRAW)
    assert [fact.key for fact in told(match)] == ["neutral"]


def test_the_history_leaves_out_the_cards_while_the_match_runs() -> None:
    match = three_masts_gone()
    draw(match, "mast")
    words = Words(GAME, "en")
    assert [words.fact(fact, NAMES) for _, fact in history(match, NOBODY)] == [
        "The neutral box stands in the corner a1",
        "Ada puts the red mast on a1",
        "Ben puts the blue mast on b2",
        "Ada puts the white mast on a3",
        "Ben cannot place anything: the card is lost, 1 point less",
    ]


LAST_CARD_LOST = {
    "fr": [
        "Le carton neutre attend dans le coin a1",
        "Ada tire : un carton rouge, forme au choix",
        "Ada pose le carton rouge « mât » en a1",
        "Ben tire : un carton bleu, forme au choix",
        "Ben pose le carton bleu « mât » en b2",
        "Ada tire : un carton blanc, forme au choix",
        "Ada pose le carton blanc « mât » en a3",
        "Ben tire : un carton « mât », couleur au choix",
        "Ben ne peut rien poser : la carte est perdue, 1 point de moins",
        "Ada tire : un carton « cube », couleur au choix",
        "Ada pose le carton rouge « cube » en c1",
        "Ben propose d’en rester là",
        "Ada est d’accord",
        "La partie s’arrête là, 23 cartons restent : −24 points",
    ],
    "en": [
        "The neutral box stands in the corner a1",
        "Card for Ada: a red box, any shape",
        "Ada puts the red mast on a1",
        "Card for Ben: a blue box, any shape",
        "Ben puts the blue mast on b2",
        "Card for Ada: a white box, any shape",
        "Ada puts the white mast on a3",
        "Card for Ben: a mast, any colour",
        "Ben cannot place anything: the card is lost, 1 point less",
        "Card for Ada: a cube, any colour",
        "Ada puts the red cube on c1",
        "Ben proposes to stop here",
        "Ada agrees",
        "The match stops here, 23 boxes are left over: −24 points",
    ],
    "de": [
        "Der neutrale Karton steht in der Ecke a1",
        "Ada zieht: ein Karton in Rot, Form beliebig",
        "Ada stellt auf a1: Mast in Rot",
        "Ben zieht: ein Karton in Blau, Form beliebig",
        "Ben stellt auf b2: Mast in Blau",
        "Ada zieht: ein Karton in Weiß, Form beliebig",
        "Ada stellt auf a3: Mast in Weiß",
        "Ben zieht: Mast, Farbe beliebig",
        "Ben kann nichts aufstellen: Die Karte ist verloren, 1 Punkt weniger",
        "Ada zieht: Würfel, Farbe beliebig",
        "Ada stellt auf c1: Würfel in Rot",
        "Ben schlägt vor aufzuhören",
        "Ada ist einverstanden",
        "Die Partie endet hier, 23 Kartons bleiben übrig: −24 Punkte",
    ],
}


@pytest.mark.parametrize("language", LAST_CARD_LOST)
def test_a_whole_match_reads_as_a_story(language: str) -> None:
    match = read(GAME.folder / "matches" / "unusable-card.json")
    plain = [text.replace("\u00a0", " ") for text in sentences(match, language)]
    assert plain == LAST_CARD_LOST[language]


def test_a_hosts_cards_are_told_as_they_are() -> None:
    match = read(GAME.folder / "matches" / "a-hosts-set.json")
    cards = {f.values["number"]: f.key for f in told(match) if f.key.startswith("drawn")}
    orders = match.game.rule("CARDS")
    keys = ("drawn_colour", "drawn_shape", "drawn_either")
    assert cards == {card: keys[orders[card - 1][0]] for card in cards}
    assert told(match)[-1] == Fact("score", "ended_boxes", {"left": 0, "score": match.scores[0]})
