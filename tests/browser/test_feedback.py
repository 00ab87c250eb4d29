"""A control answers the finger at once, whatever the network does."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from browsing import GAMES, House, open_match, wait_until

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


def test_a_control_whose_move_was_refused_is_up_again(house: House) -> None:
    page = house.page("Ada")
    held: list[tuple[WebSocketRoute, str]] = []

    def hold_moves(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message.get("command", {}).get("do") == "play":
                held.append((socket, message["id"]))
            else:
                server.send(text)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/socket$"), hold_moves)
    open_match(page, "team_up", 2)
    draw = page.get_by_role("button", name="Draw a card")
    draw.click()
    wait_until(page, lambda: len(held) == 1)
    expect(draw).to_have_attribute("data-sent", "")
    socket, request = held[0]
    refusal = {"type": "reply", "id": request, "done": False, "error": "not now"}
    socket.send(json.dumps(refusal))
    expect(page.locator(".toast")).to_have_text("not now")
    expect(page.locator("[data-sent]")).to_have_count(0)
    expect(draw).to_be_enabled()
