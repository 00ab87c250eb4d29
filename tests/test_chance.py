"""Chance is keyed, exact and the same for ever."""

import hashlib
import hmac
from collections import Counter

import pytest

from ludotheque.engine import chance

KEY = bytes(range(32))


def test_the_stream_is_hmac_sha_256_as_published() -> None:
    """RFC 4231, test case 2: what our draws are built on gives the published answer."""
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert hmac.digest(b"Jefe", b"what do ya want for nothing?", "sha256").hex() == expected


def test_draws_never_change() -> None:
    """Old matches are verified by these numbers: they hold on every version."""
    drawn = [chance.draw(KEY, place, [1] * 52) for place in range(12)]
    assert drawn == [14, 14, 43, 17, 5, 36, 26, 29, 2, 37, 31, 10]


def test_a_draw_can_be_checked_with_any_hmac() -> None:
    digest = hmac.new(KEY, (5).to_bytes(8, "big") + bytes(8), hashlib.sha256).digest()
    assert chance.draw(KEY, 5, [1] * 52) == int.from_bytes(digest[:8], "big") % 52


def test_weights_are_exact() -> None:
    """Two dice: 21 pairs, doubles half as likely as the others."""
    weights = [1 if a == b else 2 for a in range(6) for b in range(a, 6)]
    counts = Counter(chance.draw(KEY, place, weights) for place in range(36_000))
    for index, weight in enumerate(weights):
        assert abs(counts[index] - 1000 * weight) < 200


def test_an_outcome_of_weight_zero_is_never_drawn() -> None:
    assert {chance.draw(KEY, place, [0, 1, 0, 3]) for place in range(200)} == {1, 3}


def test_another_key_draws_otherwise() -> None:
    other = bytes(32)
    mine = [chance.draw(KEY, place, [1] * 1000) for place in range(8)]
    assert mine != [chance.draw(other, place, [1] * 1000) for place in range(8)]


def test_a_commitment_binds_the_key() -> None:
    assert chance.commitment(KEY) == chance.commitment(KEY)
    assert chance.commitment(KEY) != chance.commitment(bytes(32))
    assert KEY.hex() not in chance.commitment(KEY)


def test_new_keys_differ_and_have_256_bits() -> None:
    keys = {chance.new_key() for _ in range(10)}
    assert len(keys) == 10
    assert {len(key) for key in keys} == {32}


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="has 32 bytes, this one has 3"):
        chance.draw(b"abc", 0, [1])


@pytest.mark.parametrize("weights", [[], [0], [0, 0]])
def test_nothing_to_draw_from_is_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        chance.draw(KEY, 0, weights)
