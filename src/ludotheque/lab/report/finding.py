"""A question with its answer, and a plot where there is an effect to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludotheque.lab.estimate import Estimate

Series = Mapping[str, Mapping[str, Estimate]]  # by the name of the series, then by group


@dataclass(frozen=True)
class Plot:
    """Bars with their intervals, by group and series."""

    across: str
    measured: str
    series: Series
    even: float | None = None  # where all bars would stand if nothing mattered
    is_apart: bool = False  # whether series are not compared with each other

    @property
    def groups(self) -> list[str]:
        """The groups of all series, in order, numbers by their size."""
        found = dict.fromkeys(group for bars in self.series.values() for group in bars)
        return sorted(found, key=_order)


@dataclass(frozen=True)
class Finding:
    question: str
    answer: str
    plot: Plot | None = None


def if_beyond_noise(question: str, answer: str, plot: Plot) -> Finding:
    """The finding with its plot, or a sentence that there is nothing to see.

    The more bars there are, the more often two of them lie apart by chance: they are judged by
    intervals that hold for all bars at once.
    """
    series = _at_once(plot)
    compared = series if plot.is_apart else [[e for bars in series for e in bars]]
    if any(_is_beyond_noise(bars, plot.even) for bars in compared):
        return Finding(question, answer, plot)
    widest = max(e.margin for bars in series for e in bars)
    if widest == 0:
        return Finding(question, "No: there is no difference at all.")
    return Finding(question, f"No difference beyond the noise (±{widest:.2g}) was found.")


def _at_once(plot: Plot) -> list[list[Estimate]]:
    count = sum(map(len, plot.series.values()))
    return [[e.among(count) for e in bars.values()] for bars in plot.series.values()]


def _is_beyond_noise(found: Sequence[Estimate], even: float | None) -> bool:
    """Whether two intervals lie apart, or one of them apart from the even value."""
    if even is not None and any(e.high < even or e.low > even for e in found):
        return True
    return max(e.low for e in found) > min(e.high for e in found)


def _order(group: str) -> tuple[int, float, str]:
    try:
        return 0, float(group), group
    except ValueError:
        return 1, 0.0, ""  # as they came: sorting keeps their order
