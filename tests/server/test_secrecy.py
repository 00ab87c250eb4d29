"""Nothing that is told to one seat changes when only another's secrets do."""

from __future__ import annotations

from random import Random

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.server.telling import MatchTeller, encode, line

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_messages_do_not_depend_on_secrets(slug: str, seats: int) -> None:
    game, rng = load(slug), Random(slug)
    reseal = game.module("checks").reseal
    for match in conformance.states(game, seats, rng):
        for viewer in (NOBODY, *range(seats)):
            twin = Match(game, seats, match.options)
            twin.state = match.state.copy()
            reseal(twin.state, viewer, rng)
            told, retold = (encode(MatchTeller(m, m.now, -1).tell(viewer)) for m in (match, twin))
            assert told == retold


@pytest.mark.parametrize("slug", slugs())
def test_a_hidden_move_is_told_without_any_trace_of_it(slug: str) -> None:
    game, rng = load(slug), Random(slug)
    seats = game.seats[-1]
    match = Match(game, seats, game.playout_options)
    for _ in conformance.walk(match, rng):
        pass
    for entry in match.log:
        for viewer in (NOBODY, *range(seats)):
            told = line(game, entry, viewer in entry.seen_by)
            if viewer not in entry.seen_by:
                assert (told.move, told.key, told.values) == (None, "", {})


def test_the_key_of_chance_is_told_only_when_the_match_is_over() -> None:
    game = load("stupide_vautour")
    match = Match(game, 2, key=bytes(32))
    assert MatchTeller(match, 0, -1).tell(0).key == ""
    assert MatchTeller(match, 0, -1).tell(0).commitment != ""
    rng = Random(0)
    while not match.is_over:
        for seat in match.awaited():
            match.play(seat, rng.choice(match.legal_moves(seat)))
    assert MatchTeller(match, 0, -1).tell(0).key == bytes(32).hex()
