"""How much one guest and one address may ask of the server: every limit, in one place.

Whole clubs and schools share an address, so an address may do what sixty people do who are in a
hurry. Honest play never meets these limits; docs/hosting.md lists them for hosts.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.counts import counts

# Connections

CONNECTIONS = 20_000  # in all, if the system allows that many files
SPARE_FILES = 128  # left for storage, threads and pages
CONNECTIONS_PER_ADDRESS = 500
HEADERS_TIMEOUT_S = 10.0  # from the first byte, or from connecting, to the end of the headers
BODY_TIMEOUT_S = 30.0  # from the end of the headers to the end of the body
READING_TIMEOUT_S = 60.0  # for a client that takes nothing of an answer
LINGER_S = 2.0  # for a client to read why its connection is closed
LARGEST_HEADERS_BYTES = 32 * 1024  # with the path
MOST_HEADERS = 100
LARGEST_BODY_BYTES = 256 * 1024
MOST_CHUNKS = 4096  # of one body
MOST_PIPELINED = 16  # requests that wait on one connection for the answer to the first
WORKED_ON_AT_ONCE = 2  # requests of one address, and messages in one pass of the event loop

# Sockets

LARGEST_MESSAGE_BYTES = 64 * 1024
HELLO_TIMEOUT_S = 10
FRAMES_PER_S = 30  # of one socket: messages, their fragments, pings and pongs
BYTES_PER_S = LARGEST_MESSAGE_BYTES
BURST_BYTES = 4 * LARGEST_MESSAGE_BYTES  # at once, before BYTES_PER_S holds

# Bots

MATCHES_WITH_BOTS = 40  # that go on at once at the tables of one host


class Limit(NamedTuple):
    """How often something may be done in a minute. A minute's share may be used at once."""

    name: str
    per_guest: int
    per_address: int
    doing: str  # what is done, for the sentence that refuses it


NO_GUEST = 0  # of limits for visitors who have no name yet

REQUESTS = Limit("requests", NO_GUEST, 12_000, "asking")  # of any kind, pages and pictures too
GUESTS = Limit("guests", NO_GUEST, 120, "making or recovering guests")
ACCOUNT = Limit("account", 20, 300, "changing a name or devices")
DATA = Limit("data", 2, 60, "getting or deleting one's data")  # each reads every stored event
CODES = Limit("codes", NO_GUEST, 60, "trying codes")  # so that trying all of them takes days
SOCKETS = Limit("sockets", NO_GUEST, 2400, "connecting to tables")
TABLES = Limit("tables", 30, 300, "opening tables")
SEATS = Limit("seats", 240, 3600, "changing seats and settings and starting matches")
MOVES = Limit("moves", 1800, 18_000, "making moves")
CHAT = Limit("chat", 60, 1800, "talking")
HINTS = Limit("hints", 30, 600, "asking for hints")
READS = Limit("reads", 1200, 12_000, "looking things up")
WARMUPS = Limit("warmups", 240, 3600, "asking how far compiling is")
PUSH = Limit("push", 20, 300, "changing notifications")

ALL = (
    REQUESTS,
    GUESTS,
    ACCOUNT,
    DATA,
    CODES,
    SOCKETS,
    TABLES,
    SEATS,
    MOVES,
    CHAT,
    HINTS,
    READS,
    WARMUPS,
    PUSH,
)


BY_NAME = {limit.name: limit for limit in ALL}


def of(command: messages.AnyCommand) -> Limit:
    """The limit that a command at a table counts towards."""
    if isinstance(command, messages.Play | messages.Contribute):
        return MOVES
    return CHAT if isinstance(command, messages.Say) else SEATS


class TooOften(Refused):
    """Something was asked for too often."""

    reason = "too_often"

    def __init__(self, limit: Limit, seconds: float, is_shared: bool) -> None:
        self.seconds = max(1, math.ceil(seconds))
        where = " from your address" if is_shared else ""
        unit = "second" if self.seconds == 1 else "seconds"
        error = f"too much {limit.doing}{where}; try again in {self.seconds} {unit}"
        super().__init__(error, self.reason)


# Counting

Now = Callable[[], float]  # seconds on a monotonic clock

SHARE_WORTH_TELLING = 50  # a node tells others when it has used this part of a minute's share
MOST_UNSHARED = 100_000
FEW_BUCKETS = 1000  # kept without a look at which are full
GUESTS_KNOWN = 20_000  # by their homes, the last that did something; this is never stored
IPV6_HOME_BITS = 64  # of an address, which one home or one server has to itself


class Bucket:
    """Allows something `rate` times a second, and `burst` times at once."""

    def __init__(
        self, rate: float, burst: float | None = None, clock: Now = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = rate if burst is None else burst
        self._clock = clock
        self._left = self._burst
        self._filled = clock()

    @property
    def is_full(self) -> bool:
        self._fill()
        return self._left >= self._burst

    def allows(self, cost: float = 1) -> bool:
        """Whether it may be done now; if so, it counts as done."""
        if self.wait(cost) > 0:
            return False
        self._left -= cost
        return True

    def wait(self, cost: float = 1) -> float:
        """Seconds until it may be done, 0 for now."""
        self._fill()
        return 0.0 if self._left >= cost else (cost - self._left) / self._rate

    def take(self, cost: float) -> None:
        """It was done elsewhere, whether or not it may be."""
        self._fill()
        self._left = max(0.0, self._left - cost)

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._filled) * self._rate)
        self._filled = now


class Pace:
    """How often each guest and each address has done what is limited, over all tables and paths."""

    def __init__(self, clock: Now = time.monotonic) -> None:
        self.is_shared = False  # with other nodes
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._most = FEW_BUCKETS
        self._unshared: Counter[tuple[str, str]] = Counter()
        self._homes: dict[str, str] = {}  # of guests, those of whom nothing was heard longest first

    def home_of(self, guest: str) -> str:
        """From where a guest has last done something; a guest who is not known is by themselves."""
        return self._homes.get(guest, f"guest {guest}")

    def __len__(self) -> int:
        """How many buckets are kept."""
        return len(self._buckets)

    def count(self, limit: Limit, address: str, guest: str = "") -> None:
        """Count that this is done now; TooOften if it must not be, which counts as nothing."""
        there = home(address)
        if guest:
            self._note_home(guest, there)
        shared = self._bucket(limit, there, limit.per_address)
        own = self._bucket(limit, f"guest {guest}", limit.per_guest) if guest else None
        waits = shared.wait(), own.wait() if own is not None else 0.0
        if max(waits) > 0:
            counts.refuse("limit", limit.name)
            raise TooOften(limit, max(waits), waits[0] > waits[1])
        shared.allows()
        self._note_use(limit, there)
        if own is not None:
            own.allows()
            self._note_use(limit, f"guest {guest}")

    def _note_use(self, limit: Limit, who: str) -> None:
        if self.is_shared:
            self._unshared[limit.name, who] += 1

    def take_used(self) -> list[tuple[str, str, int]]:
        """What was used here and is not known to other nodes, as far as it is worth telling."""
        worth = {
            key: used
            for key, used in self._unshared.items()
            if used * SHARE_WORTH_TELLING >= self._per_minute(*key)
        }
        for key in worth:
            del self._unshared[key]
        if len(self._unshared) > MOST_UNSHARED:
            self._unshared.clear()  # with that many, each has used next to nothing
        return [(name, who, used) for (name, who), used in worth.items()]

    def count_elsewhere(self, used: Iterable[tuple[str, str, int]]) -> None:
        """Count what was used on another node."""
        for name, who, cost in used:
            limit = BY_NAME.get(name)
            if limit is not None:
                self._bucket(limit, who, self._per_minute(name, who)).take(cost)

    def _per_minute(self, name: str, who: str) -> int:
        limit = BY_NAME[name]
        return limit.per_guest if who.startswith("guest ") else limit.per_address

    def _note_home(self, guest: str, there: str) -> None:
        self._homes.pop(guest, None)
        self._homes[guest] = there
        if len(self._homes) > GUESTS_KNOWN:
            del self._homes[next(iter(self._homes))]

    def _bucket(self, limit: Limit, who: str, per_minute: int) -> Bucket:
        key = (limit.name, who)
        if key not in self._buckets:
            self._make_room()
            self._buckets[key] = Bucket(per_minute / 60, per_minute, self._clock)
        return self._buckets[key]

    def _make_room(self) -> None:
        """Forget full buckets, which equal new ones, whenever their number has doubled."""
        if len(self._buckets) >= self._most:
            self._buckets = {key: b for key, b in self._buckets.items() if not b.is_full}
            self._most = max(FEW_BUCKETS, 2 * len(self._buckets))


def home(address: str) -> str:
    """What counts as one address: an address of IPv4, or the network of a home in IPv6."""
    if ":" not in address:
        return address
    try:
        number = int(ipaddress.IPv6Address(address.partition("%")[0]))
    except ValueError:
        return address
    return f"{number >> (128 - IPV6_HOME_BITS):x}::"
