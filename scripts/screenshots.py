"""Take a picture of every screen, at three sizes and in both themes.

    python scripts/screenshots.py FOLDER [SCREEN ...]

A screen is `pages`, `people` or the name of a game; all of them if none is named. The page has to
be built; a server of its own is started. Needs a chromium on the path.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, expect

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import (
    GAMES,
    House,
    is_awaited,
    is_over,
    open_match,
    open_table,
    opened_house,
    play,
    result,
    start_button,
)

SIZES = {"upright": (390, 844), "sideways": (844, 390), "desktop": (1280, 800)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The moves of ours before which a picture is taken; the last of them ends what we try to win.
MOMENTS = {
    "stupide_vautour": (0, 3, 12),
    "whats_up": (0, 4, 9),
    "up_and_down": (0, 1, 6, 13),
    "team_up": (0, 1, 10, 18),
    "ubongo": (0, 1, 2, 4),
}
OPTIONS: dict[str, dict[str, object]] = {
    "stupide_vautour": {"open_discards": True, "open_scores": True},
    "ubongo": {"time_limit": 12},
}
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Album:
    """Pictures in a folder; every screen is taken at every size, in both themes."""

    def __init__(self, house: House, folder: Path) -> None:
        self.house = house
        self.folder = folder

    def take(self, page: Page, what: str) -> None:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                page.evaluate(DRAWN)
                path = self.folder / f"{what}-{size}-{theme}.png"
                page.screenshot(path=path, animations="disabled")


def take_pages(album: Album) -> None:
    """The screens around the games."""
    page = album.house.page()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    album.take(page, "lobby")
    page.locator("button.me").click()
    album.take(page, "introduce")
    page.goto("/nowhere/at/all")
    expect(page.get_by_role("alert")).to_be_visible()
    album.take(page, "nowhere")
    page = album.house.page("Ada")
    page.goto("/rules/whats_up")
    album.take(page, "rules")
    page.goto("/r/nobody")
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("alert")).to_be_visible()
    album.take(page, "recover")
    page.goto("/t/nowhere")
    expect(page.get_by_text("no such table")).to_be_visible()
    album.take(page, "no-table")


def take_people(album: Album) -> None:
    """What people at a table see beside its board."""
    page = album.house.page("Ada")
    open_table(page, "ubongo")
    album.take(page, "gathering")
    page.get_by_label("Settings").scroll_into_view_if_needed()
    album.take(page, "options")
    page.get_by_role("button", name="QR code").click()
    album.take(page, "invite")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Bot", exact=True).first.click()
    album.take(page, "bots")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Table menu").click()
    album.take(page, "menu")
    page.keyboard.press("Escape")
    take_curtain(album, page)
    take_sheets(album, page)
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    album.take(page, "lost")


def take_curtain(album: Album, page: Page) -> None:
    open_table(page, "stupide_vautour", 3)
    page.get_by_role("button", name="somebody").click()
    page.get_by_label("Name of this person").fill("Grandmother Élisabeth")
    page.keyboard.press("Enter")
    start_button(page).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    album.take(page, "curtain")
    page.get_by_role("dialog").get_by_role("button").click()


def take_sheets(album: Album, page: Page) -> None:
    """History, chat and rules, which a wide page has at its side and a narrow one in sheets."""
    upright = SIZES["upright"]
    for sheet in ("History", "Chat", "Rules"):
        page.set_viewport_size({"width": upright[0], "height": upright[1]})
        page.get_by_role("button", name=sheet).click()
        if sheet == "Chat":
            page.get_by_label("Your message").last.fill("Good luck, everybody!")
            page.keyboard.press("Enter")
        album.take(page, f"sheet-{sheet.lower()}")
        page.keyboard.press("Escape")


def take_hint(album: Album, page: Page, what: str) -> None:
    page.get_by_role("button", name="Hint", exact=True).click()
    advice = page.get_by_role("region", name="Hint").locator(".best")
    expect(advice.or_(page.locator(".toast"))).to_be_visible(timeout=30_000)
    album.take(page, what)
    page.keyboard.press("Escape")


def take_game(game: str, album: Album) -> None:
    """A match against two bots, from its beginning to its result."""
    page = album.house.page("Ada")
    open_match(page, game, 3, **OPTIONS.get(game, {}))
    move = 0
    while not is_over(page):
        page.locator("p.prompt.ours, .result").first.wait_for()
        if is_awaited(page) and move in MOMENTS[game]:
            album.take(page, f"{game}-{move}")
            if move == MOMENTS[game][1]:
                take_hint(album, page, f"{game}-hint")
        page.set_viewport_size({"width": 1280, "height": 800})
        # Few moves end some matches soon, and here there is to be something to see.
        made = play(game, page, 0 if move < MOMENTS[game][-1] else 9)
        if not made:
            page.wait_for_timeout(20)
        move += made
    expect(result(page)).to_be_visible()
    album.take(page, f"{game}-result")
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile("draw is fair|draws are fair"))
    album.take(page, f"{game}-verify")


SCREENS: dict[str, Callable[[Album], None]] = {
    "pages": take_pages,
    "people": take_people,
    **{game: partial(take_game, game) for game in GAMES},
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with opened_house() as house:
        for screen in sys.argv[2:] or SCREENS:
            SCREENS[screen](Album(house, folder))


if __name__ == "__main__":
    main()
