"""Firefox and WebKit play a match of every game, as Debian packages them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from browsing import GAMES, SHORT
from engines import Engine, Firefox, WebKit
from people import WAIT_TIMEOUT_S, Server

SIZES = ((1280, 800), (480, 800), (820, 1180), (1280, 800))  # WebKit has no narrower window
HIGHEST_NOTE_PX = 120  # two lines and what is around them
# What the page complains about is kept, and the context that it sounds with.
LISTEN = """(() => {
  window.complaints = [];
  const keep = (...what) => {
    const text = what.map(String).join(" ");
    if (!text.includes("WebGL")) window.complaints.push(text); // Firefox has none without a window
  };
  addEventListener("error", ({ message }) => keep(message));
  addEventListener("unhandledrejection", ({ reason }) => keep(reason));
  console.error = keep;
  window.sounding = [];
  window.AudioContext = class extends AudioContext {
    constructor() { super(); window.sounding.push(navigator.userActivation.isActive); }
  };
})()"""
ENTER = """fetch("/api/guests", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name: "Ada", avatar: 3 }),
}).then(({ status }) => status)"""
# Opens a table, and goes there as a link does.
OPEN = """(async (wish) => {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(wish);
  const answer = await fetch("/api/tables", { method: "POST", headers, body });
  const link = document.createElement("a");
  link.href = `/t/${(await answer.json()).id}`;
  document.body.append(link);
  link.click();
  link.remove();
})"""
# The middle of a button, once it is there.
WHERE = """(async (selector, patience) => {
  const until = performance.now() + patience;
  const frame = () => new Promise((done) => setTimeout(done, 30));
  while (!document.querySelector(selector) && performance.now() < until) await frame();
  const button = document.querySelector(selector);
  if (!button) return null;
  button.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = button.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})"""
NOTE = """(() => {
  const heights = [...document.querySelectorAll(".toasts, .toast")].map((e) => e.offsetHeight);
  return [heights.length, Math.max(...heights)];
})()"""
BEYOND = """(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let count = 0; count < 3; count++) await frame();
  const middle = document.querySelector(".middle");
  const page = document.documentElement;
  return [
    middle.scrollHeight - middle.clientHeight,
    page.scrollHeight - page.clientHeight,
    page.scrollWidth - page.clientWidth,
  ];
})()"""
# Presses the first of these that is there, again and again, until the result or for `most` moves.
# Each is pressed only in as many first moves as stand beside it.
PLAY = """(async (selectors, most, patience) => {
  const pause = () => new Promise((done) => setTimeout(done, 30));
  const shown = () => document.querySelector("main .middle")?.innerText ?? "";
  const isOver = () => !!document.querySelector("section.result h2");
  let until = performance.now() + patience;
  for (let moves = 0; !isOver(); ) {
    if (moves === most) return "enough";
    if (performance.now() > until) return `nothing happens: ${shown()}`;
    const found = selectors
      .filter(([, count]) => moves < count)
      .map(([selector]) => document.querySelector(selector))
      .find((button) => button);
    if (!found) { await pause(); continue; }
    const before = shown();
    found.click();
    for (let wait = 0; wait < 40 && shown() === before && !isOver(); wait++) await pause();
    if (shown() === before) continue;
    moves += 1;
    until = performance.now() + patience;
  }
  return "over";
})"""
HAND = "[data-point=hand] button[aria-disabled=false]"
ALWAYS = 1000
MOVES: dict[str, list[tuple[str, int]]] = {
    "stupide_vautour": [(HAND, ALWAYS)],
    "whats_up": [("[role=grid] button[aria-disabled=false]", ALWAYS)],
    "up_and_down": [(".bar[role=group] button", ALWAYS), (HAND, ALWAYS)],
    "team_up": [
        (".bar .held.fits ~ .primary", ALWAYS),
        (".board:not(:has(.held)) .shapes .asked:enabled", ALWAYS),
        (".bar:not(:has(.held)) .button.primary:enabled", 4),  # draws a card
        (".bar:not(:has(.held)) .button:enabled:last-of-type", ALWAYS),  # stops
    ],
    "ubongo": [
        ("button.primary:enabled", ALWAYS),
        (".lay:enabled", 4),
        ("button.stop:enabled", ALWAYS),
    ],
}
MOST = {"whats_up": 5, "up_and_down": 8}  # which take long
ALONE = ("team_up", "ubongo")  # which end when this player wants it


class Page:
    """A page of a guest, that stays loaded from one table to the next."""

    def __init__(self, engine: Engine, server: Server) -> None:
        self.engine = engine
        engine.resize(*SIZES[0])
        engine.go(f"http://{server.address}/")
        engine.run(LISTEN)
        assert engine.run(ENTER) == 201

    def call(self, function: str, *values: object) -> Any:
        return self.engine.run(f"{function}({', '.join(map(json.dumps, values))})")

    def press(self, selector: str) -> None:
        place = self.call(WHERE, selector, 1000 * WAIT_TIMEOUT_S)
        assert place is not None, f"there is no {selector}"
        self.engine.press(*place)


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def guest(request: pytest.FixtureRequest, server: Server) -> Iterator[Page]:
    engine: Engine = request.param()
    try:
        yield Page(engine, server)
    finally:
        engine.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_result_or_long_enough(guest: Page, game: str) -> None:
    seats = 1 if game in ALONE else 2
    guest.call(OPEN, {"game": game, "seats": seats, "options": SHORT[game]})
    guest.press(".invite .button")  # copies the link
    guest.call(WHERE, ".toast", 1000 * WAIT_TIMEOUT_S)
    count, height = guest.engine.run(NOTE)
    assert count >= 2
    assert height <= HIGHEST_NOTE_PX
    guest.press(".start button.primary")
    assert guest.call(WHERE, "p.prompt.ours", 1000 * WAIT_TIMEOUT_S) is not None
    for size in SIZES:
        guest.engine.resize(*size)
        assert guest.engine.run(BEYOND) == [0, 0, 0], size
    ended = guest.call(PLAY, MOVES[game], MOST.get(game), 1000 * WAIT_TIMEOUT_S / 2)
    assert ended == ("enough" if game in MOST else "over")
    assert guest.engine.run("window.complaints") == []
    assert guest.engine.run("window.sounding") == [True]
