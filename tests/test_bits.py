"""Sets of numbers are read from bits in rising order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ludotheque.engine.bits import numbers


@given(st.sets(st.integers(0, 62)))
def test_the_numbers_of_a_set_come_back_in_rising_order(members: set[int]) -> None:
    assert numbers(sum(1 << member for member in members)) == tuple(sorted(members))
