"""A trick is told in order beside the rules it was played by, and nobody plays by rules unseen."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby, product
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

from browsing import PHONE, House, do, look, open_table, start_button
from ludotheque.engine.bits import numbers
from ludotheque.engine.seats import NOBODY
from ludotheque.games.up_and_down.rules import FLIP, State, best_seat, value_of

FILM = """() => {
  const frames = (window.frames_seen = []);
  const labels = (selector) =>
    [...document.querySelectorAll(selector)].map((card) => card.ariaLabel.split(",")[0]);
  const shoot = () => {
    const prompt = document.querySelector("p.prompt");
    frames.push({
      told: (prompt?.dataset.told ?? "").replaceAll(" note", ""),
      sentence: prompt?.textContent.trim() ?? "",
      rule: document.querySelector(".flipper")?.ariaLabel ?? "",
      open: labels(".laid.turning"),
      struck: labels(".laid.cancelled"),
      won: labels(".laid.won"),
      pot: document.querySelector("[data-point=pot]")?.textContent.trim() ?? "",
      top: document.querySelector("main .board").getBoundingClientRect().y,
    });
  };
  new MutationObserver(shoot).observe(document.body, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  });
}"""


class Duel(NamedTuple):
    """Ada looks at the page and Ben plays without one; seats 0 and 1."""

    ada: Page
    ben: Page
    path: str

    @property
    def pages(self) -> tuple[Page, Page]:
        return self.ada, self.ben

    def view(self) -> State:
        return State.from_json(look(self.ada, self.path)["view"])

    def play(self, seat: int, move: int) -> None:
        do(self.pages[seat], self.path, "play", move=move, seat=None)

    def change(self) -> None:
        self.play(self.view().leader, FLIP)

    def lay(self, is_cancelled: bool) -> None:
        """Two cards of one value, or two of which one takes the trick."""
        view = self.view()
        hands = [
            numbers(look(page, self.path)["view"]["hands"][s]) for s, page in enumerate(self.pages)
        ]
        for cards in product(*hands):
            view.laid[:2] = cards
            is_equal = value_of(cards[0]) == value_of(cards[1])
            if is_equal if is_cancelled else best_seat(view) != NOBODY:
                break
        for seat, card in enumerate(cards):
            self.play(seat, card)


def begun(house: House, **settings: Any) -> Duel:
    duel = Duel(house.page("Ada", **settings), house.page("Ben"), "")
    duel.ada.clock.install()
    duel = duel._replace(path=open_table(duel.ada, "up_and_down", 2))
    do(duel.ben, duel.path, "sit")
    start_button(duel.ada).click()
    expect(duel.ada.locator(".flipper")).to_be_visible()
    expect(told(duel.ada, "")).to_be_visible()
    return duel


def told(page: Page, kinds: str) -> Locator:
    """The prompt while these kinds of facts are told, and no more."""
    return page.locator(f"p.prompt[data-told='{kinds}']")


def rest(page: Page, begins: str) -> None:
    """Wait until this has begun to be told, and then until everything has been."""
    expect(page.locator(f"p.prompt[data-told^={begins}]")).to_be_visible()
    expect(told(page, "")).to_be_visible()


def play_trick(duel: Duel, is_cancelled: bool) -> None:
    duel.change()
    rest(duel.ada, "begin")
    duel.lay(is_cancelled)
    rest(duel.ada, "reveal")


def runs(frames: list[Any], field: str) -> list[Any]:
    return [value for value, _ in groupby(frame[field] for frame in frames)]


def test_two_tricks_are_told_in_order_beside_their_rules(house: House) -> None:
    duel = begun(house, reduced_motion="no-preference", **PHONE)
    page = duel.ada
    page.evaluate(FILM)
    play_trick(duel, is_cancelled=True)
    play_trick(duel, is_cancelled=False)
    frames = page.evaluate("window.frames_seen")
    assert [kinds for kinds in runs(frames, "told") if kinds] == [
        "begin",
        "begin begin",
        "reveal",
        "reveal cancel",
        "reveal cancel carry",
        "reveal cancel carry begin",
        "begin",
        "begin begin",
        "reveal",
        "reveal award",
        "reveal award begin",
    ]
    tricks = [
        list(trick)
        for is_trick, trick in groupby(frames, lambda f: f["told"].startswith("reveal"))
        if is_trick
    ]
    for trick in tricks:  # the rules and the cards stay while it is told
        assert len(runs(trick, "rule")) == len(runs(trick, "open")) == 1
        assert len(trick[0]["open"]) == 2
    assert len(runs(frames, "top")) == 1  # and no sentence is so long that the board gives way
    assert tricks[0][0]["rule"] != tricks[1][0]["rule"]
    assert [len(cards) for cards in runs(tricks[0], "struck")] == [0, 2]
    assert [len(cards) for cards in runs(tricks[1], "won")] == [0, 1]
    assert [cards for cards in runs(frames, "open") if cards] == [t[0]["open"] for t in tricks]
    assert runs(frames, "pot") == ["", "Pot: 1", ""]
    first, second = ({f["told"]: f["sentence"] for f in trick} for trick in tricks)
    assert "s cancel each other." in first["reveal cancel"]
    assert "the trick goes into the pot (1 trick)" in first["reveal cancel carry"]
    assert " takes 2 tricks with the pot: " in second["reveal award"]


def hand(page: Page) -> Locator:
    return page.get_by_role("group", name="Hand").get_by_role("button")


def test_the_cards_that_cannot_win_are_named_and_look_as_if_they_may_be_laid(house: House) -> None:
    duel = begun(house)
    duel.change()
    rest(duel.ada, "begin")
    prompt = duel.ada.locator("p.prompt")
    expect(prompt).to_contain_text("in your own suit, or a trump, takes the trick")
    labels = [card.get_attribute("aria-label") or "" for card in hand(duel.ada).all()]
    able = [label for label in labels if "your suit" in label or "trump" in label]
    vain = [label for label in labels if "cannot take the trick" in label]
    assert sorted([*able, *vain]) == sorted(labels)
    assert vain
    expect(hand(duel.ada).locator(".muted")).to_have_count(0)


def told_of_a_trick(house: House, leader: int) -> Duel:
    """A trick that this seat led is being told, and time stands still."""
    duel = begun(house)
    if duel.view().leader != leader:
        play_trick(duel, is_cancelled=False)
    duel.change()
    rest(duel.ada, "begin")
    duel.ada.clock.pause_at(datetime.fromtimestamp(duel.ada.evaluate("Date.now()") / 1000 + 1))
    duel.lay(is_cancelled=False)
    expect(told(duel.ada, "reveal")).to_be_visible()
    return duel


def test_a_card_is_not_laid_by_rules_that_have_not_been_shown(house: House) -> None:
    duel = told_of_a_trick(house, leader=0)
    page, count = duel.ada, hand(duel.ada).count()
    rule = page.locator(".flipper").get_attribute("aria-label")
    duel.change()
    expect(page.locator("p.prompt[data-behind]")).to_be_visible()
    hand(page).first.click()
    expect(told(page, "")).to_be_visible()
    expect(page.locator(".flipper")).not_to_have_attribute("aria-label", rule or "")
    expect(hand(page)).to_have_count(count)
    assert duel.view().laid == [-1] * 4
    hand(page).first.click()
    expect(hand(page)).to_have_count(count - 1)
    assert duel.view().laid[0] >= 0


def test_who_leads_again_goes_on_from_the_hand_to_the_rules_by_key(house: House) -> None:
    duel = begun(house)
    if duel.view().leader != 1:
        play_trick(duel, is_cancelled=False)
    duel.change()
    rest(duel.ada, "begin")
    duel.play(1, numbers(look(duel.ben, duel.path)["view"]["hands"][1])[0])
    hand(duel.ada).first.focus()
    duel.ada.keyboard.press("Enter")
    changes = duel.ada.get_by_role("group", name="Change one rule").get_by_role("button")
    expect(changes.first).to_be_focused()


def test_the_next_leader_may_change_the_rules_while_the_trick_is_told(house: House) -> None:
    duel = told_of_a_trick(house, leader=1)
    changes = duel.ada.get_by_role("group", name="Change one rule").get_by_role("button")
    side = duel.view().side
    changes.first.click()
    expect(changes).to_have_count(0)
    assert duel.view().side != side
