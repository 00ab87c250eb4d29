"""With colours of the user's own, and without any, everything is told apart."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import VISIONS, House, open_match, play_one, seen_with

# As drawn: a transparent or shapeless thing is not.
STYLE = """(element) => {
  const { backgroundColor, outlineStyle, outlineColor, borderTopColor } = getComputedStyle(element);
  return [backgroundColor, outlineStyle, outlineColor, borderTopColor];
}"""
SHAPE = """(svgs) => svgs.map((svg) =>
  [...svg.querySelectorAll("path, circle, rect")].map((part) => part.outerHTML
    .replaceAll(/(class|fill|stroke)="[^"]*"/g, "")).join())"""

# Whether a card, or what it is drawn on, has an edge that colours of the user's leave it.
EDGES = """(cards) => cards.map((card) => [card, ...card.querySelectorAll("*")].some((part) => {
  const { borderTopStyle, borderTopWidth, outlineStyle, stroke } = getComputedStyle(part);
  return (borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0) || outlineStyle !== "none"
    || (part.matches("rect") && stroke !== "none");
}))"""
BOXES = "(parts) => parts.map((part) => part.getBoundingClientRect().toJSON())"
# Every part cut out of a picture and brought to one size: the smallest share of it in which two of
# them differ by more than an eye overlooks.
APART = """async ([png, boxes]) => {
  const [SIDE, DIFFERENT] = [40, 40];
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const cut = ({ x, y, width, height }) => {
    const canvas = new OffscreenCanvas(SIDE, SIDE).getContext("2d");
    canvas.drawImage(picture, x, y, width, height, 0, 0, SIDE, SIDE);
    return canvas.getImageData(0, 0, SIDE, SIDE).data;
  };
  const parts = boxes.map(cut);
  const share = (one, other) => one.filter((_, i) => i % 4 === 0 && [0, 1, 2].some(
    (channel) => Math.abs(one[i + channel] - other[i + channel]) > DIFFERENT)).length / SIDE ** 2;
  return Math.min(...parts.flatMap((one, place) =>
    parts.slice(place + 1).map((other) => share(one, other))));
}"""
MARK_KINDS = """(glyphs) => {
  const kinds = new Map(glyphs.map((glyph) => [glyph.innerHTML, glyph]));
  for (const glyph of kinds.values()) glyph.setAttribute("data-kind", "");
}"""
LEAST_APART = 0.08
SQUARES = """<i style="position: absolute; width: 40px; height: 40px; background: #b04a2a"></i>
<i style="position: absolute; left: 99px; width: 40px; height: 40px; background: #6f6a20"></i>"""


def apart(page: Page, parts: Locator, vision: str) -> float:
    """How far the two most alike of these parts are apart for such eyes."""
    with seen_with(page, vision):
        picture = page.screenshot(animations="disabled")
    blank = page.context.new_page()  # whatever the page itself may load
    png = base64.b64encode(picture).decode()
    share: float = blank.evaluate(APART, [png, parts.evaluate_all(BOXES)])
    blank.close()
    return share


def styles(parts: Locator) -> list[list[str]]:
    found: list[list[str]] = [part.evaluate(STYLE) for part in parts.all()]
    return found


def test_forced_colours_show_what_is_chosen_and_what_can_be(house: House) -> None:
    page = house.page("Ada")
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    open_match(page, "whats_up", 2)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    chosen, *others = styles(page.get_by_role("tab"))
    assert all(chosen[0] != other[0] for other in others)

    legal = page.get_by_role("grid").locator("button[aria-disabled=false]")
    assert legal.first.evaluate(STYLE)[1] == "solid"
    awaited = page.get_by_role("list", name="Players").get_by_role("listitem")
    assert [style[1] for style in styles(awaited)] == ["solid", "none"]

    page.goto("/")
    page.get_by_role("button", name="Language, theme and sounds").click()
    choices = page.get_by_role("dialog").locator("[aria-pressed]")
    grounds = {style[0] for style in styles(choices.and_(page.locator("[aria-pressed=true]")))}
    assert len(grounds) == 1
    assert grounds.isdisjoint(
        style[0] for style in styles(choices.and_(page.locator("[aria-pressed=false]")))
    )


@pytest.mark.parametrize("game", ["stupide_vautour", "up_and_down"])
def test_forced_colours_show_the_cards_of_a_hand_and_whose_turn_it_is(
    house: House, game: str
) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    open_match(page, game, 2)
    expect(page.locator("p.prompt.ours[data-told='']")).to_be_visible()
    players = page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(players).to_have_count(2)
    awaited = page.locator("li.awaited")
    assert {style[1] for style in styles(awaited)} == {"solid"}
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    expect(hand).not_to_have_count(0)
    edges = hand.evaluate_all(EDGES)
    assert all(edges), edges


def test_suits_and_birds_have_shapes_of_their_own(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "up_and_down", 2)
    emblems = page.locator(".felt .badge .emblem")
    expect(emblems).to_have_count(4)
    assert len(set(emblems.evaluate_all(SHAPE))) == 4
    open_match(page, "whats_up", 2)
    birds = page.locator("symbol[id^=whats-up-bird-]")
    expect(birds).to_have_count(4)
    assert len(set(birds.evaluate_all(SHAPE))) == 4


def test_colours_alone_are_not_told_apart_by_everyone(house: House) -> None:
    """Whether the pictures are what such eyes see."""
    page = house.page()
    page.set_content(SQUARES)
    squares = page.locator("i")
    assert apart(page, squares, "none") == 1
    assert apart(page, squares, "deuteranopia") == 0


@pytest.mark.parametrize(
    ("game", "parts", "count"),
    [
        ("up_and_down", ".felt .badge .emblem", 4),
        ("whats_up", "[data-point=album] li .slot:nth-child(2)", 4),
        ("team_up", ".stock .shape:first-child .sign", 3),
        ("team_up", ".stock .shape:first-child button > svg", 3),
    ],
)
def test_what_belongs_together_is_told_apart_without_one_kind_of_cones(
    house: House, game: str, parts: str, count: int
) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    open_match(page, game, 2)
    found = page.locator(parts)
    expect(found).to_have_count(count)
    found_apart = {vision: apart(page, found, vision) for vision in VISIONS}
    assert min(found_apart.values()) > LEAST_APART, found_apart


def test_the_symbols_of_ubongo_are_told_apart_without_one_kind_of_cones(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    open_match(page, "ubongo", 1, time_limit=0)
    glyphs = page.get_by_role("group", name="Your cards").locator(".glyph")
    play_one("ubongo", page, 0)
    for side in ("white", "black"):
        expect(page.get_by_text(f"of 6 · {side} side")).to_be_visible()
        expect(glyphs).to_have_count(9 * 6)
        glyphs.evaluate_all(MARK_KINDS)
        kinds = page.locator("[data-kind]")
        expect(kinds).to_have_count(6)
        found_apart = {vision: apart(page, kinds, vision) for vision in VISIONS}
        assert min(found_apart.values()) > LEAST_APART, found_apart
        play_one("ubongo", page, 9)  # the call that ends the round
        play_one("ubongo", page, 0)
