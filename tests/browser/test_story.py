"""What happened is shown one thing after the other, and spoken in the same order."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

from playwright.sync_api import Page, expect

from browsing import House, do, open_match

FILM = """() => {
  const frames = (window.frames_seen = []);
  const shoot = () => {
    const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
    frames.push({
      told: document.querySelector("p.prompt")?.dataset.told ?? "",
      round: text(".round"),
      stake: document.querySelector("[data-point=stake] ul")?.ariaLabel ?? "",
      cards: document.querySelectorAll(".flip").length,
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
    spoken = page.get_by_role("log", name="History")
    expect(spoken).to_contain_text("card takes it")
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
    # While it is told, all cards lie open beside the stake that they are played for.
    assert {frame["round"] for frame in revealing} == {"Round 1 of 15"}
    assert {frame["cards"] for frame in revealing} == {3}
    assert {frame["stake"] for frame in revealing} == {revealing[0]["stake"]} != {""}
    first, *_, last = spoken.locator("p").all_inner_texts()
    assert first.startswith(("Meerkat", "Vulture"))
    assert last.startswith(("Meerkat", "Vulture"))


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
    page.evaluate(FILM)
    do(page, path, "play", move=0, seat=None)
    expect(page.locator("p.prompt[data-told^=turn]")).to_contain_text("Ada turns over a1: ")
    expect(page.get_by_role("gridcell").first).to_contain_class("flipping")
    expect(page.locator("p.prompt[data-told='']")).to_have_text("Turn over a card", timeout=20_000)
    told = [kinds for kinds, _ in groupby(frame["told"] for frame in filmed(page))]
    assert set(told) <= {"", "turn", "turn place"}
    assert all(before == "turn" for before, after in pairwise(told) if after == "turn place")
    spoken = page.get_by_role("log").locator("p").all_inner_texts()
    turns = [text.partition(":")[0] for text in spoken if " turns over " in text]
    assert turns[0] == "Ada turns over a1"
    assert [text.split()[0] for text in turns] == ["Ada", "Margot"]
    history = page.get_by_role("group", name="History")
    expect(history.get_by_role("listitem").first).to_have_text("Ada begins")
    expect(history).not_to_contain_text("turns over")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Calm")).to_have_attribute("aria-pressed", "true")
