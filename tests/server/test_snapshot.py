"""What a connection is sent of a match, and how often."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.random_matches import walk
from ludotheque.engine.seats import NOBODY
from ludotheque.server.events import Opened
from ludotheque.server.match_info import Time
from ludotheque.server.snapshot import Connection, Presence, Snapshot, Told
from ludotheque.server.table import Table


def finished() -> Match:
    match = Match(load("stupide_vautour"), 2)
    for _ in walk(match, Random(0)):
        pass
    return match


def told(match: Match, connection: Connection) -> Any:
    """An update of a table at which nothing but the chat has changed since the last one."""
    table = Table("t")
    seed = "5e" * 32
    table.apply(
        Opened("stupide_vautour", 2, match.options, True, 0, "auto", host="host", server_seed=seed)
    )
    table.matches, table.match, table.advised = 1, match, [0, 0]
    presence, looks = Presence(table, [connection]), {(NOBODY, "")}
    steps = Told(len(match.log), {NOBODY: []})
    snapshot = Snapshot(table, 1, presence, looks, Time(0, -1), steps)
    return json.loads(snapshot.update_for(connection))


def test_the_history_of_a_finished_match_is_sent_once() -> None:
    match, connection = finished(), Connection(None, lambda _: None)
    connection.match, connection.lines = 1, len(match.log)
    first, second = told(match, connection), told(match, connection)
    assert len({fact["chapter"] for fact in first["history"]}) == 15
    assert "history" not in second
