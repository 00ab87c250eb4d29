"""A game that `ludotheque new` has just written is played in a browser, on the plain board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from browsing import (
    PHONE,
    House,
    HurriedServer,
    Settings,
    introduce,
    is_over,
    open_more,
    press,
    result,
    start_button,
    wait_until,
)
from ludotheque.template import write_game
from people import Server

ADA = "[/b] Ada"  # which a terminal would take for markup
RESULT = re.compile("takes the last stone and wins")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    games = tmp_path_factory.mktemp("games")
    write_game("four_winds", games)
    running = HurriedServer(tmp_path_factory.mktemp("data"), games)
    yield running
    running.stop()


def open_table(page: Page) -> None:
    """From the lobby to a table of the new game."""
    page.goto("/")
    card = page.get_by_role("article").filter(has=page.locator('a[href="/rules/four_winds"]'))
    expect(card.get_by_role("heading")).to_have_text("Four winds")
    card.get_by_role("button").nth(2).click()  # with friends, in any language
    introduce(page, ADA)
    expect(start_button(page)).to_be_visible()


def open_match(page: Page) -> None:
    open_table(page)
    start_button(page).click()
    expect(drawing(page)).to_contain_text("15")


def drawing(page: Page) -> Locator:
    return page.locator("main .board pre")


def moves(page: Page) -> Locator:
    return page.locator("main .board [role=group]").get_by_role("button")


def play(page: Page, press: Callable[[], None]) -> None:
    """Make a move, and wait until there is another one to make, or the result."""
    before = drawing(page).inner_text()
    press()
    expect(drawing(page)).not_to_have_text(before)
    wait_until(page, lambda: is_over(page) or moves(page).first.is_visible())


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["desktop", "phone"])
def test_a_match_is_played_with_buttons_from_the_lobby_to_the_result(
    house: House, settings: Settings
) -> None:
    page = house.page(**settings)
    open_match(page)
    expect(drawing(page)).to_have_text(
        re.compile(rf"^Stones: 15\n.*\n{re.escape(ADA)}’s turn$", re.S)
    )
    expect(moves(page)).to_have_text(["Take one stone", "Take 2 stones", "Take 3 stones"])
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    while not is_over(page):
        play(page, lambda: press(moves(page).last))
    expect(result(page)).to_have_text(RESULT)
    expect(drawing(page)).to_contain_text("Stones: 0")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(open_more(page)).to_contain_text("Download the match")
    expect(page.get_by_role("button", name="Verify the shuffle")).to_have_count(0)
    expect(page.get_by_role("button", name="Same deal")).to_have_count(0)


def test_a_match_is_played_with_the_keyboard_alone(house: House) -> None:
    page = house.page()
    open_match(page)
    while not moves(page).first.evaluate("(button) => button === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(moves(page).nth(1)).to_be_focused()
    while not is_over(page):
        play(page, lambda: page.keyboard.press("Enter"))
        if not is_over(page):
            expect(moves(page).first).to_be_focused()
    expect(result(page)).to_have_text(RESULT)


def test_the_drawing_follows_the_language_of_the_page(house: House) -> None:
    page = house.page(locale="fr-FR")
    open_match(page)
    expect(drawing(page)).to_contain_text("Pierres : 15")
    expect(moves(page).first).to_have_text("Prendre une pierre")
    page.evaluate("localStorage.setItem('ludotheque.language', 'de')")
    page.reload()
    expect(drawing(page)).to_contain_text("Steine: 15")
    expect(moves(page).first).to_have_text("Einen Stein nehmen")


def test_only_the_bots_and_settings_that_the_game_has_are_offered(house: House) -> None:
    page = house.page()
    open_table(page)
    expect(page.get_by_label("Hints")).to_have_count(0)
    page.get_by_role("button", name="Bot", exact=True).click()
    offered = page.get_by_role("dialog").get_by_role("listitem")
    expect(offered).to_have_count(2)
    expect(offered.first).to_contain_text("Silex")
    offered.first.get_by_role("button").click()
    start_button(page).click()
    expect(drawing(page)).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_plain_board_is_accessible(house: House, theme: str) -> None:
    page = house.page(color_scheme="dark" if theme == "dark" else "light")
    open_match(page)
    expect(moves(page).first).to_be_visible()
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(violation["id"], violation["nodes"]) for violation in found] == []
    expect(page.get_by_role("region", name="Board")).to_be_visible()
    expect(page.get_by_role("group", name="Possible moves")).to_be_visible()
