"""A part of the page that does not come is fetched again by itself, but never in a circle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Route, expect

from browsing import House, board, wait_until
from people import Person, Server

# What a service worker fetches cannot be intercepted.
NO_WORKER = "navigator.serviceWorker.register = async () => undefined"


class Failing:
    """A page that asks for a part in vain, whenever it is loaded, this many times."""

    def __init__(self, page: Page, part: str, times: int) -> None:
        self.loadings = 0
        self.times = times
        page.add_init_script(NO_WORKER)
        page.on("request", self.count)
        page.route(f"**/assets/{part}-*.js", self.answer)

    def count(self, request: Request) -> None:
        self.loadings += request.is_navigation_request()

    def answer(self, route: Route) -> None:
        if self.loadings > self.times:
            route.continue_()
        else:
            route.abort()


def begun(server: Server, game: str) -> str:
    """The path of a table where somebody else plays."""
    ada = Person(server, "Ada")
    table = ada.open_table(game, seats=2)
    ada.do(table, "start")
    return f"/t/{table}"


@pytest.fixture(scope="module")
def path(server: Server) -> str:
    return begun(server, "stupide_vautour")


@pytest.mark.parametrize("part", ["Table", "Board"])
def test_a_part_that_failed_once_comes_without_anyone_touching_the_page(
    house: House, path: str, part: str
) -> None:
    page = house.page("Bob")
    failing = Failing(page, part, times=1)
    page.goto(path)
    expect(board(page)).to_contain_text("Round 1 of 15")
    assert failing.loadings == 2


def test_a_part_that_keeps_failing_is_told_and_the_page_rests(house: House, path: str) -> None:
    page = house.page("Bob", locale="fr-FR")
    failing = Failing(page, "Board", times=2)
    page.clock.install()
    page.goto(path)
    expect(page.get_by_role("alert")).to_contain_text("n’est pas arrivé")
    page.evaluate("window.same = true")
    page.clock.run_for(10_000)  # so nothing is left that would load it later
    assert page.evaluate("window.same"), "the page was reloaded"
    assert failing.loadings == 2

    page.get_by_role("button", name="Recharger la page").click()
    expect(board(page)).to_contain_text("Manche 1")


def test_while_the_server_is_away_the_page_waits_for_it(house: House, path: str) -> None:
    page = house.page("Bob")
    Failing(page, "Board", times=1)
    asked: list[Route] = []

    def refuse(route: Route) -> None:
        asked.append(route)
        route.abort()

    page.route("**/api/me", refuse)
    page.route("**/api/me", lambda route: route.continue_(), times=1)  # as the page begins
    page.goto(path)
    expect(page.get_by_text("Part of this page is still missing")).to_be_visible()
    wait_until(page, lambda: len(asked) > 1)
    expect(page.get_by_text("Part of this page is still missing")).to_be_visible()
    page.unroute("**/api/me")
    expect(board(page)).to_contain_text("Round 1 of 15")


def test_a_pallet_without_its_third_dimension_is_seen_from_above(
    house: House, server: Server
) -> None:
    page = house.page("Bob", in_3d=True)
    failing = Failing(page, "Pallet3D", times=9)
    page.goto(begun(server, "team_up"))
    expect(page.get_by_role("group", name="The pallet from above")).to_be_visible()
    assert failing.loadings == 1


def test_words_that_do_not_come_are_fetched_again_too(house: House) -> None:
    page = house.page("Bob")
    page.add_init_script(NO_WORKER)
    page.route("**/api/words/*", lambda route: route.abort(), times=1)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shall we play?")
