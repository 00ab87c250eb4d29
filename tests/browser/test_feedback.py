"""A control answers the finger at once, whatever the network does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import GAMES, House, open_match

# From then on nothing that the page sends reaches the server.
CUT = "WebSocket.prototype.send = () => {}"
PRESSED = "brightness(0.86)"
CONTROLS = {
    "stupide_vautour": ".hand button",
    "whats_up": "[role=gridcell] button[aria-disabled=false]",
    "up_and_down": ".bar button, .hand button[aria-disabled=false]",
    "team_up": ".bar button",
    "ubongo": "[data-point=ready] button",
}


def down(control: Locator) -> None:
    """Put the finger on it."""
    control.hover()
    control.page.mouse.down()


def expect_sent(page: Page, game: str, control: Locator) -> None:
    """The move shows as made: the control stays pressed, or the card lies on the table."""
    if game == "stupide_vautour":
        expect(page.locator(".own .laid")).to_be_visible()
    else:
        expect(control).to_have_attribute("data-sent", "")
        expect(control).to_have_css("filter", PRESSED)


@pytest.mark.parametrize("game", GAMES)
def test_a_control_is_pressed_although_no_answer_comes(house: House, game: str) -> None:
    page = house.page("Ada")
    open_match(page, game, 2)
    expect(page.locator("p.prompt.ours[data-told='']")).to_be_visible()
    page.evaluate(CUT)
    control = page.locator(CONTROLS[game]).last
    expect(control).to_be_enabled()
    down(control)
    expect(control).to_have_css("filter", PRESSED)
    page.mouse.up()
    expect_sent(page, game, control)


def test_a_control_that_was_answered_is_up_again(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "team_up", 2)
    draw = page.get_by_role("button", name="Draw a card")
    draw.click()
    expect(draw).to_be_hidden()
    expect(page.locator("[data-sent]")).to_have_count(0)
