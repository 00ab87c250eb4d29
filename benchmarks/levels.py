"""How much stronger each level of bots is than the one below, in every game at every seat count.

`python -m benchmarks levels=1800` plays for half an hour; without a number it is ten minutes. Every
pair of levels at every seat count has the same time. Bots choose by their random streams alone, so
more time only adds deals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from statistics import fmean
from typing import NamedTuple

from ludotheque.bots import roster
from ludotheque.engine.game import Game, load, slugs
from ludotheque.lab.arena import Contest
from ludotheque.lab.estimate import mean_of, share_of
from ludotheque.lab.pieces import cores

BUDGET_S = 600.0
FEWEST_DEALS = 8  # of a pairing, even if they take longer than its time
SEED = 0
NO_TEAM = 0


class Deal(NamedTuple):
    """What the stronger level did on one deal."""

    wins: float  # its share of the victories
    lead: float  # its score less that of the weaker level
    matches: int


@dataclass(frozen=True)
class Pairing:
    """One bot of the stronger level against weaker ones; where nobody is beaten, both by score."""

    slug: str
    seats: int
    stronger: str
    weaker: str

    @property
    def is_by_score(self) -> bool:
        return load(self.slug).team or self.seats == 1

    def __call__(self, deal: int) -> Deal:
        return self._by_score(deal) if self.is_by_score else self._by_victories(deal)

    def _by_victories(self, deal: int) -> Deal:
        bots = (self.stronger, *[self.weaker] * (self.seats - 1))
        matches = Contest(self.slug, bots, {}, SEED).matches_of(deal)
        leads = [match.scores[0] - fmean(match.scores[1:]) for match in matches]
        return Deal(fmean(match.wins[0] for match in matches), fmean(leads), len(matches))

    def _by_score(self, deal: int) -> Deal:
        """Each level plays the deal by itself, as a team or alone."""
        seats = self.seats if load(self.slug).team else NO_TEAM
        own, other = (
            Contest(self.slug, (bot,), {}, SEED, seats).matches_of(deal)[0].scores[0]
            for bot in (self.stronger, self.weaker)
        )
        return Deal(0.5 + 0.5 * ((own > other) - (own < other)), own - other, 2)


def pairings(game: Game) -> Iterator[Pairing]:
    for seats in game.seats:
        for weaker, stronger in pairwise(roster.levels(game)):
            yield Pairing(game.slug, seats, stronger, weaker)


def played(pairing: Pairing, pool: ProcessPoolExecutor, workers: int, seconds: float) -> list[Deal]:
    """Deals for so long, and at least as many as an interval needs."""
    end = time.monotonic() + seconds
    deals: list[Deal] = []
    while len(deals) < FEWEST_DEALS or time.monotonic() < end:
        deals += pool.map(pairing, range(len(deals), len(deals) + workers))
    return deals


def report(
    seconds: float = BUDGET_S, tell: Callable[[str], object] = lambda row: print(row, flush=True)
) -> list[str]:
    games = [load(slug) for slug in slugs()]
    for game in games:
        roster.warm(game)
    everything = [pairing for game in games for pairing in pairings(game)]
    workers, rows = cores(), []
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for pairing in everything:
            rows.append(_row(pairing, played(pairing, pool, workers, seconds / len(everything))))
            tell(rows[-1])
    return [
        "## Every level of bots against the one below",
        "",
        f"Played for {seconds:,.0f} s, and at least {FEWEST_DEALS} deals of each pair. One bot of",
        "the stronger level meets weaker ones, in every seat in turn; a shared victory is split,",
        "and `even` is what equals would get. Where nobody is beaten, alone and in Team UP, both",
        "levels play the same deals by themselves, and a victory is a deal with the higher score.",
        "Intervals are 95 %; a deal is one observation.",
        "",
        "| game | seats | levels | deals | matches | victories | 95 % | even | lead in points |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
    ]


def _row(pairing: Pairing, deals: list[Deal]) -> str:
    wins, lead = share_of([deal.wins for deal in deals]), mean_of([deal.lead for deal in deals])
    even = 1 / 2 if pairing.is_by_score else 1 / pairing.seats
    name = load(pairing.slug).words["en"]["name"]
    return (
        f"| {name} | {pairing.seats} | {pairing.stronger} : {pairing.weaker} "
        f"| {len(deals):,} | {sum(deal.matches for deal in deals):,} "
        f"| {wins.mean:.1%} | {wins.low:.1%} … {wins.high:.1%} | {even:.1%} "
        f"| {lead.mean:+.2f} ± {lead.margin:.2f} |"
    )
