"""A call answers the finger, and the cards are checked one player after the other."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from playwright.sync_api import Page, expect

from browsing import House, do, open_match
from ludotheque.engine.game import load

GAME = load("ubongo")
JUNK = [f"{card}:{6 + 3 * (card % 4)},{12 + 2 * (card // 4)}r0" for card in range(1, 8)]

FILM = """() => {
  const frames = (window.frames_seen = []);
  const shoot = () => {
    frames.push({
      told: document.querySelector("p.prompt")?.dataset.told ?? "",
      banner: document.querySelectorAll(".shout").length,
      mats: document.querySelectorAll("[data-point=count] .mat").length,
      verdicts: document.querySelectorAll("[data-point=count] p svg").length,
      points: document.querySelectorAll("[data-point=count] .points").length,
    });
    requestAnimationFrame(shoot);
  };
  shoot();
}"""


def filmed(page: Page) -> list[Any]:
    """The different frames that the page has shown while something was told, in their order."""
    return [frame for frame, _ in groupby(page.evaluate("window.frames_seen")) if frame["told"]]


def begin_race(page: Page) -> str:
    path = open_match(page, "ubongo", 2, time_limit=0)
    page.get_by_role("button", name="I’m ready!").click()
    expect(page.locator("button.stop")).to_be_enabled()
    return path


def test_a_race_is_counted_in(house: House) -> None:
    page = house.page("Ada", reduced_motion="no-preference")
    begin_race(page)
    expect(page.get_by_role("log", name="History")).to_have_text("Round 1 of 6, white side: go!")
    expect(page.locator("[data-point=field]").get_by_text("Go!")).to_be_attached()


def test_the_call_the_verdicts_and_the_points_are_shown_in_order(house: House) -> None:
    page = house.page("Ada", reduced_motion="no-preference")
    path = begin_race(page)
    for notation in JUNK:
        do(page, path, "play", move=GAME.parse(0, notation), seat=None)
    call = page.locator("button.call")
    expect(call).to_be_enabled()
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()  # the start has been told
    page.evaluate(FILM)
    call.click()
    expect(page.locator("[data-point=count] .points")).to_have_count(2)
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    frames = filmed(page)
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in frames)]
    assert told == ["call", "begin", "begin verdict", "begin verdict verdict", f"{told[3]} score"]
    shown = {frame["told"]: frame for frame in frames}
    assert [list(shown[kinds].values())[1:] for kinds in told] == [
        [1, 0, 0, 0],
        [0, 2, 0, 0],
        [0, 2, 1, 0],
        [0, 2, 2, 0],
        [0, 2, 2, 2],
    ]


def test_the_button_of_a_call_is_down_before_the_server_answers(house: House) -> None:
    page = house.page("Ada")
    path = begin_race(page)
    for notation in JUNK:
        do(page, path, "play", move=GAME.parse(0, notation), seat=None)
    call = page.locator("button.call")
    expect(call).to_be_enabled()
    pressed = page.evaluate(
        """async () => {
          const call = document.querySelector("button.call");
          call.click();
          await new Promise((resolve) => queueMicrotask(resolve));
          return call.classList.contains("pressed");
        }"""
    )
    assert pressed
