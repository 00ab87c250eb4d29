"""Team UP: what its players score with shuffled decks, and how often the optimiser is perfect."""

from __future__ import annotations

import time
from random import Random
from statistics import fmean, median, stdev
from typing import Any

from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up.rules import PERFECT
from ludotheque.games.team_up.solve import read, solve

DECKS = {"novice": 200, "regular": 200, "expert": 200, "master": 20}
SEATS = 2
CONFIDENCE = 1.96  # standard errors to either side of a mean: 95 %
PROBLEMS = 20  # decks for the optimiser …
SECONDS = 10.0  # … and its time for each


def report() -> list[str]:
    game = load("team_up")
    solve(read({"cards": [1, 2, 3]}), SECONDS)  # compiles
    return [
        f"## Team UP: shuffled decks, teams of {SEATS} of one level",
        "",
        "| level | decks | mean score, 95 % | best | ms a decision, median | longest |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_level(game, level, decks) for level, decks in DECKS.items()),
        "",
        "The optimiser knows the order of the cards. "
        f"{PROBLEMS} shuffled decks, {SECONDS:.0f} s for each:",
        _optimiser(game),
    ]


def _level(game: Game, level: str, decks: int) -> str:
    _play(game, level, 0)  # compiles
    scores, seconds = [], []
    for deck in range(1, decks + 1):
        score, taken = _play(game, level, deck)
        scores.append(score)
        seconds += taken
    margin = CONFIDENCE * stdev(scores) / decks**0.5
    return (
        f"| {level} | {decks:,} | {_signed(fmean(scores))} ± {margin:.1f} | {max(scores)} "
        f"| {1000 * median(seconds):.0f} | {1000 * max(seconds):.0f} |"
    )


def _signed(number: float) -> str:
    return f"{number:.1f}".replace("-", "−")


def _play(game: Game, level: str, deck: int) -> tuple[int, list[float]]:
    """The score of one match, and the CPU seconds of every decision."""
    match = Match(game, SEATS, key=deck.to_bytes(32, "big"))
    hire: Any = game.module("bot").hire
    bots = [hire(level, game, seat, Random(f"{deck} {seat}")) for seat in range(SEATS)]
    seconds = []
    while not match.is_over:
        seat = match.awaited()[0]
        view, moves = match.view(seat), match.legal_moves(seat)
        begun = time.process_time()
        move = bots[seat].choose(view, moves)
        seconds.append(time.process_time() - begun)
        match.play(seat, move)
    return match.scores[0], seconds


def _optimiser(game: Game) -> str:
    places = [game.notation(CHANCE, p) for p in game.legal_moves(game.start(1), CHANCE)]
    rng, points, seconds = Random(77), [], []
    for _ in range(PROBLEMS):
        cards = rng.sample(range(1, 37), 36)
        begun = time.perf_counter()
        points.append(solve(read({"cards": cards, "neutral": rng.choice(places)}), SECONDS).points)
        seconds.append(time.perf_counter() - begun)
    perfect = sum(p == PERFECT for p in points)
    return (
        f"{perfect} solved to {PERFECT} points, mean of all {fmean(points):.1f}, "
        f"median time {median(seconds):.1f} s."
    )
