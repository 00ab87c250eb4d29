"""Whatever the window, a board fits into it: what one acts with is never below the edge."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Error as PageError
from playwright.sync_api import Locator, Page, expect

from browsing import (
    GAMES,
    House,
    board,
    do,
    finish,
    open_match,
    open_table,
    small_targets,
    start_button,
)
from people import Person

# Phones, tablets, and laptops of 1366 × 768 and less with the bars of their browser.
SIZES = (
    *((390, 844), (360, 740), (844, 390), (740, 360), (667, 375), (1024, 768), (1280, 800)),
    *((1366, 640), (1280, 600), (1024, 600), (900, 640), (960, 540)),
)
# Small and large phones with the browser's bars, a tablet held upright, a laptop.
DEVICES = ((360, 640), (375, 553), (390, 664), (320, 568), (844, 390), (820, 1180), (1440, 900))
CARD_GAMES = {"stupide_vautour": 5, "up_and_down": 4, "whats_up": 4}  # with most players
BEYOND = """() => {
  const middle = document.querySelector(".middle");
  const page = document.documentElement;
  return [middle.scrollHeight - middle.clientHeight, page.scrollWidth - innerWidth];
}"""
# Every round somebody takes the stake, and hands are left whose gaps take the most room to tell.
GAPING_BIDS = ((2, 5, 8, 11, 2), (5, 8, 11, 2, 5), (8, 11, 2, 5, 8), (11, 2, 5, 8, 11))
SMALL = {"width": 360, "height": 740}
HIDDEN = """(element) => [
  element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight
]"""
ASIDE = "() => document.documentElement.scrollWidth - innerWidth"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


CUT_LABELS = """(buttons) => buttons.map((button) =>
  button.scrollWidth > button.clientWidth + 1 ? button.textContent.trim() : "")"""
BOXES = """(parts) => parts.map((part) =>
  [part.className, part.getBoundingClientRect().toJSON()])"""
CUT_NAMES = """(name) => [...document.querySelectorAll("main *")]
  .filter((element) => element.children.length === 0 && element.textContent.trim() === name)
  .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
  .map((element) => `${element.className} in ${element.parentElement.className}`)"""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(DRAWN)


def beyond(page: Page) -> dict[tuple[int, int], list[int]]:
    """The pixels of the board below the lower edge and of the page beyond the right one."""
    found = {}
    for size in SIZES:
        resize(page, size)
        found[size] = page.evaluate(BEYOND)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_board_fits_the_window(house: House, game: str) -> None:
    page = house.page("Ada", in_3d=True, locale="fr-FR")  # which has the longest prompts
    open_match(page, game, 4)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    assert beyond(page) == {size: [0, 0] for size in SIZES}
    assert small_targets_at(page, DEVICES) == {}


def small_targets_at(page: Page, sizes: Sequence[tuple[int, int]]) -> dict[Any, list[str]]:
    found = {}
    for size in sizes:
        resize(page, size)
        found[size] = small_targets(page)
    return {size: targets for size, targets in found.items() if targets}


def test_a_finger_hits_everything_around_the_boards(house: House) -> None:
    page = house.page("Ada")
    wrong = {}

    def check(what: str) -> None:
        if found := small_targets_at(page, ((360, 640), (820, 1180))):
            wrong[what] = found

    def check_dialog(what: str) -> None:
        expect(page.get_by_role("dialog")).to_be_visible()
        check(what)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()

    open_match(page, "team_up", 2)
    page.goto("/")
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
    check("lobby")
    page.get_by_role("button", name="Play now with").first.click()
    check_dialog("with whom to play")
    page.get_by_role("button", name="Language, theme and sounds").click()
    check_dialog("preferences")
    page.locator("button.me").click()
    check_dialog("oneself")
    for path in ("/rules/whats_up", "/privacy"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        check(path)
    open_table(page, "ubongo", 3)
    check("gathering")
    page.get_by_role("button", name="QR code").click()
    check_dialog("invitation")
    page.get_by_role("button", name="Bot", exact=True).first.click()
    check_dialog("choice of a bot")
    page.get_by_role("button", name="Table menu").click()
    check_dialog("menu")
    assert wrong == {}


@pytest.mark.parametrize("game", CARD_GAMES)
def test_a_board_of_cards_is_whole_on_every_device(house: House, game: str) -> None:
    """Nothing is beyond an edge, a finger hits everything, and eight letters of a name are seen."""
    page = house.page("Marianne", locale="fr-FR")
    open_match(page, game, CARD_GAMES[game])
    expect(page.locator("p.prompt.ours")).to_be_visible()
    wrong: dict[tuple[int, int], Any] = {}
    for size in DEVICES:
        resize(page, size)
        found = [
            page.evaluate(BEYOND),
            small_targets(page),
            page.evaluate(CUT_NAMES, "Marianne"),
            overlaps(page.locator(".plaque, .felt .slot, .felt .centre, .felt .rolled")),
        ]
        if found != [[0, 0], [], [], []]:
            wrong[size] = found
    assert wrong == {}


def test_open_hands_leave_room_for_the_own_one(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 5, open_discards=True, open_scores=True)
    table = path.removeprefix("/t/")
    others = [Person(house.server, name) for name in ("Zola", "Otto", "Rosalie", "Wilma")]
    for person in others:
        assert person.do(table, "sit")[0] == 200
        person.connect(table)  # who is away looks different
    start_button(page).click()
    expect(page.get_by_text("Round 1 of 15")).to_be_visible()
    for bids in GAPING_BIDS:
        do(page, path, "play", move=bids[0], seat=None)
        for person, card in zip(others, bids[1:], strict=True):
            assert person.do(table, "play", move=card, seat=None)[0] == 200
    for person in others:
        assert person.do(table, "play", move=14, seat=None)[0] == 200
    expect(page.get_by_text("Round 5 of 15")).to_be_visible()
    expect(page.locator("p.prompt.ours[data-told='']")).to_be_visible()
    beyond_at = {}
    for size in DEVICES:
        resize(page, size)
        beyond_at[size] = page.evaluate(BEYOND)
    assert beyond_at == {size: [0, 0] for size in DEVICES}


def test_on_its_side_a_phone_shows_the_last_bids_beside_the_result(house: House) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, "stupide_vautour", 5))
    resize(page, (844, 390))
    edge = page.locator("section.result").bounding_box()
    last = page.locator("[data-point=bids] li").last.bounding_box()
    assert edge
    assert last
    assert last["x"] + last["width"] <= edge["x"]


def width(part: Locator) -> float:
    return float(part.evaluate("(part) => part.getBoundingClientRect().width"))


def overlaps(parts: Locator) -> list[str]:
    """Pairs of parts that lie on each other."""
    return [
        f"{one} on {other}"
        for (one, a), (other, b) in combinations(parts.evaluate_all(BOXES), 2)
        if min(a["right"], b["right"]) - max(a["left"], b["left"]) > 1
        and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 1
    ]


def test_cards_grow_with_a_tablet(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 4)
    stake, hand = page.locator("[data-point=stake] li"), page.locator("[data-point=hand] button")
    expect(hand.first).to_be_visible()
    widths = []
    for size in ((390, 844), (820, 1180)):
        resize(page, size)
        widths.append([width(part.first) for part in (stake, hand)])
    assert widths[1][0] > 1.6 * widths[0][0]
    assert widths[1][1] > 1.6 * widths[0][1]


def test_collections_are_as_large_as_their_panels_allow(house: House) -> None:
    page = house.page("Ada")
    for seats, least in ((2, 60), (3, 50), (4, 45)):
        open_match(page, "whats_up", seats)
        slots = page.locator("[data-point=album] .slot")
        resize(page, (820, 1180))
        expect(slots.first).to_be_visible()
        assert width(slots.first) >= least
        resize(page, (360, 640))
        expect(page.locator(".letters")).to_be_visible()


def test_no_page_scrolls_sideways_when_it_is_narrow_or_enlarged(house: House) -> None:
    """320 px, and a desktop at 200 %: half as wide, and half as high."""
    page = house.page("Maximilienne de Bourbon", locale="de-DE")
    wrong = []

    def check(what: str) -> None:
        for size in ((320, 568), (720, 450)):
            resize(page, size)
            with suppress(PageError):  # until all parts of the page have come
                page.wait_for_function(f"() => ({ASIDE})() <= 0")
            if (aside := page.evaluate(ASIDE)) > 0:
                wrong.append(f"{what} at {size}: {aside}")

    for path in ("/", "/rules/up_and_down", "/learn/whats_up", "/privacy"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("main")).not_to_be_empty()
        check(path)
    for game in ("up_and_down", "whats_up"):
        open_match(page, game, 4)
        expect(board(page)).to_be_visible()
        check(game)
    path = open_table(page, "stupide_vautour", 4, cards=5)
    check("gathering")
    start_button(page).click()
    expect(page.locator("p.prompt.ours")).to_be_visible()
    check("table")
    page.goto(f"{path}/screen")
    expect(page.locator(".story")).to_be_visible()
    check("screen")
    page.goto(path)
    finish(page, path)
    check("result")
    deal = page.request.post(f"/api/tables/{path.removeprefix('/t/')}/deal").json()["id"]
    page.goto(f"/deal/{deal}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check("deal")
    assert wrong == []


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB", "de-DE"])
def test_what_a_leader_may_change_is_legible_on_every_device(house: House, locale: str) -> None:
    page = house.page("Ada", locale=locale)
    changes = page.locator("[data-point=rules] .bar button")
    while changes.count() == 0:  # until a match begins in which we lead
        open_match(page, "up_and_down", 2)
        expect(page.locator("p.prompt.ours[data-told='']")).to_be_visible()
    cut = {}
    for size in (*DEVICES, (720, 450)):
        resize(page, size)
        cut[size] = [text for text in changes.evaluate_all(CUT_LABELS) if text]
    assert {size: texts for size, texts in cut.items() if texts} == {}


SETTINGS = """() => {
  const [column, side] = [document.querySelector(".options"), document.querySelector("aside")];
  const right = Math.max(...[...column.querySelectorAll("*")].map(
    (element) => element.getBoundingClientRect().right,
  ));
  const edge = side ? side.getBoundingClientRect().left : innerWidth;
  return [document.documentElement.scrollWidth - innerWidth, right <= edge];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_the_settings_of_a_table_stay_in_their_column(house: House, game: str) -> None:
    page = house.page("Ada", locale="de-DE")  # which has the longest options
    wish = {"game": game, "seats": 2}
    table = page.request.post("/api/tables", data=wish).json()["id"]
    page.goto(f"/t/{table}")
    expect(page.locator("section.options")).to_be_visible()
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(SETTINGS) == [0, True], size


def test_the_longest_names_fit_a_small_phone(house: House) -> None:
    page = house.page("Maximilienne de Bourbon", locale="fr-FR", viewport=SMALL)
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    assert page.evaluate(ASIDE) == 0
    open_table(page, "ubongo", 4)
    page.get_by_role("button", name="Robot").first.click()
    page.get_by_role("dialog").get_by_role("button", name="maître").click()
    expect(page.get_by_role("button", name="maître")).to_be_visible()
    assert page.evaluate(ASIDE) == 0
    page.locator(".start button.primary").click()
    title = page.get_by_role("heading", level=1)
    expect(page.get_by_role("button", name="Conseil")).to_be_visible()
    expect(title).to_have_text("Ubongo, le jeu de cartes")
    assert title.evaluate(HIDDEN) == [0, 0]
