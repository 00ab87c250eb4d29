"""How soon a control looks pressed, in every game, also with a slow network, in a real Chromium."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import GAMES, House, is_over, open_match, opened_house, play

SAMPLES = 20  # of each game and network
SLOW_MS = 400
MOVES_WITH_MUCH_TO_PRESS = 4  # of a match in tests/browsing.py; then it ends soon

# From the touch to the end of the frame in which the button looks pressed or chosen, or has gone.
# Without a graphics card a pallet in 3-D is drawn far slower than where people play.
WATCH = """
localStorage.setItem("ludotheque.team_up.view", "flat");
window.feedback = [];
addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".board button");
  if (!button || button.matches(":disabled, [aria-disabled=true]")) return;
  if (document.querySelector("[data-sent]")) return; // the move before is not answered yet
  const state = () => `${button.className} ${button.ariaPressed}`;
  const before = state();
  const look = (frame) => {
    const isPressed = !button.isConnected || getComputedStyle(button).filter !== "none";
    if (!isPressed && state() === before) return requestAnimationFrame(() => look(frame + 1));
    setTimeout(() => window.feedback.push([performance.now() - event.timeStamp, frame]));
  };
  requestAnimationFrame(() => look(1));
}, true);
"""
SLOW = f"""
const {{ send }} = WebSocket.prototype;
WebSocket.prototype.send = function (data) {{
  setTimeout(() => this.readyState === WebSocket.OPEN && send.call(this, data), {SLOW_MS});
}};
"""


class Touch(NamedTuple):
    """How long it took until the page showed it, and in which frame after it."""

    milliseconds: float
    frame: int


def touches(house: House, game: str, network: str) -> list[Touch]:
    """What was pressed in matches that are played in the page."""
    page = house.page("Ada")
    page.add_init_script(WATCH + network)
    found: list[Touch] = []
    while len(found) < SAMPLES:
        open_match(page, game, 2)
        found += _touches_in_a_match(page, game)
    page.context.close()
    return found


def _touches_in_a_match(page: Page, game: str) -> list[Touch]:
    move = 0
    while move < MOVES_WITH_MUCH_TO_PRESS and not is_over(page):
        is_asked = page.locator("p.prompt.ours[data-told='']").is_visible()  # and all is told
        if is_asked and play(game, page, move):
            move += 1
        else:
            page.wait_for_timeout(20)
    return [Touch(*touch) for touch in page.evaluate("window.feedback")]


def _cells(found: list[Touch]) -> list[str]:
    times = [touch.milliseconds for touch in found]
    first = sum(touch.frame == 1 for touch in found)
    slow = statistics.quantiles(times, n=20)[-1]
    return [f"{first} of {len(found)}", f"{statistics.median(times):.0f}", f"{slow:.0f}"]


def report() -> list[str]:
    lines = [
        "## From the finger to the picture",
        "",
        "Milliseconds from a touch to the end of the frame in which the control looks pressed, or "
        "what it held lies on the table, and how often that is the first frame after the touch; "
        f"on localhost, and with everything that the page sends held back for {SLOW_MS} ms. Team "
        "UP's pallet is seen from above: this browser draws 3-D without a graphics card.",
        "",
        "| game | first frame | median | 95 % "
        + "".join(f"| {head}, {SLOW_MS} ms " for head in ("first frame", "median", "95 %"))
        + "|",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with opened_house() as house:
        for game in GAMES:
            cells = [cell for way in ("", SLOW) for cell in _cells(touches(house, game, way))]
            lines.append(f"| {game} | {' | '.join(cells)} |")
    return lines
