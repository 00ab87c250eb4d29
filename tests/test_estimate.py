"""Intervals that mean something."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludotheque.lab.estimate import (
    mean_of,
    mean_of_sums,
    share_of,
    share_of_sums,
    standard_errors,
)

shares = st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), min_size=2, max_size=60)


@given(shares)
def test_the_interval_of_a_share_holds_it_and_stays_between_0_and_1(found: list[float]) -> None:
    estimate = share_of(found)
    assert 0 <= estimate.low <= estimate.mean + 1e-12
    assert estimate.mean - 1e-12 <= estimate.high <= 1


@given(shares)
def test_sums_tell_the_same_as_single_observations(found: list[float]) -> None:
    total, squares = sum(found), sum(value * value for value in found)
    single, summed = mean_of(found), mean_of_sums(total, squares, len(found))
    assert (summed.mean, summed.low) == pytest.approx((single.mean, single.low), abs=1e-6)


def test_nineteen_in_twenty_intervals_hold_the_truth() -> None:
    rng, held = Random(4), 0
    for _ in range(2000):
        found = [float(rng.random() < 0.3) for _ in range(50)]
        held += share_of(found).low <= 0.3 <= share_of(found).high
    assert 0.93 < held / 2000 < 0.97


def test_few_observations_have_the_wider_intervals_that_they_need() -> None:
    table = {4: 3.182, 6: 2.571, 11: 2.228, 31: 2.042}  # of Student's t, by observations
    for count, errors in table.items():
        assert standard_errors(count) == pytest.approx(errors, rel=0.02)
    rng, held = Random(6), 0
    for _ in range(2000):
        estimate = mean_of([rng.gauss(3, 2) for _ in range(5)])
        held += estimate.low <= 3 <= estimate.high
    assert 0.93 < held / 2000 < 0.97


def test_what_never_happened_in_n_trials_happens_at_most_3_in_n_times() -> None:
    never = share_of_sums(0, 0, 300)
    assert (never.mean, never.low, never.high) == (0, 0, 0.01)
    always = share_of_sums(300, 300, 300)
    assert (always.mean, always.low, always.high) == (1, 0.99, 1)
