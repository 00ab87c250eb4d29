"""A race is counted down, a call answers the finger, and cards are checked one after the other."""

from __future__ import annotations

import re
import signal
from itertools import groupby
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import PHONE, House, Settings, board, do, heard, look, open_table, start_button
from ludotheque.engine.game import load

GAME = load("ubongo")
PLACES = [f"{card}:{6 + 3 * (card % 4)},{12 + 2 * (card // 4)}r0" for card in range(1, 8)]
MOVING: Settings = {"reduced_motion": "no-preference"}

FILM = """() => {
  const frames = (window.frames_seen = []);
  const count = (selector) => document.querySelectorAll(selector).length;
  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const shoot = () => {
    frames.push({
      told: document.querySelector("p.prompt")?.dataset.told ?? "",
      banner: count(".shout"),
      looked_at: count("[data-point=count] .look"),
      mats: count("[data-point=count] .mat"),
      verdicts: count("[data-point=count] p svg"),
      marks: count("[data-point=count] .mark"),
      points: count("[data-point=count] .points"),
      countdown: text(".countdown"),
      locked: count(".slot[aria-disabled=true]"),
      time: text("[role=timer] [aria-hidden=true]:last-child"),
    });
    requestAnimationFrame(shoot);
  };
  shoot();
}"""

# Keeps what the page sends until it is let go: a delay of any length.
HOLD = """() => {
  const { send } = WebSocket.prototype;
  const held = [];
  WebSocket.prototype.send = function (data) { held.push([this, data]); };
  window.let_go = () => {
    WebSocket.prototype.send = send;
    for (const [socket, data] of held) socket.send(data);
  };
}"""

# What the page shows in the first frame after a pointer has come down.
WATCH_FINGER = """() => {
  addEventListener("pointerdown", () => requestAnimationFrame(() => {
    window.first_frame = {
      pressed: document.querySelector("button.call").classList.contains("pressed"),
      locked: document.querySelectorAll(".slot[aria-disabled=true]").length,
    };
  }), { capture: true, once: true });
}"""


def filmed(page: Page) -> list[Any]:
    """The different frames that the page has shown, in their order."""
    return [frame for frame, _ in groupby(page.evaluate("window.frames_seen"))]


def play(page: Page, path: str, notation: str) -> None:
    do(page, path, "play", move=GAME.parse(0, notation), seat=None)


def lay_junk(page: Page, path: str, count: int = 7) -> None:
    for notation in PLACES[:count]:
        play(page, path, notation)


def sit_down(house: House, settings: Settings | None = None, **options: object) -> Any:
    """Ada, who sees the table, and Bob, who has not opened it; nobody else plays."""
    ada, bob = house.page("Ada", **(settings or {})), house.page("Bob")
    path = open_table(ada, "ubongo", 2, time_limit=0, **options)
    do(bob, path, "sit")
    expect(ada.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    start_button(ada).click()
    expect(board(ada)).to_be_visible()
    return ada, bob, path


def begin(ada: Page, bob: Page, path: str) -> None:
    play(bob, path, "ready")
    ada.get_by_role("button", name="I’m ready!").click()


def race(house: House, settings: Settings | None = None, **options: object) -> Any:
    """A race of Ada and Bob that is on, and has been told."""
    ada, bob, path = sit_down(house, settings, **options)
    begin(ada, bob, path)
    expect(ada.locator("button.stop")).to_be_enabled()
    expect(ada.locator("p.prompt[data-told='']")).to_be_visible()
    return ada, bob, path


def finger_down(page: Page, button: Locator) -> None:
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()


# Before the first race


def test_a_newcomer_reads_what_the_race_is_and_who_is_not_ready(house: House) -> None:
    ada, bob, path = sit_down(house)
    first = ada.locator(".first")
    expect(ada.locator("p.prompt")).to_contain_text("A race with cards")
    expect(first).to_contain_text("Everyone gets 9 cards and fits 7 of them together")
    expect(first).to_contain_text("Waiting for Ada, Bob")
    play(bob, path, "ready")
    expect(first.get_by_text("Waiting for Ada", exact=True)).to_be_visible()


def test_a_lost_connection_hides_nothing_of_a_race(house: House) -> None:
    ada, _, _ = race(house, PHONE, countdown=0)
    ada.context.set_offline(True)
    expect(ada.get_by_role("banner")).to_contain_text("Connection lost…")
    expect(ada.get_by_role("heading", level=1)).to_have_text("Ubongo, the card game")
    expect(ada.locator(".over-page.lost")).to_have_count(0)
    assert ada.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ada.context.set_offline(False)
    expect(ada.get_by_text("Connection lost…")).to_have_count(0)


# The countdown


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_race_is_counted_down(house: House, motion: Literal["reduce", "no-preference"]) -> None:
    ada, bob, path = sit_down(house, {"reduced_motion": motion}, countdown=3)
    ada.evaluate(FILM)
    begin(ada, bob, path)
    expect(ada.locator(".slot[aria-disabled=false]")).to_have_count(9)
    expect(ada.locator("p.prompt[data-told='']")).to_be_visible()
    frames = [frame for frame in filmed(ada) if frame["countdown"]]
    shown = [text for text, _ in groupby(frame["countdown"] for frame in frames)]
    assert shown == [text for text in ("3", "2", "1", "Go!") if text in shown]
    assert shown[-1] == "Go!"
    counted = [frame for frame in frames if frame["countdown"] != "Go!"]
    assert {(frame["locked"], frame["time"]) for frame in counted} == {(9, "0:00")}
    assert {frame["locked"] for frame in frames if frame["countdown"] == "Go!"} == {0}
    steady = "Round 1 of 6, white side: ready, steady…"
    assert heard(ada) == ["Bob sits down.", steady, "Go!"]


def test_who_is_ready_first_begins_the_race_with_the_keyboard(house: House) -> None:
    ada, bob, path = sit_down(house, countdown=0)
    ready = ada.get_by_role("button", name="I’m ready!")
    ready.press("Enter")
    expect(ready).to_be_hidden()
    expect(ada.get_by_role("group", name="Ubongo").first).to_be_focused()
    play(bob, path, "ready")
    expect(ada.locator(".slot").first).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("button", name="Lay it here")).to_be_visible()


def test_every_second_before_a_race_is_shown(house: House) -> None:
    """The server is frozen and the page's clock is moved by hand, so that none is missed."""
    ada, bob, path = sit_down(house, countdown=10)
    ada.clock.install()
    ada.reload()
    counted = ada.locator(".countdown")
    expect(ada.get_by_role("button", name="I’m ready!")).to_be_visible()
    ada.clock.pause_at(ada.evaluate("Date.now() + 1"))
    begin(ada, bob, path)
    expect(counted).to_be_visible()
    house.server.process.send_signal(signal.SIGSTOP)
    shown = [counted.inner_text()]
    try:
        for _ in range(100):
            ada.clock.run_for(200)
            shown.append(counted.inner_text())
            if shown[-1] == "1":
                break
    finally:
        house.server.process.send_signal(signal.SIGCONT)
    assert [text for text, _ in groupby(shown)][-3:] == ["3", "2", "1"]
    expect(counted).to_have_text("Go!")  # as soon as the server says so


def test_nobody_gains_time_in_the_countdown(house: House) -> None:
    ada, bob, path = sit_down(house, countdown=10)
    begin(ada, bob, path)
    expect(ada.locator(".countdown")).to_be_visible()
    for page in (ada, bob):
        assert look(page, path)["legal"] == []
        body = {"id": "early", "command": {"do": "play", "move": PLACES[0], "seat": None}}
        answer = page.request.post(f"/api/tables/{path[3:]}/commands", data=body)
        assert answer.json()["reason"] == "not_yet"


def test_a_latecomer_sees_the_same_countdown(house: House) -> None:
    ada, bob, path = sit_down(house, countdown=10)
    begin(ada, bob, path)
    expect(ada.locator(".countdown")).not_to_have_text("10")
    bob.goto(path)
    expect(bob.locator(".slot[aria-disabled=true]")).to_have_count(9)
    left = [int(page.locator(".countdown").inner_text()) for page in (ada, bob)]
    assert 10 > left[0] >= left[1] > 0
    for page in (ada, bob):
        expect(page.locator(".slot[aria-disabled=false]")).to_have_count(9)


# The call


def test_a_call_answers_the_finger_before_the_server_does(house: House) -> None:
    ada, _, path = race(house)
    lay_junk(ada, path)
    call = ada.locator("button.call")
    expect(call).to_be_enabled()
    ada.evaluate(HOLD)
    ada.evaluate(WATCH_FINGER)
    finger_down(ada, call)
    ada.wait_for_function("() => window.first_frame")
    assert ada.evaluate("window.first_frame") == {"pressed": True, "locked": 9}
    expect(call).to_have_attribute("aria-pressed", "true")
    assert look(ada, path)["view"]["callers"] == 0
    ada.evaluate("let_go()")
    expect(ada.locator("[data-point=count] .points")).to_have_count(2)


def test_a_call_that_is_refused_unlocks_the_cards(house: House) -> None:
    ada, _, path = race(house)
    lay_junk(ada, path)
    call = ada.locator("button.call")
    expect(call).to_be_enabled()
    ada.evaluate(HOLD)
    finger_down(ada, call)
    expect(ada.locator(".slot[aria-disabled=true]")).to_have_count(9)
    play(ada, path, "-7")  # on another device, and sooner
    ada.evaluate("let_go()")
    expect(ada.get_by_text("you need seven laid cards to call")).to_be_visible()
    expect(ada.locator(".slot[aria-disabled=false]")).to_have_count(9)
    expect(call).to_have_attribute("aria-pressed", "false")
    expect(call).to_be_disabled()


def test_a_call_need_not_wait_until_the_seventh_card_has_arrived(house: House) -> None:
    ada, _, path = race(house)
    lay_junk(ada, path, 6)
    expect(ada.get_by_label("laid at")).to_have_count(6)
    ada.evaluate(HOLD)
    ada.locator(".slot").nth(6).press("7")
    ada.get_by_role("button", name="Lay it here").click()
    call = ada.locator("button.call")
    expect(call).to_be_enabled()
    finger_down(ada, call)
    expect(call).to_have_attribute("aria-pressed", "true")
    assert look(ada, path)["notes"]["laid"] == [6, 0]
    ada.evaluate("let_go()")
    expect(ada.locator("[data-point=count] .points")).to_have_count(2)


# From the call to the next round


def test_a_call_is_told_to_the_next_round_in_order(house: House) -> None:
    ada, bob, path = race(house, MOVING, countdown=2)
    lay_junk(ada, path)
    play(bob, path, "1:5,5r0")
    call = ada.locator("button.call")
    expect(call).to_be_enabled()
    ada.evaluate(FILM)
    call.click()
    expect(ada.locator("[data-point=count] .points")).to_have_count(2)
    expect(ada.locator("p.prompt[data-told='']")).to_be_visible()
    frames = [frame for frame in filmed(ada) if frame["told"]]
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in frames)]
    checked = ["begin", "begin verdict", "begin verdict verdict", "begin verdict verdict score"]
    assert told == ["call", *checked]
    keys = ("banner", "looked_at", "mats", "verdicts", "marks", "points")
    shown = {frame["told"]: [frame[key] for key in keys] for frame in frames}
    assert [shown[kinds] for kinds in told] == [
        [1, 0, 0, 0, 0, 0],
        [0, 7, 2, 0, 0, 0],  # every card of the caller is looked at
        [0, 0, 2, 1, 2, 0],  # the fault is marked on the two cards that make it
        [0, 0, 2, 2, 2, 0],
        [0, 0, 2, 2, 2, 2],
    ]
    # The time of the race stands still, while the call is told and while the cards are checked.
    for is_call in (True, False):
        assert len({frame["time"] for frame in frames if (frame["told"] == "call") == is_call}) == 1
    ada.evaluate("window.frames_seen.length = 0")
    begin(ada, bob, path)
    expect(ada.locator(".slot[aria-disabled=false]")).to_have_count(9)
    texts = [text for text, _ in groupby(frame["countdown"] for frame in filmed(ada)) if text]
    assert texts == [text for text in ("2", "1", "Go!") if text in texts]
    assert {frame["banner"] for frame in filmed(ada)} == {0}


# A wrong call that takes only the caller out


def test_the_others_play_on_after_a_wrong_call(house: House) -> None:
    ada, bob, path = race(house, MOVING, wrong_call="caller is out")
    lay_junk(bob, path)
    ada.evaluate(FILM)
    play(bob, path, "call")
    expect(ada.locator(".shout.out")).to_have_text("Bob: “Ubongo!”")
    expect(ada.locator("p.prompt[data-told='call verdict']")).to_contain_text(
        re.compile(r"Bob is out of this round: a mistake between cards \d and \d")
    )
    expect(ada.locator("p.prompt[data-told='']")).to_have_text(
        "Put seven cards together and call “Ubongo!”"
    )
    assert {frame["locked"] for frame in filmed(ada)} == {0}
    expect(ada.get_by_label("Bob, cards laid: 7, out of the race")).to_be_visible()
    play(ada, path, "1:5,5r0")
    expect(ada.get_by_label("laid at")).to_have_count(1)


def test_a_player_who_is_out_sees_what_was_wrong_on_their_mat(house: House) -> None:
    ada, bob, path = race(house, wrong_call="caller is out")
    lay_junk(ada, path)
    call = ada.locator("button.call")
    expect(call).to_be_enabled()
    call.click()
    expect(ada.locator("p.prompt[data-told='']")).to_have_text(
        "Your call was wrong: you are out of this round, the others go on"
    )
    expect(ada.locator("[data-point=field] .verdict")).to_contain_text(
        re.compile(r"cards \d and \d")
    )
    assert ada.locator("[data-point=field] .card.faulty").count() >= 2
    expect(ada.locator(".slot[aria-disabled=true]")).to_have_count(9)
    expect(call).to_be_disabled()
    expect(ada.locator("[data-point=actions]")).to_contain_text("out of the race")
    play(bob, path, "stop")
    expect(ada.locator("[data-point=count] .points")).to_have_count(2)


def test_how_far_the_others_are_is_spoken_seldom(house: House) -> None:
    ada, bob, path = race(house, countdown=0)
    spoken, said = ada.locator(".visually-hidden[aria-live=polite]"), []
    for count, notation in enumerate(PLACES, 1):
        do(bob, path, "play", move=GAME.parse(1, notation), seat=None)
        expect(ada.get_by_role("list", name="Players")).to_contain_text(f"{count}/7")
        said.append(spoken.inner_text())
    assert said == ["", "", *["Bob: 3 of 7"] * 3, *["Bob: 6 of 7"] * 2]


# The photo finish


def test_calls_at_the_same_time_show_by_how_much_they_missed_each_other(house: House) -> None:
    """In a lesson, where the others call when it says."""
    page = house.page(hurried=True, viewport={"width": 360, "height": 640})
    page.goto("/learn/ubongo/together")
    page.get_by_role("button", name="I’m ready!").click()
    page.get_by_role("button", name="Next").click()
    page.locator("button.call").click()
    photo = page.get_by_role("region", name="Photo finish")
    gaps = ["Tembo 0 ms", "Player 1 +62 ms", "Swala +128 ms"]
    expect(photo.get_by_role("listitem")).to_have_text(gaps)
    expect(page.locator("[data-point=count] .points")).to_have_count(3)
    told = "Tembo first, Player 1 62 ms later, Swala 128 ms later; that counts as the same time"
    assert f"Photo finish: {told}" in heard(page)
    assert photo.evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")
