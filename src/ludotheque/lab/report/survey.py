"""Every question of the report, asked of random matches and of matches between bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from ludotheque.bots import roster
from ludotheque.engine.game import Game
from ludotheque.engine.option import Option, Value
from ludotheque.lab import arena
from ludotheque.lab.estimate import Estimate, mean_of, share_of, share_of_sums
from ludotheque.lab.pieces import on_processes
from ludotheque.lab.report.finding import Finding, Plot, if_beyond_noise
from ludotheque.lab.report.sample import Sample, insights_module
from ludotheque.lab.simulate import simulate
from ludotheque.lab.tally import Tally

FEWEST = 10  # matches with observations of a group that is shown

Seen = dict[str, Any]  # what a Sample tells of one match


@dataclass(frozen=True)
class Plan:
    """How much is played for a report."""

    seats: tuple[int, ...]
    games: int  # random matches for each question
    sample: int  # matches between bots that are looked at closely, at each seat count
    contests: int  # matches of each level against the one below, 0 for none
    level: str  # of those bots
    seed: int
    jobs: int


class Survey:
    """`progress` is told how many matches between bots are played, and of how many."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        progress: Callable[[int, int], object] = lambda played, total: None,
    ) -> None:
        self.game = game
        self.plan = plan
        self._progress = progress
        self._played = 0
        self._tallies: dict[int, Tally] = {}

    def findings(self) -> Iterator[Finding]:
        """One finding after the other, as they are found."""
        for seats in self.plan.seats:
            if not self.game.team and seats > 1:
                yield self._by_seat(seats)
            yield self._scores(seats)
            yield self._lengths(seats)
        yield from self._closely()
        yield from self._options()
        yield from self._levels()

    def _advance(self, matches: int) -> None:
        self._played += matches
        contests = len(self._contested()) * len(self._pairs()) * self.plan.contests
        self._progress(self._played, len(self.plan.seats) * self.plan.sample + contests)

    # Random matches

    def _tally(self, seats: int, options: Mapping[str, object] | None = None) -> Tally:
        plan = self.plan
        if options:
            return simulate(self.game, seats, plan.games, plan.seed, options, jobs=plan.jobs).tally
        if seats not in self._tallies:
            run = simulate(self.game, seats, plan.games, plan.seed, jobs=plan.jobs)
            self._tallies[seats] = run.tally
        return self._tallies[seats]

    def _by_seat(self, seats: int) -> Finding:
        tally, even = self._tally(seats), 1 / seats
        bars = {f"seat {seat + 1}": tally.victory_share(seat) for seat in range(seats)}
        return if_beyond_noise(
            f"Does it matter where you sit, with {seats} seats?",
            f"Shares of {tally.games:,} random matches; a shared victory is split.",
            Plot("", "share of victories", {"": bars}, even),
        )

    def _scores(self, seats: int) -> Finding:
        tally = self._tally(seats)
        counts = sum(
            (Counter(seat) for seat in tally.scores[: _teams(self.game, seats)]), Counter()
        )
        return Finding(
            f"Which scores are usual, with {_seats(seats)}?",
            f"Scores of {tally.games:,} random matches.",
            _distribution(counts, "score", "share of scores", tally.games),
        )

    def _lengths(self, seats: int) -> Finding:
        tally = self._tally(seats)
        mean = tally.mean_length().mean
        answer = f"{mean:.1f} moves on average in {tally.games:,} random matches, chance included."
        question = f"How long is a match, with {_seats(seats)}?"
        if len(tally.lengths) == 1:
            return Finding(question, f"Always {mean:.0f} moves, chance included.")
        plot = _distribution(tally.lengths, "moves", "share of matches", tally.games)
        return Finding(question, answer, plot)

    # Bots' matches, looked at closely

    def _closely(self) -> Iterator[Finding]:
        by_seats = {seats: self._sampled(seats) for seats in self.plan.seats}
        yield self._ends(by_seats)
        yield self._special_cases(by_seats)
        usual = self.plan.seats[len(self.plan.seats) // 2]
        yield from self._own_questions(by_seats[usual], usual)

    def _sampled(self, seats: int) -> list[Seen]:
        plan, found = self.plan, {}
        sample = Sample(self.game.slug, seats, roster.nearest(self.game, plan.level), plan.seed)
        for number, seen in on_processes(plan.jobs)(sample, range(plan.sample)):
            found[number] = seen
            self._advance(1)
        return [found[number] for number in sorted(found)]

    def _ends(self, by_seats: Mapping[int, list[Seen]]) -> Finding:
        counts: dict[int, Counter[str]] = {
            n: Counter(seen["verdict"] for seen in found) for n, found in by_seats.items()
        }
        ends = _most_common(counts.values())
        answer = f"Of {self.plan.sample:,} matches between bots at each number of seats."
        if len(ends) == 1:
            return Finding("How do matches end?", f"{answer} All of them: {ends[0]}.")
        series = {
            _seats(n): {end: _share(counts[n][end], len(found)) for end in ends}
            for n, found in by_seats.items()
        }
        return Finding("How do matches end?", answer, Plot("", "share of matches", series))

    def _special_cases(self, by_seats: Mapping[int, list[Seen]]) -> Finding:
        counts: list[Counter[str]] = [
            Counter(seen["facts"]) for found in by_seats.values() for seen in found
        ]
        series = {
            _seats(n): {
                key.rpartition(".")[2].replace("_", " "): mean_of(
                    [seen["facts"].get(key, 0) for seen in found]
                )
                for key in _most_common(counts)
            }
            for n, found in by_seats.items()
        }
        return Finding(
            "How often does each thing happen in a match?",
            f"In {self.plan.sample:,} matches between bots at each number of seats; things are "
            "named as in the game's words.",
            Plot("", "times in a match", series),
        )

    def _own_questions(self, matches: list[Seen], seats: int) -> Iterator[Finding]:
        module = insights_module(self.game)
        if module is None:
            return
        values = by_match(matches)
        for place, question in enumerate(module.QUESTIONS):
            estimate = share_of if question.is_share else mean_of
            bars = _estimates(values[place], estimate)
            if bars:
                yield if_beyond_noise(
                    question.text,
                    f"From {len(matches):,} matches between bots with {_seats(seats)}, the middle "
                    "one of the seat counts; a match counts as one observation.",
                    Plot(question.across, question.measured, bars),
                )

    # Options

    def _options(self) -> Iterator[Finding]:
        for option in self.game.options.values():
            choices = _choices(option)
            if option.name in self.game.playout_options:
                needed = self.game.playout_options[option.name]
                yield Finding(
                    f"What does the option {option.name} change?",
                    f"Not measured: random play needs a value of its own, {needed}.",
                )
            elif len(choices) > 1:
                yield from self._effects(option, choices)

    def _effects(self, option: Option, choices: list[Value]) -> Iterator[Finding]:
        """What an option changes, each at all seat counts."""
        tallies = {
            _seats(seats): {str(c): self._tally(seats, {option.name: c}) for c in choices}
            for seats in self.plan.seats
        }
        for what, measure in self._measures().items():
            series = {
                seats: {choice: measure(tally) for choice, tally in by_choice.items()}
                for seats, by_choice in tallies.items()
            }
            yield if_beyond_noise(
                f"Does the option {option.name} change the {what}?",
                f"Random matches, {self.plan.games:,} with each value at each number of seats.",
                Plot(option.name, what, series, is_apart=True),
            )

    def _measures(self) -> dict[str, Callable[[Tally], Estimate]]:
        who = "the team" if self.game.team else "the first seat"
        return {
            f"mean score of {who}": lambda tally: tally.mean_score(0),
            f"share of victories of {who}": lambda tally: tally.victory_share(0),
            "mean number of moves": lambda tally: tally.mean_length(),
        }

    # Levels

    def _pairs(self) -> list[tuple[str, str]]:
        return list(pairwise(roster.levels(self.game)))

    def _contested(self) -> list[int]:
        """The seat counts at which there is somebody to beat, or a team to compare."""
        return [seats for seats in self.plan.seats if seats > 1 or self.game.team]

    def _levels(self) -> Iterator[Finding]:
        if self.plan.contests and self._pairs():
            for seats in self._contested():
                yield self._level_against_level(seats)

    def _level_against_level(self, seats: int) -> Finding:
        rivals = 1 if self.game.team else seats - 1
        bars = {}
        for weaker, stronger in self._pairs():
            bots = (stronger, *[weaker] * rivals)
            contest = arena.Contest(self.game.slug, bots, {}, self.plan.seed, seats)
            first = arena.arena(contest, self.plan.contests, self.plan.jobs)[0]
            bars[f"{stronger} : {weaker}"] = first.wins
            self._advance(self.plan.contests)
        against = "teams on the same deals" if self.game.team else "one against the others"
        return if_beyond_noise(
            f"How much stronger is each level than the one below, with {_seats(seats)}?",
            f"Shares of victories, {against}, {self.plan.contests:,} matches for each pair; the "
            "line is what equals would get.",
            Plot("", "share of victories", {"": bars}, 1 / (rivals + 1)),
        )


def _choices(option: Option) -> list[Value]:
    """The values that a fresh match may choose; a few of them if it is a number."""
    if option.is_seat:
        return []
    if option.values is not None:
        return [value for value in option.values if not option.is_of_replay(value)]
    ends = {value for value in (option.low, option.high, option.default) if type(value) is int}
    return sorted(value for value in ends if not option.is_of_replay(value))


def _most_common(counts: Iterable[Counter[str]]) -> list[str]:
    """What was counted, the most frequent first."""
    return [key for key, _ in sum(counts, Counter[str]()).most_common()]


def by_match(matches: Sequence[Seen]) -> dict[int, dict[str, dict[str, list[float]]]]:
    """By question, series and group: the mean of each match that has observations of it.

    Those of one match hang together, so a match counts as one observation.
    """
    values: dict[int, dict[str, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for match in matches:
        seen: dict[tuple[int, str, str], list[float]] = defaultdict(list)
        for question, series, group, value in match["observations"]:
            seen[question, series, group].append(value)
        for (question, series, group), found in seen.items():
            values[question][series][group].append(fmean(found))
    return values


def _estimates(
    values: Mapping[str, Mapping[str, list[float]]], estimate: Callable[[list[float]], Estimate]
) -> dict[str, dict[str, Estimate]]:
    """Groups with enough observations to say something."""
    found = {
        series: {g: estimate(seen) for g, seen in groups.items() if len(seen) >= FEWEST}
        for series, groups in sorted(values.items())
    }
    return {series: groups for series, groups in found.items() if groups}


def _distribution(counts: Counter[int], across: str, measured: str, matches: int) -> Plot:
    """The seats of one match hang together, so all of them count as one observation."""
    each = counts.total() / matches
    bars = {str(value): _share(times / each, matches) for value, times in sorted(counts.items())}
    return Plot(across, measured, {"": bars})


def _share(times: float, total: int) -> Estimate:
    return share_of_sums(times, times, total)


def _teams(game: Game, seats: int) -> int:
    return 1 if game.team else seats


def _seats(count: int) -> str:
    return f"{count} seat{'s' if count > 1 else ''}"
