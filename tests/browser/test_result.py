"""The end of a match: who won and why, the board still in view, another match with one click."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browsing import (
    PHONE,
    House,
    board,
    do,
    finish,
    look,
    open_match,
    open_more,
    open_table,
    press,
    result,
    small_targets,
    start_button,
)

SEATS = {"stupide_vautour": 2, "whats_up": 2, "up_and_down": 2, "team_up": 1, "ubongo": 1}
SIZES = ((360, 640), (375, 553), (390, 844), (844, 390), (820, 1180), (1440, 900))
IN_VIEW = 0.38  # of the window's height, on the smallest of them
# How much of the window's height shows the board.
SHOWN = """() => {
  const board = document.querySelector("main .board").getBoundingClientRect();
  const end = document.querySelector("main .end").getBoundingClientRect();
  const top = end.width < innerWidth / 2 ? board.top : Math.max(board.top, end.bottom);
  return (Math.min(board.bottom, innerHeight) - top) / innerHeight;
}"""
# The buttons of the result that are cut off by its border.
CUT = """() => {
  const box = document.querySelector(".result").getBoundingClientRect();
  return [...document.querySelectorAll(".result .actions button")]
    .filter((button) => button.checkVisibility())
    .filter((button) => button.getBoundingClientRect().bottom > Math.min(box.bottom, innerHeight))
    .map((button) => button.textContent.trim());
}"""
# Notes the pitch of every tone.
HEAR = """
window.tones = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (...when) {
  window.tones.push(Math.round(this.frequency.value));
  start.apply(this, when);
};
"""
TOP_OF_THE_FANFARE = 1047  # hertz; only a victory sounds so high
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def in_view(page: Page) -> dict[tuple[int, int], float]:
    shown = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate(SIDEWAYS) == 0
        shown[width, height] = page.evaluate(SHOWN)
    return shown


@pytest.mark.parametrize(("game", "seats"), SEATS.items())
def test_the_board_stays_in_view_when_a_match_is_over(house: House, game: str, seats: int) -> None:
    page = house.page("Ada")
    finish(page, open_match(page, game, seats))
    assert {size: part for size, part in in_view(page).items() if part < IN_VIEW} == {}
    page.set_viewport_size(PHONE["viewport"])
    assert small_targets(page) == []
    open_more(page)
    assert small_targets(page) == []


@pytest.mark.parametrize("game", ["stupide_vautour", "team_up"])
def test_what_may_be_done_at_the_end_is_whole_on_a_phone(house: House, game: str) -> None:
    page = house.page("Ada", locale="fr-FR")
    finish(page, open_match(page, game, SEATS[game]))
    for width, height in ((844, 390), (720, 450), (320, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate(CUT) == [], (width, height)


def finish_together(pages: list[Page], path: str) -> None:
    """Play on without the pages, always the first of the legal moves, until the result."""
    while not (found := [look(page, path) for page in pages])[0]["over"]:
        for page, match in zip(pages, found, strict=True):
            if match["awaited"][:1] == [match["viewer"]]:
                do(page, path, "play", move=match["legal"][0], seat=None)
    for page in pages:
        expect(result(page)).to_be_visible()


def fanfares(page: Page) -> int:
    tones: list[int] = page.evaluate("window.tones")
    return tones.count(TOP_OF_THE_FANFARE)


def test_winners_hear_it_once_and_guests_ask_for_another_match(house: House) -> None:
    host, guest = house.page("Ada", hurried=True), house.page("Bob", hurried=True, **PHONE)
    for page in (host, guest):
        page.add_init_script(HEAR)
    path = open_table(host, "up_and_down", 2)
    guest.goto(path)
    guest.get_by_role("button", name="Sit down").first.tap()
    expect(host.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    start_button(host).click()
    expect(board(host)).to_be_visible()
    finish_together([host, guest], path)
    winners = look(host, path)["winners"]
    assert [fanfares(page) for page in (host, guest)] == [int(seat in winners) for seat in (0, 1)]
    guest.get_by_role("button", name="I want to play again").tap()
    expect(host.get_by_text("For another match: Bob")).to_be_visible()
    wishes = guest.get_by_text("For another match: Bob")
    for width, height in SIZES:
        guest.set_viewport_size({"width": width, "height": height})
        expect(wishes).to_be_in_viewport(ratio=1)
    expect(guest.get_by_role("button", name="Rather not, after all")).to_be_visible()
    host.get_by_role("button", name="Play again").click()
    expect(result(guest)).to_be_hidden()
    expect(board(guest)).to_be_visible()
    finish_together([host, guest], path)
    expect(open_more(host)).to_contain_text("Matches won at this table")


def test_a_player_alone_wins_against_nobody_but_has_a_best_score(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "ubongo", 1)
    finish(page, path)
    expect(result(page)).to_have_text("0 points in six rounds")
    expect(page.locator(".crown")).to_have_count(0)
    expect(page.get_by_text("Your first result on this device")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Your first result on this device")).to_be_visible()


def test_a_move_is_confirmed_if_the_player_wants_it(house: House) -> None:
    page = house.page("Ada")
    page.add_init_script("localStorage.setItem('ludotheque.confirm-moves', 'yes')")
    open_match(page, "stupide_vautour", 2)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    hand.first.click()
    prompt = page.locator("p.prompt.ours")
    expect(prompt).to_contain_text("Once more to play, or confirm")
    expect(hand).to_have_count(15)
    prompt.get_by_role("button", name="Cancel").click()
    expect(prompt).to_contain_text("Choose a card")
    hand.last.click()
    prompt.get_by_role("button", name="Confirm").click()
    expect(hand).to_have_count(14)
    expect(page.locator("p.prompt.ours")).to_be_visible()
    hand.last.click()
    hand.last.click()
    expect(hand).to_have_count(13)


def test_a_finger_raises_a_card_and_the_prompt_says_how_it_is_played(house: House) -> None:
    page = house.page("Ada", **PHONE)
    open_match(page, "stupide_vautour", 2)
    prompt = page.locator("p.prompt.ours")
    expect(prompt).to_be_visible()
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    press(hand.last)
    expect(prompt).to_contain_text("Touch again to play")
    press(hand.last)
    expect(hand).to_have_count(14)


def test_a_phrase_is_read_in_the_language_of_each_reader(house: House) -> None:
    ada, bob = house.page("Ada"), house.page("Bob", locale="fr-FR")
    path = open_table(ada, "stupide_vautour", 2)
    bob.goto(path)
    expect(bob.get_by_role("button", name="S’asseoir").first).to_be_visible()
    ada.get_by_role("button", name="Well played!").click()
    expect(bob.get_by_role("log", name="Discussion")).to_contain_text("Ada")
    expect(bob.get_by_role("log", name="Discussion")).to_contain_text("Bien joué")
    expect(ada.get_by_role("log", name="Chat")).to_contain_text("Well played!")


def test_a_secret_score_explains_itself(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 2)
    page.get_by_role("button", name="secret points").first.click()
    expect(page.get_by_text("secret until the end").first).to_be_visible()
