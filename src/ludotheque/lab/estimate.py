"""Estimates with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

STANDARD_ERRORS = 1.96  # of the mean of many observations, to either side: 95 %
DOUBT = 0.05  # of an interval
RULE_OF_THREE = 3  # what n observations never showed has a share of at most 3 / n, at 95 %


@dataclass(frozen=True)
class Estimate:
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def among(self, count: int) -> Estimate:
        """With the wider interval at which all of this many estimates hold at once, at 95 %.

        Bonferroni's correction; the ends move away from the mean as those of a normal one would.
        """
        wider = NormalDist().inv_cdf(1 - DOUBT / (2 * count)) / NormalDist().inv_cdf(1 - DOUBT / 2)
        below, above = self.mean - self.low, self.high - self.mean
        return Estimate(self.mean, self.mean - wider * below, self.mean + wider * above)

    def to_json(self) -> dict[str, float]:
        return {"mean": round(self.mean, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def mean_of(observations: Sequence[float]) -> Estimate:
    mean = fmean(observations)
    return _around(mean, stdev(observations), len(observations))


def share_of(observations: Sequence[float]) -> Estimate:
    """The mean of observations between 0 and 1."""
    return share(fmean(observations), stdev(observations), len(observations))


def mean_of_sums(total: float, squares: float, count: int) -> Estimate:
    """The mean of `count` observations, from their sum and the sum of their squares."""
    return _around(total / count, _deviation(total, squares, count), count)


def share_of_sums(total: float, squares: float, count: int) -> Estimate:
    """The mean of `count` observations between 0 and 1, from their sums."""
    return share(total / count, _deviation(total, squares, count), count)


def share(mean: float, deviation: float, count: int) -> Estimate:
    """Wilson's interval, which never leaves 0 … 1.

    Shared victories and matches on one deal make observations that are neither 0 nor 1, so their
    deviation tells how many throws of a coin they are worth. Where all observations were the same
    it tells nothing, and the rule of three bounds the share.
    """
    if deviation == 0 or mean in (0, 1):
        reach = min(1.0, RULE_OF_THREE / count)
        return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))
    throws = count * mean * (1 - mean) / deviation**2
    z = standard_errors(count)
    centre = (mean + z * z / (2 * throws)) / (1 + z * z / throws)
    reach = math.sqrt(mean * (1 - mean) / throws + (z / (2 * throws)) ** 2) * z
    reach /= 1 + z * z / throws
    return Estimate(mean, centre - reach, centre + reach)


def standard_errors(count: int) -> float:
    """How many to either side hold 95 % where the deviation is estimated from few observations.

    Student's t, by the first terms of its expansion for `count` − 1 degrees of freedom.
    """
    z, free = STANDARD_ERRORS, max(1, count - 1)
    return (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )


def _around(mean: float, deviation: float, count: int) -> Estimate:
    reach = standard_errors(count) * deviation / math.sqrt(count)
    return Estimate(mean, mean - reach, mean + reach)


def _deviation(total: float, squares: float, count: int) -> float:
    if count < 2:
        return 0.0
    return math.sqrt(max(0.0, squares - total * total / count) / (count - 1))
