"""Stupide Vautour beside OpenSpiel's goofspiel with fifteen cards: the same shape of game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyspiel

from benchmarks.stopwatch import rates
from ludotheque.engine.batch import Batch
from ludotheque.engine.game import load
from ludotheque.lab.simulate import simulate

SLUG = "stupide_vautour"
BATCH_MATCHES = 4096


def goofspiel(seats: int) -> Any:
    return pyspiel.load_game(
        f"goofspiel(num_cards=15,players={seats},imp_info=False,points_order=random)"
    )


def our_matches(seats: int, count: int) -> Callable[[], int]:
    game = load(SLUG)
    simulate(game, seats, 1)
    return lambda: simulate(game, seats, count).games


def their_matches(seats: int, count: int) -> Callable[[], int]:
    """Whole matches by OpenSpiel's own C++ loop with uniform random bots."""
    game = goofspiel(seats)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(seats)]

    def job() -> int:
        for seed in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return count

    return job


def our_rounds(seats: int, steps: int) -> Callable[[], int]:
    """Rounds stepped from Python: masks for everyone, a random choice, one call a step."""
    batch = Batch(load(SLUG), seats, BATCH_MATCHES)
    batch.play(batch.random_moves())

    def job() -> int:
        for _ in range(steps):
            batch.play(batch.random_moves())
        return steps * BATCH_MATCHES

    return job


def their_rounds(seats: int, matches: int, masks: bool) -> Callable[[], int]:
    """The same from Python with OpenSpiel, with legal masks or with lists of legal actions."""
    game = goofspiel(seats)

    def choose(state: Any, seat: int) -> int:
        if masks:
            mask = state.legal_actions_mask(seat)
            return random.choice([action for action, legal in enumerate(mask) if legal])
        return int(random.choice(state.legal_actions(seat)))

    def job() -> int:
        rounds = 0
        for _ in range(matches):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(random.choice(state.chance_outcomes())[0])
                else:
                    state.apply_actions([choose(state, seat) for seat in range(seats)])
                    rounds += 1
        return rounds

    return job


def report() -> list[str]:
    lines = [
        "## Stupide Vautour beside OpenSpiel's goofspiel (15 cards), one thread",
        "",
        "| seats | what | Ludothèque | OpenSpiel | ratio |",
        "| --- | --- | --- | --- | --- |",
    ]
    for seats in (2, 4):
        ours, theirs = rates(our_matches(seats, 300_000), their_matches(seats, 3_000))
        lines.append(_line(seats, "random matches/s, OpenSpiel by its C++ loop", ours, theirs))
        ours, masked, listed = rates(
            our_rounds(seats, 500), their_rounds(seats, 100, True), their_rounds(seats, 100, False)
        )
        lines.append(_line(seats, "rounds/s from Python, both with legal masks", ours, masked))
        lines.append(_line(seats, "rounds/s from Python, OpenSpiel with lists", ours, listed))
    return lines


def _line(seats: int, what: str, ours: float, theirs: float) -> str:
    return f"| {seats} | {what} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.0f}× |"
