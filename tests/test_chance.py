"""Chance is keyed, exact and the same for ever."""

import hashlib
import hmac
from collections import Counter

import pytest

from ludotheque.engine import chance
from ludotheque.engine.chance import Seeds

KEY = bytes(range(32))
SERVER = bytes(range(100, 132))
ANNA, BEN = bytes(16), b"sixteen bytes !!"


def test_the_stream_is_hmac_sha_256_as_published() -> None:
    """RFC 4231, test case 2: what our draws are built on gives the published answer."""
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert hmac.digest(b"Jefe", b"what do ya want for nothing?", "sha256").hex() == expected


def test_draws_never_change() -> None:
    """Old matches are verified by these numbers: they hold on every version."""
    drawn = [chance.draw(KEY, name, [1] * 52) for name in range(12)]
    assert drawn == [14, 14, 43, 17, 5, 36, 26, 29, 2, 37, 31, 10]


def test_a_draw_can_be_checked_with_any_hmac() -> None:
    digest = hmac.new(KEY, (5).to_bytes(8, "big") + bytes(8), hashlib.sha256).digest()
    assert chance.draw(KEY, 5, [1] * 52) == int.from_bytes(digest[:8], "big") % 52


def test_a_word_that_would_favour_some_cases_is_drawn_again() -> None:
    """With 3 · 2⁶² cases the last quarter of all words is left out, and the next word counts."""
    cases = 3 << 62
    digests = [hmac.digest(KEY, bytes(8) + n.to_bytes(8, "big"), "sha256") for n in (0, 1)]
    first, second = (int.from_bytes(digest[:8], "big") for digest in digests)
    assert first >= cases > second
    assert chance.case_of(KEY, 0, cases) == second


@pytest.mark.parametrize(("word", "attempts"), [(2**64 - 2, 1), (2**64 - 1, 2)])
def test_only_words_beyond_the_last_full_set_of_cases_are_drawn_again(
    word: int, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2⁶⁴ words are one more than a multiple of 3, so one word is left out: the last."""
    words = [word, 7]
    monkeypatch.setattr(chance, "_word", lambda key, name, attempt: words[attempt])
    assert chance.case_of(KEY, 0, 3) == words[attempts - 1] % 3


def test_weights_are_exact() -> None:
    """Two dice: 21 pairs, doubles half as likely as the others."""
    weights = [1 if a == b else 2 for a in range(6) for b in range(a, 6)]
    counts = Counter(chance.draw(KEY, name, weights) for name in range(36_000))
    for index, weight in enumerate(weights):
        assert abs(counts[index] - 1000 * weight) < 200


def test_an_index_stands_for_as_many_cases_as_it_weighs() -> None:
    owners = [0, 0, 1, 2, 2, 2]
    for name in range(100):
        assert chance.draw(KEY, name, [2, 1, 3]) == owners[chance.case_of(KEY, name, 6)]


def test_an_outcome_of_weight_zero_is_never_drawn() -> None:
    assert {chance.draw(KEY, name, [0, 1, 0, 3]) for name in range(200)} == {1, 3}


def test_another_key_draws_otherwise() -> None:
    other = bytes(32)
    mine = [chance.draw(KEY, name, [1] * 1000) for name in range(8)]
    assert mine != [chance.draw(other, name, [1] * 1000) for name in range(8)]


def test_the_key_is_the_hmac_of_the_client_seeds_under_the_server_seed() -> None:
    expected = hmac.new(SERVER, ANNA + BEN, hashlib.sha256).digest()
    assert Seeds(SERVER, (ANNA, BEN)).key == expected


def test_every_seed_and_their_order_change_the_key() -> None:
    seeds = [
        Seeds(SERVER),
        Seeds(KEY),
        Seeds(SERVER, (ANNA,)),
        Seeds(SERVER, (BEN,)),
        Seeds(SERVER, (ANNA, BEN)),
        Seeds(SERVER, (BEN, ANNA)),
    ]
    assert len({s.key for s in seeds}) == len(seeds)


@pytest.mark.parametrize(
    ("seeds", "complaint"),
    [
        (Seeds(b"abc"), "a server seed has 3 bytes, expected 32"),
        (Seeds(SERVER, (ANNA, b"")), "a client seed has 0 bytes, expected 16"),
    ],
)
def test_a_seed_of_another_length_is_refused(seeds: Seeds, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        _ = seeds.key


def test_a_commitment_binds_the_server_seed() -> None:
    published = chance.commitment(SERVER)
    assert published == hashlib.sha256(b"ludotheque server seed\0" + SERVER).hexdigest()
    assert published != chance.commitment(KEY)
    with pytest.raises(ValueError, match="a server seed has 3 bytes, expected 32"):
        chance.commitment(b"abc")


def test_new_seeds_differ_and_have_256_bits() -> None:
    seeds = {chance.new_seeds() for _ in range(10)}
    assert len(seeds) == 10
    assert {(len(s.server), s.clients) for s in seeds} == {(32, ())}


def test_a_text_stands_for_the_same_seeds_every_time() -> None:
    assert chance.seeds_from("tuesday") == chance.seeds_from("tuesday")
    assert chance.seeds_from("tuesday") != chance.seeds_from("wednesday")


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="the key has 3 bytes, expected 32"):
        chance.draw(b"abc", 0, [1])


@pytest.mark.parametrize("weights", [[], [0], [0, 0]])
def test_nothing_to_draw_from_is_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        chance.draw(KEY, 0, weights)
