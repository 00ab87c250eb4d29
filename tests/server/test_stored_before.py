"""Tables that an earlier version stored are read, and played on.

stored_tables.jsonl has a match of every game as it was stored before Ubongo had a countdown and
Up & Down counted its deals.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludotheque.engine.game import slugs
from ludotheque.server.events import decode
from ludotheque.server.owner import replayed
from ludotheque.server.store import Stored

FILE = Path(__file__).parent / "stored_tables.jsonl"


def stored(game: str) -> list[Stored]:
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    return [Stored("", decode(json.dumps(event))) for slug, event in lines if slug == game]


@pytest.mark.parametrize("game", slugs())
def test_a_table_of_an_earlier_version_is_read_and_played_on(game: str) -> None:
    match = replayed("t", stored(game)).match
    assert match is not None
    assert len(match.log) > 30
    seat = match.awaited()[0]
    match.play(seat, match.legal_moves(seat)[0])


def test_it_plays_by_the_options_it_was_opened_with() -> None:
    assert replayed("t", stored("ubongo")).settings.options["countdown"] == 0
    assert replayed("t", stored("up_and_down")).settings.options["deals"] == 1
