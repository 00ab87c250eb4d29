"""Random matches on the plain rules, which checks can stop at any state to look at it.

Compiled matches by the million are in playouts.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.option import Option
from ludotheque.engine.seats import CHANCE

MATCHES = 4  # for each check
SAMPLES = 60  # states of a match at which costly questions are asked
FEW_SAMPLES = 20  # of a game with many moves, which are slow to list
MANY_MOVES = 2000  # more moves than this are asked about by sample
TRIES = 40  # random moves tried before the legal ones are listed


def random_options(game: Game, seats: int, rng: Random) -> dict[str, Any]:
    """Options for one match: those playouts need, the others drawn."""
    drawn = {
        name: rng.choice(option.values) if option.values else _random_number(option, seats, rng)
        for name, option in game.options.items()
    }
    return drawn | game.playout_options


def _random_number(option: Option, seats: int, rng: Random) -> int:
    return rng.randint(option.low, seats - 1 if option.is_seat else option.high)


def random_move(match: Match, seat: int, rng: Random) -> int:
    """A legal move, often one that the game's checks.py finds interesting."""
    interesting = getattr(match.game.module("checks"), "interesting_move", None)
    if interesting is not None and rng.random() < 0.5:
        move: int | None = interesting(match.state, seat, rng)
        if move is not None:
            return move
    for _ in range(TRIES):
        guess = rng.randrange(match.game.moves if seat >= 0 else match.game.outcomes)
        if match.game.is_legal(match.state, seat, guess):
            return guess
    return rng.choice(match.legal_moves(seat))


def next_move(match: Match, rng: Random) -> tuple[int, int, int | None]:
    """Who moves next in a random match, what, and when."""
    game, at = match.game, None
    if game.timed:
        at = match.state.clock
        if not game.awaits(match.state, CHANCE):
            alarm = game.alarm(match.state)
            idle = not match.awaited()
            at += alarm if idle else rng.randrange(2 * game.rules.MEAN_MOVE_MS)
            match.game.wait(match.state, at - match.state.clock)
    if game.awaits(match.state, CHANCE):
        return CHANCE, random_move(match, CHANCE, rng), at
    seat = rng.choice(match.awaited())
    others = [s for s in range(match.seats) if rng.random() < 0.1 and match.legal_moves(s)]
    seat = rng.choice(others) if others and game.moves < 1000 else seat
    return seat, random_move(match, seat, rng), at


def random_matches(game: Game, seats: int, rng: Random) -> Iterator[Match]:
    for _ in range(MATCHES // 2 if game.moves > MANY_MOVES else MATCHES):
        yield Match(game, seats, random_options(game, seats, rng))


def walk(match: Match, rng: Random) -> Iterator[tuple[int, int, int | None]]:
    """Play at random to the end, stopping before each move is made."""
    while not match.is_over:
        seat, move, at = next_move(match, rng)
        yield seat, move, at
        match.play(seat, move, at)


def states(game: Game, seats: int, rng: Random) -> Iterator[Match]:
    """Random matches, each stopped at a sample of its states, the first and the last among them."""
    samples = FEW_SAMPLES if game.moves > MANY_MOVES else SAMPLES
    length = SAMPLES
    for match in random_matches(game, seats, rng):
        yield match
        for _ in walk(match, rng):
            if rng.random() < samples / length:
                yield match
        length = max(len(match.log), samples)
        yield match


def some_moves(game: Game, seat: int, rng: Random) -> list[int]:
    """All moves of a seat; of very many a sample, with the last ones, which are special."""
    count = game.outcomes if seat == CHANCE else game.moves
    if count <= MANY_MOVES:
        return list(range(count))
    return sorted({*rng.sample(range(count), 200), *range(count - 50, count)})
