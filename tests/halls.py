"""One table in memory, whose stored events can be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, cast

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.random_matches import random_move
from ludotheque.server import clock, messages
from ludotheque.server.autoplay import Act
from ludotheque.server.events import Opened, decode
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.owner import Owner, replayed
from ludotheque.server.player import Player
from ludotheque.server.store import Store, Stored
from ludotheque.server.table import Table
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.writer import Batch, Lost, Row

SEED = "5e" * 32
HOST, BOB, EVE = Player("h", "Hana", 1), Player("b", "Bob", 2), Player("e", "Eve", 3)
Done = Callable[[list[Lost | None]], object]


class Memory:
    """Storage that keeps what it is given, at once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def write(self, batches: Sequence[Batch], done: Done) -> None:
        self.rows += [row for batch in batches for row in batch.rows]
        done([None] * len(batches))


class Idle:
    """Thinkers who never come to a decision, so that nothing happens by itself."""

    async def think(self, *_: object) -> Any:
        await asyncio.Event().wait()

    def expect_room(self, *_: object) -> None:
        """There is room for every match."""

    def note_match(self, *_: object) -> None:
        """Matches are not counted."""


class Hall:
    def __init__(self, game: str, seats: int, **options: object) -> None:
        complete = dict(load(game).complete(options, seats))
        self.first = Stored(
            "", Opened(game, seats, complete, False, 0, "auto", host="h", server_seed=SEED)
        )
        self.memory = Memory()
        table = replayed("t", [self.first])
        commits = GroupCommit(cast(Store, self.memory))
        self.owner = Owner(table, [self.first], commits, cast(Thinkers, Idle()))
        self.count = 0

    @property
    def table(self) -> Table:
        return self.owner.table

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    async def ask(self, player: Player, command: messages.AnyCommand) -> messages.Reply:
        self.count += 1
        async with asyncio.timeout(60):  # an asker who waits for ever is a defect
            return await self.owner.answer(player, messages.Request(str(self.count), command))

    async def must(self, player: Player, command: messages.AnyCommand) -> None:
        reply = await self.ask(player, command)
        assert reply.done, reply.error

    async def let_act(self, act: Act, seconds: float = 0.0) -> messages.Reply:
        """Let the table act by itself, as its clocks do, this long from now."""
        self.count += 1
        reply: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()
        job = partial(self.owner._decide, act, clock.instant() + seconds)
        self.owner._enqueue(partial(self.owner._answer, reply.set_result, str(self.count), job))
        async with asyncio.timeout(60):
            return await reply

    async def host_takes_every_seat(self) -> None:
        """With the others at the host's device."""
        await self.must(HOST, messages.Sit())
        for number in range(1, len(self.table.seats)):
            await self.must(HOST, messages.Sit(name=f"Friend {number}"))

    async def play_out(self, rng: Random) -> Match:
        """Let the host, who holds every seat, play at random to the end."""
        while not self.match.is_over:
            seat = rng.choice(self.match.awaited())
            await self.must(HOST, messages.Play(self.random_move(seat, rng), seat))
        return self.match

    def random_move(self, seat: int, rng: Random) -> int:
        """A random move, seldom one that proposes to stop."""
        moves = [random_move(self.match, seat, rng) for _ in range(5)]
        return max(moves, key=lambda move: self.match.game.notation(seat, move) != "stop")

    def stored(self) -> Table:
        events = [Stored(request, decode(body)) for _, _, request, body in self.memory.rows]
        return replayed("t", [self.first, *events])


def contents(table: Table) -> dict[str, Any]:
    """All that a table is, in values that can be compared."""
    fields = vars(table).copy()
    match = fields.pop("match")
    if match is not None:
        fields |= {"state": match.state.to_json(), "log": match.log, "seeds": match.seeds}
    return fields
