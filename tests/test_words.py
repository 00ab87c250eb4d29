"""Every word is there, in every language."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Match, read
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.words import Words

SHARED = Path(str(ludotheque.__file__)).parent / "words.toml"
BOOKS = {slug: load(slug).words for slug in slugs()} | {
    "shared": tomllib.loads(SHARED.read_text("utf-8"))
}


def leaves(words: dict[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in words.items():
        where = f"{path}.{key}"
        found |= leaves(value, where) if isinstance(value, dict) else {where: value}
    return found


def blanks(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("book", BOOKS)
def test_every_language_has_the_same_words_with_the_same_blanks(book: str) -> None:
    assert set(BOOKS[book]) == set(LANGUAGES)
    reference = {key: blanks(text) for key, text in leaves(BOOKS[book]["en"]).items()}
    for language in LANGUAGES:
        found = leaves(BOOKS[book][language])
        assert {key: blanks(text) for key, text in found.items()} == reference
        assert [key for key, text in found.items() if not text.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_every_move_and_outcome_has_words(slug: str, language: str) -> None:
    game = load(slug)
    words = Words(game, language)
    for seat, count in ((0, game.moves), (CHANCE, game.outcomes)):
        for move in range(0, count, max(1, count // 500)):
            assert words.move(seat, move)
        assert count == 0 or words.move(seat, count - 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_options_objections_and_results_have_words(slug: str, language: str) -> None:
    game = load(slug)
    words = Words(game, language)
    for name, option in game.options.items():
        given = words.option(name)
        assert {"label", "help"} <= set(given)
        named = [value for value in option.values or () if isinstance(value, str)]
        assert set(named) <= set(given)
    for place in range(1, len(game.objections)):
        assert words.objection(place)
    assert set(game.words[language]["results"]) == set(game.verdicts)
    for verdict in game.verdicts:
        values = {"player": "A", "players": "A, B", "score": 3} | game.complete({}, game.seats[0])
        assert words.text("results", verdict, **values)


def test_a_language_nobody_speaks_is_refused() -> None:
    with pytest.raises(Refused, match="has no words in 'it'; it speaks fr, en, de"):
        Words(load(slugs()[0]), "it")


NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil"]
ENDS = [
    ("stupide_vautour", {"won", "shared"}),
    ("team_up", {"modest", "beaten", "equalled", "not_reached", "solved", "unsolved"}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("slug", "verdicts"), ENDS)
def test_every_end_of_a_recorded_match_is_told(
    slug: str, verdicts: set[str], language: str
) -> None:
    game = load(slug)
    matches = [read(path) for path in (game.folder / "matches").glob("*.json")]
    told = {m.verdict: Words(game, language).result(m, NAMES) for m in matches if m.is_over}
    assert verdicts <= set(told)
    assert [text for text in told.values() if "{" in text] == []


def test_a_result_names_the_winners_the_score_and_the_options() -> None:
    folder = load("team_up").folder / "matches"
    lost = read(folder / "competition-lost.json")
    assert Words(lost.game, "en").result(lost, NAMES) == (
        "Score: -6. The target was 20: give it another try!"
    )
    shared = Match(load("stupide_vautour"), 2)
    for point in range(15):
        for seat, move in ((CHANCE, point), (0, point + 1), (1, point + 1)):
            shared.play(seat, move)
    assert Words(shared.game, "en").result(shared, NAMES) == (
        "Shared victory: Anna, Ben with 0 points"
    )
