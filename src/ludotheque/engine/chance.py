"""The stream that draws for CHANCE: keyed, public in its method, and bound to the log.

The draw at place n of a log is a function of the key and of n alone. So a server that restarts
draws what it would have drawn, and nobody can ask twice until the dice please them. The commitment
is published before the deal, the key after the match, and anyone with HMAC-SHA-256 (every browser
has it) can check each draw. The method never changes, since old matches are checked by it too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

KEY_BYTES = 32


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def key_from(text: str) -> bytes:
    """The key that this text stands for: repeatable, and only as secret as the text."""
    return hashlib.sha256(text.encode()).digest()


def commitment(key: bytes) -> str:
    """What may be shown before the match: it binds the key and tells nothing about it."""
    return hashlib.sha256(b"ludotheque chance key\0" + key).hexdigest()


def draw(key: bytes, place: int, weights: Sequence[int]) -> int:
    """The index drawn at this place of the log; each index is as likely as its weight says."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a chance key has {KEY_BYTES} bytes, this one has {len(key)}")
    ticket = _below(key, place, sum(weights))
    for index, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return index
    raise ValueError("chance has nothing to draw from: the weights are all zero")


def _below(key: bytes, place: int, bound: int) -> int:
    """A whole number from 0 to bound − 1, each exactly as likely as the others."""
    if bound <= 0:
        raise ValueError("chance has nothing to draw from: the weights are all zero")
    unbiased = (1 << 64) - (1 << 64) % bound
    attempt = 0
    while True:
        number = _word(key, place, attempt)
        if number < unbiased:
            return number % bound
        attempt += 1


def _word(key: bytes, place: int, attempt: int) -> int:
    message = place.to_bytes(8, "big") + attempt.to_bytes(8, "big")
    return int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
