"""Every game can be played with the keyboard alone, and the focus is never lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from browsing import (
    GAMES,
    House,
    board,
    do,
    is_awaited,
    is_over,
    look,
    open_match,
    open_table,
    result,
    wait_until,
)

SEATS = {"stupide_vautour": 2, "whats_up": 2, "up_and_down": 2, "team_up": 1, "ubongo": 1}
STOPS = 60  # of the Tab key, at most
LISTEN_FOR_TASKS = """
window.tasks = [];
new MutationObserver((changes) => {
  const told = changes.some(({ target }) => target.parentElement?.closest(".asked[role=status]"));
  const task = document.querySelector(".asked")?.textContent;
  if (told && task) window.tasks.push(task);
}).observe(document, { characterData: true, childList: true, subtree: true });
"""


def is_at(page: Page, selector: str) -> bool:
    found: bool = page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector)
    return found


def text(page: Page) -> str:
    return page.locator("main").inner_text()


def is_unlike(page: Page, before: str) -> bool:
    return text(page) != before


def reach(page: Page, selector: str, key: str = "Tab") -> None:
    """Go there with the Tab key, or another."""
    for _ in range(STOPS):
        if is_at(page, selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"the {key} key does not lead to {selector}")


def keep(page: Page) -> None:
    """Something has the focus."""
    expect(page.locator(":focus")).to_have_count(1)


def test_a_table_is_opened_with_the_keyboard(house: House) -> None:
    page = house.page()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    reach(page, "article .row button")  # with friends
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("Ada")
    reach(page, ".pictures button")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    reach(page, "form button.primary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("listitem").filter(has_text="Ada")).to_be_visible()
    reach(page, "li [aria-haspopup]")
    page.keyboard.press("Enter")
    reach(page, "dialog li button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Pip")).to_be_visible()
    expect(page.get_by_role("button", name="Pip: novice")).to_be_focused()
    reach(page, ".start button")
    page.keyboard.press("Enter")
    expect(board(page)).to_be_visible()
    keep(page)
    reach(page, "header .icon-button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert is_at(page, "header .icon-button")


def test_a_screen_reader_tells_the_buttons_of_one_game_from_those_of_another(house: House) -> None:
    page = house.page()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    card = page.get_by_role("article", name="What’s Up")
    for control in card.get_by_role("button").or_(card.get_by_role("link")).all():
        expect(control).to_have_accessible_description("What’s Up")
    expect(card.get_by_role("button")).to_have_count(3)
    expect(card.get_by_role("link")).to_have_count(2)


def test_a_new_page_is_gone_on_from_its_heading(house: House) -> None:
    page = house.page("Ada")
    page.goto("/")
    heading = page.get_by_role("heading", level=1)
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    expect(heading).not_to_be_focused()
    page.get_by_role("link", name="Rules").first.click()
    expect(heading).to_have_text("Stupide Vautour")
    expect(heading).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Learn in two minutes")).to_be_focused()
    reach(page, "article a[href='/']")
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Shall we play?")
    expect(heading).to_be_focused()
    page.get_by_role("button", name="With friends").first.click()
    expect(heading).to_have_text("Stupide Vautour")
    expect(heading).to_be_focused()
    page.go_back()
    expect(heading).to_have_text("Shall we play?")
    expect(heading).to_be_focused()


def test_a_table_is_announced_by_the_name_of_its_game(house: House) -> None:
    """Not by the name of the site, which stands there until it is known."""
    page = house.page("Ada")
    page.add_init_script(
        """window.focused = [];
        addEventListener("focusin", ({ target }) =>
          target.tagName === "H1" && window.focused.push(target.textContent));"""
    )
    page.goto("/")
    page.get_by_role("button", name="With friends").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Stupide Vautour")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.evaluate("window.focused") == ["Stupide Vautour"]
    page.locator(".start button.primary").click()
    expect(page.get_by_role("group", name="Stupide Vautour")).to_be_focused()


def test_a_screen_reader_is_told_at_every_turn_what_to_do(house: House) -> None:
    page = house.page("Ada")
    page.add_init_script(LISTEN_FOR_TASKS)
    path = open_match(page, "whats_up", 2)
    for turns in (1, 2, 3):
        wait_until(page, lambda: is_awaited(page) and is_told(page))
        assert page.evaluate("window.tasks") == ["Turn over a card"] * turns
        do(page, path, "play", move=min(look(page, path)["legal"]), seat=None)
        expect(page.locator("p.prompt[data-told='']")).to_be_hidden()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_with_the_keyboard_alone(house: House, game: str) -> None:
    page = house.page("Ada", in_3d=True, hurried=True)
    options = {"time_limit": 0} if game == "ubongo" else {}
    open_table(page, game, SEATS[game], **options)
    reach(page, ".start button")
    page.keyboard.press("Enter")
    expect(board(page)).to_be_visible()
    keep(page)
    moves = 0
    while True:
        wait_until(page, lambda: (is_awaited(page) and is_told(page)) or is_over(page))
        if is_over(page):
            break
        before = text(page)
        PLAY[game](page, moves)
        wait_until(page, partial(is_unlike, page, before))
        moves += 1
        keep(page)
    expect(result(page)).to_be_visible()
    reach(page, ".result button.primary")
    page.keyboard.press("Enter")
    expect(result(page)).to_be_hidden()
    keep(page)


def is_told(page: Page) -> bool:
    """Whether everything that happened has been shown."""
    return page.locator("p.prompt[data-told='']").is_visible()


def bid(page: Page, move: int) -> None:
    if page.locator(".hand button").count() == 0:
        return  # the last card is on its way
    reach(page, ".hand button")
    page.keyboard.press(("ArrowRight", "End", "Home")[move % 3])
    page.keyboard.press("Enter")


def turn(page: Page, move: int) -> None:
    reach(page, "[role=gridcell] button")
    if move < 3:
        page.keyboard.press(("ArrowRight", "ArrowDown", "ArrowLeft")[move])
    if is_at(page, "[aria-disabled=true]"):
        reach(page, "[role=gridcell] [aria-disabled=false]", "ArrowRight")
    page.keyboard.press("Enter")


def change_and_lay(page: Page, move: int) -> None:
    if page.locator(".bar button").count() > 0:
        reach(page, ".bar button")
        page.keyboard.press("ArrowRight")
    else:
        reach(page, ".hand button")
    page.keyboard.press("Enter" if move % 2 else "Space")


def stack(page: Page, move: int) -> None:
    """Six boxes: three in the picture, three from above; then stop."""
    if page.locator(".stock button:enabled").count() > 0:
        reach(page, ".stock button")
        page.keyboard.press("Enter")
        keep(page)
        page.keyboard.press("Enter")
        expect(page.locator(".stock button:enabled")).to_have_count(0)
    elif move == 6:
        reach(page, ".views button:not(.toggle)")  # from above
        page.keyboard.press("Enter")
        expect(page.get_by_role("group", name="The pallet from above")).to_be_visible()
    else:
        reach(page, ".bar button")
        if move > 12:
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")


def race(page: Page, move: int) -> None:
    if page.get_by_role("button", name="I’m ready!").is_visible():
        reach(page, "[data-point=ready] button")
        page.keyboard.press("Enter")
        expect(page.locator("button.stop")).to_be_enabled()
        return
    if move < 4:
        keep(page)
        page.keyboard.press("2")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("r")
        page.keyboard.press("Enter")
        expect(page.get_by_label("laid at")).to_have_count(1)
    reach(page, "button.stop")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("button.stop")).to_be_hidden()


PLAY: dict[str, Callable[[Page, int], None]] = {
    "stupide_vautour": bid,
    "whats_up": turn,
    "up_and_down": change_and_lay,
    "team_up": stack,
    "ubongo": race,
}


def test_a_dialog_that_is_closed_with_its_button_gives_the_focus_back(house: House) -> None:
    page = house.page("Ada")
    open_table(page, "stupide_vautour", 2)
    menu = page.get_by_role("button", name="Table menu")
    menu.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Close").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(menu).to_be_focused()
