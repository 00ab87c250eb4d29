"""The pallet on every device: it fills its stage, and why a box does not fit is said in time."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browsing import House, do, look, open_match, small_targets, wait_until
from ludotheque.games.team_up.rules import DRAW

PHONES = ((320, 568), (360, 640), (375, 553), (390, 664), (390, 844), (844, 390), (667, 375))
LARGE = ((820, 1180), (1024, 768), (1440, 900))
ZOOMED = ((640, 400), (720, 450))  # a laptop at 200 %
TARGET_PX, FILLED = 44, 0.8
# What a service worker fetches cannot be intercepted.
NO_WORKER = "navigator.serviceWorker.register = async () => undefined"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SEEN = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [area, stage] = [box(".area"), box("div.stage")];
  const pallet = document.querySelector(".pallet")?.getBoundingClientRect();
  const middle = document.querySelector(".middle");
  const buttons = [...document.querySelectorAll(".board button:not([disabled])")]
    .filter((button) => button.offsetParent);
  return {
    beyond: [
      middle.scrollHeight - middle.clientHeight,
      document.documentElement.scrollWidth - innerWidth,
    ],
    target: Math.min(...buttons.flatMap((button) => [button.offsetWidth, button.offsetHeight])),
    room: (area.width * area.height) / (stage.width * stage.height),
    filled: pallet && Math.max(pallet.width / area.width, pallet.height / area.height),
    is_in: pallet && pallet.left >= stage.left && pallet.right <= stage.right
      && pallet.top >= area.top - 1 && pallet.bottom <= area.bottom + 1,
  };
}"""


# A word that is broken stands in more than one line.
BROKEN = """() => {
  const [label] = document.querySelector(".score > span").childNodes;
  const range = document.createRange();
  return [...label.data.matchAll(/\\p{L}+/gu)].filter(({ 0: word, index }) => {
    range.setStart(label, index);
    range.setEnd(label, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
}"""


@pytest.fixture
def page(house: House) -> Page:
    """A match alone, with a box to be placed."""
    page = house.page("Ada", in_3d=True, locale="fr-FR")  # which has the longest words
    path = open_match(page, "team_up", 1, mode="puzzle")
    do(page, path, "play", move=DRAW, seat=None)
    box = page.locator(".stock button:enabled").first
    box.click()
    expect(page.locator(".bar .held")).to_be_visible()
    return page


def at(page: Page, size: tuple[int, int]) -> Any:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(DRAWN)
    return page.evaluate(SEEN)


def look_from_above(page: Page) -> None:
    page.get_by_role("button", name="Vue de dessus").click()
    expect(page.locator(".pallet")).to_be_visible()


def test_the_pallet_fills_every_window_however_it_was_resized(page: Page) -> None:
    sizes = (*PHONES, *LARGE, *ZOOMED)
    for size in sizes:
        seen = at(page, size)
        assert (seen["beyond"], seen["target"]) == ([0, 0], TARGET_PX), size
        assert seen["room"] > 0.4, (size, seen["room"])
    at(page, LARGE[-1])
    look_from_above(page)
    for size in (*sizes, *reversed(sizes)):
        seen = at(page, size)
        assert seen["beyond"] == [0, 0], size
        assert seen["target"] >= TARGET_PX, size
        assert seen["is_in"], size
        assert seen["filled"] >= FILLED, (size, seen["filled"])


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB", "de-DE"])
def test_no_word_about_the_score_is_broken(house: House, locale: str) -> None:
    page = house.page("Ada", locale=locale)
    open_match(page, "team_up", 1)
    for size in (*PHONES, *LARGE):
        at(page, size)
        assert page.evaluate(BROKEN) == [], size


def test_why_a_box_does_not_fit_is_said_before_it_is_placed(page: Page) -> None:
    look_from_above(page)
    page.locator(".pallet button").nth(5).hover()
    held = page.locator(".bar .held")
    expect(held).to_contain_text("le carton dépasserait de la palette")


def test_the_pallet_in_3d_shows_that_it_is_on_its_way(house: House) -> None:
    page = house.page("Ada", in_3d=True)
    page.add_init_script(NO_WORKER)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/Pallet3D-*.js", hold)
    open_match(page, "team_up", 1)
    spinner = page.locator(".wait .spinner")
    expect(spinner).to_be_visible()
    wait_until(page, lambda: held != [])
    held[0].continue_()
    expect(spinner).to_be_hidden()


BORDERS = """(selectors) => selectors.map(
  (selector) => getComputedStyle(document.querySelector(selector)).borderStyle !== "none",
)"""


def test_forced_colours_leave_grid_spots_and_choice_their_borders(page: Page) -> None:
    look_from_above(page)
    page.emulate_media(forced_colors="active")
    parts = (".pallet button", ".spot", ".ghost", ".stock [aria-pressed=true]", ".bar .button")
    assert page.evaluate(BORDERS, parts) == [True] * len(parts)


def test_the_layers_are_chosen_with_a_slider_as_high_as_a_finger(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "team_up", 1)
    while max((match := look(page, path))["view"]["heights"], default=0) < 2:
        do(page, path, "play", move=min(match["legal"]), seat=None)
    slider = page.get_by_role("slider")
    for size in (*PHONES, *LARGE):
        at(page, size)
        tools = page.get_by_role("button", name="Point of view")
        if tools.is_visible():
            tools.click()
        expect(slider).to_be_in_viewport(ratio=1)
        assert small_targets(page) == [], size
        if tools.is_visible():
            tools.click()


# What of two parts lies on each other, in pixels.
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((part) => document.querySelector(part).getBoundingClientRect());
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 1 && high > 1 ? [wide, high] : [];
}"""


def test_nothing_lies_on_the_strips_in_a_lesson(house: House) -> None:
    page = house.page("Ada", locale="fr-FR", viewport={"width": 320, "height": 640})
    page.goto("/learn/team_up")
    expect(page.locator(".pallet")).to_be_visible()
    for parts in ((".pallet", ".hud"), (".words", ".piles"), (".tower", ".views")):
        assert page.evaluate(OVERLAP, parts) == [], parts
