"""Every word is there, in every language."""

import re
from typing import Any

import pytest

from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.text import BLANK, FORM, fill, typeset
from ludotheque.engine.words import Words
from ludotheque.language import every_word

BOOKS = {slug: load(slug).words for slug in slugs()} | {
    "shared": {language: every_word(language) for language in LANGUAGES}
}
EVERY_BOOK = [(book, language) for book in BOOKS for language in LANGUAGES]
CATEGORIES = {"fr": {"one", "many", "other"}, "en": {"one", "other"}, "de": {"one", "other"}}


def leaves(words: dict[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in words.items():
        where = f"{path}.{key}"
        found |= leaves(value, where) if isinstance(value, dict) else {where: value}
    return found


def texts(book: str, language: str) -> dict[str, str]:
    return leaves(BOOKS[book][language])


def blanks(text: str) -> set[str]:
    return {name for name, _ in BLANK.findall(text) if name}


@pytest.mark.parametrize("book", BOOKS)
def test_every_language_has_the_same_words_with_the_same_blanks(book: str) -> None:
    assert set(BOOKS[book]) == set(LANGUAGES)
    reference = {key: blanks(text) for key, text in leaves(BOOKS[book]["en"]).items()}
    for language in LANGUAGES:
        found = leaves(BOOKS[book][language])
        assert {key: blanks(text) for key, text in found.items()} == reference
        assert [key for key, text in found.items() if not text.strip()] == []


@pytest.mark.parametrize(("book", "language"), EVERY_BOOK)
def test_every_brace_belongs_to_a_blank_that_can_be_filled(book: str, language: str) -> None:
    for text in texts(book, language).values():
        assert set(BLANK.sub("", text)) & set("{}") == set()
        for _, forms in BLANK.findall(text):
            categories = {category for category, _ in FORM.findall(forms)}
            assert categories <= CATEGORIES[language]
            assert not forms or "other" in categories


# A number and its noun


def amounts() -> set[str]:
    """The blanks that count something: by name, or since a text gives them plural forms."""
    every = [text for book in EVERY_BOOK for text in texts(*book).values()]
    counted = {name for text in every for name, forms in BLANK.findall(text) if forms}
    return counted | {"count", "score"}


# What may follow an amount without agreeing with it.
INVARIABLE = {
    "fr": {"à", "et", "min", "sur"},
    "en": {"left", "min", "more", "of", "to"},
    "de": {"bis", "davon", "Min", "von"},
}


@pytest.mark.parametrize(("book", "language"), EVERY_BOOK)
def test_a_number_before_a_noun_has_its_plural_forms(book: str, language: str) -> None:
    amount = "|".join(sorted(amounts()))
    followed = re.compile(rf"\{{(?:{amount})\}}[ \u00a0\u202f](\w+)")
    missing = {
        key: text
        for key, text in texts(book, language).items()
        if set(followed.findall(text)) - INVARIABLE[language]
    }
    assert missing == {}


def plurals(language: str) -> set[str]:
    """The words that follow a number in a form for many, and not in the one for one."""
    every = [text for book in BOOKS for text in texts(book, language).values()]
    forms = [dict(FORM.findall(forms)) for text in every for _, forms in BLANK.findall(text)]
    many, one = (
        {word for form in forms for word in re.findall(r"# (\w+)", form.get(category, ""))}
        for category in ("other", "one")
    )
    return many - one


@pytest.mark.parametrize(("book", "language"), EVERY_BOOK)
def test_one_is_not_told_in_the_plural(book: str, language: str) -> None:
    wrong = re.compile(rf"\b1 (?:{'|'.join(sorted(plurals(language)))})\b")
    told = {
        key: fill(text, language, dict.fromkeys(blanks(text), 1))
        for key, text in texts(book, language).items()
    }
    assert {key: text for key, text in told.items() if wrong.search(text)} == {}


# Typography and forms of address

SECTIONS = {"fr": "Règles", "en": "Rules", "de": "Regeln"}
SPOILT = {
    "fr": r"[“”„\"']|(?<![\u202f«\u00a0])[;!?]|(?<!\u00a0)[:»%]|«(?!\u00a0)",
    "en": r"[«»„\"']|\s[;:!?,.%]",
    "de": r"[«»”\"']|\s[;:!?,.]|(?<!\u00a0)%|(?<=\w)…",
}
# Another form than the one chosen: tu in French, ihr in German.
FAMILIAR = {
    "fr": r"\b(?:tu|te|toi|ton|ta|tes|t’\w+)\b",
    "de": r"\b(?:ihr|euch|eu(?:er|re[mnrs]?)|habt|seid|könnt|müsst|dürft|wollt|sollt|lasst)\b",
}


def rules_text(slug: str, language: str) -> str:
    """The section of RULES.md that tells the rules in this language."""
    sections = (load(slug).folder / "RULES.md").read_text("utf-8").split("\n## ")
    (found,) = [text for text in sections if text.startswith(SECTIONS[language] + "\n")]
    return found


def lesson_texts(slug: str, language: str) -> dict[str, str]:
    """What the lessons of a game say."""
    found: dict[str, str] = {}
    for name in lessons.names(load(slug)):
        lesson = lessons.read(load(slug), name)
        found[f"{name}: title"] = lesson.title[language]
        for number, beat in enumerate(lesson.beats, 1):
            found[f"{name}: {number}"] = beat.say[language]
            found[f"{name}: {number}, opening"] = beat.opening[language]
    return found


def texts_and_rules(book: str, language: str) -> dict[str, str]:
    """Every text, the rules in RULES.md, and the lessons."""
    if book == "shared":
        return texts(book, language)
    rules = {"RULES.md": rules_text(book, language)}
    return texts(book, language) | rules | lesson_texts(book, language)


@pytest.mark.parametrize(("book", "language"), EVERY_BOOK)
def test_texts_follow_the_typography_of_their_language(book: str, language: str) -> None:
    spoilt = re.compile(SPOILT[language] + r"|(?<=\S)  +|\.\.\.|[ \u00a0\u202f]\n")
    found = {
        key: marks
        for key, text in texts_and_rules(book, language).items()
        for count in (1, 2)
        if (marks := spoilt.findall(fill(text, language, dict.fromkeys(blanks(text), count))))
    }
    assert found == {}


@pytest.mark.parametrize(("book", "language"), EVERY_BOOK)
def test_players_are_addressed_in_one_form(book: str, language: str) -> None:
    familiar = re.compile(FAMILIAR.get(language, r"(?!)"), re.IGNORECASE)
    found = {key: familiar.findall(text) for key, text in texts_and_rules(book, language).items()}
    assert {key: words for key, words in found.items() if words} == {}


@pytest.mark.parametrize("book", BOOKS)
def test_in_french_a_player_wins_and_not_the_most_points(book: str) -> None:
    calque = re.compile(
        r"(?<!qui a )(?<!ayant )\ble (?:plus|moins) d(?:e |’)\w+ gagne", re.IGNORECASE
    )
    found = {key: calque.findall(text) for key, text in texts_and_rules(book, "fr").items()}
    assert {key: words for key, words in found.items() if words} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_the_rules_in_full_are_typeset_too(slug: str, language: str) -> None:
    text = rules_text(slug, language)
    assert typeset(text, language) == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_every_move_and_outcome_has_words(slug: str, language: str) -> None:
    game = load(slug)
    words = Words(game, language)
    for seat, count in ((0, game.moves), (CHANCE, game.outcomes)):
        for move in range(0, count, max(1, count // 500)):
            assert words.move(seat, move)
        assert words.move(seat, count - 1)


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
    for reason in game.objections[1:]:
        assert words.objection(reason)
    assert set(game.words[language]["results"]) == set(game.verdicts)
    for verdict in game.verdicts:
        values = {"player": "A", "players": "A, B", "score": 3} | game.complete({}, game.seats[0])
        assert words.text("results", verdict, **values)


def test_a_language_nobody_speaks_is_refused() -> None:
    with pytest.raises(Refused, match="has no words in 'it'; it speaks fr, en, de"):
        Words(load(slugs()[0]), "it")


NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil"]
ENDS = [
    ("stupide_vautour", {"won", "alone", "shared"}),
    ("whats_up", {"goal", "won", "fewest", "shared"}),
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
        "Score: −6. The target was 20: give it another try!"
    )
    shared = Match(load("stupide_vautour"), 2)
    for point in range(15):
        for seat, move in ((CHANCE, point), (0, point + 1), (1, point + 1)):
            shared.play(seat, move)
    assert Words(shared.game, "en").result(shared, NAMES) == (
        "Shared victory: Anna and Ben with 0 points"
    )
