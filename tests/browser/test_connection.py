"""A lost connection is shown at once, heals by itself, and loses no move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from browsing import House, open_match, wait_until
from people import Server


def hand(page: Page) -> list[str]:
    cards = page.get_by_role("group", name="Hand").get_by_role("button")
    return [card.get_attribute("aria-label") or "" for card in cards.all()]


@contextmanager
def stopped_clock(*pages: Page) -> Iterator[None]:
    """What these pages do meanwhile they do at once: no timer of theirs runs."""
    for page in pages:
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    yield
    for page in pages:
        page.clock.resume()


def test_a_cut_network_is_shown_and_a_move_made_meanwhile_is_sent(house: House) -> None:
    page = house.page("Ada")
    page.clock.install()
    open_match(page, "stupide_vautour", 2)
    lost = page.get_by_text("Connection lost")
    expect(page.get_by_text("Round 1 of 15")).to_be_visible()
    page.evaluate("window.same = true")

    with stopped_clock(page):
        page.context.set_offline(True)
        expect(lost).to_be_visible()
    page.get_by_role("button", name="play the 7").click()
    expect(page.get_by_role("button", name="play the 7")).to_be_hidden()
    expect(page.get_by_text("Round 1 of 15")).to_be_visible()
    expect(lost).to_be_visible()

    page.context.set_offline(False)
    expect(lost).to_be_hidden()
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()
    assert "play the 7" not in hand(page)
    assert len(hand(page)) == 14
    assert page.evaluate("window.same"), "the page was reloaded"


def test_it_stays_lost_as_long_as_the_network_is_away(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "whats_up", 2)
    attempts: list[str] = []
    page.on("websocket", lambda socket: attempts.append(socket.url))
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    wait_until(page, lambda: len(attempts) > 2)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).to_be_hidden()


def test_a_killed_server_that_comes_back_goes_on(browser: Browser, mortal_server: Server) -> None:
    house = House(browser, mortal_server)
    page, other = house.page("Ada"), house.page("Bob")
    for one in (page, other):
        one.clock.install()
    path = open_match(page, "stupide_vautour", 2)
    other.goto(path)  # watches
    page.get_by_role("button", name="play the 7").click()
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()

    with stopped_clock(page, other):
        mortal_server.kill()
        for one in (page, other):
            expect(one.get_by_text("Connection lost")).to_be_visible()
    page.get_by_role("button", name="play the 8").click()

    mortal_server.start()
    for one in (page, other):
        expect(one.get_by_text("Connection lost")).to_be_hidden()
        expect(one.get_by_text("Round 3 of 15")).to_be_visible()
    assert len(hand(page)) == 13
    house.close()
    assert house.errors == []
