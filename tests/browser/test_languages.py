"""Lobby and table speak the browser's language, or the one chosen in the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browsing import GAMES, House, board, open_match, open_table, start_button

TITLES = {
    "fr-FR": ("fr", "On joue ?", "Commencer la partie"),
    "en-GB": ("en", "Shall we play?", "Start the match"),
    "de-DE": ("de", "Spielen wir?", "Partie beginnen"),
}
# A word that is missing shows its key, a blank without a value its braces.
RAW = re.compile(r"\{\w+\}|\b(?:page|board|prompts|moves|outcomes|results|options|names)\.\w+")
# French sets a space before these marks, and no line breaks at it.
SPOILT = re.compile(r"\w[:;!?](?=\s)| [:;!?»%]|« ")
TEXTS = """() => [document.title, document.body.innerText,
  ...[...document.querySelectorAll("*")].flatMap((element) =>
    ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""))
].join("\\n")"""


def check_words(page: Page) -> None:
    language = page.locator("html").get_attribute("lang")
    text: str = page.evaluate(TEXTS)
    assert RAW.findall(text) == []
    assert re.findall(r"undefined|NaN|\[object", text) == []
    assert re.findall(r"\bgreedy\b|\bchaotic\b", text) == []
    if language == "fr":
        assert SPOILT.findall(text) == []


@pytest.mark.parametrize("locale", TITLES)
def test_the_browsers_language(house: House, locale: str) -> None:
    language, title, start = TITLES[locale]
    page = house.page("Ada", locale=locale)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("html")).to_have_attribute("lang", language)
    check_words(page)
    for game in GAMES:
        open_table(page, game)
        expect(start_button(page)).to_have_text(start)
        check_words(page)
        start_button(page).click()
        expect(board(page)).to_be_visible()
        expect(page.locator("p.prompt")).not_to_be_empty()
        for button in ("history", "chat", "rules"):
            page.locator(f"#tab-{button}").click()
            check_words(page)


def test_an_unknown_language_is_english(house: House) -> None:
    page = house.page(locale="pt-BR")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shall we play?")


def test_the_language_chosen_in_the_page_is_kept(house: House) -> None:
    page = house.page("Ada")
    page.goto("/")
    page.get_by_role("button", name="Language, theme and sounds").click()
    for language, title, _ in TITLES.values():
        page.get_by_role("dialog").locator(f"button[lang={language}]").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        check_words(page)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Spielen wir?")


@pytest.mark.parametrize("game", GAMES)
def test_a_running_table_changes_its_language(house: House, game: str) -> None:
    page = house.page("Ada")
    open_match(page, game)
    before = page.locator("p.prompt").inner_text()
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("p.prompt")).not_to_have_text(before)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    check_words(page)
