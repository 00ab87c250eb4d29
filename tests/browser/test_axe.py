"""Every screen in both themes keeps the rules of WCAG 2.2 AA that a machine can check."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browsing import GAMES, PHONE, House, Settings, open_match, open_table, play, result

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
# What comes and goes is looked at when it has come.
STILL = """() => Promise.allSettled(document.getAnimations()
  .filter((motion) => motion.effect.getComputedTiming().endTime < 5000)
  .map((motion) => motion.finished))"""
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def check(page: Page, where: str) -> list[str]:
    """What is wrong, one line each."""
    page.evaluate(STILL)
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{where}: {violation['id']}: {node['html']}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_the_screens_around_the_games(house: House, theme: Theme) -> None:
    page = house.page(color_scheme=theme)
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    wrong = check(page, "lobby")
    page.get_by_role("button", name="Say hello").click()
    wrong += check(page, "introduce")
    page.get_by_role("dialog").get_by_role("textbox").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Language, theme and sounds").click()
    wrong += check(page, "preferences")
    page.keyboard.press("Escape")
    page.goto("/rules/up_and_down")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wrong += check(page, "rules")
    open_table(page, "ubongo")
    wrong += check(page, "gathering")
    page.get_by_role("button", name="Table menu").click()
    wrong += check(page, "menu")
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table")).to_be_visible()
    wrong += check(page, "no table")
    page.goto("/r/nobody")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wrong += check(page, "recovery")
    assert wrong == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_every_game(house: House, game: str, theme: Theme) -> None:
    page = house.page("Ada", color_scheme=theme)
    path = open_match(page, game, 2)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    wrong = check(page, f"{game} begins")
    for tab in ("Chat", "Rules"):
        page.get_by_role("tab", name=tab).click()
        wrong += check(page, tab)
    for move in range(3):
        expect(page.locator("p.prompt.ours")).to_be_visible()
        play(game, page, move)
        wrong += check(page, f"{game} after move {move}")
    settings: Settings = {**PHONE, "color_scheme": theme}
    phone = house.page("Bob", **settings)
    phone.goto(path)
    expect(phone.get_by_role("list", name="Players")).to_be_visible()
    wrong += check(phone, f"{game} watched on a phone")
    phone.get_by_role("button", name="Chat").tap()
    wrong += check(phone, "sheet on a phone")
    assert wrong == []


@pytest.mark.parametrize("theme", THEMES)
def test_a_result(house: House, theme: Theme) -> None:
    page = house.page("Ada", color_scheme=theme)
    open_match(page, "team_up", 1)
    page.get_by_role("button", name="Stop here").click()
    expect(result(page)).to_have_text(re.compile("missed|succeeds"))
    wrong = check(page, "result")
    page.get_by_role("button", name="Verify the shuffle").click()
    wrong += check(page, "verify")
    assert wrong == []
