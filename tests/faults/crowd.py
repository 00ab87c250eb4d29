"""People at tables of all games at once, bots among them, and what must be true of it all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from random import Random
from typing import Any

from faults.clients import Address, Client
from faults.ledger import Ledger
from homes import Home, sqlite_home
from ludotheque.engine.game import load, slugs
from people import WAIT_TIMEOUT_S, Person, Server

OPTIONS: dict[str, dict[str, Any]] = {"ubongo": {"time_limit": 10}}  # a race with an alarm
WITHOUT_BOT = ("team_up", "whats_up")
PEOPLE = 2  # at a table


class Crowd:
    def __init__(
        self,
        server: Server,
        rng: Random,
        address: Address | None = None,
        home: Home | None = None,
    ) -> None:
        """`address` is where clients connect, each time; `home` where the server keeps tables."""
        self._server = server
        self._home = home or sqlite_home(server.data)
        self._address = address or (lambda: server.address)
        self._rng = rng
        self._tasks: list[asyncio.Task[None]] = []
        self.clients: list[Client] = []
        self.ledgers: dict[str, Ledger] = {}
        self.frozen: list[str] = []  # as sentences
        for slug in slugs():
            self._open(slug)

    def _open(self, slug: str) -> None:
        """A table with two people, and a bot where there is to be one."""
        people = [Person(self._server, name) for name in ("Ann", "Bob")]
        has_bot = slug not in WITHOUT_BOT
        seats = PEOPLE + has_bot
        table = people[0].open_table(slug, seats=seats, options=OPTIONS.get(slug, {}))
        assert people[1].do(table, "sit")[0] == 200
        if has_bot:
            assert people[0].do(table, "seat", seat=PEOPLE, bot="novice")[0] == 200
        self.ledgers[table] = Ledger(self._home, table)
        self.clients += [
            Client(person, table, load(slug), self._address, Random(self._rng.random()))
            for person in people
        ]

    def at(self, table: str) -> list[Client]:
        return [client for client in self.clients if client.table == table]

    # Playing

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        self._tasks = [asyncio.create_task(client.run()) for client in self.clients]
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self) -> None:
        """Wait until a request is on its way."""
        await self.until(lambda: any(client.pending for client in self.clients))

    async def hear(self, updates: int) -> None:
        """Wait until clients have had this many updates more."""
        wanted = self._heard() + updates
        await self.until(lambda: self._heard() >= wanted)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds; a minute in which nobody is answered is too much."""
        answers, since = self._answers(), time.monotonic()
        while not condition():
            await asyncio.sleep(0.005)
            self._expect_clients_to_run()
            if self._answers() != answers:
                answers, since = self._answers(), time.monotonic()
            assert time.monotonic() - since < WAIT_TIMEOUT_S, "nobody is answered any more"

    async def move_everywhere(self, moves: int = 1) -> None:
        """Wait for this many more moves of people at every table; note where they cannot."""
        before = {table: self.moves(table) for table in self.ledgers}
        waits = [self._moves_at(table, before[table] + moves) for table in self.ledgers]
        for table, does_move in zip(self.ledgers, await asyncio.gather(*waits), strict=True):
            if not does_move:
                self.frozen.append(f"table {table}: nobody can move any more")

    async def _moves_at(self, table: str, wanted: int) -> bool:
        """Whether people come to this number of moves; a minute without a move is too much."""
        moves, since = self.moves(table), time.monotonic()
        while self.moves(table) < wanted and time.monotonic() - since < WAIT_TIMEOUT_S:
            await asyncio.sleep(0.005)
            self._expect_clients_to_run()
            if self.moves(table) != moves:
                moves, since = self.moves(table), time.monotonic()
        return self.moves(table) >= wanted

    async def finish_everywhere(self) -> None:
        """Wait until a match comes to its end at every table; note where it does not."""
        before = {client: len(client.told) for client in self.clients}

        def is_over(table: str) -> bool:
            """Whether one has ended that went on at first."""
            told = [client.told[before[client] - 1 :] for client in self.at(table)]
            return any(
                a.match and not a.is_over and b.is_over for t in told for a, b in pairwise(t)
            )

        await self.until(lambda: all(map(is_over, self.ledgers)))

    def moves(self, table: str) -> int:
        """How many moves people have made at this table."""
        return sum(client.moves for client in self.at(table))

    def _heard(self) -> int:
        return sum(len(client.told) for client in self.clients)

    def _answers(self) -> int:
        return sum(client.answers for client in self.clients)

    def _expect_clients_to_run(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    # Checking

    def check(self) -> None:
        """Hold what everyone was told against what is stored."""
        for table, ledger in self.ledgers.items():
            ledger.check(self.at(table))
        self._expect_no_faults()

    def check_refusals(self) -> None:
        """Nothing has come of what was refused."""
        for client in self.clients:
            self.ledgers[client.table].check_refusals(client)
        self._expect_no_faults()

    def _expect_no_faults(self) -> None:
        assert not self.faults, "\n".join(self.faults)

    def check_states(self) -> None:
        """What the server shows is the replay of what is stored."""
        for client in self.clients:
            shown, ledger = client.person.look(client.table), self.ledgers[client.table]
            ledger.read()
            table = ledger.replay(shown["version"])
            assert table.status == shown["table"]["status"]
            if table.match is not None:
                assert len(shown["lines"]) == len(table.match.log)
                viewer = shown["match"]["viewer"]
                assert shown["match"]["view"] == table.match.view(viewer).to_json()

    @property
    def faults(self) -> list[str]:
        found = [fault for ledger in self.ledgers.values() for fault in ledger.lost]
        found += [fault for ledger in self.ledgers.values() for fault in ledger.doubled]
        return found + self.frozen

    def new_longest_wait(self) -> float:
        """The longest time from a request to its answer since this was asked last, in seconds."""
        longest = max(client.longest_wait_s for client in self.clients)
        for client in self.clients:
            client.longest_wait_s = 0.0
        return longest

    def __str__(self) -> str:
        ledgers = self.ledgers.values()
        return (
            f"{sum(ledger.announced for ledger in ledgers)} moves announced, "
            f"{sum(len(client.done) for client in self.clients)} requests done "
            f"({sum(client.repeated for client in self.clients)} sent again), "
            f"{sum(len(ledger.lost) for ledger in ledgers)} lost, "
            f"{sum(len(ledger.doubled) for ledger in ledgers)} doubled, "
            f"{len(self.frozen)} tables frozen"
        )
