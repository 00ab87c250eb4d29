"""Sets of small numbers, as the bits of one number: how rules keep hands and piles."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(1 << 14)  # the same sets are asked for again and again
def numbers(bits: int) -> tuple[int, ...]:
    """The numbers whose bits are set, in rising order."""
    return tuple([number for number in range(bits.bit_length()) if bits >> number & 1])
