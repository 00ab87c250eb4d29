"""All tables of this server: opened, found, listed."""

from __future__ import annotations

import asyncio
import time

from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.beat import Beat
from ludotheque.server.events import Opened
from ludotheque.server.owner import Owner
from ludotheque.server.store import Player, Store, Stored
from ludotheque.server.table import checked_thought, new_table_id
from ludotheque.server.telling import table_info


class NotFound(Refused):
    """There is no such table."""


class Tables:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._beat = Beat(store)
        self._owners: dict[str, Owner] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def restore(self) -> None:
        """Wake every table that is being played: bots and alarms go on where they were."""
        for table_id in await self._store.table_ids():
            await self.owner(table_id)

    def expect_requests(self) -> None:
        """Somebody asks over HTTP, and will again before long."""
        self._beat.stay_awake()

    def close(self) -> None:
        for owner in self._owners.values():
            owner.close()

    async def open(self, host: Player, wish: messages.NewTable) -> str:
        game = load(wish.game)
        seats = wish.seats if wish.seats is not None else max(2, game.seats[0])
        game.start(seats, wish.options)
        options = dict(game.complete(wish.options, seats))
        thought = checked_thought(wish.move_seconds)
        event = Opened(host.id, wish.game, seats, options, wish.is_public, thought, wish.has_hints)
        table_id = new_table_id()
        await self._store.create_table(table_id, int(time.time() * 1000), Stored("", event))
        owner = await self.owner(table_id)
        if wish.sit:
            await owner.answer(host, messages.Request("open", messages.Sit()))
        return table_id

    async def owner(self, table_id: str) -> Owner:
        """The owner of a table, woken from storage if it sleeps."""
        known = self._owners.get(table_id)
        if known is not None and known.is_alive:
            return known
        async with self._opening.setdefault(table_id, asyncio.Lock()):
            known = self._owners.get(table_id)
            if known is None or not known.is_alive:
                known = await Owner.open(table_id, self._store, self._beat)
                if known is None:
                    del self._opening[table_id]
                    raise NotFound(f"there is no table {table_id!r}")
                self._owners[table_id] = known
        return known

    def public(self) -> list[messages.TableInfo]:
        """The tables that anyone may join or watch, the newest first."""
        owners = [o for o in self._owners.values() if o.table.is_public]
        return [
            table_info(o.table, {c.player.id for c in o.connections})
            for o in reversed(owners)
            if o.table.status != "over"
        ]
