"""Every game: random play compiled and plain, moves listed, and the size of a state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from benchmarks import listing
from benchmarks.stopwatch import rates
from ludotheque.engine import kernels, playouts
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.random_matches import walk
from ludotheque.engine.scope import shared_scope
from ludotheque.lab.simulate import simulate

JOB_S = 0.5  # about how long one job takes


def plain_matches(game: Game, seats: int, count: int) -> Callable[[], int]:
    """The very functions that are compiled, interpreted, with Python's own random numbers."""
    scope = shared_scope(game, lambda function: function, playouts)
    rng = Random(0)
    scope["random_below"] = lambda stream, count: int(rng.random() * count)
    moves = [0] * max(game.moves, game.outcomes)

    def job() -> int:
        for _ in range(count):
            scope["playout"](game.start(seats, game.playout_options), [0], moves)
        return count

    return job


def compiled_matches(game: Game, seats: int) -> Callable[[], int]:
    speed = simulate(game, seats, 50).to_json()["games_per_second"]
    count = max(10, int(speed * JOB_S))
    return lambda: simulate(game, seats, count).games


def listed_moves(game: Game, seats: int) -> Callable[[], int]:
    """List the legal moves in states of random matches in which a seat is to move."""
    rng, states, movers = Random(1), [], []
    for _ in range(5):
        match = Match(game, seats, game.playout_options)
        for seat, _, _ in walk(match, rng):
            if seat >= 0:
                states.append(match.state.copy())
                movers.append(seat)
    records: Any = np.zeros(len(states), game.State.dtype())
    for place, state in enumerate(states):
        state.store(records[place])
    kernel = kernels.compiled(game, False, (listing,))["list_all"]
    arguments = (records, np.array(movers), np.zeros(game.moves, np.int64))
    kernel(*arguments, 1)
    return lambda: int(kernel(*arguments, 20))


def report() -> list[str]:
    lines = [
        "## Random play of every game, one thread",
        "",
        "| game | seats | state, bytes | matches/s | moves/s | compiled : plain "
        "| legal moves listed/s |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for slug in slugs():
        game = load(slug)
        lines += [_line(game, seats) for seats in sorted({max(2, game.seats[0]), game.seats[-1]})]
    return lines


def _line(game: Game, seats: int) -> str:
    plain_count = 3 if game.moves > 1000 else 20
    compiled, plain, listed = rates(
        compiled_matches(game, seats),
        plain_matches(game, seats, plain_count),
        listed_moves(game, seats),
    )
    sample = simulate(game, seats, 200)
    moves = compiled * sample.moves / sample.games
    size = game.State.dtype().itemsize
    return (
        f"| {game.slug} | {seats} | {size} | {compiled:,.0f} | {moves:,.0f} "
        f"| {compiled / plain:,.0f} | {listed:,.0f} |"
    )
