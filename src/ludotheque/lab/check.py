"""Everything that `check` says of a game: what its folder lacks, and what its rules do wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ludotheque.bots import trial
from ludotheque.engine import conformance, inspection
from ludotheque.engine.discovery import explained, place_to_check
from ludotheque.engine.game import Game, load
from ludotheque.engine.inspection import Finding


@dataclass
class Report:
    """What was found in a game. The suite is run only if nothing keeps the game from being played.

    What fails in several checks, or at several seat counts, for one reason is told once.
    """

    game: str
    findings: list[Finding]
    checks: int = 0  # of the suite, at every seat count
    failures: dict[str, list[str]] = field(default_factory=dict)  # why: in which checks

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.is_needed]

    @property
    def is_failure(self) -> bool:
        return bool(self.faults or self.failures)

    def lines(self) -> Iterator[str]:
        """The report for people: one line for each thing, then how it went."""
        yield self.game
        for where, what, _ in self.faults:
            yield f"  ✗ {where}: {what}"
        for reason, checks in self.failures.items():
            more = f" and {len(checks) - 1} more" if len(checks) > 1 else ""
            yield f"  ✗ {reason} (found by {checks[0]}{more})"
        for where, what, is_needed in self.findings:
            if not is_needed:
                yield f"  · {where}: {what} (the game works without it)"
        yield f"  {self._summary()}"

    def _summary(self) -> str:
        if self.checks == 0:
            return "the checks that play the game were not run: mend what is marked ✗ first"
        failed = sum(map(len, self.failures.values()))
        return f"{self.checks - failed} of {self.checks} checks passed"


def examine(name: str, progress: Callable[[int, int], None]) -> Report:
    """Look at a game's folder, then play it; `progress` is told how many checks of all are done."""
    report = Report(name, inspection.findings(name, place_to_check(name)))
    if not report.faults:
        game = load(name)
        _run_suite(game, report, progress)
        report.findings += trial.findings(game)
    return report


def _run_suite(game: Game, report: Report, progress: Callable[[int, int], None]) -> None:
    cases = [(seats, claim) for claim in conformance.CHECKS for seats in game.seats]
    for seats, claim in cases:
        try:
            conformance.run(game, seats, claim)
        except AssertionError as error:
            reason = str(error) or explained(error, game.folder)
            report.failures.setdefault(reason, []).append(f"{claim} at {seats} seats")
        except Exception as error:  # whatever rules may do
            reason = explained(error, game.folder)
            report.failures.setdefault(reason, []).append(f"{claim} at {seats} seats")
        report.checks += 1
        progress(report.checks, len(cases))
