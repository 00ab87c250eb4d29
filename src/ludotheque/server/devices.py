"""The devices on which guests are signed in, and the links that sign in one more.

Tokens are random. Storage keeps their hashes, so a copy of the database signs nobody in.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from typing import NamedTuple

import sqlalchemy as sa

from ludotheque.server.player import Player
from ludotheque.server.schema import devices, players, recoveries, subscriptions
from ludotheque.server.store import Store

SEEN_EVERY_MS = 3600 * 1000
RECOVERY_MS = 15 * 60 * 1000
GUESTS_AT_ONCE = 500  # that are looked for in storage
DEVICES_KEPT = 20  # of a guest, the last used

# What a browser calls itself, the special ones before those they are built on.
BROWSERS = {
    "Edge": r"\bEdgA?/|\bEdgiOS/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\bFirefox/|\bFxiOS/",
    "Chrome": r"\bChrome/|\bCriOS/|\bHeadlessChrome/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "Android": r"\bAndroid\b",
    "Windows": r"\bWindows\b",
    "ChromeOS": r"\bCrOS\b",
    "macOS": r"\bMacintosh\b",
    "Linux": r"\bLinux\b",
}


class Device(NamedTuple):
    id: str
    browser: str
    system: str
    created: int  # milliseconds since 1970
    seen: int


class SignedIn(NamedTuple):
    """Who has a token, and when their device was last seen."""

    player: Player
    seen: int


class GuestsDevice(NamedTuple):
    guest: str
    device: str  # "" for those of earlier versions


class Devices:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def signed_in(self, token: str) -> SignedIn | None:
        """Who is signed in with this token."""
        columns = (players.c.id, players.c.name, players.c.avatar, devices.c.id.label("device"))
        joined = devices.join(players, players.c.id == devices.c.guest)
        chosen = sa.select(*columns, devices.c.seen).select_from(joined)
        for row in await self._store.read(chosen.where(devices.c.hash == hash_of(token))):
            return SignedIn(Player(row.id, row.name, row.avatar, row.device), row.seen)
        return None

    async def former(self, guest: str) -> Player | None:
        """A guest of an earlier version, unless they have signed out a device since."""
        chosen = sa.select(players).where(players.c.id == guest, players.c.has_former_token)
        for row in await self._store.read(chosen):
            return Player(row.id, row.name, row.avatar)
        return None

    async def signed_out(self, asked: set[GuestsDevice]) -> set[GuestsDevice]:
        """Those of these devices on which their guests are no longer signed in."""
        guests, left = sorted({each.guest for each in asked}), set[GuestsDevice]()
        for start in range(0, len(guests), GUESTS_AT_ONCE):
            some = guests[start : start + GUESTS_AT_ONCE]
            former = players.c.id.in_(some), players.c.has_former_token
            for chosen in (
                sa.select(devices.c.guest, devices.c.id).where(devices.c.guest.in_(some)),
                sa.select(players.c.id, sa.literal("")).where(*former),
            ):
                left.update(GuestsDevice._make(row) for row in await self._store.read(chosen))
        return asked - left

    async def note_seen(self, device: str) -> None:
        now = now_ms()
        used = sa.update(devices).where(devices.c.id == device, devices.c.seen < now)
        used = used.values(seen=now)
        await self._store.change("a device", lambda connection: connection.execute(used))

    async def of(self, guest: str) -> list[Device]:
        """The devices of a guest, the last used first."""
        chosen = sa.select(*(devices.c[name] for name in Device._fields))
        chosen = chosen.where(devices.c.guest == guest).order_by(devices.c.seen.desc())
        return [Device._make(row) for row in await self._store.read(chosen)]

    async def enter(self, player: Player, user_agent: str) -> str:
        """Keep a new guest, who is signed in with the token that is returned."""
        token = new_token()

        def enter(connection: sa.Connection) -> None:
            values = {"id": player.id, "name": player.name, "avatar": player.avatar}
            connection.execute(sa.insert(players).values(**values, created=now_ms()))
            _add(connection, player.id, token, user_agent)

        await self._store.change(f"player {player.id}", enter)
        return token

    async def rename(self, player: Player) -> None:
        values = {"name": player.name, "avatar": player.avatar}
        named = sa.update(players).where(players.c.id == player.id).values(**values)
        await self._store.change(
            f"player {player.id}", lambda connection: connection.execute(named)
        )

    async def add(self, guest: str, user_agent: str) -> str:
        """Sign a guest in on one more device; the token for it."""
        token = new_token()
        await self._store.change(
            f"a device of player {guest}",
            lambda connection: _add(connection, guest, token, user_agent),
        )
        return token

    async def sign_out(
        self, guest: str, device: str | None = None, all_but: str | None = None
    ) -> None:
        """Sign a guest out on one device, on all, or on all but one.

        What is signed out is not called to turns any more. Tokens of earlier versions end as well,
        since all devices had the same.
        """
        gone = sa.delete(devices).where(devices.c.guest == guest)
        uncalled = sa.delete(subscriptions).where(subscriptions.c.guest == guest)
        if device is not None:
            gone = gone.where(devices.c.id == device)
            uncalled = uncalled.where(subscriptions.c.device == device)
        if all_but is not None:
            gone = gone.where(devices.c.id != all_but)
            uncalled = uncalled.where(subscriptions.c.device != all_but)

        def sign_out(connection: sa.Connection) -> None:
            connection.execute(gone)
            connection.execute(uncalled)
            connection.execute(_no_link(guest))
            one = sa.update(players).where(players.c.id == guest)
            connection.execute(one.values(has_former_token=False))

        await self._store.change(f"devices of player {guest}", sign_out)

    # Links that sign in one more device

    async def new_link(self, guest: str) -> str:
        """What a recovery link carries; the link before it ends."""
        token = new_token()
        values = {"guest": guest, "hash": hash_of(token), "expires": now_ms() + RECOVERY_MS}

        def keep(connection: sa.Connection) -> None:
            connection.execute(_no_link(guest))
            connection.execute(sa.insert(recoveries).values(values))

        await self._store.change(f"a recovery link of player {guest}", keep)
        return token

    async def end_link(self, guest: str) -> None:
        await self._store.change(
            f"a recovery link of player {guest}",
            lambda connection: connection.execute(_no_link(guest)),
        )

    async def link_left_ms(self, guest: str) -> int:
        """For how long the recovery link of a guest still works."""
        chosen = sa.select(recoveries.c.expires).where(recoveries.c.guest == guest)
        rows = await self._store.read(chosen)
        return max(0, int(rows[0].expires) - now_ms()) if rows else 0

    async def use_link(self, token: str, user_agent: str, leaving: Player | None) -> str | None:
        """Sign a device in by a recovery link, which ends; its token, or None.

        A guest who was signed in there is no longer.
        """

        def use(connection: sa.Connection) -> str | None:
            same = recoveries.c.hash == hash_of(token)
            chosen = sa.select(recoveries.c.guest).where(same, recoveries.c.expires > now_ms())
            guest = connection.execute(chosen.with_for_update()).scalar_one_or_none()
            if guest is None:
                return None
            connection.execute(_no_link(guest))
            if leaving is not None:
                connection.execute(sa.delete(devices).where(devices.c.id == leaving.device))
            new = new_token()
            _add(connection, guest, new, user_agent)
            return new

        return await self._store.change("a recovery", use)


def _add(connection: sa.Connection, guest: str, token: str, user_agent: str) -> None:
    """Keep one more device of a guest; those unused for longest are signed out."""
    now = now_ms()
    values = {"browser": _named(BROWSERS, user_agent), "system": _named(SYSTEMS, user_agent)}
    values |= {"id": secrets.token_hex(8), "guest": guest, "hash": hash_of(token)}
    connection.execute(sa.insert(devices).values(**values, created=now, seen=now))
    kept = sa.select(devices.c.id).where(devices.c.guest == guest)
    kept = kept.order_by(devices.c.seen.desc(), devices.c.created.desc()).limit(DEVICES_KEPT)
    too_old = sa.and_(devices.c.guest == guest, devices.c.id.not_in(kept))
    connection.execute(sa.delete(devices).where(too_old))


def _no_link(guest: str) -> sa.Delete:
    return sa.delete(recoveries).where(recoveries.c.guest == guest)


def _named(names: dict[str, str], user_agent: str) -> str:
    return next((name for name, sign in names.items() if re.search(sign, user_agent)), "")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def now_ms() -> int:
    return int(time.time() * 1000)
