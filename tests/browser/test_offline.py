"""Without a network the page is still there, knows who we are, and teaches."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browsing import (
    GAMES,
    House,
    board,
    do,
    introduce,
    look,
    open_match,
    open_table,
    play_one,
    wait_for_worker,
    wait_until,
)

OFFLINE = "You are offline."


def visit_before(page: Page, path: str = "/") -> None:
    """Be here once with a network, and then be without one."""
    page.goto(path)
    wait_for_worker(page)
    page.context.set_offline(True)


def guests(context: BrowserContext) -> str:
    return str(context.request.get("/api/me").json()["id"])


def test_opened_without_a_network_the_page_knows_who_we_are(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 2)
    before = guests(page.context)
    visit_before(page)
    page.goto("/")
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()

    page.context.set_offline(False)
    expect(page.get_by_text(OFFLINE)).to_be_hidden()
    page.get_by_role("button", name="With friends").first.click()
    page.wait_for_url("**/t/*")
    assert guests(page.context) == before
    page.goto(path)
    expect(page.get_by_role("button", name="Stand up")).to_be_visible()


def test_a_guest_unknown_only_because_nobody_answered_is_not_made_a_new_one(house: House) -> None:
    page = house.page("Ada")
    before = guests(page.context)
    page.add_init_script("navigator.serviceWorker.register = async () => undefined")
    page.route("**/api/me", lambda route: route.abort(), times=1)
    page.goto("/")
    page.get_by_role("button", name="With friends").first.click()
    page.wait_for_url("**/t/*")
    assert guests(page.context) == before


def test_without_a_network_our_tables_are_listed_as_we_last_knew_them(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 2)
    page.goto("/")
    row = page.get_by_role("region", name="Your tables").get_by_role("listitem")
    expect(row).to_contain_text("Your turn")
    visit_before(page)
    page.goto("/")
    expect(row).to_contain_text("Stupide Vautour")
    expect(row.get_by_role("button")).to_have_count(0)


def test_a_table_that_is_reloaded_without_a_network_is_as_it_was_and_says_so(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "stupide_vautour", 2)
    play_one("stupide_vautour", page, 0)
    expect(board(page)).to_contain_text("Round 2 of 15")
    visit_before(page, path)
    page.goto(path)
    old = page.get_by_text("Offline. As of")
    expect(old).to_be_visible()
    expect(board(page)).to_contain_text("Round 2 of 15")
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    expect(hand).to_have_count(14)
    expect(hand.last).to_have_attribute("aria-disabled", "true")

    page.context.set_offline(False)
    expect(old).to_be_hidden()
    play_one("stupide_vautour", page, 1)
    expect(board(page)).to_contain_text("Round 3 of 15")


def test_a_device_that_people_share_keeps_nobody_s_hand(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 2)
    do(page, path, "sit", name="Bob")
    do(page, path, "start")
    page.goto(path)
    page.get_by_role("button", name="I am Ada").click()
    visit_before(page, path)
    page.goto(path)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    expect(page.get_by_role("group", name="Hand")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_lessons_are_played_without_a_network(house: House, game: str) -> None:
    page = house.page(in_3d=True)  # which is too large to be kept: it is shown from above
    visit_before(page)
    page.goto("/")
    page.locator(f'a[href="/learn/{game}"]').click()
    expect(page.get_by_role("img", name="Step 1 of")).to_be_visible()
    asked = page.locator("button[data-advised], button:has([data-advised])")
    page.get_by_role("button", name="Next").or_(asked).first.click()
    expect(page.get_by_role("img", name="Step 2 of")).to_be_visible()
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    expect(page.locator("main .board").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_every_board_is_as_we_last_saw_it(house: House, game: str) -> None:
    page = house.page("Ada")
    path = open_match(page, game, 2)
    wait_until(page, lambda: bool(look(page, path)["awaited"] == [0]))  # the bot has moved
    if look(page, path)["prompt"] == "change":  # a leader is offered the changes, not the rule
        do(page, path, "play", move=look(page, path)["legal"][0], seat=None)
    page.goto(path)
    expect(page.locator("p.prompt.ours[data-told='']")).to_be_visible()
    before = board(page).inner_text().splitlines()
    visit_before(page, path)
    page.goto(path)
    expect(page.get_by_text("Offline. As of")).to_be_visible()
    shown = board(page).inner_text().splitlines()
    assert len(shown) > len(before) / 2
    assert set(shown) <= set(before)  # but what might be done now


def test_a_stranger_without_a_network_is_told_why_nothing_opens(house: House) -> None:
    page = house.page()
    visit_before(page)
    page.goto("/")
    page.get_by_role("button", name="With friends").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Ada")
    dialog.get_by_role("button").last.click()
    expect(dialog.get_by_role("alert")).to_have_text(OFFLINE)
    page.context.set_offline(False)
    introduce(page, "Ada")
    page.wait_for_url("**/t/*")


def test_the_worker_drops_what_older_builds_have_kept(house: House) -> None:
    page = house.page()
    page.add_init_script("navigator.serviceWorker.register = async () => undefined")
    page.goto("/")
    page.evaluate("caches.open('shell-1').then((cache) => cache.put('/old', new Response('')))")
    other = page.context.new_page()
    other.goto("/")
    wait_for_worker(other)
    names = other.evaluate("caches.keys()")
    assert len(names) == 1
    assert names != ["shell-1"]


def test_a_browser_finds_nothing_wrong_with_the_manifest(house: House) -> None:
    page = house.page()
    page.goto("/")
    wait_for_worker(page)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser without a profile installs nothing, whatever the page is like.
    assert [one for one in problems if one["errorId"] != "in-incognito"] == []
