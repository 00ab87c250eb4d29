"""Bots against bots: all play the same deals, and every bot plays in every seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import fmean
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from ludotheque.bots import roster
from ludotheque.bots.bot import Bot, Racer
from ludotheque.engine import chance
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.lab.estimate import Estimate, mean_of, share_of
from ludotheque.lab.pieces import Doer, Saved, done_or_saved, on_processes

MIN_DEALS = 2  # one alone does not tell how deals differ


class MatchResult(NamedTuple):
    """One match, by bot in the order in which they were named."""

    wins: list[float]  # 1 for a winner, less if the victory is shared
    scores: list[int]
    ranks: list[int]  # 1 for the winners


@dataclass(frozen=True)
class Standing:
    bot: str
    wins: Estimate
    score: Estimate
    rating: float  # the mean of OpenSkill …
    sigma: float  # … and its standard deviation

    def to_json(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "wins": self.wins.to_json(),
            "score": self.score.to_json(),
            "rating": round(self.rating, 2),
            "doubt": round(self.sigma, 2),
        }

    def row(self) -> dict[str, Any]:
        """The same as a row of a table."""
        estimates = {"wins": self.wins, "score": self.score}
        ends = {
            f"{name}_{end}": getattr(estimate, end)
            for name, estimate in estimates.items()
            for end in ("mean", "low", "high")
        }
        return {"bot": self.bot, **ends, "rating": self.rating, "doubt": self.sigma}


@dataclass(frozen=True)
class Contest:
    """Who plays what: one seat for each bot, or in a team game one team of each kind of bot."""

    slug: str
    bots: tuple[str, ...]
    options: Mapping[str, object]
    seed: int
    team: int = 0  # seats of a team

    @property
    def header(self) -> dict[str, Any]:
        """What tells its results from others': the rules, and the package that has the bots."""
        versions = {
            "rules_version": load(self.slug).version,
            "package_version": version("ludotheque"),
        }
        return asdict(self) | versions

    def __call__(self, deal: int) -> list[MatchResult]:
        return self.matches_of(deal)

    def matches_of(self, deal: int) -> list[MatchResult]:
        """All matches on one deal: every rotation of the seats, or each team once."""
        game = load(self.slug)
        if game.team:
            scores = [self._play(game, [bot] * self.team, deal, 0).scores[0] for bot in self.bots]
            return [_compared_teams(scores)]
        return [self._rotated(game, deal, rotation) for rotation in range(len(self.bots))]

    def _rotated(self, game: Game, deal: int, rotation: int) -> MatchResult:
        count = len(self.bots)
        seat_of = [(place + rotation) % count for place in range(count)]
        seated = [""] * count
        for place, seat in enumerate(seat_of):
            seated[seat] = self.bots[place]
        match = self._play(game, seated, deal, rotation)
        winners, scores, shares = match.winners, match.scores, match.shares
        return MatchResult(
            [shares[seat] for seat in seat_of],
            [scores[seat] for seat in seat_of],
            [_rank(seat, winners, scores) for seat in seat_of],
        )

    def _play(self, game: Game, seated: Sequence[str], deal: int, rotation: int) -> Match:
        seeds = chance.seeds_from(f"arena {self.seed} {deal}")
        match = Match(game, len(seated), game.playout_options | dict(self.options), seeds=seeds)
        bots = [
            roster.hire(kind, game, seat, f"{self.seed} {deal} {rotation} {seat}")
            for seat, kind in enumerate(seated)
        ]
        play_out(match, bots)
        return match


def arena(
    contest: Contest,
    matches: int,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda played: None,
) -> list[Standing]:
    """Play at least this many matches, in whole deals; the same seed gives the same result."""
    return run(contest, matches, on_processes(jobs), progress)


def run(
    contest: Contest,
    matches: int,
    do: Doer[list[MatchResult]],
    progress: Callable[[int], None] = lambda played: None,
    saved: Saved | None = None,
) -> list[Standing]:
    """Play the deals that a file has not yet; `progress` is told how many matches there are."""
    _check(contest)
    per_deal = 1 if load(contest.slug).team else len(contest.bots)
    deals = max(MIN_DEALS, -(-matches // per_deal))
    played: dict[int, list[MatchResult]] = {}
    for deal, results in done_or_saved(contest, deals, do, saved):
        played[deal] = [MatchResult(*result) for result in results]  # a file has plain lists
        progress(len(played) * per_deal)
    return _standings(contest.bots, [played[deal] for deal in sorted(played)])


def play_out(match: Match, bots: Sequence[Bot]) -> None:
    """Let the bots play to the end; all of them see every change."""
    _show(match, bots)
    due: dict[int, tuple[int, int]] = {}  # by seat in a game on a clock: when it moves, and how
    while not match.is_over:
        if match.game.timed:
            _race(match, bots, due)
        else:
            seat = match.awaited()[0]
            match.play(seat, _chosen_move(match, bots[seat], seat))
        _show(match, bots)


def _race(match: Match, bots: Sequence[Bot], due: dict[int, tuple[int, int]]) -> None:
    """Let the first in time act: a bot with its move, or chance when time is up."""
    for seat in match.awaited():
        if seat not in due:
            move = _chosen_move(match, bots[seat], seat)
            due[seat] = (match.now + _milliseconds(match.game, bots[seat]), move)
    alarm = match.game.alarm(match.state)
    first = min(due, key=lambda seat: due[seat][0], default=None)
    if first is None or 0 <= alarm <= due[first][0] - match.now:
        match.draw(match.now + alarm)
        return
    at, move = due.pop(first)
    if match.game.is_legal(match.state, first, move):
        match.play(first, move, max(at, match.now))


def _milliseconds(game: Game, bot: Bot) -> int:
    return int(1000 * bot.seconds) if isinstance(bot, Racer) else int(game.rules.MEAN_MOVE_MS)


def _chosen_move(match: Match, bot: Bot, seat: int) -> int:
    view = match.view(seat)
    return bot.choose(view, match.game.legal_moves(view, seat))


def _show(match: Match, bots: Sequence[Bot]) -> None:
    for seat, bot in enumerate(bots):
        bot.watch(match.view(seat))


def _check(contest: Contest) -> None:
    """Refuse what cannot be played, before anything is played."""
    game = load(contest.slug)
    fewest = 1 if game.team else 2
    if len(contest.bots) < fewest:
        raise Refused(f"an arena compares {fewest} or more bots, found {len(contest.bots)}")
    for kind in contest.bots:
        roster.hire(kind, game, 0)
    game.start(contest.team if game.team else len(contest.bots), contest.options)


def _rank(seat: int, winners: Sequence[int], scores: Sequence[int]) -> int:
    """The place at the end: winners first, then by points."""
    if seat in winners:
        return 1
    ahead = sum(s in winners or scores[s] > scores[seat] for s in range(len(scores)) if s != seat)
    return 1 + ahead


def _compared_teams(scores: list[int]) -> MatchResult:
    """Teams that played one after the other, ranked as if against each other."""
    best = max(scores)
    first = scores.count(best)
    return MatchResult(
        [(score == best) / first for score in scores],
        scores,
        [1 + sum(other > score for other in scores) for score in scores],
    )


def _standings(bots: Sequence[str], played: list[list[MatchResult]]) -> list[Standing]:
    """Matches on one deal are not independent, so a deal counts as one observation."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in bots]
    for match in (match for results in played for match in results):
        if len(bots) > 1:
            ranks = [float(rank) for rank in match.ranks]
            ratings = [team[0] for team in model.rate([[r] for r in ratings], ranks=ranks)]
    return [
        Standing(
            bot,
            share_of([fmean(m.wins[place] for m in deal) for deal in played]),
            mean_of([fmean(m.scores[place] for m in deal) for deal in played]),
            ratings[place].mu,
            ratings[place].sigma,
        )
        for place, bot in enumerate(bots)
    ]
