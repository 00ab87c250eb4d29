"""All tables of this server: opened, found, listed, and put to sleep when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any

from ludotheque.engine.chance import new_server_seed
from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.decision import checked_hints, checked_move_seconds, given
from ludotheque.server.events import AnyEvent, Attempt, Opened, Replay, Sat
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.owner import Owner
from ludotheque.server.store import Batch, Player, Store, Stored, Unreadable
from ludotheque.server.table import Result, new_table_id
from ludotheque.server.thinkers import Thinkers

IDLE_S = 60.0  # after which a table that nobody needs is put to sleep
SWEEP_S = 15.0
PAGE = 20  # tables of the public list
ATTEMPTS = 50  # the latest, that are told of a deal

log = logging.getLogger(__name__)


class NotFound(Refused):
    """There is no such table, or no such deal."""

    reason = "not_found"


class Broken(Refused):
    """The table is there, but what is stored of it cannot be read."""

    reason = "broken"


class Tables:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._commits = GroupCommit(store)
        self._thinkers = Thinkers()
        self._owners: dict[str, Owner] = {}
        self._waking: dict[str, asyncio.Task[Owner]] = {}
        self._broken: dict[str, str] = {}  # why they cannot be read

    async def run(self) -> None:
        """Wake the tables at which something is due, then put to sleep those that rest."""
        for table_id in await self._store.live_tables():
            await self._try_to_wake(table_id)
        while True:
            await asyncio.sleep(SWEEP_S)
            await self.sweep()

    async def sweep(self) -> None:
        """Put to sleep who rests; wake again what was lost though something is due there."""
        now = asyncio.get_running_loop().time()
        for table_id, owner in list(self._owners.items()):
            if self._owners.get(table_id) is not owner:
                continue  # somebody has woken it since this sweep began
            if not owner.is_alive:
                del self._owners[table_id]
                if owner.is_marked_live:
                    await self._try_to_wake(table_id)
            elif not owner.is_idle:
                owner.used_at = now
            elif now - owner.used_at > IDLE_S:
                self._put_to_sleep(table_id, owner)

    def _put_to_sleep(self, table_id: str, owner: Owner) -> None:
        owner.close()
        del self._owners[table_id]
        if owner.is_marked_live is not False:
            self._store.write([Batch(table_id, [], False)], lambda _: None)

    async def _try_to_wake(self, table_id: str) -> None:
        try:
            await self.owner(table_id)
        except Refused as error:
            log.error("table %s stays asleep: %s", table_id, error)
        except Exception:  # one table must not keep the others from waking
            log.exception("table %s failed to wake", table_id)

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
        known = self._owners.get(table_id)
        if known is None or not known.is_alive:
            known = await asyncio.shield(self._wake(table_id))
        known.used_at = asyncio.get_running_loop().time()
        return known

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
            self._broken[table_id] = f"table {table_id} cannot be opened: its record cannot be read"
            raise Broken(self._broken[table_id]) from None
        if owner is None:
            raise NotFound(f"there is no table {table_id!r}")
        self._owners[table_id] = owner
        return owner

    # Opening

    async def open(self, host: Player, wish: messages.NewTable) -> str:
        game, seats, options, replay = load(wish.game), wish.seats, wish.options, None
        if wish.deal:
            if wish.options:
                raise Refused("a deal brings its own options; leave options out")
            shared, replay = await self._replay(wish)
            seats, options = given(seats, shared.seats), shared.options
        else:
            game.refuse_replay_options(options)
        seats = given(seats, max(2, game.seats[0]))
        options = dict(game.complete(options, seats))
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
        events: list[AnyEvent] = [event]
        if wish.sit:
            events.append(Sat(0, host.id, host.name, host.avatar))
        table_id, created = new_table_id(), int(time.time() * 1000)
        await self._store.create_table(table_id, created, [Stored("", each) for each in events])
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
        first = await self._first_result(deal_id)
        attempts = await self._store.attempts(deal_id, ATTEMPTS)
        return messages.SharedDeal(
            deal_id,
            first.game,
            len(first.names),
            _options_again(first, attempts),
            [messages.Attempt(a.names, a.scores, False) for a in attempts],
        )

    async def expect_deal(self, deal_id: str) -> None:
        """Refuse a deal that is not there."""
        await self._origin(deal_id)

    async def _replay(self, wish: messages.NewTable) -> tuple[messages.SharedDeal, Replay]:
        """The deal that a new table is to play."""
        shared, first = await self.deal(wish.deal), await self._first_result(wish.deal)
        if first.game != wish.game:
            raise Refused(f"game is {wish.game[:40]!r}, but the deal is of {first.game}")
        attempts = [Attempt(a.names, a.scores) for a in shared.attempts]
        return shared, Replay(wish.deal, first.server_seed, first.client_seeds, attempts)

    async def _first_result(self, deal_id: str) -> Result:
        """How the match ended that the deal comes from."""
        owner = await self.owner(await self._origin(deal_id))
        results = owner.stored.results_of(deal_id)
        if not results:
            raise NotFound(f"the deal {deal_id[:40]!r} has been forgotten")
        return results[0]

    async def _origin(self, deal_id: str) -> str:
        found = await self._store.deal(deal_id)
        if found is None:
            raise NotFound(f"there is no deal {deal_id[:40]!r}")
        return found[0]

    # The public list

    def public(self, after: str = "") -> messages.TablePage:
        """Some tables that anyone may join or watch and at which somebody is, the newest first."""
        before = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else None
        shown = [
            owner
            for owner in reversed(self._owners.values())
            if owner.stored.is_public
            and owner.connections
            and owner.stored.status != "over"
            and (before is None or owner.number < before)
        ]
        page = shown[:PAGE]
        next_ = str(page[-1].number) if len(shown) > PAGE else ""
        return messages.TablePage([owner.info() for owner in page], next_)


def _options_again(first: Result, attempts: list[Attempt]) -> dict[str, Any]:
    """The options of a match in which other people replay a deal."""
    game = load(first.game)
    scores = [first.scores, *(attempt.scores for attempt in attempts)]
    best = max(max(of_seats) for of_seats in scores)
    return dict(game.options_again(game.fresh_options(first.options), best, is_same_team=False))
