"""From the first visit to the first move: alone, invited by a link, by a code, and too late."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import (
    GAMES,
    PHONE,
    House,
    board,
    do,
    heard,
    is_awaited,
    open_match,
    open_table,
    start_button,
    wait_until,
)

LARGEST_LOBBY_BYTES = 80_000
MOST_SHIFT = 0.05
SIZES = ((360, 640), (375, 553), (390, 844), (844, 390), (820, 1180), (1440, 900))
# Adds up what moves by itself while the page is laid out.
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
FETCHED = """performance.getEntries()
  .filter(({ encodedBodySize }) => encodedBodySize)
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
NO_WORKER = "navigator.serviceWorker.register = async () => undefined"


def card(page: Page, game: str) -> Locator:
    return page.get_by_role("article").filter(has=page.locator(f'a[href="/rules/{game}"]'))


def play_button(page: Page, game: str) -> Locator:
    return card(page, game).get_by_role("button", name="Play now", exact=True)


def test_a_page_that_asks_too_early_would_be_noticed(house: House) -> None:
    page = house.page()
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    assert house.errors == []
    page.evaluate("fetch('/api/me/tables')")
    wait_until(page, lambda: house.errors != [])
    (complaint,) = house.errors
    assert "401" in complaint
    house.errors.clear()


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_plays_with_one_click(house: House, game: str) -> None:
    page = house.page()
    page.goto("/")
    play_button(page, game).click()
    expect(board(page)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_until(page, lambda: is_awaited(page))
    assert start_button(page).count() == 0


def test_the_page_has_its_part_in_the_shuffle_of_a_match_that_begins_at_once(house: House) -> None:
    page = house.page()
    page.goto("/")
    play_button(page, "stupide_vautour").click()
    expect(board(page)).to_be_visible()
    table = page.request.get(f"/api/tables/{page.url.split('/')[-1]}").json()
    assert len(table["table"]["seats"]) == 4
    assert table["table"]["contributors"] == [table["me"]]


def test_with_whom_one_plays_is_remembered_for_each_game(house: House) -> None:
    page = house.page()
    page.goto("/")
    usual = card(page, "whats_up").get_by_role("button", name="Play now with: 1 bot, regular")
    usual.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Number of players").select_option("3")
    dialog.get_by_label("Strength of the bots").select_option("novice")
    page.keyboard.press("Escape")
    page.reload()
    changed = "Play now with: 2 bots, novice"
    expect(card(page, "whats_up").get_by_role("button", name=changed)).to_be_visible()
    expect(page.get_by_role("button", name=changed)).to_have_count(1)
    play_button(page, "whats_up").click()
    expect(board(page)).to_be_visible()
    players = page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(players).to_have_count(3)
    expect(players.filter(has_text="novice")).to_have_count(2)


def test_the_cards_tell_what_the_boxes_say(house: House) -> None:
    page = house.page()
    page.goto("/")
    facts = card(page, "stupide_vautour").get_by_role("listitem")
    expect(facts).to_have_text(["2 to 5 players", "ages 8+", "15–20 min", "Bluffing"])


def test_an_invited_friend_says_who_they_are_and_is_seated_in_one_step(house: House) -> None:
    host, guest = house.page("Ada"), house.page(**PHONE)
    host.goto("/")
    card(host, "stupide_vautour").get_by_role("button", name="With friends").click()
    expect(start_button(host)).to_be_visible()
    expect(host.get_by_role("img", name="QR code for the link")).to_be_visible()
    guest.goto(host.url)
    expect(
        guest.get_by_role("heading", name="Ada invites you to play Stupide Vautour")
    ).to_be_visible()
    guest.get_by_label("Your name").fill("Bob")
    guest.get_by_role("button", name="Sit down").tap()
    expect(guest.get_by_text("Waiting for Ada to start the match")).to_be_visible()
    expect(host.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    assert start_button(guest).count() == 0

    host.get_by_role("button", name="Shuffle the seats").click()
    expect(host.get_by_text("The seats have been shuffled.")).to_be_visible()
    host.goto("/")
    expect(guest.get_by_text("Ada is away, so you can start the match.")).to_be_visible()
    start_button(guest).tap()
    expect(board(guest)).to_be_visible()


def test_a_host_at_localhost_invites_to_the_address_in_the_network(house: House) -> None:
    host = house.page("Ada")
    host.route("**/api/address", lambda route: route.fulfill(json={"origin": "http://192.0.2.7"}))
    path = open_table(host, "stupide_vautour", 2)
    expect(host.locator(".invite .link").first).to_have_text(f"Link to the table:192.0.2.7{path}")
    expect(host.locator(".code")).to_contain_text("to type on 192.0.2.7:")
    link = f"QR code for the link http://192.0.2.7{path}"
    expect(host.get_by_role("img", name=link)).to_be_visible()
    host.goto(f"{path}/screen")
    expect(host.get_by_text("Scan, or type this code at 192.0.2.7")).to_be_visible()


def test_a_code_that_was_said_leads_to_the_table(house: House) -> None:
    host, guest = house.page("Ada"), house.page("Bob")
    path = open_table(host, "whats_up", 2)
    code = host.locator(".code strong").inner_text()
    expect(host.locator(".code")).to_contain_text("Code to say, and to type on")
    guest.goto("/")
    field = guest.get_by_label("Link or code of the table")
    field.fill("zzzzz" if code != "ZZZZZ" else "kkkkk")
    field.press("Enter")
    expect(guest.get_by_role("alert")).to_contain_text("No open table has this code")
    field.fill(" ".join(code.lower()))
    field.press("Enter")
    guest.wait_for_url(f"**{path}")


def test_who_sits_down_goes_on_from_the_table(house: House) -> None:
    host, guest = house.page("Ada"), house.page()
    guest.goto(open_table(host, "stupide_vautour", 3))
    guest.get_by_label("Your name").fill("Bob")
    guest.get_by_role("button", name="Sit down").first.press("Enter")
    expect(guest.locator("main")).to_be_focused()
    expect(guest.get_by_text("Waiting for Ada to start the match")).to_be_visible()
    guest.get_by_role("button", name="Stand up").press("Enter")
    expect(guest.locator("main")).to_be_focused()
    guest.get_by_role("button", name="Sit down").last.press("Enter")
    expect(guest.get_by_role("button", name="Stand up")).to_be_visible()
    expect(guest.locator("main")).to_be_focused()


def test_a_table_says_who_comes_and_goes_and_offers_a_seat_to_who_waits(house: House) -> None:
    host, bob, cleo = house.page("Ada"), house.page("Bob"), house.page("Cleo")
    path = open_table(host, "stupide_vautour", 2)
    do(bob, path, "sit")
    wait_until(host, lambda: heard(host) == ["Bob sits down."])
    waiting = host.get_by_text("Waiting for a seat: 1")
    expect(waiting).to_be_hidden()
    cleo.goto(path)
    expect(cleo.get_by_role("heading", name="Every seat is taken")).to_be_visible()
    expect(waiting).to_be_visible()
    host.get_by_role("button", name="Add a seat").click()
    wait_until(cleo, lambda: heard(cleo) == ["Free seat"])
    expect(waiting).to_be_hidden()
    do(bob, path, "leave", seat=None)
    wait_until(host, lambda: heard(host) == ["Bob sits down.", "Bob gets up."])


def test_a_link_that_leads_nowhere_asks_for_another(house: House) -> None:
    host, guest = house.page("Ada"), house.page("Bob")
    path = open_table(host, "whats_up", 2)
    guest.goto("/t/nowhere2")
    expect(guest.get_by_role("heading", name="There is no such table")).to_be_visible()
    field = guest.get_by_label("Link or code of the table")
    field.fill(host.locator(".code strong").inner_text())
    field.press("Enter")
    guest.wait_for_url(f"**{path}")
    expect(guest.get_by_role("button", name="Sit down")).to_be_visible()


def test_a_visitor_who_comes_too_late_is_told_so_and_may_watch(house: House) -> None:
    host, guest = house.page("Ada"), house.page()
    path = open_table(host, "whats_up", 2)
    do(host, path, "seat", seat=1, bot="novice")
    guest.goto(path)
    expect(guest.get_by_role("heading", name="Every seat is taken")).to_be_visible()
    guest.get_by_role("button", name="Just watch").click()
    expect(guest.get_by_role("heading", name="Every seat is taken")).to_be_hidden()
    start_button(host).click()
    expect(board(guest)).to_be_visible()

    guest.goto(open_match(host, "stupide_vautour", 2))
    told = guest.get_by_role("status").filter(has_text="The match has already begun")
    expect(told).to_be_visible()
    told.get_by_role("button", name="Close").click()
    expect(told).to_be_hidden()
    expect(board(guest)).to_be_visible()


def test_the_lobby_is_light_and_lies_still(house: House) -> None:
    page = house.page(locale="fr-FR")
    page.add_init_script(NO_WORKER)
    page.add_init_script(SHIFTS)
    page.goto("/", wait_until="networkidle")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    assert page.evaluate(FETCHED) < LARGEST_LOBBY_BYTES
    assert page.evaluate("window.shifted") < MOST_SHIFT

    page.request.post("/api/guests", data={"name": "Ada", "avatar": 1})
    for game in GAMES[:3]:  # a list of tables that this browser has not seen yet
        page.request.post("/api/tables", data={"game": game, "is_public": True})
    for width, height in SIZES:
        page.evaluate("localStorage.clear()")
        page.set_viewport_size({"width": width, "height": height})
        page.reload(wait_until="networkidle")
        expect(page.get_by_role("region", name="Vos tables").get_by_role("listitem")).to_have_count(
            3
        )
        assert page.evaluate("window.shifted") < MOST_SHIFT, (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
