"""Provably fair draws: a server seed, the players' client seeds, and a name for every draw.

The server publishes the commitment of its seed before the players add theirs, so neither side can
choose what is drawn. A draw depends on the key, which is made of all seeds, and on its name alone:
a server that restarts draws what it would have drawn, and the same seeds deal the same cards to
other people. The server seed is told after the match; then anyone with SHA-256 and HMAC (every
browser has them) can check each draw. docs/fair-shuffles.md describes the method, which never
changes, since old matches are checked by it too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

KEY_BYTES = 32
SERVER_SEED_BYTES = 32
CLIENT_SEED_BYTES = 16
LABEL = b"ludotheque server seed\0"  # so that the hash serves no other purpose


class Seeds(NamedTuple):
    """What a match draws from: the server's seed, and in seat order those of the people."""

    server: bytes
    clients: tuple[bytes, ...] = ()

    @property
    def key(self) -> bytes:
        """What every draw is made with; ValueError if a seed has the wrong length."""
        _check_length("server", self.server, SERVER_SEED_BYTES)
        for seed in self.clients:
            _check_length("client", seed, CLIENT_SEED_BYTES)
        return hmac.digest(self.server, b"".join(self.clients), "sha256")


class ChanceOutcomes(NamedTuple):
    """What chance may draw now: the name of the draw, and outcome i in weights[i] of its cases."""

    name: int
    outcomes: list[int]
    weights: list[int]

    def draw(self, key: bytes) -> int:
        """The outcome that this key gives."""
        return self.outcomes[draw(key, self.name, self.weights)]


class Draw(NamedTuple):
    """One draw: its name, from how many equally likely cases, and which of them it was."""

    name: int
    cases: int
    case: int


def new_server_seed() -> bytes:
    return secrets.token_bytes(SERVER_SEED_BYTES)


def new_seeds() -> Seeds:
    """Seeds for a match in which nobody has to trust anybody: the server's alone."""
    return Seeds(new_server_seed())


def seeds_from(text: str) -> Seeds:
    """The seeds that this text stands for: repeatable, and only as secret as the text."""
    return Seeds(hashlib.sha256(text.encode()).digest())


def commitment(server_seed: bytes) -> str:
    """What may be shown before the match: it binds the seed and tells nothing about it."""
    _check_length("server", server_seed, SERVER_SEED_BYTES)
    return hashlib.sha256(LABEL + server_seed).hexdigest()


def draw(key: bytes, name: int, weights: Sequence[int]) -> int:
    """The index that the draw of this name gives; each is as likely as its weight says."""
    bounds = list(accumulate(weights, initial=0))
    return bisect_right(bounds, case_of(key, name, bounds[-1])) - 1


def case_of(key: bytes, name: int, cases: int) -> int:
    """The case from 0 to cases − 1 that the draw of this name gives, each exactly as likely."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"the key has {len(key)} bytes, expected {KEY_BYTES}")
    if cases <= 0:
        raise ValueError(f"there is nothing to draw from: {cases} cases, expected at least 1")
    unbiased = (1 << 64) - (1 << 64) % cases
    attempt = 0
    while (number := _word(key, name, attempt)) >= unbiased:
        attempt += 1
    return number % cases


def _word(key: bytes, name: int, attempt: int) -> int:
    message = name.to_bytes(8, "big") + attempt.to_bytes(8, "big")
    return int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")


def _check_length(whose: str, seed: bytes, expected: int) -> None:
    if len(seed) != expected:
        raise ValueError(f"a {whose} seed has {len(seed)} bytes, expected {expected}")
