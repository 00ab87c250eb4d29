"""Team UP on the page: card, box, layer and score are shown one after the other."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from playwright.sync_api import Page, expect

from browsing import House, do, open_match
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.team_up.parts import DEFAULT_DATA
from ludotheque.games.team_up.rules import DRAW, LAYER_POINTS, PLACE, boxes_left, complete_layers

GAME = load("team_up")
SET: Any = DEFAULT_DATA
FILM = """() => {
  const frames = (window.frames_seen = []);
  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const count = (selector) => document.querySelectorAll(selector).length;
  const shoot = () => {
    frames.push({
      told: document.querySelector("p.prompt")?.dataset.told ?? "",
      boxes: Number(text(".stock h2").split(" ").at(-1)),
      layers: count("[data-point=layers] .full"),
      score: document.querySelector("[data-point=score] b").firstChild.textContent.trim(),
      discard: count("[data-point=discard] .card:not(.lost)"),
      lost: count("[data-point=discard] .lost"),
    });
    requestAnimationFrame(shoot);
  };
  shoot();
}"""


def filmed(page: Page) -> list[Any]:
    """The different frames that the page has shown, in their order."""
    return [frame for frame, _ in groupby(page.evaluate("window.frames_seen"))]


def figure(points: int) -> str:
    return str(points).replace("-", "−")


def frame(told: str, match: Match, **others: object) -> dict[str, object]:
    """What the page shows while this is told: the match, and what is still otherwise."""
    state = match.state
    drawn = 36 - state.deck.bit_count() - (state.phase == PLACE)
    shown = {
        "told": told,
        "boxes": boxes_left(state),
        "layers": complete_layers(state),
        "score": figure(match.scores[0]),
        "discard": drawn - state.lost,
        "lost": state.lost,
    }
    return shown | others


def puzzle() -> Match:
    """The cards come in order and the neutral box is given: always the same match."""
    return Match(GAME, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32)))


def solution() -> list[int]:
    """The placements that make a perfect pallet."""
    return [
        GAME.parse(
            0,
            f"{line['shape']}.{line['colour']}.{'abcdef'[line['x']]}{line['y'] + 1}"
            f"{'t' if line['turned'] else ''}",
        )
        for line in SET["puzzle"]["solution"]
    ]


def played(match: Match, *moves: int) -> Match:
    after = match.copy()
    for move in moves:
        after.play(0, move)
    return after


def before_a_layer() -> tuple[Match, list[int], int]:
    """The puzzle before the box that completes a layer; the moves so far, and that box."""
    match, made = puzzle(), list[int]()
    for placement in solution():
        after = played(match, DRAW, placement)
        if complete_layers(after.state) > 0:
            return match, made, placement
        match, made = after, [*made, DRAW, placement]
    raise AssertionError("the solution completes no layer")


def before_a_loss() -> tuple[Match, list[int]]:
    """The puzzle before a card that is lost, and the moves so far."""
    match, made = puzzle(), list[int]()
    while not (drawn := played(match, DRAW)).state.is_lost:
        placement = max(drawn.legal_moves(0))
        match, made = played(drawn, placement), [*made, DRAW, placement]
    return match, made


def open_puzzle(page: Page, made: list[int]) -> str:
    """A match alone in which these moves have been made; nothing is told of them any more."""
    path = open_match(page, "team_up", 1, mode="puzzle")
    page.goto("about:blank")
    for move in made:
        do(page, path, "play", move=move, seat=None)
    page.goto(path)
    expect(page.get_by_role("button", name="Draw a card")).to_be_enabled()
    return path


def rest(page: Page) -> None:
    """Wait until everything has been told."""
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()


def test_card_box_layer_and_score_follow_each_other(house: House) -> None:
    page = house.page("Ada", in_3d=True, reduced_motion="no-preference")
    before, made, placement = before_a_layer()
    path = open_puzzle(page, made)
    drawn, after = played(before, DRAW), played(before, DRAW, placement)
    page.evaluate(FILM)
    page.get_by_role("button", name="Draw a card").click()
    expect(page.get_by_text("Choose ")).to_be_visible()
    rest(page)
    do(page, path, "play", move=placement, seat=None)
    expect(page.get_by_role("button", name="Draw a card")).to_be_visible()
    rest(page)
    gains = complete_layers(after.state)
    assert filmed(page) == [
        frame("", before),
        frame("begin", drawn),
        frame("", drawn),
        *(gaining(layers, drawn) for layers in range(gains + 1)),
        frame("", after),
    ]


def gaining(layers: int, drawn: Match) -> dict[str, object]:
    """After a box, when so many layers have been told; the card in use still lies apart."""
    told, boxes = " ".join(["place", *["gain"] * layers]), boxes_left(drawn.state) - 1
    points = drawn.scores[0] + 1 + LAYER_POINTS * layers
    return frame(told, drawn, boxes=boxes, layers=layers, score=figure(points))


def test_a_card_that_is_lost_is_seen_first_and_lies_face_down_then(house: House) -> None:
    page = house.page("Ada", in_3d=True, reduced_motion="no-preference")
    before, made = before_a_loss()
    open_puzzle(page, made)
    after = played(before, DRAW)
    page.evaluate(FILM)
    page.get_by_role("button", name="Draw a card").click()
    expect(page.locator("[data-point=discard] .lost")).to_have_count(after.state.lost)
    rest(page)
    assert filmed(page) == [
        frame("", before),
        frame("turn", before),
        frame("turn loss", after),
        frame("", after),
    ]
    discard = page.get_by_role("img", name="Cards played")
    expect(discard).to_have_accessible_name(re.compile(f"Cards lost: {after.state.lost}$"))
