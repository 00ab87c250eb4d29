"""Nobody has to wait for a story: what is legal can be done at once, and ends the telling."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from browsing import House, do, look, open_match, open_table, start_button, wait_until
from ludotheque.games.team_up.rules import DRAW, PLACE, STOP


def told(page: Page) -> Locator:
    """The prompt, while something is being told."""
    return page.locator("p.prompt:not([data-told=''])")


def hold_the_story(page: Page) -> None:
    """From now on the page's clock stands still: what is told next goes on being told."""
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)


def test_a_card_of_whats_up_can_be_turned_while_the_last_one_is_told(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "whats_up", 2, first=0)
    hold_the_story(page)
    do(page, path, "play", move=0, seat=None)
    behind = page.locator("p.prompt[data-behind]")
    expect(behind).to_be_visible()

    def has_caught_up() -> bool:
        page.clock.run_for(100)
        return not behind.is_visible()

    wait_until(page, has_caught_up)
    expect(told(page)).to_contain_text("Margot turns over")
    lines = len(log(page, path))
    move = look(page, path)["legal"][0]  # not the card that lies open
    card = page.get_by_role("gridcell").nth(move).get_by_role("button")
    expect(card).to_have_attribute("aria-disabled", "false")
    card.click()
    wait_until(page, lambda: len(log(page, path)) > lines)
    assert log(page, path)[lines]["move"] == move


def log(page: Page, path: str) -> Any:
    found = page.request.get(f"/api/tables/{path.removeprefix('/t/')}").json()
    return [line for line in found["lines"] if line["seat"] == 0]


def test_a_box_can_be_chosen_while_a_vote_is_told(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "team_up", 2)
    bar = page.locator(".bar")
    expect(bar.get_by_role("button", name="Draw a card")).to_be_visible()
    hold_the_story(page)
    bar.get_by_role("button", name="Propose to stop").click()
    box = page.get_by_role("group", name="Boxes to choose from").locator("button:enabled").first
    expect(box).to_be_visible()
    expect(told(page)).to_contain_text("proposes to stop")
    expect(bar.get_by_role("button")).to_have_count(0)
    box.click()
    expect(told(page)).to_have_count(0)
    bar.get_by_role("button", name="Place").click()
    wait_until(page, lambda: look(page, path)["view"]["placed"] > 1)


def test_a_question_can_be_answered_before_it_is_told(house: House) -> None:
    page, other = house.page("Ada"), house.page("Bob")
    path = open_table(page, "team_up", 2)
    do(other, path, "sit")
    start_button(page).click()
    draw_and_place(page, path)
    bar = page.locator(".bar")
    expect(bar).to_contain_text("Bob to play")
    hold_the_story(page)
    draw_and_place(other, path)
    do(other, path, "play", move=STOP, seat=None)
    expect(bar.get_by_role("button", name="Carry on")).to_be_visible()
    expect(told(page)).to_contain_text("Card for Bob")
    bar.get_by_role("button", name="Carry on").click()
    wait_until(page, lambda: look(page, path)["view"]["phase"] == PLACE)


def draw_and_place(page: Page, path: str) -> None:
    """Without the page."""
    do(page, path, "play", move=DRAW, seat=None)
    do(page, path, "play", move=look(page, path)["legal"][0], seat=None)
