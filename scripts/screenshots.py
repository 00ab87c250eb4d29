"""Take a picture of every screen at six sizes and in both themes, and put them on one page.

    python scripts/screenshots.py FOLDER [SCREEN ...] [--reload] [--visions] [--sizes 360x640]

A screen is `pages`, `people`, `visitors`, `deal`, `screen`, `offline` or the name of a game; all of
them if none is named. One size is reached from the other by resizing the window; with --reload the
page is loaded at every size. With --visions every screen is also shown as people see it who lack
one of the three kinds of cones, in the light theme. FOLDER/index.html shows all pictures in FOLDER.
The page has to be built; a server of its own is started. Needs a chromium on the path.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, expect

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import (
    GAMES,
    VISIONS,
    House,
    board,
    do,
    finish,
    is_awaited,
    is_over,
    open_match,
    open_more,
    open_table,
    opened_house,
    play,
    result,
    seen_with,
    shared_link,
    start_button,
    wait_until,
)
from people import WAIT_TIMEOUT_S

SIZES = ("360x640", "375x553", "390x844", "844x390", "820x1180", "1440x900")
UPRIGHT, DESKTOP = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
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
SEATS = {  # a match of this size is played to its end; of the others only the beginning is seen
    "stupide_vautour": (4, 2, 5),
    "whats_up": (3, 2, 4),
    "up_and_down": (4, 2, 3),
    "team_up": (3, 1, 4),
    "ubongo": (3, 1, 4),
}
HINT_TIMEOUT_MS = 600_000  # the first time, what the master thinks with has to be compiled
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
INDEX = """<!doctype html>
<meta charset="utf-8">
<title>Screens</title>
<style>
  body { margin: 1rem; font: 1rem sans-serif; background: #888 }
  section { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start }
  img { height: 26rem; width: auto }
</style>
"""


class Album:
    """Pictures in a folder; every screen is taken at every size, in both themes."""

    def __init__(self, house: House, wish: argparse.Namespace) -> None:
        self.house = house
        self.folder: Path = wish.folder
        self.sizes: list[str] = wish.sizes.split(",")
        self.is_reloaded: bool = wish.reload
        self.visions = VISIONS if wish.visions else ()
        self.count = 0
        self.since = time.monotonic()

    def take(self, page: Page, what: str, can_reload: bool = False) -> None:
        for size in self.sizes:
            width, height = (int(part) for part in size.split("x"))
            page.set_viewport_size({"width": width, "height": height})
            if self.is_reloaded and can_reload:
                page.reload()
                page.wait_for_load_state("networkidle")
            for theme in THEMES:
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                page.evaluate(DRAWN)
                self.shoot(page, f"{what}-{size}-{theme}")
            for vision in self.visions:
                page.emulate_media(color_scheme="light")
                with seen_with(page, vision):
                    self.shoot(page, f"{what}-{size}-{vision}")
        self.tell(what)

    def shoot(self, page: Page, name: str) -> None:
        page.screenshot(path=self.folder / f"{name}.png", animations="disabled")
        self.count += 1

    def tell(self, what: str) -> None:
        seconds = time.monotonic() - self.since
        print(f"\r{self.count} pictures in {seconds:.0f} s, last {what:40}", end="", flush=True)

    def write_index(self) -> None:
        """All pictures of the folder on one page, a heading for each screen."""
        screens = defaultdict(list)
        for path in sorted(self.folder.glob("*.png")):
            screens[path.stem.rsplit("-", 2)[0]].append(path.name)
        parts = [INDEX]
        for screen, names in screens.items():
            pictures = (f'<img src="{name}" alt="{name}" title="{name}">' for name in names)
            parts.append(f"<h2>{screen}</h2><section>{''.join(pictures)}</section>")
        (self.folder / "index.html").write_text("\n".join(parts))


def take_pages(album: Album) -> None:
    """The screens around the games."""
    page = album.house.page()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    album.take(page, "lobby", can_reload=True)
    page.locator("button.me").click()
    album.take(page, "introduce")
    page.goto("/nowhere/at/all")
    expect(page.get_by_text("This page does not exist")).to_be_visible()
    album.take(page, "nowhere")
    page.goto("/privacy")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    album.take(page, "privacy", can_reload=True)
    page = album.house.page("Ada")
    take_own_pages(album, page)
    for game in GAMES:
        page.goto(f"/rules/{game}")
        page.get_by_role("figure").last.scroll_into_view_if_needed()
        expect(page.locator("figure").last.locator(".stage").first).to_be_visible()
        page.get_by_role("figure").first.scroll_into_view_if_needed()
        album.take(page, f"rules-{game}")
        page.goto(f"/learn/{game}")
        expect(page.locator("main > section p").first).not_to_be_empty()
        album.take(page, f"lesson-{game}", can_reload=True)
    page.goto("/r/nobody")
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("alert")).to_be_visible()
    album.take(page, "recover")
    page.goto("/t/nowhere")
    expect(page.get_by_text("no such table")).to_be_visible()
    album.take(page, "no-table")


def take_own_pages(album: Album, page: Page) -> None:
    """What the lobby shows to a guest who plays somewhere, and their own pages."""
    finish(page, open_match(page, "stupide_vautour", 4, cards=5))
    for game in ("whats_up", "team_up"):
        open_match(page, game, 2)
    open_table(page, "up_and_down", 3)
    page.goto("/")
    expect(page.get_by_role("region", name="Your tables").get_by_role("listitem")).to_have_count(4)
    album.take(page, "lobby-with-tables", can_reload=True)
    page.get_by_role("button", name="Play now with").first.click()
    album.take(page, "with-whom")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Language, theme and sounds").click()
    album.take(page, "preferences")
    page.goto("/me")
    expect(page.get_by_role("listitem").first).to_be_visible()
    album.take(page, "account", can_reload=True)


def take_visitors(album: Album) -> None:
    """What people see who come to a table, and those whom they ask."""
    host, guest, nobody = album.house.page("Ada"), album.house.page("Ben"), album.house.page()
    path = open_table(host, "stupide_vautour", 2)
    nobody.goto(path)
    expect(nobody.get_by_label("Your name")).to_be_visible()
    album.take(nobody, "arrival", can_reload=True)
    do(guest, path, "sit")
    expect(nobody.get_by_text("Every seat is taken")).to_be_visible()
    album.take(nobody, "full-table", can_reload=True)
    start_button(host).click()
    expect(board(nobody)).to_be_visible()
    album.take(nobody, "watching", can_reload=True)
    path = open_table(host, "stupide_vautour", 3)
    do(host, path, "set", asks_host=True)
    nobody.goto(path)
    expect(nobody.get_by_role("button", name="Ask to come in")).to_be_visible()
    album.take(nobody, "door")
    guest.goto(path)
    expect(guest.get_by_text("The host has been asked")).to_be_visible()
    album.take(guest, "door-asked")
    expect(host.get_by_role("button", name="Refuse Ben")).to_be_visible()
    album.take(host, "doorbell")


def take_deal(album: Album) -> None:
    """A deal played again, and given to others; and a move that has to be confirmed."""
    page, guest = album.house.page("Ada"), album.house.page()
    page.add_init_script("localStorage.setItem('ludotheque.confirm-moves', 'yes')")
    path = open_match(page, "stupide_vautour", 4, cards=5)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    page.get_by_role("group", name="Hand").get_by_role("button").first.click()
    album.take(page, "confirm")
    finish(page, path)
    open_more(page).get_by_role("button", name="Challenge others").click()
    guest.goto(shared_link(page))
    album.take(page, "challenge")
    expect(guest.get_by_role("button", name="Play this deal")).to_be_visible()
    album.take(guest, "deal", can_reload=True)
    do(page, path, "again", same_deal=True)
    page.goto(path)
    expect(start_button(page)).to_be_visible()
    album.take(page, "same-deal-gathering")
    start_button(page).click()
    expect(page.locator("p.prompt.ours")).to_be_visible()
    album.take(page, "same-deal")


def take_people(album: Album) -> None:
    """What people at a table see beside its board."""
    page = album.house.page("Ada")
    open_table(page, "ubongo")
    album.take(page, "gathering", can_reload=True)
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
    for sheet in ("History", "Chat", "Rules"):
        page.set_viewport_size(UPRIGHT)
        page.get_by_role("button", name=sheet).click()
        if sheet == "Chat":
            page.get_by_label("Your message").last.fill("Good luck, everybody!")
            page.keyboard.press("Enter")
        album.take(page, f"sheet-{sheet.lower()}")
        page.keyboard.press("Escape")


def take_screen(album: Album) -> None:
    """A table as the whole room sees it."""
    for game in GAMES:
        host, screen = album.house.page("Ada"), album.house.page()
        path = open_table(host, game, 1 if game == "team_up" else 3)
        screen.goto(f"{path}/screen")
        expect(screen.locator(".code")).to_be_visible()
        if game == GAMES[0]:
            album.take(screen, "screen-welcome")
        start_button(host).click()
        expect(screen.locator(".story")).to_be_visible()
        album.take(screen, f"screen-{game}")
        finish(host, path)
        expect(screen.locator(".over .story")).to_be_visible()
        album.take(screen, f"screen-{game}-result")


def take_offline(album: Album) -> None:
    """What is there without a network, once one has been here."""
    page = album.house.page("Ada")
    path = open_match(page, "stupide_vautour", 3)
    page.goto("/")
    wait_until(page, lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    album.take(page, "offline-lobby")
    page.goto(path)
    expect(page.locator("p.lost")).to_be_visible()
    album.take(page, "offline-table")


def take_hint(album: Album, page: Page, what: str) -> None:
    page.get_by_role("button", name="Hint", exact=True).click()
    advice = page.get_by_role("region", name="Hint").locator(".best")
    expect(advice.or_(page.locator(".toast"))).to_be_visible(timeout=HINT_TIMEOUT_MS)
    album.take(page, what)
    page.keyboard.press("Escape")


def take_game(game: str, album: Album) -> None:
    """A match against bots, from its beginning to its result, and the beginning of others."""
    played, *others = SEATS[game]
    take_match(game, played, album)
    for seats in others:
        page = album.house.page("Ada")
        open_match(page, game, seats, **OPTIONS.get(game, {}))
        play_until(game, page, lambda move: move == 2)
        album.take(page, f"{game}-of-{seats}", can_reload=True)


def take_match(game: str, seats: int, album: Album) -> None:
    page = album.house.page("Ada")
    open_match(page, game, seats, **OPTIONS.get(game, {}))

    def look_on(move: int) -> bool:
        if move in MOMENTS[game]:
            album.take(page, f"{game}-{move}", can_reload=True)
            if move == MOMENTS[game][1]:
                take_hint(album, page, f"{game}-hint")
        return False

    play_until(game, page, look_on)
    expect(result(page)).to_be_visible()
    album.take(page, f"{game}-result", can_reload=True)
    more = open_more(page)
    album.take(page, f"{game}-more")
    more.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile("draw is fair|draws are fair"))
    album.take(page, f"{game}-verify")


def play_until(game: str, page: Page, is_enough: Callable[[int], bool]) -> None:
    """Play on to the end, or until it is enough before a move of ours."""
    move = 0
    while not is_over(page):
        page.locator("p.prompt.ours, .result").first.wait_for()
        if is_awaited(page) and is_enough(move):
            return
        page.set_viewport_size(DESKTOP)
        # Few moves end some matches soon, and here there is to be something to see.
        made = play(game, page, 0 if move < MOMENTS[game][-1] else 9)
        if not made:
            page.wait_for_timeout(20)
        move += made


SCREENS: dict[str, Callable[[Album], None]] = {
    "pages": take_pages,
    "people": take_people,
    "visitors": take_visitors,
    "deal": take_deal,
    "screen": take_screen,
    "offline": take_offline,
    **{game: partial(take_game, game) for game in GAMES},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("screens", nargs="*", metavar="SCREEN", help=", ".join(SCREENS))
    parser.add_argument("--reload", action="store_true", help="load the page at every size")
    parser.add_argument("--visions", action="store_true", help="also with two kinds of cones")
    parser.add_argument("--sizes", default=",".join(SIZES), help="as 360x640,1440x900")
    wish = parser.parse_args()
    if unknown := set(wish.screens) - set(SCREENS):
        parser.error(f"no such screen: {', '.join(sorted(unknown))}")
    wish.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=1000 * WAIT_TIMEOUT_S)
    with opened_house() as house:
        album = Album(house, wish)
        for screen in wish.screens or SCREENS:
            SCREENS[screen](album)
        album.write_index()
    print()


if __name__ == "__main__":
    main()
