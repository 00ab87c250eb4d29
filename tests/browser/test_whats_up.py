"""A card that is taken flies to its row, and a stall says how much is left."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

from browsing import House, do, look, open_table, start_button
from ludotheque.games.whats_up.notation import cell_text
from ludotheque.games.whats_up.rules import (
    CARDS,
    HOLE,
    State,
    fits,
    is_vote_open,
    quiet_limit,
)

FILM = """() => {
  const flights = (window.flights_seen = []);
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const film = (flight, card, slot) => {
    const { duration } = flight.effect.getTiming();
    const path = [];
    for (let step = 0; step <= 100; step++) {
      flight.currentTime = (step / 100) * duration;
      path.push(centre(card));
    }
    flight.currentTime = 0;
    const cell = card.closest("[data-point]").dataset.point;
    flights.push({ cell, path, slot: centre(slot), album: slot.closest("section").ariaLabel });
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...frames) {
    const flight = animate.apply(this, frames);
    if (this.matches(".card")) film(flight, this, document.querySelector(".slot.arriving"));
    return flight;
  };
}"""


class Pair(NamedTuple):
    """Ada looks at the page and Ben plays without one; seats 0 and 1."""

    ada: Page
    ben: Page
    path: str

    def view(self) -> State:
        return State.from_json(look(self.ada, self.path)["view"])

    def turn(self, cell: int) -> State:
        """The player whose turn it is turns this card; the answer is the view after it."""
        page = (self.ada, self.ben)[self.view().turn]
        do(page, self.path, "play", move=cell, seat=None)
        return self.view()


def begun(house: House, **settings: Any) -> Pair:
    ada, ben = house.page("Ada", **settings), house.page("Ben")
    pair = Pair(ada, ben, open_table(ada, "whats_up", 2, stall="two rounds"))
    do(ben, pair.path, "sit")
    start_button(ada).click()
    expect(ada.get_by_role("grid")).to_be_visible()
    return pair


def told(page: Page, kinds: str) -> Locator:
    return page.locator(f"p.prompt[data-told{kinds}]")


def distance(one: list[float], other: list[float]) -> float:
    return abs(complex(*one) - complex(*other))


def test_a_card_that_is_taken_flies_to_its_row(house: House) -> None:
    pair = begun(house, reduced_motion="no-preference")
    page = pair.ada
    page.evaluate(FILM)
    flights: list[Any] = []
    for cell in range(CARDS):
        taken = pair.turn(cell).taken != HOLE
        expect(told(page, "^=turn")).to_be_visible()
        expect(told(page, "=''")).to_be_visible()
        flights = page.evaluate("window.flights_seen")
        assert len(flights) == taken
        if taken:
            break
    flight = flights[0]
    whole = distance(flight["path"][0], flight["slot"])
    nearest = min(distance(place, flight["slot"]) for place in flight["path"])
    button = page.get_by_role("gridcell").nth(cell).get_by_role("button")
    assert distance(centre(button), flight["path"][0]) < 0.05 * whole
    assert nearest < 0.05 * whole
    assert flight["cell"] == cell_text(cell)
    assert flight["album"].startswith(("Ada", "Ben")[cell % 2])
    expect(page.locator(".slot.held")).to_have_count(1)
    assert centre(page.locator(".slot.held")) == flight["slot"]
    expect(button).to_contain_class("hole")


def centre(element: Locator) -> list[float]:
    box = element.bounding_box()
    assert box is not None
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def misfit(pair: Pair) -> int:
    """A cell whose card fits nobody, whichever side shows; cards are turned to find it."""
    for cell in range(CARDS):
        before = pair.view()
        after = pair.turn(cell)
        faces = (before.up[cell], after.up[cell])
        if after.taken == HOLE and not any(fits(after, s, face) for s in (0, 1) for face in faces):
            return cell
    raise AssertionError("every card fits somebody")


def test_a_stall_says_how_many_rounds_are_left(house: House) -> None:
    pair = begun(house)
    cell = misfit(pair)
    while not is_vote_open(view := pair.view()) or view.quiet % view.seats != 0:
        pair.turn(cell)
    left = (quiet_limit(view) - view.quiet) // view.seats
    spoken, status = pair.ada.get_by_role("log", name="History"), pair.ada.locator(".status")
    expect(spoken).to_contain_text(f"{left} rounds")
    expect(status).to_contain_text(f"Ends in {left} rounds unless a card is taken")
    pair.turn(cell)
    pair.turn(cell)
    expect(spoken).to_contain_text(f"Still no card taken: {left - 1} rounds left before the end")
    expect(status).to_contain_text(f"Ends in {left - 1} rounds unless a card is taken")
