"""Whatever the window, a board fits into it: what one acts with is never below the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browsing import GAMES, House, open_match

SIZES = ((390, 844), (844, 390), (1280, 800))
BEYOND = """() => {
  const middle = document.querySelector(".middle");
  const page = document.documentElement;
  return [middle.scrollHeight - middle.clientHeight, page.scrollWidth - innerWidth];
}"""
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
    page = house.page("Ada", locale="fr-FR")  # which has the longest prompts
    open_match(page, game, 4)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    assert beyond(page) == {size: [0, 0] for size in SIZES}
