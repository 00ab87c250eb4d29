"""What a node holds: its lease, renewed while it lives, and by it the tables it owns.

A lease is a key that the broker deletes unless it is renewed. A table's key names the lease of its
owner, and may be replaced only if that lease is gone. A lease that has run out never comes back:
the node goes on under another one, and owns nothing. So a node which was frozen, or cut off, knows
by its clock alone that it may no longer answer for its tables.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ludotheque.server.nodes.broker import LEASES, TABLES, Broker, Entry, Taken
from ludotheque.server.store import Unavailable

LEASE_S = 3.0  # so that a busy machine does not lose it, and a dead node is replaced within 5
RENEW_S = 0.5
MARGIN_S = 0.25  # by which a node stops early: its clock and the broker's are not the same
TRIES = 20  # to claim a key that others change at the same time

log = logging.getLogger(__name__)


def now() -> float:
    """Seconds on a clock that goes on while the process is frozen or the machine asleep."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Held(NamedTuple):
    """Who owns a table now: the holder is a lease; `is_ours` if it is this node's."""

    holder: str
    is_ours: bool


class Lease:
    """The lease of this node: NAME.NUMBER, another number whenever it has run out."""

    def __init__(self, broker: Broker, name: str, clock: Callable[[], float] = now) -> None:
        self._broker = broker
        self._name = name
        self._clock = clock
        self._revision = 0
        self._until = float("-inf")
        self._answered = clock()  # when the broker was asked what it has answered last
        self.id = ""

    @property
    def is_held(self) -> bool:
        return self._clock() < self._until

    @property
    def left_s(self) -> float:
        return self._until - self._clock()

    @property
    def unanswered_s(self) -> float:
        """For how long the broker has not answered."""
        return self._clock() - self._answered

    async def take(self) -> None:
        """Begin under a new number."""
        self._until = float("-inf")
        id_ = f"{self._name}.{secrets.token_hex(6)}"
        asked = self._clock()
        revision = await self._broker.put(LEASES, id_, self._name, 0)
        self._answered = asked
        self.id, self._revision = id_, revision
        self._until = asked + LEASE_S - MARGIN_S

    async def renew(self) -> bool:
        """Whether it goes on; Unavailable if the broker does not say."""
        asked = self._clock()
        try:
            revision = await self._broker.put(LEASES, self.id, self._name, self._revision)
        except Taken:  # by an earlier renewal of ours that was not confirmed, or it is gone
            found = await self._broker.get(LEASES, self.id)
            self._answered = asked
            if found is None:
                self.end()
                return False
            self._revision = found.revision
            return self.is_held
        self._answered = asked
        if not self.is_held:  # it was renewed too late, after this node had stopped answering
            self.end()
            return False
        self._revision, self._until = revision, asked + LEASE_S - MARGIN_S
        return True

    def end(self) -> None:
        """Stop answering for every table, now."""
        self._until = float("-inf")

    async def give_back(self) -> None:
        """Let others take over at once what is left."""
        self.end()
        if self.id:
            await self._broker.delete(LEASES, self._revision)


class Claims:
    """The tables that this node owns under its lease."""

    def __init__(self, broker: Broker, lease: Lease) -> None:
        self._broker = broker
        self._lease = lease
        self._revisions: dict[str, int] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._revisions

    def __len__(self) -> int:
        return len(self._revisions)

    def forget_all(self) -> None:
        """The lease has run out."""
        self._revisions.clear()

    def forget(self, table: str) -> None:
        """It is not known any more whether a table is ours: another node may have taken it."""
        self._revisions.pop(table, None)

    async def claim(self, table: str, only_find: bool = False) -> Held:
        """Own a table that nobody owns, or say who does; or only say it."""
        if table in self._revisions and self._lease.is_held:
            return Held(self._lease.id, True)
        found = await self._broker.get(TABLES, table) if only_find else None
        for _ in range(TRIES):
            self._expect_lease()
            if found is not None and await self._is_of_another(found):
                return Held(found.value, False)
            if only_find:
                raise Unavailable("this node is stopping; try again")
            try:
                return await self._put(table, self._lease.id, found.revision if found else 0)
            except Taken:
                found = await self._broker.get(TABLES, table)
        raise Unavailable("many nodes want this table at once; try again")

    async def _is_of_another(self, found: Entry) -> bool:
        return found.value != self._lease.id and await self.is_alive(found.value)

    async def _put(self, table: str, holder: str, expected: int) -> Held:
        revision = await self._broker.put(TABLES, table, holder, expected)
        self._expect_lease()
        self._revisions[table] = revision
        return Held(holder, True)

    async def hand_over(self, table: str, holder: str) -> bool:
        """Make a table another node's; False if it is not ours any more."""
        revision = self._revisions.pop(table, None)
        if revision is None:
            return False
        try:
            await self._broker.put(TABLES, table, holder, revision)
        except Taken:
            return False
        return True

    async def release(
        self, table: str, settle: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Let any node own a table, once what this one has begun with it is settled.

        If this node owns it again before that, it goes on owning it.
        """
        revision = self._revisions.pop(table, None)
        if revision is not None:
            if settle is not None:
                await settle()
            await self._broker.delete(TABLES, revision)

    async def is_held(self, table: str) -> bool:
        """Whether any node owns a table."""
        found = await self._broker.get(TABLES, table)
        return found is not None and await self.is_alive(found.value)

    async def held_by_others(self) -> dict[str, str]:
        """The tables that living nodes other than this one own, and their leases."""
        holders = await self._broker.values(TABLES)
        others = set(holders.values()) - {self._lease.id}
        living = {holder for holder in others if await self.is_alive(holder)}
        return {table: holder for table, holder in holders.items() if holder in living}

    async def is_alive(self, holder: str) -> bool:
        return await self._broker.get(LEASES, holder) is not None

    def _expect_lease(self) -> None:
        if not self._lease.is_held:
            raise Unavailable("this node is joining the others; try again")


async def keep(lease: Lease, lost: Callable[[], object], gained: Callable[[], object]) -> None:
    """Renew a lease without end; `lost` is called when it has run out, `gained` for each new one.

    `lost` may come late, after a freeze: look at `is_held` before you answer.
    """
    was_held = lease.is_held
    while True:
        begun = asyncio.get_running_loop().time()
        try:
            if lease.is_held:
                await lease.renew()
            if not lease.is_held and was_held:
                was_held = False
                log.warning("the lease of this node has run out: others take over its tables")
                lost()
            if not lease.is_held:
                await lease.take()
                was_held = True
                gained()
        except Unavailable:
            pass  # the broker is away; the lease may run out
        except Exception:  # or the node would never answer again
            log.exception("the lease of this node could not be renewed")
        if was_held and not lease.is_held:
            continue
        taken = asyncio.get_running_loop().time() - begun
        pause = max(0.05, RENEW_S - taken)
        await asyncio.sleep(min(pause, max(0.01, lease.left_s)) if lease.is_held else pause)
