"""With colours of the user's own, and without any, everything is told apart."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from browsing import House, open_match

# As drawn: a transparent or shapeless thing is not.
STYLE = """(element) => {
  const { backgroundColor, outlineStyle, outlineColor, borderTopColor } = getComputedStyle(element);
  return [backgroundColor, outlineStyle, outlineColor, borderTopColor];
}"""
SHAPE = """(svgs) => svgs.map((svg) =>
  [...svg.querySelectorAll("path, circle, rect")].map((part) => part.outerHTML
    .replaceAll(/(class|fill|stroke)="[^"]*"/g, "")).join())"""


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
