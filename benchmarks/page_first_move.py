"""From the first visit to the first move of one's own, and cards dragged on a slow phone."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import (
    PHONE,
    House,
    Settings,
    do,
    open_match,
    open_table,
    opened_house,
    play_one,
)
from people import WAIT_TIMEOUT_S

MOVING: Settings = {"reduced_motion": "no-preference"}
MOVING_PHONE: Settings = {**PHONE, **MOVING}
VISITS = 5
CPU_SLOWED = 6
DRAGS = 5
DRAG_STEPS, STEP_S = 60, 1 / 60
# Counted by the page itself; the page is loaded once.
COUNT = """
window.clicks = 0;
addEventListener("click", ({ isTrusted }) => (window.clicks += isTrusted), true);
"""
FRAMES = """() => {
  const note = (now) => { window.frames_at?.push(now); requestAnimationFrame(note); };
  requestAnimationFrame(note);
}"""


class Way(NamedTuple):
    """What it took until the first move."""

    clicks: int
    seconds: float


def by_play_now(house: House) -> Way:
    page, begun = _visit(house)
    page.goto("/", wait_until="commit")
    page.get_by_role("button", name="Play now", exact=True).first.click()
    _lay_a_card(page)
    return _way(page, begun)


def by_learn(house: House) -> Way:
    page, begun = _visit(house)
    page.goto("/", wait_until="commit")
    page.get_by_role("link", name="Learn").first.click()
    asked = page.locator("button[data-advised], button:has([data-advised])").first
    further = page.locator("main > section .primary")
    expect(asked.or_(further).first).to_be_visible()
    while not asked.is_visible():
        if further.is_visible():
            further.click()
        page.wait_for_timeout(20)
    asked.click()
    return _way(page, begun)


def by_link(house: House) -> Way:
    host = house.page("Ada")
    path = open_table(host, "stupide_vautour", 2)
    page, begun = _visit(house, is_phone=True)
    page.goto(path, wait_until="commit")
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Sit down").tap()
    expect(host.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    do(host, path, "start")
    _lay_a_card(page)
    host.context.close()
    return _way(page, begun)


def _visit(house: House, is_phone: bool = False) -> tuple[Page, float]:
    page = house.page(**(MOVING_PHONE if is_phone else MOVING))
    page.add_init_script(COUNT)
    return page, time.perf_counter()


def _way(page: Page, begun: float) -> Way:
    way = Way(page.evaluate("window.clicks"), time.perf_counter() - begun)
    page.context.close()
    return way


def _lay_a_card(page: Page) -> None:
    """A finger raises it first."""
    expect(page.locator("p.prompt.ours")).to_be_visible()
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    press = Locator.tap if page.evaluate("navigator.maxTouchPoints > 0") else Locator.click
    count = hand.count()
    press(hand.last)
    if hand.last.and_(page.locator(".raised")).count() == 1:
        press(hand.last)
    expect(hand).not_to_have_count(count)


def drag_gaps(house: House) -> list[float]:
    """Milliseconds between the frames while a finger drags a card over the mat and back."""
    page = house.page("Ada", **MOVING_PHONE)
    open_match(page, "ubongo", 1, time_limit=0)
    play_one("ubongo", page, 0)
    play_one("ubongo", page, 1)
    card = page.locator("[data-point=field] .card").first.bounding_box()
    assert card
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWED})
    page.evaluate(FRAMES)
    gaps: list[float] = []
    for _ in range(DRAGS):
        x, y = card["x"] + card["width"] / 2, card["y"] + card["height"] / 2
        page.evaluate("window.frames_at = []")
        _touch(session.send, "touchStart", x, y)
        for step in range(1, DRAG_STEPS + 1):
            there_and_back = 100 * (1 - abs(2 * step / DRAG_STEPS - 1))
            _touch(session.send, "touchMove", x + there_and_back, y + there_and_back)
            time.sleep(STEP_S)
            if step == DRAG_STEPS // 2:
                assert page.locator("[data-point=field] .target").count() == 1, "nothing is dragged"
        frames = page.evaluate("window.frames_at")
        _touch(session.send, "touchEnd")
        gaps += [after - before for before, after in pairwise(frames)]
    page.context.close()
    return gaps


def _touch(send: Callable[..., object], kind: str, *place: float) -> None:
    points = [{"x": place[0], "y": place[1]}] if place else []
    send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def report() -> list[str]:
    expect.set_options(timeout=1000 * WAIT_TIMEOUT_S)
    lines = [
        "## From the first visit to the first move",
        "",
        "In a browser that has kept nothing, on localhost, at the speed of a script that clicks as "
        "soon as there is something to click: what the page itself needs. The card of Stupide "
        "Vautour in the lobby, and on a phone a link to a table, where a name is typed as well and "
        "a finger raises a card before it plays it.",
        "",
        "| way | clicks | seconds, median | longest |",
        "| --- | --- | --- | --- |",
    ]
    with opened_house() as house:
        for name, way in (("Play now", by_play_now), ("Learn", by_learn), ("link", by_link)):
            ways = [way(house) for _ in range(VISITS)]
            clicks = " or ".join(str(count) for count in sorted({way.clicks for way in ways}))
            seconds = [way.seconds for way in ways]
            cells = [name, clicks, f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}"]
            lines.append(f"| {' | '.join(cells)} |")
        gaps = drag_gaps(house)
    slow = statistics.quantiles(gaps, n=20)[-1]
    return [
        *lines,
        "",
        f"A card of Ubongo dragged over the mat of a phone whose processor is slowed {CPU_SLOWED} "
        f"times: {1000 * len(gaps) / sum(gaps):.0f} frames a second, 95 % of them at most "
        f"{slow:.0f} ms after the one before ({len(gaps)} frames).",
    ]
