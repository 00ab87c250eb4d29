"""Letters between nodes of several versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast, get_args

import msgspec
import pytest

from ether import Ether, Shared, with_nodes
from folders import HANA, begun
from halls import BOB
from ludotheque.server import messages, questions
from ludotheque.server.nodes import route as routes
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import TABLES, Broker
from ludotheque.server.nodes.post import Post
from ludotheque.server.store import Store, Unavailable
from ludotheque.server.turn import Turn
from scenes import until

RECORDED = Path(__file__).with_name("recorded_letters.json")  # one of each kind, by version
REQUEST = messages.Request("1", messages.Say("hello"))
EXAMPLES: list[wire.AnyMessage] = [
    wire.Join("t", 1, 2, HANA, False, True, messages.Hello()),
    wire.Part("t", 1),
    wire.Ask("t", 3, HANA, REQUEST, 0.25),
    wire.Far("t", 1, 0.5),
    wire.Consult("t", 4, questions.Advise(HANA, 0, "an id")),
    wire.Shown("t", 1, 2, b"{}", 0, 1, 2, 3, 4),
    wire.Dismissed("t", 1),
    wire.Answered("t", 3, messages.Reply("1", False, "no", "over")),
    wire.NotHere("t"),
    wire.Call(5, wire.Retire("t", "g")),
    wire.Told(5, b"\xc0", "error", "Refused", "reason"),
    wire.JoinAgain(),
    wire.Takeover("t", 6, 7, 1.5, [Turn(1, 0, 2)], 1, [Turn(1, 1, 2)], True),
    wire.Beat(False, [("hints", "g", 1)]),
    wire.Goodbye(),
    wire.Ping(8),
    wire.Pong(8),
    wire.Renamed(BOB),
    wire.SignedOut("g", None),
    wire.Leaving("g", True),
    wire.Rewritten(["t"]),
]


def test_what_nodes_of_this_version_have_sent_so_far_is_read() -> None:
    """If this fails, raise the version and record the letters of that one beside these."""
    letter = wire.decode(bytes.fromhex(json.loads(RECORDED.read_text("utf-8"))[str(wire.VERSION)]))
    assert letter == wire.Letter(wire.VERSION, "a.1", 2, EXAMPLES)
    assert {type(each) for each in EXAMPLES} == set(get_args(wire.AnyMessage))


class Reader:
    """A node that notes what its post tells it."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def take(self, sender: str, message: wire.AnyMessage) -> None:
        self.heard.append(message)

    def note_other_version(self, sender: str) -> None:
        self.heard.append(f"{sender} has another version")

    def miss(self, sender: str) -> None:
        self.heard.append("something was lost")

    doubt = lose = miss


def read(*letters: list[Any]) -> list[object]:
    """What a node notes of letters that are sent to it."""
    reader = Reader()
    post = Post(cast(Broker, None), "a.1", reader)
    post.is_open = True
    for letter in letters:
        post._hear("ludotheque.to.a.1", msgspec.msgpack.encode(letter), False)
    return reader.heard


def test_of_a_letter_with_an_unknown_message_the_rest_is_read() -> None:
    unknown: Any = ["FromTheFuture", 1]
    letters = [[wire.VERSION, "b.1", number, [unknown, ["NotHere", "t"]]] for number in (1, 2)]
    assert read(*letters) == [wire.NotHere("t")] * 2


def test_of_a_letter_of_another_version_nothing_is_read() -> None:
    letters = [[wire.VERSION + 1, "b.1", number, [["NotHere", "t"]]] for number in (1, 7)]
    assert read(*letters) == ["b.1 has another version"] * 2


def test_a_message_may_have_got_new_fields() -> None:
    assert read([wire.VERSION, "b.1", 1, [["NotHere", "t", "new"]], "new"]) == [wire.NotHere("t")]


def test_nodes_of_two_versions_leave_their_tables_to_each_other_until_one_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "SEEK_S", 0.0)

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        table = await begun(there[1])
        route = await here[1].reach(table)
        assert await route.consult(questions.Exists()) is None
        ether.versions["b"] = wire.VERSION + 1
        there[0].beat()
        await until(lambda: not here[0].others)
        here[0].look_for_the_silent()
        assert not here[0].has_lost(there[0].lease_id)
        with pytest.raises(Unavailable, match="another version"):
            await here[1].reach(table)
        assert ether.keys[TABLES, table].value == there[0].lease_id
        there[1].close()
        await there[0].lease.give_back()
        await here[1].reach(table)
        assert here[1].awake_owner(table) is not None

    with_nodes(tmp_path, scene)
