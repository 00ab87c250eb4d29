"""Whatever the window, a board fits into it: what one acts with is never below the edge."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import GAMES, House, finish, open_match, open_table, start_button

SIZES = ((390, 844), (360, 740), (844, 390), (740, 360), (667, 375), (1024, 768), (1280, 800))
# Small and large phones with the browser's bars, a tablet held upright, a laptop.
DEVICES = ((360, 640), (375, 553), (390, 664), (320, 568), (844, 390), (820, 1180), (1440, 900))
CARD_GAMES = {"stupide_vautour": 5, "up_and_down": 4, "whats_up": 4}  # with most players
BEYOND = """() => {
  const middle = document.querySelector(".middle");
  const page = document.documentElement;
  return [middle.scrollHeight - middle.clientHeight, page.scrollWidth - innerWidth];
}"""
SMALL = {"width": 360, "height": 740}
HIDDEN = """(element) => [
  element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight
]"""
ASIDE = "() => document.documentElement.scrollWidth - innerWidth"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


TARGET_PX = 44
# What a finger has to hit and is too small for it.
SMALL_TARGETS = """(least) => {
  const hit = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const after = getComputedStyle(element, "::after");  // it may take the finger as well
    const reach = after.position === "absolute" && after.content !== "none" ? after : {};
    return {
      width: Math.max(width, parseFloat(reach.width) || 0),
      height: Math.max(height, parseFloat(reach.height) || 0),
    };
  };
  return [...document.querySelectorAll("button, a")]
  .filter((element) => element.checkVisibility() && !element.closest("p, dialog"))
  .map((element) => [element, hit(element)])
  .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < least - 0.5)
  .map(([{ ariaLabel, textContent }, { width, height }]) =>
    `${ariaLabel ?? textContent.trim()}: ${width} × ${height}`);
}"""
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
            page.evaluate(SMALL_TARGETS, TARGET_PX),
            page.evaluate(CUT_NAMES, "Marianne"),
            overlaps(page.locator(".plaque, .felt .slot, .felt .centre, .felt .rolled")),
        ]
        if found != [[0, 0], [], [], []]:
            wrong[size] = found
    assert wrong == {}


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
            if (aside := page.evaluate(ASIDE)) > 0:
                wrong.append(f"{what} at {size}: {aside}")

    for path in ("/", "/rules/up_and_down", "/learn/whats_up"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("main")).not_to_be_empty()
        check(path)
    path = open_table(page, "stupide_vautour", 4)
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
    assert wrong == []


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
