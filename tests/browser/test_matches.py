"""Two people, one of them with a phone, and a bot play every game from the lobby to the result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browsing import (
    GAMES,
    PHONE,
    House,
    board,
    introduce,
    is_over,
    open_more,
    play_match,
    result,
    start_button,
)

# What the host sets in the page, by label, so that a match is short.
WISHES = {
    "stupide_vautour": {},
    "whats_up": {"When nobody takes any more": "eight turns", "First player": "0"},
    "up_and_down": {"Deals": "1", "Ties": "shared"},
    "team_up": {},
    "ubongo": {"Time per round": "4", "Countdown": "1"},
}
RESULT = re.compile("wins|Shared victory|Score: |perfect|Nobody")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_from_the_lobby_to_the_result(house: House, game: str) -> None:
    host, guest = (
        house.page(in_3d=True, hurried=True, reduced_motion="no-preference"),
        house.page(hurried=True, **PHONE),
    )
    pages = [host, guest]

    host.goto("/")
    card = host.get_by_role("article").filter(has=host.locator(f'a[href="/rules/{game}"]'))
    card.get_by_role("button", name="With friends").click()
    introduce(host, "Ada")
    expect(start_button(host)).to_be_visible()
    host.get_by_label("Number of seats").select_option("3")

    guest.goto(host.url)
    guest.get_by_label("Your name").fill("Bob")
    guest.get_by_role("button", name="Sit down").tap()
    expect(host.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    for label, value in WISHES[game].items():
        field, seen = host.get_by_label(label), guest.get_by_label(label)
        if field.get_attribute("type") == "number":
            field.fill(value)
            field.press("Tab")
        else:
            field.select_option(value)
        expect(seen).to_have_value(value)
    host.get_by_role("button", name="Bot", exact=True).click()
    host.get_by_role("dialog").get_by_role("button", name="whimsical").click()
    expect(guest.get_by_role("listitem").filter(has_text="whimsical")).to_be_visible()
    start_button(host).click()

    def reload() -> None:
        guest.reload()
        expect(board(guest)).to_be_visible()
        expect(guest.get_by_role("list", name="Players").get_by_text("Bob")).to_be_visible()

    play_match(game, pages, reload)
    assert all(is_over(page) for page in pages)
    expect(result(host)).to_have_text(RESULT)
    expect(result(guest)).to_have_text(result(host).inner_text())
    expect(host.get_by_role("button", name="Play again")).to_be_visible()
    open_more(host).get_by_role("button", name="Verify the shuffle").click()
    dialog = host.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile(r"All \d+ draws are fair|The only draw is fair"))
    expect(dialog).to_contain_text("This page saw the same fingerprint before the match")
    expect(dialog).to_contain_text(
        "The random bytes that this device added are part of the shuffle"
    )
