"""What makes it a pleasure: reactions, what is felt and heard, a lobby that invites."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browsing import (
    GAMES,
    PHONE,
    House,
    board,
    do,
    finish,
    open_match,
    open_table,
    play_one,
    start_button,
)

# Keeps every reaction that has been shown.
REACTIONS = """
window.reactions = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (!target.matches?.(".sky")) continue;
    for (const node of addedNodes) {
      const face = node.querySelector?.("svg")?.getAttribute("aria-label");
      if (face) window.reactions.push(face + node.textContent.trim());
    }
  }
}).observe(document, { childList: true, subtree: true });
"""
# A phone that keeps what it was asked to let feel; and a browser that counts what it sounded.
FELT = """
window.felt = [];
Object.defineProperty(Navigator.prototype, "vibrate", {
  value(pattern) { window.felt.push(pattern); return true; }
});
"""
HEARD = """
window.rings = 0;
window.begun = [];
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...values) { window.rings++; return start.apply(this, values); };
}
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.begun.push(navigator.userActivation.isActive); }
};
"""
OWN_MOVE = [12]
SETTINGS = "Language, theme and sounds"


def switch_off(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_role("checkbox", name=name).uncheck()


def watched_match(page: Page) -> list[str]:
    """The reactions in a whole match with four novices."""
    page.add_init_script(REACTIONS)
    path = open_table(page, "stupide_vautour", 5)
    for seat in range(1, 5):
        do(page, path, "seat", seat=seat, bot="novice")
    start_button(page).click()
    finish(page, path, is_watched=True)
    return list(page.evaluate("window.reactions"))


def test_bots_react_at_most_once_a_round(house: House) -> None:
    reactions = watched_match(house.page("Ada", hurried=True))
    assert 1 <= len(reactions) <= 15
    assert all(re.fullmatch(r"[🎉😢😮]\w+", text) for text in reactions)
    assert not any("Ada" in text for text in reactions)


def test_the_reactions_of_bots_can_be_turned_off(house: House) -> None:
    page = house.page("Ada", hurried=True)
    switch_off(page, "Bot reactions")
    assert watched_match(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_an_own_move_is_felt_in_every_game(house: House, game: str) -> None:
    phone = house.page("Ada", **PHONE)
    phone.add_init_script(FELT)
    open_match(phone, game, 2)
    play_one(game, phone, 0)
    assert OWN_MOVE in phone.evaluate("window.felt")


def test_nothing_is_felt_where_that_is_turned_off(house: House) -> None:
    phone = house.page("Ada", **PHONE)
    phone.add_init_script(FELT)
    switch_off(phone, "Vibration")
    open_match(phone, "stupide_vautour", 2)
    play_one("stupide_vautour", phone, 0)
    assert phone.evaluate("window.felt") == []


def test_a_desk_offers_no_vibration(house: House) -> None:
    page = house.page("Ada")
    page.goto("/")
    page.get_by_role("button", name=SETTINGS).click()
    expect(page.get_by_role("checkbox", name="Sounds")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Vibration")).to_have_count(0)


def test_the_sound_begins_with_a_press_and_goes_on_without_one(house: House) -> None:
    page = house.page("Ada", hurried=True)
    page.add_init_script(HEARD)
    path = open_match(page, "stupide_vautour", 2)
    assert page.evaluate("window.begun") == [True]
    begun = page.evaluate("window.rings")
    finish(page, path, is_watched=True)
    assert page.evaluate("window.rings") > begun
    assert page.evaluate("window.begun") == [True]


def test_an_empty_lobby_invites(house: House) -> None:
    page = house.page()
    page.goto("/")
    expect(page.get_by_text("the bots are already here")).to_be_visible()
    page.get_by_role("button", name="Pick a game for me").click()
    expect(board(page)).to_be_visible()
