"""How far away a client is, as the server measures it: no client's word is taken for it.

A ping carries random bytes and its pong carries them back, so no client can seem nearer or answer
ahead. One that holds its pongs back seems farther away: that is why what a round trip is worth has
a limit.
"""

from __future__ import annotations

import secrets

from ludotheque.server import clock

INTERVAL_S = 2.0  # between two pings
LOST_AFTER_S = 10.0  # without a pong
LONGEST_S = 0.25  # a longer round trip counts as one of this length
PAYLOAD_BYTES = 8


class RoundTrips:
    """The round trips of one connection in one match, of which the smallest counts."""

    __slots__ = ("_match", "_payload", "_sent_at", "_smallest")

    def __init__(self) -> None:
        self._begin(0)

    def _begin(self, match: int) -> None:
        self._match = match
        self._payload = b""  # of the ping that has not been answered
        self._sent_at: float | None = None
        self._smallest: float | None = None

    def ping(self, match: int) -> bytes | None:
        """The payload of a ping to be sent now, in the match of this number; None if none is."""
        if match != self._match:
            self._begin(match)
        now = clock.instant()
        pause = LOST_AFTER_S if self._payload else INTERVAL_S
        if self._sent_at is not None and now - self._sent_at < pause:
            return None
        self._payload, self._sent_at = secrets.token_bytes(PAYLOAD_BYTES), now
        return self._payload

    def pong(self, payload: bytes) -> None:
        """A pong has come; one that answers no ping tells nothing."""
        if self._payload and self._sent_at is not None and payload == self._payload:
            taken = clock.instant() - self._sent_at
            self._payload = b""
            self._smallest = taken if self._smallest is None else min(taken, self._smallest)

    @property
    def delay_s(self) -> float:
        """How long a message from the client is on its way; 0 before anything is known."""
        return 0.0 if self._smallest is None else min(self._smallest, LONGEST_S) / 2
