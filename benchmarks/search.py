"""Tree search: simulations a second within one decision, beside OpenSpiel's C++ search."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pyspiel

from benchmarks.stopwatch import rates
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.bot.thinker import GUESSES
from ludotheque.search.searcher import Searcher

OUR_SIMULATIONS = 50_000  # a decision
THEIR_SIMULATIONS = 1_000


def our_search(seats: int, at_random: bool) -> Callable[[], int]:
    """The first bid of a match: guessed states, a tree for all seats, and playouts."""
    game = load("stupide_vautour")
    match = Match(game, seats, deal=["+10"], seeds=Seeds(bytes(32)))
    searcher = Searcher(game, 0, OUR_SIMULATIONS, Random(1), guesses=GUESSES, at_random=at_random)
    memory = Memory(0)
    view, moves = match.view(0), match.legal_moves(0)
    memory.watch(view)
    searcher.search(view, moves, memory)

    def job() -> int:
        return sum(searcher.search(view, moves, memory).visits)

    return job


def their_search(seats: int) -> Callable[[], int]:
    """OpenSpiel's search wants turns, so its goofspiel is turned into such a game."""
    rules = f"goofspiel(num_cards=15,players={seats},imp_info=False,points_order=random)"
    game: Any = pyspiel.convert_to_turn_based(pyspiel.load_game(rules))
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, THEIR_SIMULATIONS, 1000, False, 1, False
    )
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[-1])

    def job() -> int:
        bot.mcts_search(state)
        return THEIR_SIMULATIONS

    return job


def report() -> list[str]:
    lines = [
        "## Tree search within one decision, one thread",
        "",
        "Stupide Vautour beside goofspiel with fifteen cards, at the first bid. Ours guesses what",
        "is hidden and lets all seats choose at once; OpenSpiel's C++ search sees everything and",
        "takes turns. Both end in random playouts; ours in the last columns are those of our bots,",
        "in which players bid by the stake.",
        "",
        "| seats | Ludothèque, simulations/s | OpenSpiel | ratio | by the stake | ratio |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for seats in (2, 4):
        ours, theirs, by_stake = rates(
            our_search(seats, True), their_search(seats), our_search(seats, False)
        )
        lines.append(
            f"| {seats} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.0f}× "
            f"| {by_stake:,.0f} | {by_stake / theirs:.0f}× |"
        )
    return lines
