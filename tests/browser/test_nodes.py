"""Several nodes whose broker is away: the page says so, and everything goes on afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import nodes
from browsing import House, HurriedServer, open_match


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
