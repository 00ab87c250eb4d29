"""Take the README's picture of every game from the real page.

    python scripts/write_pictures.py [GAME ...]

All games if none is named; the pictures go to docs/pictures. The page has to be built; a server of
its own is started. Needs a chromium on the path.
"""

from __future__ import annotations

import base64
import sys
import time
from pathlib import Path

from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import GAMES, do, look, open_match, opened_house

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH_PX, HEIGHT_PX, SCALE = 960, 720, 0.5
# How many moves of ours come first: enough to fill the table, too few to end the match.
MOVES = {"stupide_vautour": 6, "whats_up": 6, "up_and_down": 9, "team_up": 10, "ubongo": 6}
OPTIONS: dict[str, dict[str, object]] = {
    "stupide_vautour": {"open_discards": True, "open_scores": True},
    "whats_up": {"stall": "two rounds"},
    "ubongo": {"time_limit": 300},
}
HINT_TIMEOUT_S = 1200.0  # the first time, what the master thinks with has to be compiled


def take(page: Page, game: str) -> None:
    """A match that a master has played for us, against two bots."""
    path = open_match(page, game, 3, **OPTIONS.get(game, {}))
    for _ in range(MOVES[game]):
        do(page, path, "play", move=advised_move(page, path), seat=None)
    while not look(page, path)["legal"]:
        page.wait_for_timeout(20)
    page.locator("p.prompt.ours").wait_for()
    (PICTURES / f"{game}.webp").write_bytes(picture(page))


def advised_move(page: Page, path: str) -> int:
    """What the master would play, once it is our turn."""
    until = time.monotonic() + HINT_TIMEOUT_S
    while time.monotonic() < until:
        if look(page, path)["legal"]:
            hints = f"/api/tables/{path.removeprefix('/t/')}/hints"
            answer = page.request.post(hints, timeout=1000 * HINT_TIMEOUT_S)
            if answer.ok:
                return int(answer.json()[0]["move"])
        page.wait_for_timeout(20)
    raise TimeoutError(f"no advice at {path}")


def picture(page: Page) -> bytes:
    """The window as WebP, which Playwright itself does not write."""
    area = {"x": 0, "y": 0, "width": WIDTH_PX, "height": HEIGHT_PX, "scale": SCALE}
    wish = {"format": "webp", "quality": 90, "clip": area}
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", wish)
    return base64.b64decode(answer["data"])


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with opened_house() as house:
        for game in sys.argv[1:] or GAMES:
            viewport = {"width": WIDTH_PX, "height": HEIGHT_PX}
            take(house.page("Ada", viewport=viewport, color_scheme="light"), game)


if __name__ == "__main__":
    main()
