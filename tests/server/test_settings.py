"""The settings of a table: chosen, checked, and stored beside the other fields of an event."""

from __future__ import annotations

import json

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server.events import Changed, Opened, decode, encode
from ludotheque.server.messages import NewTable, Set
from ludotheque.server.settings import Settings, chosen, of_new_table

STORED = {"game": "whats_up", "seats": 3, "options": {}, "is_public": True}
STORED |= {"move_seconds": 60, "hints": "off"}
SETTINGS = Settings("whats_up", 3, {}, True, 60, "off")
OPENED = {"event": "opened", **STORED, "host": "h", "server_seed": "5e"}


def test_an_event_that_was_stored_tells_the_settings() -> None:
    opened, changed = decode(json.dumps(OPENED)), decode(json.dumps({"event": "changed", **STORED}))
    assert isinstance(opened, Opened)
    assert isinstance(changed, Changed)
    assert (opened.settings, opened.host, changed.settings) == (SETTINGS, "h", SETTINGS)


def test_settings_are_stored_beside_the_other_fields_even_where_they_are_as_usual() -> None:
    usual = Opened("whats_up", 2, {}, False, 0, "auto", host="h", server_seed="5e")
    told = {"seats": 2, "is_public": False, "move_seconds": 0, "hints": "auto"}
    assert json.loads(encode(usual)) == OPENED | told


def test_what_is_not_chosen_stays_as_it_is() -> None:
    assert chosen(Set(hints="on"), SETTINGS, False) == Settings(
        "whats_up", 3, dict(load("whats_up").complete({}, 3)), True, 60, "on"
    )


def test_a_new_table_has_the_usual_settings() -> None:
    game = load("ubongo")
    assert chosen(NewTable(game="ubongo"), of_new_table(game), False) == Settings(
        "ubongo", 2, dict(game.complete({}, 2)), False, 0, "auto"
    )


def test_another_game_brings_its_own_options_and_the_nearest_number_of_seats() -> None:
    now = Settings("stupide_vautour", 5, {"ties": "unmatched"}, True, 60, "off")
    assert chosen(Set(game="whats_up"), now, True) == Settings(
        "whats_up", 4, dict(load("whats_up").complete({}, 4)), True, 60, "off"
    )


@pytest.mark.parametrize(
    ("choice", "error"),
    [
        (Set(move_seconds=-1), "the move clock is -1 s, expected 0 to 604800"),
        (Set(hints="maybe"), "hints is 'maybe', expected auto, on, off"),
        (Set(seats=9), "whats_up is for 2 to 4 seats, not 9"),
    ],
)
def test_a_choice_that_is_not_possible_is_refused(choice: Set, error: str) -> None:
    with pytest.raises(Refused) as refused:
        chosen(choice, SETTINGS, False)
    assert str(refused.value).startswith(error)
