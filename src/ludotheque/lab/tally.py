"""What matches add up to: whole numbers, so that their order does not matter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ludotheque.lab.estimate import Estimate, mean_of_sums, share_of_sums

WHOLE = 60  # a victory, in parts that up to six winners can share


@dataclass(frozen=True)
class Tally:
    """The totals of some matches; lists are by seat."""

    games: int
    wins: list[int]  # a shared victory counts for each winner
    shares: list[int]  # of victories, in sixtieths: a shared one is split
    squared_shares: list[int]
    scores: list[Counter[int]]  # how often each score came
    lengths: Counter[int]  # matches by their number of moves, chance included
    winners: Counter[int]  # matches by how many seats won together

    @classmethod
    def empty(cls, seats: int) -> Self:
        none = [0] * seats
        scores = [Counter[int]() for _ in none]
        return cls(0, none, none, none, scores, Counter(), Counter())

    @classmethod
    def of(cls, won: Any, points: Any, lengths: Any) -> Self:
        """The totals of matches whose results are rows of arrays."""
        winners = won.sum(axis=1)
        split = won * (WHOLE // np.maximum(winners, 1))[:, None]
        return cls(
            len(lengths),
            won.sum(axis=0).tolist(),
            split.sum(axis=0).tolist(),
            (split**2).sum(axis=0).tolist(),
            [_counted(column) for column in points.T],
            _counted(lengths),
            _counted(winners),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            _sums(self.wins, other.wins),
            _sums(self.shares, other.shares),
            _sums(self.squared_shares, other.squared_shares),
            [a + b for a, b in zip(self.scores, other.scores, strict=True)],
            self.lengths + other.lengths,
            self.winners + other.winners,
        )

    @property
    def moves(self) -> int:
        return sum(length * times for length, times in self.lengths.items())

    @property
    def points(self) -> list[int]:
        """By seat, summed over all matches."""
        return [sum(score * times for score, times in seat.items()) for seat in self.scores]

    def victory_share(self, seat: int) -> Estimate:
        squares = self.squared_shares[seat] / WHOLE**2
        return share_of_sums(self.shares[seat] / WHOLE, squares, self.games)

    def mean_score(self, seat: int) -> Estimate:
        return mean_of_counts(self.scores[seat])

    def mean_length(self) -> Estimate:
        return mean_of_counts(self.lengths)

    def to_json(self) -> dict[str, Any]:
        """A form that `from_json` reads back: counts by value as pairs."""
        return {
            "games": self.games,
            "wins": self.wins,
            "shares": self.shares,
            "squared_shares": self.squared_shares,
            "scores": [sorted(seat.items()) for seat in self.scores],
            "lengths": sorted(self.lengths.items()),
            "winners": sorted(self.winners.items()),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        counts = {
            "scores": [Counter(dict(seat)) for seat in data["scores"]],
            "lengths": Counter(dict(data["lengths"])),
            "winners": Counter(dict(data["winners"])),
        }
        return cls(**data | counts)


def mean_of_counts(counts: Counter[int]) -> Estimate:
    """The mean of values of which is known how often each came."""
    total = sum(value * times for value, times in counts.items())
    squares = sum(value * value * times for value, times in counts.items())
    return mean_of_sums(total, squares, counts.total())


def _counted(values: Any) -> Counter[int]:
    if not len(values):
        return Counter()
    lowest = int(values.min())
    times = np.bincount(values - lowest)  # scores and lengths are small: no need to sort them
    return Counter({lowest + int(place): int(times[place]) for place in np.nonzero(times)[0]})


def _sums(some: list[int], others: list[int]) -> list[int]:
    return [a + b for a, b in zip(some, others, strict=True)]
