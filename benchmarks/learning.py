"""Environments for learning: compiled vectors beside OpenSpiel, pgx and PettingZoo.

Every step makes a random legal choice from a mask and looks at the observation after it. The
environments of other projects play games of a similar size: OpenSpiel's goofspiel one match at a
time, pgx's leduc hold'em as many at once as ours, PettingZoo's leduc hold'em by its own loop. The
last two are fetched for the benchmark alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.goofspiel import goofspiel
from benchmarks.judged import Judged
from benchmarks.leduc import MATCHES, STEPS
from benchmarks.peers import NotMeasured, Peers
from benchmarks.stopwatch import rates
from ludotheque.engine.batch import Batch
from ludotheque.engine.game import load
from ludotheque.lab.simulate import simulate
from ludotheque.lab.tally import Tally
from ludotheque.learn.vector import SeatVectorEnv

Job = Callable[[], int]

CASES = (
    ("stupide_vautour", 2),
    ("stupide_vautour", 4),
    ("up_and_down", 2),
    ("up_and_down", 4),
    ("team_up", 2),
    ("team_up", 4),
)
OPENSPIEL_MATCHES = 100
LEDUC = Path(__file__).parent / "leduc.py"
PACKAGES = ("pgx==2.6.0", "jax==0.10.2", "pettingzoo==1.27.0", "rlcard==1.2.0", "pygame")
OPENSPIEL, PGX, PETTINGZOO = "OpenSpiel", "pgx", "PettingZoo"
SIMULATED = (("stupide_vautour", 2, 2_000_000), ("up_and_down", 4, 200_000))
STEPS_WANTED = {  # match-steps a second of a vector environment
    ("stupide_vautour", 2): 10_000_000,
    ("up_and_down", 2): 4_000_000,
    ("team_up", 2): 2_000_000,
}
TIMES_WANTED = {OPENSPIEL: 200, PGX: 5, PETTINGZOO: 1_000}  # by the first vector environment
THREADS_WANTED = 1.9  # times the matches of one thread, on two idle cores
GOAL = (
    "vector environments make 10 million match-steps/s in Stupide Vautour, 4 million in Up & Down "
    "and 2 million in Team UP, at two seats; the first one makes 200 times the steps of OpenSpiel, "
    "5 times those of pgx and 1,000 times those of PettingZoo; two idle cores play 1.9 times the "
    "matches of one, with identical sums"
)


# Ours


def our_vector(slug: str, seats: int) -> Job:
    """Gymnasium's vector environment: observation and mask of the learner, autoreset inside."""
    envs = SeatVectorEnv(slug, MATCHES, seats, autoreset_mode="SameStep", copy=False)
    envs.reset(seed=1)
    envs.step(envs.random_actions())

    def job() -> int:
        for _ in range(STEPS):
            envs.step(envs.random_actions())
        return STEPS * MATCHES

    return job


def our_batch(slug: str, seats: int) -> Job:
    """Self-play: observations and masks of every seat."""
    batch = Batch(load(slug), seats, MATCHES, seed=1)
    batch.play(batch.random_moves())

    def job() -> int:
        for _ in range(STEPS):
            batch.play(batch.random_moves())
        return STEPS * MATCHES

    return job


# Others'


def openspiel_steps() -> Job:
    """Rounds of goofspiel with the tensor and the mask of both seats."""
    game = goofspiel(2)

    def act(state: Any, seat: int) -> int:
        state.information_state_tensor(seat)
        mask = state.legal_actions_mask(seat)
        return random.choice([action for action, legal in enumerate(mask) if legal])

    def job() -> int:
        rounds = 0
        for _ in range(OPENSPIEL_MATCHES):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(random.choice(state.chance_outcomes())[0])
                else:
                    state.apply_actions([act(state, seat) for seat in range(2)])
                    rounds += 1
        return rounds

    return job


def peers_jobs(peers: Peers) -> tuple[dict[str, Job], list[str]]:
    """The jobs of other projects by name, and a line for each that cannot be done."""
    jobs, missing = {OPENSPIEL: openspiel_steps()}, []
    for name in (PGX, PETTINGZOO):
        try:
            jobs[name] = peers.job(LEDUC, name.lower())
        except NotMeasured as reason:
            missing.append(f"| {THEIRS[name]} | not measured: {reason} | | | |")
    return jobs, missing


THEIRS = {
    OPENSPIEL: "OpenSpiel's goofspiel, 2 seats, tensors and masks",
    PGX: f"pgx's leduc_holdem, {MATCHES:,} matches, one thread",
    PETTINGZOO: "PettingZoo's leduc_holdem_v4",
}


# The report


def report() -> Judged:
    ours: dict[str, Job] = {}
    for slug, seats in CASES:
        ours[vector_name(slug, seats)] = our_vector(slug, seats)
        ours[f"{slug}, {seats} seats: batch, every seat observed"] = our_batch(slug, seats)
    with Peers(PACKAGES) as peers:
        others, missing = peers_jobs(peers)
        measured = rates(*ours.values(), *others.values())
    found = dict(zip([*ours, *others], measured, strict=True))
    threads = [Threads.measure(*case) for case in SIMULATED]
    lines = [
        f"## Environments for learning, {MATCHES:,} matches, one thread",
        "",
        f"| what | match-steps/s | : {OPENSPIEL} | : {PGX} | : {PETTINGZOO} |",
        "| --- | --- | --- | --- | --- |",
        *(_line(name, found) for name in ours),
        *(f"| {THEIRS[name]} | {found[name]:,.0f} | | | |" for name in others),
        *missing,
        "",
        "| `simulate` | matches/s on 1 thread | on 2 | ratio | sums |",
        "| --- | --- | --- | --- | --- |",
        *(each.line for each in threads),
    ]
    return Judged(lines, GOAL, [*missed_rates(found), *missed_threads(threads)])


def vector_name(slug: str, seats: int) -> str:
    return f"{slug}, {seats} seats: vector environment"


def _line(name: str, found: dict[str, float]) -> str:
    times = [
        f"{found[name] / found[other]:,.1f}×" if other in found else "–" for other in TIMES_WANTED
    ]
    return f"| {name} | {found[name]:,.0f} | {' | '.join(times)} |"


def missed_rates(found: dict[str, float]) -> list[str]:
    """Which goals the rates miss; what was not measured proves nothing."""
    named = {vector_name(*case): wanted for case, wanted in STEPS_WANTED.items()}
    missed = [
        f"{name}: {found[name]:,.0f} match-steps/s" for name in named if found[name] < named[name]
    ]
    first = found[vector_name(*CASES[0])]
    for other, times in TIMES_WANTED.items():
        if other not in found:
            missed.append(f"{THEIRS[other]} was not measured")
        elif first < times * found[other]:
            missed.append(f"{first / found[other]:,.1f} times {THEIRS[other]}")
    return missed


def missed_threads(threads: list[Threads]) -> list[str]:
    slow = [each for each in threads if each.together < THREADS_WANTED * each.alone]
    wrong = [each for each in threads if not each.is_same]
    return [
        *(f"{each.name}: {each.together / each.alone:.2f} times on two threads" for each in slow),
        *(f"{each.name}: other sums on two threads" for each in wrong),
    ]


class Threads(NamedTuple):
    """Random matches on one thread and on two; what they add up to must be the same."""

    name: str
    alone: float  # matches/s
    together: float
    is_same: bool

    @classmethod
    def measure(cls, slug: str, seats: int, matches: int) -> Threads:
        game, tallies = load(slug), dict[int, Tally]()

        def on(jobs: int) -> Job:
            def job() -> int:
                tallies[jobs] = simulate(game, seats, matches, seed=1, jobs=jobs).tally
                return matches

            return job

        alone, together = rates(on(1), on(2))
        return cls(f"{slug}, {seats} seats", alone, together, tallies[1] == tallies[2])

    @property
    def line(self) -> str:
        return (
            f"| {self.name} | {self.alone:,.0f} | {self.together:,.0f} "
            f"| {self.together / self.alone:.2f}× | {'identical' if self.is_same else 'others'} |"
        )
