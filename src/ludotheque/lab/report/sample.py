"""Matches between bots in detail: what happened, how they ended, what a game asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ludotheque.bots import roster
from ludotheque.engine.chance import seeds_from
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import history
from ludotheque.lab.arena import play_out


@dataclass(frozen=True)
class Sample:
    """Matches by their number, each with all seats played by bots of one level."""

    slug: str
    seats: int
    level: str
    seed: int

    def __call__(self, number: int) -> dict[str, Any]:
        """What is asked of one match, as JSON."""
        match = self._played(load(self.slug), number)
        return {
            "verdict": match.verdict,
            "facts": Counter(fact.key for _, fact in history(match, NOBODY)),
            "observations": observations_of(match),
        }

    def _played(self, game: Game, number: int) -> Match:
        seeds = seeds_from(f"report {self.seed} {number}")
        match = Match(game, self.seats, game.playout_options, seeds=seeds)
        bots = [
            roster.hire(self.level, game, seat, f"{self.seed} {number} {seat}")
            for seat in range(self.seats)
        ]
        play_out(match, bots)
        return match


def insights_module(game: Game) -> Any | None:
    """The game's insights.py, None if it has none."""
    return game.module("insights") if (game.folder / "insights.py").exists() else None


def observations_of(match: Match) -> list[list[Any]]:
    module = insights_module(match.game)
    return [] if module is None else [list(seen) for seen in module.observations(match)]
