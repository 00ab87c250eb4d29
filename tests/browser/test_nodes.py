"""Several nodes: what pages say of a broker, a database and a node that are away or stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import TimeoutError as NotInTime

import nodes
from browsing import ATTEMPT_TIMEOUT_MS, House, HurriedServer, open_match
from faults.network import Relay
from homes import Home
from people import WAIT_TIMEOUT_S
from postgres import Postgres, sqlalchemy_url


class HurriedNode(nodes.NodeProcess):
    command = HurriedServer.command


class HurriedNodes(nodes.House):
    kind = HurriedNode


@pytest.fixture
def two_nodes(tmp_path: Path) -> Iterator[nodes.House]:
    running = HurriedNodes(tmp_path)
    yield running
    running.stop()


def test_a_page_says_so_while_the_broker_is_away_and_a_move_made_meanwhile_is_played(
    browser: Browser, two_nodes: nodes.House
) -> None:
    near, far = (House(browser, node) for node in two_nodes.nodes)
    page, other = near.page("Ada"), far.page("Bob")
    path = open_match(page, "stupide_vautour", 2)
    other.goto(path)  # looks on through the other node
    page.get_by_role("button", name="play the 7").click()
    for one in (page, other):
        expect(one.get_by_text("Round 2 of 15")).to_be_visible()

    two_nodes.broker.stop()
    for one in (page, other):
        expect(one.get_by_text("Connection lost")).to_be_visible()
    page.get_by_role("button", name="play the 8").click()
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()

    two_nodes.broker.start()
    for one in (page, other):
        expect(one.get_by_text("Connection lost")).to_be_hidden()
        expect(one.get_by_text("Round 3 of 15")).to_be_visible()
    expect(page.get_by_role("button", name="play the 8")).to_be_hidden()
    for house in (near, far):
        house.close()
        assert house.errors == []


# Notes whether the page has ever said that its connection is lost.
WATCH = """
window.wasLost = false;
new MutationObserver(() => {
  window.wasLost ||= document.body?.innerText.includes("Connection lost");
}).observe(document, { childList: true, subtree: true });
"""


class Entrance(HurriedServer):
    """A balancer before all nodes."""

    def __init__(self, running: nodes.House) -> None:
        self.relay = Relay(*(node.port for node in running.nodes))
        super().__init__(running.nodes[0].data)

    def start(self) -> None:
        """Nothing: the nodes are there."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.relay.port}"


def test_a_page_notices_nothing_when_one_node_after_the_other_is_started_anew(
    browser: Browser, two_nodes: nodes.House
) -> None:
    entrance = Entrance(two_nodes)
    house = House(browser, entrance)
    page = house.page("Ada")
    page.add_init_script(WATCH)
    open_match(page, "stupide_vautour", 2)
    for number, node in enumerate(two_nodes.nodes, 1):
        page.get_by_role("button", name=f"play the {number}", exact=True).click()
        node.process.terminate()
        expect(page.get_by_text(f"Round {number + 1} of 15")).to_be_visible()
        node.process.wait(WAIT_TIMEOUT_S)
        two_nodes.mend()
    page.get_by_role("button", name="play the 3", exact=True).click()
    expect(page.get_by_text("Round 4 of 15")).to_be_visible()
    assert page.evaluate("window.wasLost") is False
    house.close()
    entrance.relay.close()
    assert house.errors == []


@pytest.fixture
def database() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.stop("immediate")


def test_a_page_says_so_while_the_database_is_away_and_play_goes_on_afterwards(
    browser: Browser, database: Postgres, tmp_path: Path
) -> None:
    running = HurriedNodes(tmp_path, home=Home(sqlalchemy_url(database.new_database())))
    near, far = (House(browser, node) for node in running.nodes)
    page, other = near.page("Ada"), far.page("Bob")
    other.goto(open_match(page, "stupide_vautour", 2))
    for one in (page, other):
        expect(one.get_by_text("Round 1 of 15")).to_be_visible()

    database.stop()
    page.get_by_role("button", name="play the 7").click()
    for one in (page, other):
        expect(one.get_by_text("Connection lost")).to_be_visible()

    database.start()
    for one in (page, other):
        expect(one.get_by_text("Connection lost")).to_be_hidden()
    if not page.get_by_text("Round 2 of 15").is_visible():
        with suppress(NotInTime):  # unless the page asks again, and has just been answered
            page.get_by_role("button", name="play the 7").click(timeout=ATTEMPT_TIMEOUT_MS)
    for one in (page, other):
        expect(one.get_by_text("Round 2 of 15")).to_be_visible()
    for house in (near, far):
        house.close()
        assert house.errors == []
    running.stop()
