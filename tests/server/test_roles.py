"""Nodes that have only tables, and nodes that have only bots, as processes of their own."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nodes import BrokerProcess, NodeProcess
from people import WAIT_TIMEOUT_S, Person, Socket, refusal
from slow_game import write_slow_game

GAME = "far_stones"
# A master whose thoughts end when the gate beside it is gone.
GATED = """
import time


class Master(Master):
    def choose(self, view, legal_moves, deadline=NO_DEADLINE):
        while (Path(__file__).parent / "closed").exists():
            time.sleep(0.01)
        return super().choose(view, legal_moves)
"""


class Node(NodeProcess):
    """A node whose bots do not pause as people do."""

    command = (
        "from ludotheque.bots import roster; roster.pause = lambda game, kind, seconds: 0.05; "
        "from ludotheque.cli import main; main()"
    )


class Site:
    """A broker, a node with tables, and one with bots that is started by the test."""

    def __init__(self, folder: Path) -> None:
        games = folder / "games"
        write_slow_game(GAME, games, steps=0)
        bot = games / GAME / "bot"
        with (bot / "__init__.py").open("a", encoding="utf-8") as text:
            text.write(GATED)
        self.gate = bot / "closed"
        self.broker = BrokerProcess(folder / "broker")
        self.tables, self.bots = (
            Node(folder / "data", self.broker.address, role, "--role", role, "--games", str(games))
            for role in ("tables", "bots")
        )

    def begin(self, node: NodeProcess) -> None:
        node.launch()
        node.wait_until_it_is_ready()

    def stop(self) -> None:
        self.tables.sockets.close()
        for node in (self.tables, self.bots):
            if node.is_up:
                node.kill()
        self.broker.stop()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path)
    running.begin(running.tables)
    yield running
    running.stop()


def table_with_a_master(site: Site) -> tuple[Person, Socket]:
    ann = Person(site.tables, "Ann")
    table = ann.open_table(GAME, seats=2, hints="on")
    assert ann.do(table, "seat", seat=1, bot="master")[0] == 200
    socket = ann.connect(table)
    socket.update()
    return ann, socket


def stand_in(update: Any) -> Any:
    return update["table"]["seats"][1]["stand_in"]


def play_to_the_end(socket: Socket) -> None:
    """Ann plays whatever is legal, and the bot does when it is awaited."""
    while not socket.wait(lambda update: _is_awaited(update) or update["match"]["over"])["match"][
        "over"
    ]:
        seen = socket.latest["version"]
        move = socket.latest["match"]["legal"][0]
        assert socket.reply(socket.request("play", move=move))["done"]
        socket.wait_beyond(seen)


def _is_awaited(update: Any) -> bool:
    return bool(update["match"] and 0 in update["match"]["awaited"] and update["match"]["legal"])


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_TIMEOUT_S
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_masters_moves_and_hints_are_thought_on_the_node_with_bots(site: Site) -> None:
    site.begin(site.bots)
    ann, socket = table_with_a_master(site)
    socket.wait(lambda update: stand_in(update) is None)
    assert socket.reply(socket.request("start"))["done"]
    status, hints = ann.call("POST", f"/api/tables/{socket.latest['table']['id']}/hints", {})
    assert (status, [hint["reason"] for hint in hints]) == (200, ["best"])
    play_to_the_end(socket)
    moves = sum(line["seat"] == 1 for line in socket.lines)
    assert site.bots.metric("thoughts_total") == 1 + moves
    assert site.bots.metric('node_info{node="bots"}') == 1
    assert site.tables.metric("thoughts_total") == 0


def test_a_node_with_bots_that_dies_in_the_middle_of_a_thought_does_not_stop_the_match(
    site: Site,
) -> None:
    site.gate.touch()
    site.begin(site.bots)
    _, socket = table_with_a_master(site)
    socket.wait(lambda update: stand_in(update) is None)
    assert socket.reply(socket.request("start"))["done"]
    socket.wait(_is_awaited)
    move = socket.latest["match"]["legal"][0]
    assert socket.reply(socket.request("play", move=move))["done"]
    wait_until(lambda: site.bots.metric("bots_thinking") == 1)
    site.bots.kill()
    socket.wait(lambda update: _is_awaited(update) and stand_in(update) == "regular")
    # Another one comes, and the master plays on.
    site.gate.unlink()
    site.begin(site.bots)
    socket.wait(lambda update: stand_in(update) is None)
    play_to_the_end(socket)


def test_without_any_node_with_bots_a_weaker_bot_stands_in_and_the_table_says_so(
    site: Site,
) -> None:
    _, socket = table_with_a_master(site)
    assert stand_in(socket.latest) == "regular"
    assert socket.reply(socket.request("start"))["done"]
    play_to_the_end(socket)


def test_a_node_with_bots_only_answers_its_host(site: Site) -> None:
    site.begin(site.bots)
    assert site.bots.metric("bots_thinking") == 0
    for path, expected in (("healthz", 200), ("readyz", 200), ("api/games", 404), ("", 404)):
        try:
            status = urllib.request.urlopen(f"http://{site.bots.address}/{path}").status
        except urllib.error.HTTPError as error:
            status = error.code
        assert (path, status) == (path, expected)


@pytest.mark.parametrize("role", ["tables", "bots"])
def test_a_role_needs_a_broker(tmp_path: Path, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_ROLE", role)
    said = refusal(tmp_path)
    assert f"role is {role}, which needs a broker: name one with --broker" in " ".join(said.split())
