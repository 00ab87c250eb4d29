"""What a device brings: several people before it, a clock, calls, links shared from elsewhere."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from browsing import (
    House,
    do,
    open_match,
    open_table,
    play_one,
    seat_beside,
    start_button,
    wait_until,
)

# A browser that counts how often it is asked, and what it showed.
ASKED = """
window.asked = 0;
window.shown = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() {
    window.asked += 1;
    Notification.permission = "ANSWER";
    return Notification.permission;
  }
  constructor(title) { window.shown.push(title); }
};
"""
HIDDEN = """() => {
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def hand(page: Page) -> list[str]:
    cards = page.get_by_role("group", name="Hand").get_by_role("button")
    return [card.get_attribute("aria-label") or "" for card in cards.all()]


def test_people_at_one_device_play_behind_a_curtain(house: House) -> None:
    page = house.page("Ada")
    open_table(page, "stupide_vautour", 2)
    seat_beside(page, "Bob")
    start_button(page).click()
    curtain = page.get_by_role("dialog")

    expect(curtain).to_contain_text("Hand the device to Ada")
    page.keyboard.press("Escape")
    expect(curtain).to_be_visible()
    page.get_by_role("button", name="I am Ada").click()
    expect(curtain).to_be_hidden()
    page.get_by_role("button", name="play the 7").click()

    expect(curtain).to_contain_text("Hand the device to Bob")
    page.get_by_role("button", name="I am Bob").click()
    expect(curtain).to_be_hidden()
    expect(page.get_by_role("button", name="play the 7")).to_be_visible()
    assert len(hand(page)) == 15
    expect(page.get_by_label("Bid", exact=True)).to_contain_text("Bid: face down")
    page.get_by_role("button", name="play the 9").click()

    # The player who holds the device begins the next round.
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()
    page.get_by_role("button", name="play the 3").click()
    expect(curtain).to_contain_text("Hand the device to Ada")
    page.get_by_role("button", name="I am Ada").click()
    expect(page.get_by_role("button", name="play the 9")).to_be_visible()
    assert "play the 7" not in hand(page)


def test_a_move_clock_is_shown_and_when_it_runs_out_a_bot_moves(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 2)
    expect(page.get_by_label("Time per move")).to_have_value("0")
    do(page, path, "set", move_seconds=3)
    expect(page.get_by_label("Time per move")).to_have_value("3")
    start_button(page).click()
    expect(page.locator(".clock")).to_have_text(re.compile(r"^\D*0:0[0-3]\D*$"))
    expect(page.locator(".clock")).to_have_class(re.compile("late"))
    expect(page.get_by_text(re.compile(r"Round ([2-9]|1\d) of 15"))).to_be_visible()
    assert page.get_by_role("group", name="Hand").get_by_role("button").count() < 15


def test_without_a_clock_none_is_shown(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 2)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    expect(page.locator(".clock")).to_have_count(0)


def test_calls_are_asked_for_only_by_a_click_and_come_only_when_one_looks_away(
    house: House,
) -> None:
    page = house.page("Ada")
    page.add_init_script(ASKED.replace("ANSWER", "granted"))
    open_match(page, "whats_up", 2)
    ours = page.locator("p.prompt.ours")
    expect(ours).to_be_visible()
    play_one("whats_up", page, 0)
    page.get_by_role("button", name="Table menu").click()
    wish = page.get_by_role("checkbox", name="Notify me when it is my turn")
    expect(wish).not_to_be_checked()
    assert page.evaluate("window.asked") == 0

    wish.check()
    assert page.evaluate("window.asked") == 1
    page.keyboard.press("Escape")
    expect(ours).to_be_visible()
    assert page.evaluate("window.shown") == []
    page.evaluate("() => { navigator.serviceWorker.getRegistration = async () => undefined; }")
    page.evaluate(HIDDEN)
    play_one("whats_up", page, 1)
    wait_until(page, lambda: page.evaluate("window.shown") == ["What’s Up"])


def test_whoever_refuses_calls_is_left_in_peace(house: House) -> None:
    page = house.page("Ada")
    page.add_init_script(ASKED.replace("ANSWER", "denied"))
    open_match(page, "stupide_vautour", 2)
    page.get_by_role("button", name="Table menu").click()
    wish = page.get_by_role("checkbox", name="Notify me when it is my turn")
    wish.click()
    expect(wish).not_to_be_checked()
    page.reload()
    expect(page.locator("p.prompt.ours")).to_be_visible()
    assert page.evaluate("window.asked") == 0


def test_a_link_shared_to_the_page_opens_its_table(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "whats_up")
    target = json.loads(page.request.get("/manifest.webmanifest").text())["share_target"]
    assert (target["action"], target["method"]) == ("/share", "GET")
    link = f"http://{house.server.address}{path}"
    for field, value in (("url", link), ("text", f"Come and play: {link} !")):
        page.goto(f"{target['action']}?{target['params'][field]}={value}")
        expect(start_button(page)).to_be_visible()
        assert page.url == link
    page.goto("/share?text=nothing+of+ours")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shall we play?")
