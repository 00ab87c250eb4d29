"""Take a picture of every screen, at three sizes and in both themes.

    python scripts/screenshots.py FOLDER [GAME ...]

The page has to be built; a server of its own is started. Needs a chromium on the path.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import GAMES, House, HurriedServer, open_match, open_table, play, result

Theme = Literal["light", "dark"]
SIZES = {"upright": (390, 844), "sideways": (844, 390), "desktop": (1280, 800)}
THEMES: tuple[Theme, ...] = ("light", "dark")
MOVES = 6
SHOWN = {1, 2, 5}  # the moves after which a picture is taken


class Album:
    """Pictures of one size and theme."""

    def __init__(self, house: House, folder: Path, size: str, theme: Theme) -> None:
        width, height = SIZES[size]
        self.touches = size != "desktop"
        self.folder, self.size, self.theme = folder, size, theme
        self.viewport = {"width": width, "height": height}
        self.house = house

    def open(self, name: str = "Ada") -> Page:
        return self.house.page(
            name,
            color_scheme=self.theme,
            viewport=self.viewport,
            has_touch=self.touches,
            is_mobile=self.touches,
        )

    def take(self, page: Page, what: str) -> None:
        page.wait_for_timeout(400)
        page.screenshot(path=self.folder / f"{what}-{self.size}-{self.theme}.png")


def take_pages(album: Album) -> None:
    page = album.open("")
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    album.take(page, "lobby")
    page.locator("button.me").click()
    album.take(page, "introduce")
    page = album.open()
    page.goto("/rules/whats_up")
    album.take(page, "rules")
    open_table(page, "ubongo")
    album.take(page, "gathering")
    page.get_by_role("button", name="Table menu").click()
    album.take(page, "menu")


def take_game(album: Album, game: str) -> None:
    page = album.open()
    open_match(page, game, 3)
    album.take(page, f"{game}-begins")
    for move in range(MOVES):
        page.locator("p.prompt.ours, .result").first.wait_for()
        play(game, page, move)
        if move in SHOWN:
            album.take(page, f"{game}-{move}")


def take_result(album: Album) -> None:
    page = album.open()
    open_match(page, "team_up", 1)
    page.get_by_role("button", name="Stop here").click()
    expect(result(page)).to_be_visible()
    album.take(page, "result")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    games = sys.argv[2:] or list(GAMES)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = HurriedServer(Path(data))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        house = House(browser, server)
        try:
            for size in SIZES:
                for theme in THEMES:
                    album = Album(house, folder, size, theme)
                    take_pages(album)
                    take_result(album)
                    for game in games:
                        take_game(album, game)
        finally:
            house.close()
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
