"""A player who may ask for advice gets it in words, and nothing moves by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from browsing import (
    PHONE,
    House,
    HurriedServer,
    do,
    open_match,
    open_table,
    play_one,
    seat_beside,
    start_button,
)
from slow_game import Gate, write_slow_game

HINTS = "**/api/tables/*/hints?*"
WARMUP = "**/api/games/*/warmup*"
READY = {"done": 0, "total": 0, "is_warm": True}
ADVICE = [
    {"move": 7, "key": "bid", "values": {"value": 7}, "reason": "sure", "because": {"card": 7}},
    {"move": 2, "key": "bid", "values": {"value": 2}, "reason": "duck", "because": {"card": 2}},
]

# Notes go only when they are told to.
NOTES_STAY = """
const wait = window.setTimeout.bind(window);
window.setTimeout = (run, ms = 0) => (ms === 3500 ? 0 : wait(run, ms));
"""


def button(page: Page) -> Locator:
    return page.get_by_role("button", name="Hint", exact=True)


def answer_with(page: Page, answer: Callable[[Route], None]) -> None:
    """Stand for an adviser who is ready."""
    page.route(WARMUP, lambda route: route.fulfill(json=READY))
    page.route(HINTS, answer)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Hint")


def test_a_hint_says_what_and_why_until_the_position_changes(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "ubongo", 1, time_limit=0)
    button(page).click()
    expect(panel(page)).to_contain_text("Say that you are ready")
    page.get_by_role("button", name="I’m ready!").click()
    expect(panel(page)).to_be_hidden()

    expect(page.locator("button.stop")).to_be_enabled()
    button(page).click()
    expect(panel(page).locator(".best strong")).to_contain_text("card")
    expect(panel(page)).to_contain_text("Begin with card")
    expect(page.get_by_label("laid at")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(button(page)).to_be_focused()


def test_what_is_advised_is_marked_on_the_board_and_held_ready(house: House) -> None:
    page = house.page("Ada")
    answer_with(page, lambda route: route.fulfill(json=ADVICE))
    open_match(page, "stupide_vautour", 2)
    button(page).click()
    expect(page.get_by_role("button", name="play the 7").locator(".advised")).to_be_visible()
    expect(page.locator(".advised")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".advised")).to_have_count(0)
    page.unroute(HINTS)

    open_match(page, "ubongo", 1, time_limit=0)
    play_one("ubongo", page, 0)
    expect(page.locator("button.stop")).to_be_enabled()
    button(page).click()
    expect(page.get_by_label("held over")).to_have_count(1)
    page.get_by_role("button", name="Lay it here").click()
    expect(page.get_by_label("laid at")).to_have_count(1)


def allow_hints(page: Page) -> None:
    """Let people ask who play against each other."""
    page.get_by_role("combobox", name="Hints").select_option("on")


def test_a_hint_stays_while_others_lay_face_down(house: House) -> None:
    page, other = house.page("Ada"), house.page("Bob")
    answer_with(page, lambda route: route.fulfill(json=ADVICE))
    path = open_table(page, "stupide_vautour", 2)
    allow_hints(page)
    do(other, path, "sit")
    start_button(page).click()
    button(page).click()
    expect(panel(page)).to_contain_text("Nobody can beat the 7 any more")
    expect(panel(page).get_by_role("group")).to_contain_text("Play the 2")
    do(other, path, "play", move=5)
    expect(page.get_by_label("Bid", exact=True)).to_contain_text("Bid: face down")
    expect(panel(page)).to_be_visible()
    panel(page).get_by_role("button", name="Close").click()
    expect(panel(page)).to_be_hidden()
    expect(button(page)).to_be_focused()


def test_an_earlier_note_does_not_cover_the_answer(house: House) -> None:
    page = house.page("Ada", **PHONE)
    page.add_init_script(NOTES_STAY)
    answer_with(page, lambda route: route.fulfill(json=ADVICE))
    open_match(page, "stupide_vautour", 2)
    page.get_by_role("button", name="secret points").first.tap()
    note = page.locator(".toast")
    expect(note).to_have_count(1)
    button(page).tap()
    expect(panel(page)).to_contain_text("7")
    expect(note).to_have_count(0)


def test_while_the_answer_is_awaited_the_page_says_so(house: House) -> None:
    page = house.page("Ada")
    awaited: list[Route] = []

    def keep(route: Route) -> None:
        awaited.append(route)

    answer_with(page, keep)
    open_match(page, "stupide_vautour", 2)
    button(page).click()
    expect(panel(page)).to_contain_text("A master is thinking for you")
    expect(page.locator("[aria-live]").filter(has_text="A master is thinking")).to_have_count(1)
    play_one("stupide_vautour", page, 0)
    expect(panel(page)).to_be_hidden()
    awaited[0].fulfill(json=ADVICE)
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()
    expect(panel(page)).to_be_hidden()


REFUSALS = {
    "not_ready": "Der Ratgeber konnte sich nicht bereit machen",
    "not_your_turn": "Tipps gibt es, wenn du am Zug bist",
    "off": "wird ohne Tipps gespielt",
    "over": "Die Partie ist zu Ende",
    "": "the adviser has lost its glasses",
}


def test_a_refusal_is_told_in_the_language_of_the_page(house: House) -> None:
    page = house.page("Ada", locale="de-DE")
    answer = {"error": "the adviser has lost its glasses", "reason": ""}
    answer_with(page, lambda route: route.fulfill(status=400, json=answer))
    open_match(page, "stupide_vautour", 2)
    for answer["reason"], told in REFUSALS.items():
        page.get_by_role("button", name="Tipp", exact=True).click()
        expect(page.get_by_role("status").filter(has_text=told)).to_be_visible()
        expect(page.get_by_role("region", name="Tipp")).to_be_hidden()


def test_people_at_one_device_ask_for_the_seat_that_is_shown(house: House) -> None:
    page = house.page("Ada")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url.rpartition("?")[2])
        route.fulfill(json=ADVICE)

    answer_with(page, answer)
    open_table(page, "stupide_vautour", 2)
    allow_hints(page)
    seat_beside(page, "Bob")
    start_button(page).click()
    for name in ("Ada", "Bob"):
        page.get_by_role("button", name=f"I am {name}").click()
        expect(panel(page)).to_be_hidden()
        button(page).click()
        expect(panel(page)).to_contain_text("Play the 7")
        page.get_by_role("button", name="play the 9").click()
    assert asked == ["seat=0", "seat=1"]


def test_a_table_without_hints_and_somebody_who_watches_have_no_button(house: House) -> None:
    page, guest = house.page("Ada"), house.page("Bob")
    path = open_table(page, "stupide_vautour", 2)
    guest.goto(path)
    allowed = page.get_by_role("combobox", name="Hints")
    expect(allowed).to_have_value("auto")
    start_button(page).click()
    expect(button(page)).to_be_visible()
    expect(guest.get_by_role("list", name="Players")).to_be_visible()
    expect(button(guest)).to_have_count(0)

    path = open_table(page, "stupide_vautour", 2)
    guest.goto(path)
    allowed.select_option("off")
    seen = guest.get_by_role("combobox", name="Hints")
    expect(seen).to_have_value("off")
    expect(seen).to_be_disabled()
    start_button(page).click()
    expect(page.locator("p.prompt.ours")).to_be_visible()
    expect(button(page)).to_have_count(0)


# The first time on a machine


@pytest.fixture
def gates(tmp_path: Path) -> list[Gate]:
    (tmp_path / "games").mkdir()
    return write_slow_game("cold_stones", tmp_path / "games", 2)


@pytest.fixture
def cold_house(browser: Browser, gates: list[Gate], tmp_path: Path) -> Iterator[House]:
    """At a server that knows the game whose adviser is not compiled yet."""
    server = HurriedServer(tmp_path / "data", tmp_path / "games")
    opened = House(browser, server)
    yield opened
    opened.close()
    for gate in gates:
        gate.open()
    server.stop()
    assert opened.errors == []


PREPARING = {
    "en-GB": "The adviser is getting ready. The first time, this may take a minute.",
    "fr-FR": "Le conseiller s’installe. La première fois, cela peut prendre une minute.",
    "de-DE": "Der Ratgeber macht sich bereit. Beim ersten Mal kann das eine Minute dauern.",
}
NAMES = {"en-GB": "Hint", "fr-FR": "Conseil", "de-DE": "Tipp"}


def bar(page: Page, locale: str = "en-GB") -> Locator:
    return page.get_by_role("progressbar", name=PREPARING[locale])


@pytest.mark.parametrize("locale", PREPARING)
def test_the_first_hint_shows_how_far_the_adviser_is_and_comes(
    cold_house: House, gates: list[Gate], locale: str
) -> None:
    page = cold_house.page("Ada", locale=locale)
    open_match(page, "cold_stones", 2)
    page.get_by_role("button", name=NAMES[locale], exact=True).click()
    expect(bar(page, locale)).to_have_attribute("max", "4")
    expect(bar(page, locale)).to_have_js_property("value", 1)
    expect(page.locator("[aria-live]").filter(has_text=PREPARING[locale])).to_have_count(1)
    gates[0].open()
    expect(bar(page, locale)).to_have_js_property("value", 2)
    gates[1].open()
    expect(page.get_by_role("region", name=NAMES[locale])).to_contain_text(
        {"en-GB": "It wins", "fr-FR": "Il gagne", "de-DE": "Er gewinnt"}[locale]
    )
    expect(bar(page, locale)).to_have_count(0)


def test_who_cancels_the_wait_has_not_asked(cold_house: House, gates: list[Gate]) -> None:
    page = cold_house.page("Ada")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_match(page, "cold_stones", 2)
    button(page).click()
    expect(bar(page)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(panel(page)).to_be_hidden()
    expect(button(page)).to_be_focused()
    with page.expect_response(WARMUP):
        gates[0].open()
    button(page).click()
    gates[1].open()
    expect(panel(page)).to_contain_text("It wins")
    assert len([url for url in asked if "/hints" in url]) == 1
