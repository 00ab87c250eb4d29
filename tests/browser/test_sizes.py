"""Whatever the window, a board fits into it: what one acts with is never below the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browsing import GAMES, House, open_match, open_table

SIZES = ((390, 844), (360, 740), (844, 390), (740, 360), (667, 375), (1024, 768), (1280, 800))
BEYOND = """() => {
  const middle = document.querySelector(".middle");
  const page = document.documentElement;
  return [middle.scrollHeight - middle.clientHeight, page.scrollWidth - innerWidth];
}"""
SMALL = {"width": 360, "height": 740}
HIDDEN = """(element) => [
  element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight
]"""
ASIDE = "() => document.documentElement.scrollWidth - innerWidth"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def beyond(page: Page) -> dict[tuple[int, int], list[int]]:
    """The pixels of the board below the lower edge and of the page beyond the right one."""
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        found[width, height] = page.evaluate(BEYOND)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_board_fits_the_window(house: House, game: str) -> None:
    page = house.page("Ada", in_3d=True, locale="fr-FR")  # which has the longest prompts
    open_match(page, game, 4)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    assert beyond(page) == {size: [0, 0] for size in SIZES}


SETTINGS = """() => {
  const [column, side] = [document.querySelector(".options"), document.querySelector("aside")];
  const right = Math.max(...[...column.querySelectorAll("*")].map(
    (element) => element.getBoundingClientRect().right,
  ));
  const edge = side ? side.getBoundingClientRect().left : innerWidth;
  return [document.documentElement.scrollWidth - innerWidth, right <= edge];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_the_settings_of_a_table_stay_in_their_column(house: House, game: str) -> None:
    page = house.page("Ada", locale="de-DE")  # which has the longest options
    wish = {"game": game, "seats": 2}
    table = page.request.post("/api/tables", data=wish).json()["id"]
    page.goto(f"/t/{table}")
    expect(page.locator(".options")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        assert page.evaluate(SETTINGS) == [0, True], (width, height)


def test_the_longest_names_fit_a_small_phone(house: House) -> None:
    page = house.page("Maximilienne de Bourbon", locale="fr-FR", viewport=SMALL)
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    assert page.evaluate(ASIDE) == 0
    open_table(page, "ubongo", 4)
    page.get_by_role("button", name="Robot").first.click()
    page.get_by_role("dialog").get_by_role("button", name="maître").click()
    expect(page.get_by_role("button", name="maître")).to_be_visible()
    assert page.evaluate(ASIDE) == 0
    page.locator(".start button.primary").click()
    title = page.get_by_role("heading", level=1)
    expect(page.get_by_role("button", name="Conseil")).to_be_visible()
    expect(title).to_have_text("Ubongo, le jeu de cartes")
    assert title.evaluate(HIDDEN) == [0, 0]
