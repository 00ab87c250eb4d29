"""Team UP: what its players score with shuffled decks, and how often the optimiser is perfect.

`python -m benchmarks.team_up` plays all decks, which takes an hour or so, and keeps the scores in
team_up.json; it goes on where it was interrupted. Remove the file to begin again. Players choose by
their random streams alone, so `make bench` plays only the first decks again and compares.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up.rules import (
    PERFECT,
)
from ludotheque.games.team_up.solver.optimise import Optimiser
from ludotheque.games.team_up.solver.solve import read
from ludotheque.search.deadline import Deadline

SCORES = Path(__file__).parent / "team_up.json"
LEVELS = ("novice", "regular", "expert", "master")
OPTIMISER = "optimiser"
DECKS = dict.fromkeys(LEVELS, 1000) | {OPTIMISER: 300}
SEATS = 2
OPTIMISER_S = 10.0  # of one core, for a deck
STANDARD_ERRORS = 1.96  # of a mean, to either side: 95 %
REPLAYED_DECKS = 3  # by `make bench`
SAVE_INTERVAL_S = 15.0  # between two times that scores are written

Tally = dict[str, Any]  # scores, one for each deck; seconds, of all; longest, of one decision


class OnOneCore(Deadline):
    """A deadline that counts the time of its own process, whatever else the machine does."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = time.process_time() + seconds

    @property
    def is_ahead(self) -> bool:
        return time.process_time() < self._end


def report() -> list[str]:
    game, tallies = load("team_up"), _read(SCORES)
    title = f"## Team UP: shuffled decks, teams of {SEATS} of one level"
    if set(tallies) != set(DECKS):
        return [title, "", "Not measured yet: run `python -m benchmarks.team_up`."]
    return [
        title,
        "",
        "| level | decks | mean score, 95 % | best | seconds a match | longest decision, ms |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_row(level, tallies[level]) for level in LEVELS),
        "",
        f"The optimiser knows the order of the cards and has {OPTIMISER_S:.0f} s of one core:",
        _perfect(tallies[OPTIMISER]),
        "",
        f"Measured by `python -m benchmarks.team_up`. {_compared(game, tallies)}",
    ]


def _row(level: str, tally: Tally) -> str:
    scores: list[int] = tally["scores"]
    margin = STANDARD_ERRORS * stdev(scores) / len(scores) ** 0.5
    return (
        f"| {level} | {len(scores):,} | {_signed(fmean(scores))} ± {margin:.2f} | {max(scores)} "
        f"| {tally['seconds'] / len(scores):.2f} | {1000 * tally['longest']:.0f} |"
    )


def _signed(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


def _perfect(tally: Tally) -> str:
    scores: list[int] = tally["scores"]
    perfect = scores.count(PERFECT)
    return (
        f"{perfect} of {len(scores)} decks solved to {PERFECT} points "
        f"({100 * perfect / len(scores):.1f} %), mean of all {fmean(scores):.2f}, "
        f"{tally['seconds'] / len(scores):.2f} s a deck."
    )


def _compared(game: Game, tallies: dict[str, Tally]) -> str:
    """Whether the first decks still come out as they did; of the optimiser, time decides."""
    for level in LEVELS:
        scores = [_play(game, level, deck)[0] for deck in range(1, REPLAYED_DECKS + 1)]
        if scores != tallies[level]["scores"][:REPLAYED_DECKS]:
            return f"Out of date: the {level} now scores {scores} with the first decks."
    return (
        f"The first {REPLAYED_DECKS} decks of each level were played again and came out the same."
    )


# Playing


def _play(game: Game, who: str, deck: int) -> tuple[int, float, float]:
    """The score with this deck, its CPU seconds and those of the longest decision."""
    return _optimise(game, deck) if who == OPTIMISER else _play_match(game, who, deck)


def _play_match(game: Game, level: str, deck: int) -> tuple[int, float, float]:
    match = Match(game, SEATS, seeds=Seeds(deck.to_bytes(32, "big")))
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
    return match.scores[0], sum(seconds), max(seconds)


def _optimise(game: Game, deck: int) -> tuple[int, float, float]:
    rng = Random(deck)
    places = [game.notation(CHANCE, p) for p in game.legal_moves(game.start(1), CHANCE)]
    problem = {"cards": rng.sample(range(1, 37), 36), "neutral": rng.choice(places)}
    optimiser = Optimiser(*read(problem))
    optimiser.warm_up()
    begun = time.process_time()
    points = optimiser.run(OnOneCore(OPTIMISER_S)).points
    seconds = time.process_time() - begun
    return points, seconds, seconds


def _read(path: Path) -> dict[str, Tally]:
    tallies: dict[str, Tally] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return tallies


def _measure(game: Game, who: str, path: Path) -> None:
    """Play the decks of this player that are missing."""
    tallies = _read(path)
    tally = tallies.setdefault(who, {"scores": [], "seconds": 0.0, "longest": 0.0})
    _play(game, who, 0)  # compiles
    written = time.monotonic()
    while len(tally["scores"]) < DECKS[who]:
        score, seconds, longest = _play(game, who, len(tally["scores"]) + 1)
        tally["scores"].append(score)
        tally["seconds"] += seconds
        tally["longest"] = max(tally["longest"], longest)
        if time.monotonic() > written + SAVE_INTERVAL_S or len(tally["scores"]) == DECKS[who]:
            path.write_text(json.dumps(tallies) + "\n", "utf-8")
            written = time.monotonic()


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else SCORES
    for who in DECKS:
        _measure(load("team_up"), who, path)
        tally = _read(path)[who]
        print(_perfect(tally) if who == OPTIMISER else _row(who, tally), flush=True)


if __name__ == "__main__":
    main()
