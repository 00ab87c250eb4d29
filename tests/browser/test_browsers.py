"""What browsers differ in: what old ones lack, whether they have a mouse, or rounded corners."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browsing import GAMES, PHONE, House, board, open_match, open_table, press

# What Safari 16.4 lacks: popovers, and the kind of pointer in a click.
OLD_SAFARI = """
delete HTMLElement.prototype.showPopover;
delete HTMLElement.prototype.hidePopover;
const { get } = Object.getOwnPropertyDescriptor(PointerEvent.prototype, "pointerType");
Object.defineProperty(PointerEvent.prototype, "pointerType", {
  get() { return this.type === "click" ? undefined : get.call(this); },
});
"""
# Whether the middle of an element is what lies on top there.
ON_TOP = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
CONTRAST = """(element) => {
  const { color, backgroundColor } = getComputedStyle(element);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const [ink, ground] = [luminance(color), luminance(backgroundColor)];
  return Math.max(ink, ground) / Math.min(ink, ground);
}"""
# The buttons that are, in part, where the screen has its corners or its notch.
OUTSIDE = """({ left, right, bottom }) => [...document.querySelectorAll("main button")]
  .map((button) => [button, button.getBoundingClientRect()])
  .filter(([button, box]) => button.checkVisibility() && box.width > 2)
  .filter(([, box]) => box.left < left - 0.5 || box.right > innerWidth - right + 0.5
    || box.bottom > innerHeight - bottom + 0.5)
  .map(([button, box]) => [button.outerHTML.slice(0, 80), box.left, box.right, box.bottom])"""
NOTCHES = (
    ((844, 390), {"left": 47, "right": 47, "bottom": 21, "top": 0}),
    ((390, 844), {"left": 0, "right": 0, "bottom": 34, "top": 59}),
)
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
BEYOND = """() => {
  const middle = document.querySelector(".middle");
  return [middle.scrollHeight - middle.clientHeight,
          document.documentElement.scrollWidth - innerWidth];
}"""


def test_an_old_safari_raises_a_touched_card_before_it_is_played(house: House) -> None:
    phone = house.page("Ada", **PHONE)
    phone.add_init_script(OLD_SAFARI)
    open_match(phone, "stupide_vautour", 2)
    expect(phone.locator("p.prompt.ours")).to_be_visible()
    hand = phone.get_by_role("group", name="Hand").get_by_role("button")
    press(hand.last)
    expect(hand.last).to_have_class(re.compile("raised"))
    press(hand.last)
    expect(hand).to_have_count(14)


def test_an_old_safari_shows_its_notes_above_a_dialog(house: House) -> None:
    page = house.page("Ada")
    page.add_init_script(OLD_SAFARI)
    open_table(page, "whats_up", 2)
    note = page.locator(".toast")
    page.get_by_role("button", name="Copy").click()
    expect(note).to_be_visible()
    note.click()
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Copy").click()
    assert note.evaluate(ON_TOP)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Copy").click()
    expect(note).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_choice_can_be_read_while_the_mouse_is_over_it(house: House, theme: str) -> None:
    page = house.page("Ada", color_scheme="dark" if theme == "dark" else "light")
    page.goto("/")
    page.get_by_role("button", name="Language, theme and sounds").click()
    chosen = page.locator("fieldset [aria-pressed=true]")
    expect(chosen).to_have_count(3)
    for choice in chosen.all():
        choice.hover()
        assert choice.evaluate(CONTRAST) >= 4.5


@pytest.mark.parametrize("game", GAMES)
def test_nothing_one_presses_is_under_a_notch_or_a_rounded_corner(house: House, game: str) -> None:
    page = house.page("Ada", has_touch=True)
    devtools = page.context.new_cdp_session(page)
    open_match(page, game, 2)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    for (width, height), insets in NOTCHES:
        page.set_viewport_size({"width": width, "height": height})
        devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        expect(board(page)).to_be_visible()
        page.evaluate(DRAWN)
        assert page.evaluate(OUTSIDE, insets) == []
        assert page.evaluate(BEYOND) == [0, 0], (width, height)
