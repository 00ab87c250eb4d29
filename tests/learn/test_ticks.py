"""A tick is written three times: plain for one match, compiled for batches and for vectors.

Here all three are interpreted, with the same choices and the same draws: the states must be equal.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from ludotheque.engine import flattening, playouts, stepping
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.layout import flattener
from ludotheque.engine.scope import shared_scope
from ludotheque.engine.seats import CHANCE
from ludotheque.learn import seat_stepping
from ludotheque.learn.episode import Episode, Setting

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


class Ticks:
    """The functions that are compiled for batches and vectors, with chance and others told."""

    def __init__(self, game: Game) -> None:
        around = (playouts, flattening, flattener(game), stepping, seat_stepping)
        self._scope = shared_scope(game, lambda function: function, *around)
        self._scope |= {"draw_chance": self._draw, "random_choice": self._choose}
        self._choices: list[int] = []
        self._outcomes: list[int] = []

    def opened(self, start: Any, outcomes: list[int]) -> Any:
        states = [None]
        self._outcomes = list(outcomes)
        self._scope["open_match"]([start], states, 0, [0], [])
        assert self._outcomes == []
        return states[0]

    def of_a_batch(self, state: Any, choices: list[int], outcomes: list[int]) -> Any:
        played, self._outcomes = state.copy(), list(outcomes)
        self._scope["play_choices"](played, choices)
        self._scope["go_on"](played, [0], [])
        assert self._outcomes == []
        return played

    def of_a_vector(self, state: Any, own: int, choices: list[int], outcomes: list[int]) -> Any:
        played, self._choices, self._outcomes = state.copy(), choices, list(outcomes)
        self._scope["play_tick"](played, own, choices[own], [0], [])
        assert self._outcomes == []
        return played

    def _draw(self, state: Any, stream: Any, moves: Any) -> int:
        made = 0
        while self._scope["awaits"](state, CHANCE):
            self._scope["play"](state, CHANCE, self._outcomes.pop(0))
            made += 1
        return made

    def _choose(self, state: Any, seat: int, stream: Any, moves: Any) -> int:
        assert self._scope["is_legal"](state, seat, self._choices[seat])
        return self._choices[seat]


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_a_tick_leads_to_the_same_state_in_a_match_in_a_batch_and_in_a_vector(
    slug: str, seats: int, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    game, rng = load(slug), Random(f"{slug} {seats}")
    ticks, setting, counted = Ticks(game), Setting(slug, seats, options(game), None), 0
    while counted < (10_000 if is_long else 100):
        episode = setting.begin(np.random.default_rng(counted), None)
        assert ticks.opened(setting.start(None), outcomes_of(episode, 0)) == episode.match.state
        while not episode.is_over:
            before, told = episode.match.state.copy(), len(episode.match.log)
            choices = [choice(episode, seat, rng) for seat in range(seats)]
            passed_over = play_tick(episode, choices)
            after, outcomes = episode.match.state, outcomes_of(episode, told)
            assert ticks.of_a_batch(before, choices, outcomes) == after
            # The others of a vector choose when it is their turn: only the learner is passed over.
            if len(passed_over) < 2:
                for own in passed_over or range(seats):
                    assert ticks.of_a_vector(before, own, choices, outcomes) == after
                    counted += 1
    record_property("counted", f"{counted} ticks compared")


def options(game: Game) -> dict[str, object]:
    """On a clock, time is up in the middle of a tick."""
    return {"time_limit": 7} if game.timed else {}


def outcomes_of(episode: Episode, told: int) -> list[int]:
    return [entry.move for entry in episode.match.log[told:] if entry.seat == CHANCE]


def choice(episode: Episode, seat: int, rng: Random) -> int:
    """A legal move; where moves are tried, sometimes any of them. Of those not awaited, none."""
    if seat not in episode.tick:
        return 0
    game = episode.match.game
    if game.unlisted_moves and rng.random() < 0.2:
        return rng.randrange(game.unlisted_moves)
    return rng.choice(episode.match.legal_moves(seat))


def play_tick(episode: Episode, choices: list[int]) -> set[int]:
    """Play every awaited seat's choice; the awaited seats whose choice is not legal by then."""
    passed_over = set()
    for seat in list(episode.tick):
        if seat not in episode.tick:  # an earlier move has ended what it was asked
            continue
        assert seat in episode.match.awaited()
        if episode.is_legal(seat, choices[seat]):
            episode.play(seat, choices[seat])
        else:
            passed_over.add(seat)
            episode.skip(seat)
    return passed_over
