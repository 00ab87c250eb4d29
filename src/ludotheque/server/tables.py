"""All tables of this server: opened, found, listed, and put to sleep when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import Any

from ludotheque.engine.chance import new_server_seed
from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.decision import checked_hints, checked_move_seconds
from ludotheque.server.events import Attempt, Opened, Replay
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.owner import Owner
from ludotheque.server.store import Batch, Player, Store, Stored, Unreadable
from ludotheque.server.table import Result, new_table_id
from ludotheque.server.thinkers import Thinkers

IDLE_S = 60.0  # after which a table that nobody needs is put to sleep
SWEEP_S = 15.0
PAGE = 20  # tables of the public list
ATTEMPTS = 50  # tables whose results are told of a deal

log = logging.getLogger(__name__)


class NotFound(Refused):
    """There is no such table, or no such deal."""


class Broken(Refused):
    """The table is there, but what is stored of it cannot be read."""


class Tables:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._commits = GroupCommit(store)
        self._thinkers = Thinkers()
        self._owners: dict[str, Owner] = {}
        self._used: dict[str, float] = {}  # when each was last asked for
        self._waking: dict[str, asyncio.Task[Owner]] = {}
        self._broken: dict[str, str] = {}  # why they cannot be read

    async def run(self) -> None:
        """Wake the tables at which something is due, then put to sleep those that rest."""
        for table_id in await self._store.live_tables():
            try:
                await self.owner(table_id)
            except Refused:
                continue  # it has been logged; the others go on
        while True:
            await asyncio.sleep(SWEEP_S)
            self.sweep()

    def sweep(self) -> None:
        now = asyncio.get_running_loop().time()
        for table_id, owner in list(self._owners.items()):
            if not owner.is_alive:
                self._forget(table_id)
            elif not owner.is_idle:
                self._used[table_id] = now
            elif now - self._used[table_id] > IDLE_S:
                self._put_to_sleep(table_id, owner)

    def _put_to_sleep(self, table_id: str, owner: Owner) -> None:
        owner.close()
        self._forget(table_id)
        if owner.may_be_marked_live:
            self._store.write([Batch(table_id, [], False)], lambda _: None)

    def _forget(self, table_id: str) -> None:
        del self._owners[table_id], self._used[table_id]

    @property
    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._owners)

    def close(self) -> None:
        for owner in self._owners.values():
            owner.close()
        self._thinkers.close()

    async def owner(self, table_id: str) -> Owner:
        """The owner of a table, woken from storage if it sleeps."""
        self._used[table_id] = asyncio.get_running_loop().time()
        known = self._owners.get(table_id)
        if known is not None and known.is_alive:
            return known
        try:
            return await asyncio.shield(self._wake(table_id))
        except BaseException:
            if table_id not in self._owners:
                self._used.pop(table_id, None)
            raise

    def _wake(self, table_id: str) -> asyncio.Task[Owner]:
        """Read a table from storage, once for all who ask for it meanwhile."""
        task = self._waking.get(table_id)
        if task is None:
            task = self._waking[table_id] = asyncio.create_task(self._read(table_id))
            task.add_done_callback(partial(self._woken, table_id))
        return task

    def _woken(self, table_id: str, task: asyncio.Task[Owner]) -> None:
        del self._waking[table_id]
        if not task.cancelled():
            task.exception()  # it is raised for those who wait, if there still are any

    async def _read(self, table_id: str) -> Owner:
        if table_id in self._broken:
            raise Broken(self._broken[table_id])
        try:
            owner = await Owner.open(table_id, self._store, self._commits, self._thinkers)
        except Unreadable as error:
            log.error("table %s is set aside: %s", table_id, error)
            self._broken[table_id] = f"table {table_id} cannot be opened: its record is damaged"
            raise Broken(self._broken[table_id]) from None
        if owner is None:
            raise NotFound(f"there is no table {table_id!r}")
        self._owners[table_id] = owner
        return owner

    # Opening

    async def open(self, host: Player, wish: messages.NewTable) -> str:
        replay, options = None, wish.options
        if wish.deal:
            replay, options = await self._replay(wish)
        game = load(wish.game)
        seats = wish.seats if wish.seats is not None else max(2, game.seats[0])
        options = dict(game.complete(options, seats))
        if replay is None:
            game.refuse_replay_options(options)
        game.start(seats, options)
        event = Opened(
            host.id,
            wish.game,
            seats,
            options,
            wish.is_public,
            checked_move_seconds(wish.move_seconds),
            checked_hints(wish.hints),
            new_server_seed().hex(),
            replay,
        )
        return await self._create(host, wish, event)

    async def _create(self, host: Player, wish: messages.NewTable, event: Opened) -> str:
        table_id, created = new_table_id(), int(time.time() * 1000)
        await self._store.create_table(table_id, created, [Stored("", event)], wish.deal)
        owner = await self.owner(table_id)
        if wish.sit:
            await owner.answer(host, messages.Request("open", messages.Sit()))
        return table_id

    # Deals

    async def share_deal(self, table_id: str) -> str:
        """The id under which others may play the deal of the finished match on this table."""
        owner = await self.owner(table_id)
        match, table = owner.stored.match, owner.stored
        if match is None or not match.is_over:
            raise Refused("there is no finished match on this table")
        await self._store.save_deal(table.deal, table_id, table.matches, int(time.time() * 1000))
        return table.deal

    async def deal(self, deal_id: str) -> messages.SharedDeal:
        """What may be told of a deal before it is played."""
        results = await self._results_of(deal_id)
        attempts = [messages.Attempt(r.names, r.scores, False) for r in results]
        first = results[0]
        return messages.SharedDeal(
            deal_id, first.game, len(first.names), self._options_again(results), attempts
        )

    def _options_again(self, results: list[Result]) -> dict[str, Any]:
        """The options of a match in which other people replay a deal."""
        game, options = load(results[0].game), results[0].options
        best = max(score for result in results for score in result.scores)
        return dict(game.options_again(game.fresh_options(options), best, is_same_team=False))

    async def _replay(self, wish: messages.NewTable) -> tuple[Replay, dict[str, Any]]:
        """The deal that a new table is to play, and its options."""
        results = await self._results_of(wish.deal)
        first = results[0]
        if first.game != wish.game:
            raise Refused(f"game is {wish.game[:40]!r}, but the deal is of {first.game}")
        attempts = [Attempt(r.names, r.scores) for r in results]
        replay = Replay(wish.deal, first.server_seed, first.client_seeds, attempts)
        return replay, self._options_again(results)

    async def _results_of(self, deal_id: str) -> list[Result]:
        """Of everyone who has played a deal, those of the table it comes from first."""
        found = await self._store.deal(deal_id)
        if found is None:
            raise NotFound(f"there is no deal {deal_id[:40]!r}")
        results = (await self.owner(found[0])).stored.results_of(deal_id)
        for table_id in await self._store.plays(deal_id, ATTEMPTS):
            with suppress(Broken):
                results += (await self.owner(table_id)).stored.results_of(deal_id)
        return results

    # The public list

    def public(self, after: str = "") -> messages.TablePage:
        """Some tables that anyone may join or watch and at which somebody is, the newest first."""
        shown = [
            owner
            for owner in reversed(self._owners.values())
            if owner.stored.is_public and owner.connections and owner.stored.status != "over"
        ]
        ids = [owner.table.id for owner in shown]
        first = ids.index(after) + 1 if after in ids else 0
        page = shown[first : first + PAGE]
        is_last = first + PAGE >= len(shown)
        infos = [owner.info() for owner in page]
        return messages.TablePage(infos, "" if is_last else page[-1].table.id)
