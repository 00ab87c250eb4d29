"""Stupide Vautour's exact endgame: how long it takes, and what each level loses against it."""

from __future__ import annotations

import time
from random import Random
from statistics import fmean, stdev

from ludotheque.bots import roster
from ludotheque.bots.bot import Bot
from ludotheque.engine.chance import seeds_from
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.rules import CARDS, POINTS, State
from ludotheque.games.stupide_vautour.solver.endgame import Plan, plan

GAME = load("stupide_vautour")
LAST_ROUNDS = 6
MATCHES = 60


def report() -> list[str]:
    return [*_times(), "", *_losses()]


def _times() -> list[str]:
    lines = [
        "## The last cards of Stupide Vautour between two, solved exactly",
        "",
        "| cards in each hand | seconds, median of nine random endgames |",
        "| --- | --- |",
    ]
    for size in (5, 6, 7, 8):
        median = sorted(_seconds(size, seed) for seed in range(9))[4]
        lines.append(f"| {size} | {median:.4f} |")
    return lines


def _seconds(size: int, seed: int) -> float:
    rng = Random(seed)
    own, other = (rng.sample(range(1, CARDS + 1), size) for _ in range(2))
    points = rng.sample(POINTS, size)
    begun = time.perf_counter()
    plan(own, other, points[1:], points[0])
    return time.perf_counter() - begun


def _losses() -> list[str]:
    lines = [
        f"Points that a bot loses in the last {LAST_ROUNDS} rounds of a match against an opponent "
        "who",
        f"plays them exactly, mean of {MATCHES} matches with its 95 % interval. Both have come",
        "there as regulars do.",
        "",
        "| bot | points lost a match |",
        "| --- | --- |",
    ]
    for kind in (roster.CHAOTIC, *roster.LEVELS):
        lost = [_lost(kind, seed) for seed in range(MATCHES)]
        margin = 1.96 * stdev(lost) / MATCHES**0.5
        lines.append(f"| {kind} | {fmean(lost):.3f} ± {margin:.3f} |")
    return lines


def _lost(kind: str, seed: int) -> float:
    """Seat 0 is the bot in question; seat 1 plays exactly at the end."""
    match = Match(GAME, 2, seeds=seeds_from(f"endgame {seed}"))
    regulars = [roster.hire(roster.REGULAR, GAME, seat, f"{seed} {seat}") for seat in (0, 1)]
    bots = [roster.hire(kind, GAME, 0, seed), *regulars]
    rng, lost = Random(seed), 0.0
    while not match.is_over:
        for seat, bot in zip((0, 0, 1), bots, strict=True):
            bot.watch(match.view(seat))
        if match.state.rounds <= CARDS - LAST_ROUNDS:
            _bid(match, 0, bots[1])
            _bid(match, 1, bots[2])
        else:
            solved = _solved(match.state, 0)
            card = _bid(match, 0, bots[0])
            lost += solved.value - solved.gains[solved.cards.index(card)]
            theirs = _solved(match.state, 1)
            match.play(1, rng.choices(theirs.cards, theirs.chances)[0])
    return lost


def _bid(match: Match, seat: int, bot: Bot) -> int:
    view = match.view(seat)
    card = bot.choose(view, match.legal_moves(seat))
    match.play(seat, card)
    return card


def _solved(state: State, seat: int) -> Plan:
    hands = [
        [card for card in range(CARDS + 1) if (hand | 1 << bid) >> card & 1 and card]
        for hand, bid in zip(state.hands[:2], state.bids[:2], strict=True)
    ]
    pile = [POINTS[i] for i in range(CARDS) if state.pile >> i & 1]
    return plan(hands[seat], hands[1 - seat], pile, state.stake)
