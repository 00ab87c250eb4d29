"""All tables of this server: opened, found, listed, and put to sleep when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from ludotheque.engine.chance import new_server_seed
from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import logs, messages, questions
from ludotheque.server.autoplay import Clocks
from ludotheque.server.code import KEPT_MS, new_code
from ludotheque.server.events import AnyEvent, Attempt, Opened, Replay, Sat
from ludotheque.server.forgetting import forget, tables_of, tables_with_results_of
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.owner import AnyOwner, Call, Known, Owner, replayed
from ludotheque.server.player import Player
from ludotheque.server.settings import Settings, chosen, of_new_table
from ludotheque.server.store import Coded, Seating, Store, Stored, Unavailable, Unreadable
from ludotheque.server.table import Person, Result, Table, new_table_id, team_of
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.writer import Batch

IDLE_S = 60.0  # after which a table that nobody needs is put to sleep
SWEEP_S = 15.0  # between two looks for idle tables
PAGE_SIZE = 20  # tables of the public list
MY_PAGE_SIZE = 10  # tables of a guest's own list: asking for it wakes them
ATTEMPTS_ON_PAGE = 50  # the latest of a shared deal, on the page of its own
CODES_TRIED = 20  # before a table is opened without one

log = logging.getLogger(__name__)


class NotFound(Refused):
    """There is no such table, or no such deal."""

    reason = "not_found"


class Broken(Refused):
    """The table exists, but its stored events cannot be read."""

    reason = "broken"


class Listed(NamedTuple):
    """A public table, and its place in the list."""

    number: int
    table: messages.TableInfo


class Tables:
    def __init__(self, store: Store, call: Call = lambda guest, table: None) -> None:
        """`call` is used to tell a guest who is away that it is their turn."""
        self._store = store
        self._call = call
        self._commits = GroupCommit(store, self.is_ours)
        self.thinkers = Thinkers()
        self._owners: dict[str, Owner] = {}
        self._waking: dict[str, asyncio.Task[Owner]] = {}
        self._broken: dict[str, str] = {}  # why they cannot be read
        self._forgetting = asyncio.Lock()
        self._rewritten: dict[str, asyncio.Event] = {}  # when tables that are rewritten can be read
        self.node = ""  # what this one is called, if there are several
        self._retired: dict[str, Clocks] = {}  # that run on
        self._known: dict[str, Known] = {}  # tables that need not be read as a whole
        self.is_restored = False  # whether every table is awake at which something is due

    @property
    def obstacle(self) -> str:
        """Why nobody should be sent here, "" if nothing stands in the way."""
        return "" if self.is_restored else "tables are being restored"

    @property
    def nodes(self) -> int:
        """How many nodes share the tables, as far as this one knows."""
        return 1

    @property
    def is_stopping(self) -> str:
        """Why no sockets are taken in any more, "" if they are."""
        return ""

    def is_ours(self) -> bool:
        """Whether what happens at the tables that are awake is decided here."""
        return True

    async def run(self) -> None:
        """Wake the tables at which something is due, then keep putting idle ones to sleep."""
        while not self.is_restored:
            try:
                await self._wake_due()
                self.is_restored = True
            except Unavailable:  # it has been logged
                await asyncio.sleep(SWEEP_S)
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                await self.sweep()
            except Unavailable:
                continue  # it has been logged
            except Exception:  # or no table would ever sleep again
                log.exception("tables could not be looked after; they are in a while")

    async def _wake_due(self) -> None:
        for table_id in await self._store.live_tables():
            await self._try_to_wake(table_id)

    async def sweep(self) -> None:
        """Put idle tables to sleep; wake those that were lost although something is due there."""
        now = asyncio.get_running_loop().time()
        await self.close_decided()
        for table_id, owner in list(self._owners.items()):
            if self._owners.get(table_id) is not owner:
                continue  # it was woken since this sweep began
            if not owner.is_alive and table_id in self._waking:
                continue  # its next owner is on the way
            if not owner.is_alive:
                self._drop(table_id)
                if owner.is_marked_live:
                    await self._try_to_wake(table_id)
            elif not owner.is_idle:
                owner.used_at = now
            elif now - owner.used_at > IDLE_S:
                self._put_to_sleep(table_id, owner)

    async def close_decided(self) -> None:
        """Close the tables that the host has closed or deleted by the command."""
        for table_id in await self._store.decided():
            owner = self._owners.get(table_id)
            if owner is not None:
                owner.close()
                self._drop(table_id)

    def _drop(self, table_id: str) -> None:
        """Forget a table whose owner has closed."""
        del self._owners[table_id]

    @asynccontextmanager
    async def asleep(self, table_id: str) -> AsyncIterator[bool]:
        """Whether a table sleeps, so that it may be deleted; meanwhile nobody wakes it."""
        known = (self._owners, self._waking, self._rewritten)
        if any(table_id in tables for tables in known):
            yield False
            return
        self._rewritten[table_id] = asyncio.Event()
        try:
            yield True
        finally:
            Tables._note_rewritten(self, [table_id])

    def _put_to_sleep(self, table_id: str, owner: Owner) -> None:
        owner.close()
        self._drop(table_id)
        if owner.is_marked_live is not False:
            self._store.write([Batch(table_id, [], False)], lambda _: None)

    async def _try_to_wake(self, table_id: str) -> None:
        try:
            await self.owner(table_id)
        except Refused as error:
            log.error("table %s stays asleep: %s", table_id, error, **logs.of_table(table_id))
        except Exception:  # one table must not keep the others from waking
            log.exception("table %s failed to wake", table_id, **logs.of_table(table_id))

    @property
    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._owners)

    @property
    def broken(self) -> int:
        """How many tables are set aside because they cannot be read."""
        return len(self._broken)

    @property
    def connected(self) -> int:
        """How many guests have a connection to a table."""
        return len({guest for owner in self._owners.values() for guest in owner.connected})

    def close(self) -> None:
        for owner in self._owners.values():
            owner.close()
        self.thinkers.close()

    async def drain(self) -> bool:
        """The server is about to stop: hand over what others can go on with, and tell if any can.

        A single one has nobody to hand anything over to.
        """
        return False

    async def reach(self, table_id: str) -> AnyOwner:
        """The owner of a table, wherever it is."""
        return await self.owner(table_id)

    async def owner(self, table_id: str) -> Owner:
        """The owner of a table, woken from storage if it sleeps."""
        known = self._owners.get(table_id)
        if known is None or not known.is_alive:
            known = await asyncio.shield(self._wake(table_id))
        known.used_at = asyncio.get_running_loop().time()
        return known

    def _wake(self, table_id: str) -> asyncio.Task[Owner]:
        """Read a table from storage, once for everyone who asks for it meanwhile."""
        task = self._waking.get(table_id)
        if task is None:
            task = self._waking[table_id] = asyncio.create_task(self._read(table_id))
            task.add_done_callback(partial(self._woken, table_id))
        return task

    def _woken(self, table_id: str, task: asyncio.Task[Owner]) -> None:
        del self._waking[table_id]
        if not task.cancelled():
            task.exception()  # retrieved here in case nobody waits for it any longer

    async def _read(self, table_id: str) -> Owner:
        if table_id in self._rewritten:
            await self._rewritten[table_id].wait()
        if table_id in self._broken:
            raise Broken(self._broken[table_id])
        try:
            parts = (self._store, self._commits, self.thinkers, self._call)
            owner = await Owner.open(table_id, *parts, self._known.pop(table_id, None))
        except Unreadable as error:
            log.error("table %s is set aside: %s", table_id, error, **logs.of_table(table_id))
            self._broken[table_id] = f"table {table_id} cannot be opened: its record cannot be read"
            raise Broken(self._broken[table_id]) from None
        if owner is None:
            raise NotFound(f"there is no table {table_id!r}")
        self._owners[table_id] = owner
        if table_id in self._retired:
            owner.resume(self._retired.pop(table_id))
        with suppress(Unavailable):  # then the names are as they were
            await self._learn_names([owner])
        return owner

    async def _learn_names(self, owners: Sequence[Owner]) -> None:
        """Call the people at these tables as storage has them."""
        guests = {seated.guest for owner in owners for seated in _named_by_guests(owner)}
        known = {player.id: player for player in await self._store.players(guests)}
        for owner in owners:
            for seated in _named_by_guests(owner):
                player = known.get(seated.guest)
                if player and (player.name, player.avatar) != (seated.name, seated.avatar):
                    owner.rename(player)

    # Guests

    def rename(self, player: Player) -> None:
        """A guest has another name or picture now; tables that sleep learn it when they wake."""
        for owner in self._owners.values():
            owner.rename(player)

    def dismiss(self, guest: str, device: str | None = None) -> None:
        """End the sockets of a guest, on one device or on all."""
        for owner in self._owners.values():
            owner.dismiss(guest, device)

    async def forget(self, guest: str) -> None:
        """Delete everything that is stored about a guest.

        Requests that were on their way may name the guest once more, so it is looked for again.
        """
        async with self._forgetting:
            self.dismiss(guest)
            await self._forget(guest, await tables_of(self._store, guest))
            while late := await tables_of(self._store, guest):
                await self._forget(guest, late)
        await self._store.empty_log()

    async def _forget(self, guest: str, tables: list[str]) -> None:
        """Bots take over from a guest, and tables are read again once they name them no more."""
        replays = await tables_with_results_of(self._store, tables)
        # In one order on all nodes: each waits for tables that another one is having rewritten.
        closed = dict.fromkeys(sorted({*tables, *replays}))
        try:
            for table_id in closed:
                await self._retire(table_id, guest)
            await self._store.change(
                "a guest who leaves", lambda connection: forget(connection, guest, tables)
            )
        finally:
            self._note_rewritten(closed)

    def _note_rewritten(self, tables: Iterable[str]) -> None:
        """These tables may be read again."""
        for table_id in tables:
            if table_id in self._rewritten:
                self._rewritten.pop(table_id).set()

    async def _retire(self, table_id: str, guest: str) -> None:
        """Have a table give up a guest's seats, and keep it from being read until it is told."""
        try:
            owner = await self._owner_to_retire(table_id)
        except (Broken, NotFound):  # its events are rewritten all the same
            return
        self._rewritten[table_id] = asyncio.Event()
        await owner.retire(lambda decision: decision.give_up_seats(guest))
        if owner.is_marked_live:  # so it is woken again
            self._retired[table_id] = owner.clocks

    async def _owner_to_retire(self, table_id: str) -> Owner:
        """The owner of a table, once nobody else is having its events rewritten."""
        while True:
            owner = await self.owner(table_id)
            rewritten = self._rewritten.get(table_id)
            if rewritten is None:
                return owner
            await rewritten.wait()

    # Opening

    async def open(self, host: Player, wish: messages.NewTable) -> str:
        """Store a new table; the host sits down unless they wish otherwise."""
        settings, replay = of_new_table(load(wish.game)), None
        if wish.deal:
            settings, replay = await self._replay(host, wish, settings)
        settings = chosen(wish, settings, replay is not None)
        event = Opened(
            *msgspec.structs.astuple(settings),
            host=host.id,
            server_seed=new_server_seed().hex(),
            replay=replay,
        )
        events: list[AnyEvent] = [event]
        if wish.sit:
            events.append(Sat(0, host.id, host.name, host.avatar))
        table_id, created = new_table_id(), _now_ms()
        stored = [Stored("", each) for each in events]
        await self._store.create_table(table_id, created, stored, await self._free_code())
        return table_id

    # Codes

    async def coded(self, code: str) -> str:
        """The id of the table that a code leads to.

        It leads to tables at which someone is, and to new ones whose host may be on the telephone:
        a code that is guessed or found later opens nothing.
        """
        holder = await self._store.coded(code) if code else None
        if holder is not None:
            owner = await self.reach(holder.table)
            if await owner.consult(questions.IsOpenByCode(not _is_past(holder))):
                return holder.table
        raise NotFound(f"the code {code[:20]!r} leads to no table now; ask for the link")

    async def _free_code(self) -> str:
        """A code that no table is using; "" if none is found, and the table has only its link."""
        for _ in range(CODES_TRIED):
            code = new_code()
            holder = await self._store.coded(code)
            if holder is None or (_is_past(holder) and not await self._is_awake(holder.table)):
                return code
        return ""

    async def _is_awake(self, table_id: str) -> bool:
        return table_id in self._owners

    # Deals

    async def share_deal(self, table_id: str, player: Player) -> str:
        """The id under which others may play the deal of the finished match on this table."""
        owner = await self.reach(table_id)
        deal, match = await owner.consult(questions.FinishedDeal(player))
        await self._store.save_deal(deal, table_id, match, _now_ms())
        return str(deal)

    async def deal(self, deal_id: str) -> messages.SharedDeal:
        """What may be told of a deal before it is played."""
        first = await self._first_result(deal_id)
        attempts = await self._store.attempts(deal_id, ATTEMPTS_ON_PAGE)
        return messages.SharedDeal(
            deal_id,
            first.game,
            len(first.names),
            _options_again(first, attempts, is_same_team=False),
            [messages.Attempt(a.names, a.scores, False) for a in attempts],
        )

    async def expect_deal(self, deal_id: str) -> None:
        """Refuse a deal that is not there."""
        await self._origin(deal_id)

    async def _replay(
        self, host: Player, wish: messages.NewTable, settings: Settings
    ) -> tuple[Settings, Replay]:
        """The settings with which a new table plays a deal, and the deal."""
        if wish.options:
            raise Refused("a deal brings its own options; leave options out")
        first = await self._first_result(wish.deal)
        if first.game != wish.game:
            raise Refused(f"game is {wish.game[:40]!r}, but the deal is of {first.game}")
        attempts = await self._store.attempts(wish.deal, ATTEMPTS_ON_PAGE)
        people = [Person(host.id, host.name, host.avatar)] if wish.sit else []
        is_same_team = team_of(wish.deal, people) in [attempt.team for attempt in attempts]
        options = _options_again(first, attempts, is_same_team)
        settings = msgspec.structs.replace(settings, seats=len(first.names), options=options)
        return settings, Replay(wish.deal, first.server_seed, first.client_seeds, attempts)

    async def _first_result(self, deal_id: str) -> Result:
        """How the match ended that the deal comes from."""
        origin = await self._origin(deal_id)
        if origin in await self._store.decided():
            results = (await self._closed_table(origin)).results_of(deal_id)
            first = next(iter(results), None)
        else:
            first = await (await self.reach(origin)).consult(questions.FirstResult(deal_id))
        if first is None:
            raise NotFound(f"the deal {deal_id[:40]!r} is too old: its table has forgotten it")
        return first

    async def _closed_table(self, table_id: str) -> Table:
        """A table as it is stored, even if it is closed to everyone."""
        history = await self._store.history(table_id, even_if_closed=True)
        return await asyncio.to_thread(replayed, table_id, history)

    async def _origin(self, deal_id: str) -> str:
        found = await self._store.deal(deal_id)
        if found is None:
            raise NotFound(f"there is no deal {deal_id[:40]!r}")
        return found[0]

    # The public list

    async def public(self, after: str = "") -> messages.TablePage:
        """Some of the public tables at which someone is, the newest first."""
        before = int(after) if after.isascii() and after.isdecimal() and len(after) < 20 else None
        shown = await self._listed(before)
        page = shown[:PAGE_SIZE]
        next_ = str(page[-1].number) if len(shown) > PAGE_SIZE else ""
        return messages.TablePage([listed.table for listed in page], next_)

    async def _listed(self, before: int | None) -> list[Listed]:
        """A page of public tables, and one more if there are more."""
        return self.listed_here(before)

    def listed_here(self, before: int | None) -> list[Listed]:
        """The same of the tables that are awake here."""
        shown = (
            owner
            for owner in reversed(self._owners.values())
            if owner.stored.settings.is_public
            and owner.is_watched
            and owner.stored.status != "over"
            and (before is None or owner.number < before)
        )
        return [Listed(owner.number, owner.info()) for owner in islice(shown, PAGE_SIZE + 1)]

    # The list of a guest's own tables

    async def of_guest(self, player: Player, after: str = "") -> messages.MyTablePage:
        """Some of the tables at which this guest has seats, the latest used first.

        A table that cannot be read is left out, and does not hide the others.
        """
        limit = MY_PAGE_SIZE + 1
        seatings = await self._store.seatings(player.id, limit, _seating(after))
        page = seatings[:MY_PAGE_SIZE]
        told = await asyncio.gather(*(self._told_to(player, seating) for seating in page))
        next_ = f"{page[-1].active_at}-{page[-1].table}" if len(seatings) > MY_PAGE_SIZE else ""
        return messages.MyTablePage([table for table in told if table is not None], next_)

    async def _told_to(self, player: Player, seating: Seating) -> messages.MyTable | None:
        try:
            owner = await self.reach(seating.table)
            told = await owner.consult(questions.TellOf(player, seating.active_at))
        except Refused:
            return None
        except Exception:
            log.exception(
                "table %s cannot be listed", seating.table, **logs.of_table(seating.table)
            )
            return None
        assert told is None or isinstance(told, messages.MyTable)
        return told


def _now_ms() -> int:
    return int(time.time() * 1000)


def _named_by_guests(owner: Owner) -> list[Person]:
    """People at a table who are called as their guests are, and not by a name of their own."""
    return [person for person in owner.table.persons if not person.shares]


def _is_past(holder: Coded) -> bool:
    """Whether the code may go to another table if nobody is at this one."""
    return holder.created < _now_ms() - KEPT_MS


def _seating(after: str) -> Seating | None:
    """The seating that a page ended with; None for anything else."""
    time_, _, table = after.partition("-")
    is_one = time_.isascii() and time_.isdecimal() and len(time_) < 16 and table
    return Seating(table, int(time_)) if is_one else None


def _options_again(first: Result, attempts: list[Attempt], is_same_team: bool) -> dict[str, Any]:
    """The options of a match in which the same people or others replay a deal."""
    game = load(first.game)
    scores = [first.scores, *(attempt.scores for attempt in attempts)]
    best = max(max(of_seats) for of_seats in scores)
    return dict(game.options_again(game.fresh_options(first.options), best, is_same_team))
