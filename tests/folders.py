"""Data folders with stored tables, made without a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from homes import Home, sqlite_home
from ludotheque.server import messages
from ludotheque.server.player import Player
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables

FRIEND = "Hanako"  # at Hana's device
HANA = Player("guesthana", "Hana Höflich", 1)
GAME = "stupide_vautour"
CHAT = "a word between us"
T = TypeVar("T")
_numbers = count(1)


def with_tables(where: Path | Home, scene: Callable[[Tables, Store], Awaitable[T]]) -> T:
    """Play a scene with the tables of a folder, or of another database."""

    async def opened(store: Store) -> T:
        tables = Tables(store)
        try:
            return await scene(tables, store)
        finally:
            tables.close()

    return home_of(where).with_store(opened)


async def ask(tables: Tables, table: str, *commands: messages.AnyCommand) -> None:
    owner = await tables.owner(table)
    for command in commands:
        reply = await owner.answer(HANA, messages.Request(str(next(_numbers)), command))
        assert reply.done, reply.error


async def begun(tables: Tables, deal: str = "") -> str:
    """A table at which Hana, whose friend sits beside her, has begun a match and says something."""
    seats = None if deal else 2
    wish = messages.NewTable(game=GAME, seats=seats, deal=deal)
    table = await tables.open(HANA, wish)
    await ask(tables, table, messages.Sit(name=FRIEND), messages.Start(), messages.Say(CHAT))
    return table


async def finished(tables: Tables, deal: str = "") -> str:
    """The same, played to the end."""
    table = await begun(tables, deal)
    owner = await tables.owner(table)
    while (match := owner.stored.match) is not None and not match.is_over:
        seat = match.awaited()[0]
        await ask(tables, table, messages.Play(match.legal_moves(seat)[0], seat))
    return table


def rows(where: Path | Home, question: str, *values: Any) -> list[Any]:
    return home_of(where).ask(question, *values)


def age(where: Path | Home, table: str, ms: int) -> None:
    """Let a table have been used at this time for the last time."""
    rows(where, "UPDATE tables SET used = ? WHERE id = ?", ms, table)


def home_of(where: Path | Home) -> Home:
    return where if isinstance(where, Home) else sqlite_home(where)
