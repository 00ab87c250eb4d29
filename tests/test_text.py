"""Texts are typeset as print wants it, and numbers choose the plural forms of their language."""

import json
from pathlib import Path

import pytest

from ludotheque.engine.game import LANGUAGES
from ludotheque.engine.text import fill, plural_category, read_words, typeset

PLURALS = json.loads((Path(__file__).parent / "plurals.json").read_text("utf-8"))
POINTS = "{score, plural, one {# point} other {# points}}"


def test_blanks_are_filled_and_double_braces_are_braces() -> None:
    assert fill("{a} and {b}, {{c}}", "en", {"a": 1, "b": "two"}) == "1 and two, {c}"


def test_a_blank_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="player"):
        fill("{player} wins", "en", {})


@pytest.mark.parametrize(
    ("language", "score", "text"),
    [
        ("en", 0, "0 points"),
        ("en", 1, "1 point"),
        ("en", -1, "−1 point"),
        ("en", -12, "−12 points"),
        ("en", 1.5, "1.5 points"),
        ("fr", 0, "0 point"),
        ("fr", 1.5, "1,5 point"),
        ("fr", 1_000_000, "1000000 points"),
    ],
)
def test_a_number_chooses_the_plural_form(language: str, score: float, text: str) -> None:
    assert fill(POINTS, language, {"score": score}) == text


def test_only_a_number_chooses_a_plural_form() -> None:
    with pytest.raises(
        TypeError, match="'3' is not a number, but has to choose a plural form: one"
    ):
        fill(POINTS, "en", {"score": "3"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_forms_are_those_of_cldr(language: str) -> None:
    ranges, others = PLURALS[language]["ranges"], PLURALS[language]["others"]
    table = {n: category for first, last, category in ranges for n in range(first, last + 1)}
    table |= dict(others)
    assert set(range(1001)) < set(table)
    assert {n: plural_category(n, language) for n in table} == table


@pytest.mark.parametrize(
    ("language", "typed", "printed"),
    [
        ("fr", "Qui ? « Moi » : 1 % !", "Qui\u202f? «\u00a0Moi\u00a0»\u00a0: 1\u00a0%\u202f!"),
        ("fr", "l'un ; n° 3", "l’un\u202f; n°\u00a03"),
        ("en", "\u202eWho?\u202c \u2067Me\u2069", "Who? Me"),
        ("en", "Who? “It's me”: 1%", "Who? “It’s me”: 1%"),
        ("de", "Hol's „der“ Nr. 3: 1 % …", "Hol’s „der“ Nr.\u00a03: 1\u00a0%\u00a0…"),
    ],
)
def test_texts_are_typeset_by_the_custom_of_their_language(
    language: str, typed: str, printed: str
) -> None:
    assert typeset(typed, language) == printed
    assert typeset(printed, language) == printed


def test_every_text_of_a_file_is_typeset(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text('[fr]\nname = "L\'As"\n[fr.board]\nask = "Prêt ?"\n', "utf-8")
    assert read_words(file) == {"fr": {"name": "L’As", "board": {"ask": "Prêt\u202f?"}}}
