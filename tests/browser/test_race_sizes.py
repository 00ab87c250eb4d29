"""A race on every device: mat and hand get the room, and all that was laid stays in sight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, expect

from browsing import House, do, look, open_table, start_button
from ludotheque.engine.game import load

GAME = load("ubongo")
NAMES = ("Kobenina", "Matondoa", "Swalahil")  # of eight letters
LAID = ("1:5,8r0", "2:12,14r1", "3:23,20r0")  # as far apart as seven cards in a row reach
PHONES = ((320, 568), (360, 640), (375, 553), (390, 664), (390, 844), (844, 390), (667, 375))
LARGE = ((820, 1180), (1024, 768), (1440, 900))
ZOOMED = ((640, 400), (720, 450))  # a laptop at 200 %
CARD_PX, TARGET_PX = 120, 44
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SEEN = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [field, hand] = [box("[data-point=field]"), box("[data-point=hand]")];
  const middle = document.querySelector(".middle");
  const is_in = (card) => card.left >= field.left && card.right <= field.right
    && card.top >= field.top && card.bottom <= field.bottom;
  const cards = [...document.querySelectorAll("[data-point=field] .card")];
  const buttons = [...document.querySelectorAll(".board button")];
  return {
    share: (Math.max(field.bottom, hand.bottom) - Math.min(field.top, hand.top)) / innerHeight,
    card: document.querySelector(".slot svg").getBoundingClientRect().width,
    in_sight: cards.filter((card) => is_in(card.getBoundingClientRect())).length,
    target: Math.min(...buttons.flatMap((button) => [button.offsetWidth, button.offsetHeight])),
    cut: [...document.querySelectorAll(".racers .name")].filter(
      (name) => name.scrollWidth > name.clientWidth,
    ).length,
    beyond: [
      middle.scrollHeight - middle.clientHeight,
      document.documentElement.scrollWidth - innerWidth,
    ],
  };
}"""


def play(page: Page, path: str, seat: int, notation: str) -> None:
    do(page, path, "play", move=GAME.parse(seat, notation), seat=None)


def race(house: House, names: tuple[str, ...], **options: object) -> tuple[list[Page], str]:
    """A race that is on; only Ada sees it, the others play without a page."""
    ada, *others = (house.page(name) for name in ("Ada", *names))
    path = open_table(ada, "ubongo", 1 + len(names), time_limit=0, countdown=0, **options)
    for other in others:
        do(other, path, "sit")
    if names:
        expect(ada.get_by_role("listitem").filter(has_text=names[-1])).to_be_visible()
    start_button(ada).click()
    for seat, page in reversed([*enumerate([ada, *others])]):
        play(page, path, seat, "ready")
    expect(ada.locator("button.stop")).to_be_enabled()
    return [ada, *others], path


def at(page: Page, size: tuple[int, int]) -> Any:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(DRAWN)
    return page.evaluate(SEEN)


def wait_for_cards(page: Page, count: int) -> None:
    """The mat comes to see them all by itself."""
    page.wait_for_function(f"count => ({SEEN})().in_sight === count", arg=count)


@pytest.fixture
def four(house: House) -> tuple[Page, str]:
    (ada, *_), path = race(house, NAMES)
    for notation in LAID:
        play(ada, path, 0, notation)
    expect(ada.get_by_label("laid at")).to_have_count(len(LAID))
    return ada, path


def test_a_race_is_at_home_in_every_window(four: tuple[Page, str]) -> None:
    ada, _ = four
    for size in (*PHONES, *LARGE, *ZOOMED):
        seen = at(ada, size)
        assert seen["beyond"] == [0, 0], size
        assert seen["target"] >= TARGET_PX, size
        wait_for_cards(ada, len(LAID))
        assert seen["cut"] == 0 or size[0] < 360, size
        if size in PHONES:
            assert seen["share"] >= 0.75, (size, seen["share"])
        if size in LARGE:
            assert seen["card"] >= CARD_PX, (size, seen["card"])


def middle_of(box: FloatRect | None) -> tuple[float, float]:
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_late_tap_on_the_call_does_not_say_ready(house: House) -> None:
    (ada,), path = race(house, ())
    for card in range(1, 8):
        play(ada, path, 0, f"{card}:{3 * card},12r0")
    expect(ada.locator("button.call")).to_be_enabled()
    calls = {}
    for size in (*PHONES, *LARGE):
        at(ada, size)
        calls[size] = middle_of(ada.locator("button.call").bounding_box())
    play(ada, path, 0, "call")
    ready = ada.get_by_role("button", name="I’m ready!")
    expect(ready).to_be_visible()
    for size, place in calls.items():
        ada.set_viewport_size({"width": size[0], "height": size[1]})
        ada.mouse.click(*place)
    assert look(ada, path)["view"]["ready"] == 0
    ready.click()
    expect(ada.locator("button.stop")).to_be_enabled()


def test_symbols_are_compared_where_the_dragged_card_is(house: House) -> None:
    (ada,), path = race(house, (), assist="on")
    play(ada, path, 0, "1:12,14r0")
    play(ada, path, 0, "2:15,14r0")
    links = ada.locator("svg.links .sign")
    expect(links).to_have_count(2)
    x, y = middle_of(ada.locator("[data-point=field] .card").nth(1).bounding_box())
    ada.mouse.move(x, y)
    ada.mouse.down()
    ada.mouse.move(x, y + 120, steps=4)
    expect(ada.locator("[data-point=field] .target")).to_be_visible()
    expect(links).to_have_count(0)
    ada.mouse.move(x, y, steps=4)
    expect(links).to_have_count(2)
    ada.mouse.up()


def test_those_who_watch_see_a_mat_for_everyone(house: House) -> None:
    (ada, *_), path = race(house, NAMES[:1])
    play(ada, path, 0, "1:12,14r0")
    eve = house.page("Eve")
    eve.goto(path)
    mats = eve.get_by_role("list", name="The race").get_by_role("listitem")
    expect(mats).to_have_count(2)
    expect(mats.first.locator(".card")).to_have_count(1)
    play(ada, path, 0, "2:15,14r0")
    expect(mats.first.locator(".card")).to_have_count(2)
    expect(mats.last.locator(".card")).to_have_count(0)


BORDERS = """(selectors) => selectors.map((selector) => {
  const style = getComputedStyle(document.querySelector(selector));
  return style.borderStyle !== "none" || style.outlineStyle !== "none";
})"""


def test_forced_colours_leave_field_card_and_buttons_their_borders(house: House) -> None:
    (ada,), _ = race(house, ())
    ada.emulate_media(forced_colors="active")
    ada.locator(".slot").first.press("1")
    parts = (".window", ".slot.chosen", ".card.floating svg", ".tool.lay", "button.call")
    assert ada.evaluate(BORDERS, parts) == [True] * len(parts)
