"""What happened is shown one thing after the other, and spoken in the same order."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsing import (
    House,
    do,
    heard,
    look,
    open_match,
    open_table,
    result,
    start_button,
    wait_until,
)
from pacing import shown_s
from people import Person

FILM = """() => {
  const frames = (window.frames_seen = []);
  const shoot = () => {
    const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
    const sentence = document.querySelector("p.prompt .text");
    const flips = [...document.querySelectorAll(".flip")];
    frames.push({
      told: document.querySelector("p.prompt")?.dataset.told ?? "",
      round: text(".round"),
      stake: document.querySelector("[data-point=stake] ul")?.ariaLabel ?? "",
      cards: flips.length,
      backs: flips.some((flip) => new DOMMatrix(getComputedStyle(flip).transform).m11 < 0),
      called: document.querySelectorAll("main li.awaited").length,
      isRead: sentence !== null && getComputedStyle(sentence).opacity > 0,
    });
    requestAnimationFrame(shoot);
  };
  shoot();
}"""


def filmed(page: Page) -> list[Any]:
    """The different frames that the page has shown, in their order."""
    return [frame for frame, _ in groupby(page.evaluate("window.frames_seen"))]


def test_a_round_of_stupide_vautour_is_told_in_order(house: House) -> None:
    page = house.page("Ada", reduced_motion="no-preference")
    path = open_match(page, "stupide_vautour", 3)
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    page.evaluate(FILM)
    do(page, path, "play", move=9, seat=None)
    expect(page.locator(".round")).to_have_text("Round 2 of 15")
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    frames = filmed(page)
    revealing = [frame for frame in frames if frame["told"].startswith("reveal")]
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in frames if frame["told"])]
    assert told[0] == "reveal"
    assert told[-1] == "begin"
    assert [len(kinds.split()) for kinds in told[:-1]] == list(range(1, len(told)))
    # Nobody is called before it has been told.
    assert {frame["called"] for frame in frames if frame["told"]} == {0}
    assert frames[-1]["called"] > 0
    # While it is told, all cards lie open beside the stake that they are played for.
    assert {frame["round"] for frame in revealing} == {"Round 1 of 15"}
    assert {frame["cards"] for frame in revealing} == {3}
    assert not any(frame["backs"] and frame["isRead"] for frame in revealing)
    assert any(frame["isRead"] for frame in revealing if frame["told"] == "reveal")
    assert {frame["stake"] for frame in revealing} == {revealing[0]["stake"]} != {""}
    first, *_, last = heard(page)
    assert first.startswith(("Meerkat", "Vulture"))
    assert last.startswith(("Meerkat", "Vulture"))


# Every change of what is told, with what lies on the table then, and what flies where.
WATCH = """() => {
  const seen = (window.seen = []);
  const flights = (window.flights = []);
  const prompt = document.querySelector("p.prompt");
  const told = () => prompt.dataset.told;
  const note = () => {
    if (seen.at(-1)?.told === told()) return;
    seen.push({
      told: told(),
      sentence: prompt.textContent,
      cards: document.querySelectorAll(".flip").length,
      struck: document.querySelectorAll(".flip .struck").length,
      round: document.querySelector(".round").textContent.trim(),
      stake: document.querySelector("[data-point=stake] ul").ariaLabel,
    });
  };
  new MutationObserver(note).observe(prompt, { attributes: true });
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, { delay, duration }) {
    const isStake = this.matches("[data-point=stake] *");
    flights.push({ told: told(), ms: delay + duration, isStake });
    return animate.apply(this, [frames, { delay, duration }]);
  };
}"""


@pytest.mark.parametrize("pace", ["calm", "normal", "brisk"])
def test_a_tie_in_stupide_vautour_is_told_in_order(house: House, pace: str) -> None:
    page = house.page("Ada", reduced_motion="no-preference")
    page.add_init_script(f"localStorage.setItem('ludotheque.pace', '{pace}')")
    path = open_table(page, "stupide_vautour", 3)
    others = [Person(house.server, name) for name in ("Ben", "Cleo")]
    for person in others:
        assert person.do(path.removeprefix("/t/"), "sit")[0] == 200
    do(page, path, "start")
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    page.evaluate(WATCH)
    is_good = look(page, path)["view"]["stake"] >= 0
    tied, alone = (9, 4) if is_good else (4, 9)  # the two that would take it cancel each other
    for person, card in zip(others, (tied, alone), strict=True):
        assert person.do(path.removeprefix("/t/"), "play", move=card)[0] == 200
    do(page, path, "play", move=tied, seat=None)
    wait_until(page, lambda: page.evaluate("window.seen.at(-1)?.told") == "")
    seen = [shot for shot in page.evaluate("window.seen") if shot["told"]]
    taking = f"reveal cancel {'award' if is_good else 'penalty'}"
    told = [shot["told"] for shot in seen if not shot["told"].endswith("note")]
    assert told == ["reveal", "reveal cancel", taking, "begin"]
    by_kind = {shot["told"]: shot for shot in seen}
    reveal, cancel, award, begin = (by_kind[kinds] for kinds in told)
    assert [shot["struck"] for shot in (reveal, cancel, award, begin)] == [0, 2, 2, 0]
    assert [shot["cards"] for shot in (reveal, cancel, award)] == [3, 3, 3]
    assert {shot["round"] for shot in (reveal, cancel, award)} == {"Round 1 of 15"}
    assert begin["round"] == "Round 2 of 15"
    assert {shot["stake"] for shot in (reveal, cancel, award)} == {reveal["stake"]}
    assert begin["stake"] != reveal["stake"]
    assert f"The {tied}s cancel each other" in cancel["sentence"]
    assert f"with the {alone}" in award["sentence"]
    flights = [flight for flight in page.evaluate("window.flights") if flight["isStake"]]
    assert flights
    assert all(flight["told"].startswith(taking) for flight in flights)
    told_ms = 1000 * shown_s(taking.rsplit(maxsplit=1)[-1], pace=pace)
    assert 0 < flights[0]["ms"] <= told_ms  # it lands while that is told


def test_the_history_says_who_took_what_the_table_hides(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "stupide_vautour", 2)
    do(page, path, "play", move=15, seat=None)
    history = page.get_by_role("group", name="History")
    expect(history.get_by_role("listitem").first).to_contain_text("the stake")
    expect(history.get_by_role("heading")).to_have_text("Round 1")


def test_a_turn_of_whats_up_is_told_in_order_and_calmly_against_bots(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "whats_up", 2, first=0)
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    page.evaluate(FILM)
    do(page, path, "play", move=0, seat=None)
    expect(page.locator("p.prompt[data-told^=turn]")).to_contain_text("Ada turns over a1: ")
    expect(page.get_by_role("gridcell").first).to_contain_class("flipping")
    expect(page.locator("p.prompt[data-told='']")).to_have_text("Turn over a card", timeout=20_000)
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in filmed(page))]
    assert set(told) <= {"", "turn", "turn place"}
    assert all(before == "turn" for before, after in pairwise(told) if after == "turn place")
    turns = [text.partition(":")[0] for text in heard(page) if " turns over " in text]
    assert turns[0] == "Ada turns over a1"
    assert [text.split()[0] for text in turns] == ["Ada", "Margot"]
    history = page.get_by_role("group", name="History")
    expect(history.get_by_role("listitem").first).to_have_text("Ada begins")
    expect(history).not_to_contain_text("turns over")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Calm")).to_have_attribute("aria-pressed", "true")


def test_a_turned_card_is_seen_for_two_seconds_by_those_who_watch_bots(house: House) -> None:
    """The bots of this house hardly pause, so that much waits to be shown; drawing takes long."""
    ada = house.page("Ada")
    path = open_table(ada, "whats_up", 3)
    page = house.page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    do(ada, path, "leave", seat=0)
    do(ada, path, "start")
    expect(page.locator("p.prompt")).to_be_visible()
    page.evaluate(WATCH_TURNS)
    wait_until(page, lambda: len(page.evaluate("window.turns")) >= 3)
    assert min(page.evaluate("window.turns")) >= 2000


# As on a slow device, a card that is turned takes a while until it is seen.
WATCH_TURNS = """() => {
  const slowly = () => {
    const start = performance.now();
    while (performance.now() < start + 300);
    return performance.now();
  };
  const turns = (window.turns = []);
  const prompt = document.querySelector("p.prompt");
  let since;
  const note = () => {
    const isTurn = prompt.dataset.told === "turn";
    if (isTurn && since === undefined) since = slowly();
    if (isTurn || since === undefined) return;
    turns.push(performance.now() - since);
    since = undefined;
  };
  new MutationObserver(note).observe(prompt, { attributes: true, subtree: true, childList: true });
}"""


def test_the_pace_survives_a_reload(house: House) -> None:
    page = house.page("Ada", hurried=True)
    open_match(page, "stupide_vautour", 2)
    brisk = page.get_by_role("button", name="Brisk")
    page.get_by_role("button", name="Menu").click()
    expect(brisk).to_have_attribute("aria-pressed", "false")
    brisk.click()
    expect(brisk).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.get_by_role("button", name="Menu").click()
    expect(brisk).to_have_attribute("aria-pressed", "true")


def test_the_beginning_of_a_match_is_shown(house: House) -> None:
    page = house.page("Ada")
    open_table(page, "up_and_down", 2)
    page.evaluate(FILM)
    start_button(page).click()
    expect(page.locator("p.prompt[data-told='']")).to_be_visible()
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in filmed(page)) if kinds]
    assert told[0] in ("begin", "begin begin")  # a slow machine may leave out the first frame
    assert heard(page)[0] == "Everyone gets 15 cards"


def test_what_a_move_skips_is_spoken(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "up_and_down", 2)
    page.locator(".bar button, .hand button[aria-disabled=false]").first.click()
    wait_until(page, lambda: len(heard(page)) >= 5)
    assert [text.split()[0] for text in heard(page)[:2]] == ["Everyone", "Dice:"]
    assert heard(page)[4].endswith("who leads the first trick")


def test_what_players_have_to_remember_is_not_left_to_be_read(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "whats_up", 2, first=0)
    do(page, path, "play", move=0, seat=None)
    wait_until(page, lambda: any(text.startswith("Margot turns over") for text in heard(page)))
    spoken = page.get_by_role("log", name="History")
    expect(spoken).not_to_contain_text("turns over")
    expect(spoken).to_contain_text("Ada begins")


def test_the_end_leaves_the_focus_to_players_who_write(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "team_up", 1)
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Your message").focus()
    do(page, path, "play", move=max(look(page, path)["legal"]), seat=None)
    expect(result(page)).to_be_visible()
    expect(page.get_by_label("Your message")).to_be_focused()


def test_a_hidden_page_keeps_what_happened_meanwhile(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "stupide_vautour", 2)
    page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
    do(page, path, "play", move=15, seat=None)
    expect(page.locator(".round")).to_have_text("Round 2 of 15")
    expect(page.get_by_role("group", name="History").get_by_role("listitem")).to_have_count(1)


def test_chat_is_spoken_in_a_region_of_its_own(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "team_up", 2)
    ben = Person(house.server, "Ben")
    for command in ({"do": "sit"}, {"do": "say", "text": "Good luck!"}):
        assert ben.do(path.removeprefix("/t/"), **command)[0] == 200
    expect(page.get_by_role("log", name="Chat")).to_have_text("Ben: Good luck!")
    expect(page.get_by_role("log", name="History")).to_have_text("Ben sits down.")
