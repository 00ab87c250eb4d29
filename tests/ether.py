"""Nodes in one process: what a broker carries and keeps for them is in memory, without an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import cast

import msgspec

from homes import sqlite_home
from ludotheque.server.limits import Pace
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import Broker, Entry, Take, Taken
from ludotheque.server.nodes.lease import Claims, Lease
from ludotheque.server.nodes.node import Node
from ludotheque.server.nodes.tables import SharedTables
from ludotheque.server.store import Store
from scenes import until

Shared = tuple[Node, SharedTables]


class Ether:
    """What all nodes hear, and the keys that they share."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], Entry] = {}
        self.ears: list[tuple[str, Take]] = []
        self.revisions = count(1)
        self.loses: Callable[[wire.AnyMessage], bool] = lambda message: False
        self.lost = 0  # letters
        self.carried: list[wire.AnyMessage] = []
        self.versions: dict[str, int] = {}  # of nodes that have another one

    @asynccontextmanager
    async def node(self, name: str, store: Store) -> AsyncIterator[tuple[Node, SharedTables]]:
        node = Node(cast(Broker, Station(self, name)), Pace())
        node.lease = Lease(node.broker, name, lambda: 0.0)
        node.claims = Claims(node.broker, node.lease)
        tables = SharedTables(store, lambda guest, table: None, node)
        await node.lease.take()
        await node.open_post()
        try:
            yield node, tables
        finally:
            await asyncio.sleep(0)  # what was asked for last has begun, and can be ended
            tables.close()
            await node.close()


class Station:
    """A node's connection to the broker."""

    is_connected = True

    def __init__(self, ether: Ether, name: str) -> None:
        self.name = name
        self._ether = ether

    async def close(self) -> None: ...

    async def hear(self, subject: str, take: Take) -> object:
        ear = (subject, take)
        self._ether.ears.append(ear)
        return ear

    async def drop(self, ear: tuple[str, Take]) -> None:
        self._ether.ears.remove(ear)

    def post(self, subject: str, text: bytes, lost_to: str = "") -> None:
        sent = wire.decode(text).messages
        if any(map(self._ether.loses, sent)):
            self._ether.lost += 1
            return
        self._ether.carried += sent
        text = self._as_of_version(text)
        for known, take in self._ether.ears:
            if known == subject:
                asyncio.get_running_loop().call_soon(take, subject, text, False)

    def _as_of_version(self, text: bytes) -> bytes:
        version = self._ether.versions.get(self.name, wire.VERSION)
        return msgspec.msgpack.encode([version, *msgspec.msgpack.decode(text)[1:]])

    async def get(self, bucket: str, key: str) -> Entry | None:
        return self._ether.keys.get((bucket, key))

    async def values(self, bucket: str) -> dict[str, str]:
        keys = self._ether.keys.items()
        return {key: entry.value for (kept, key), entry in keys if kept == bucket}

    async def put(self, bucket: str, key: str, value: str, expected: int) -> int:
        known = self._ether.keys.get((bucket, key))
        if expected != (known.revision if known is not None else 0):
            raise Taken(key)
        entry = self._ether.keys[bucket, key] = Entry(value, next(self._ether.revisions))
        return entry.revision

    async def delete(self, bucket: str, revision: int) -> None:
        keys = self._ether.keys.items()
        for key in [key for key, entry in keys if entry.revision == revision]:
            del self._ether.keys[key]


Scene = Callable[[Ether, Store, Shared, Shared], Awaitable[None]]


def with_nodes(folder: Path, scene: Scene) -> None:
    """Play a scene with two nodes that have heard each other."""

    async def opened(store: Store) -> None:
        ether = Ether()
        async with AsyncExitStack() as stack:
            here = await stack.enter_async_context(ether.node("a", store))
            there = await stack.enter_async_context(ether.node("b", store))
            for node, _ in (here, there):
                node.beat()
            await until(lambda: here[0].others and there[0].others)
            await scene(ether, store, here, there)

    sqlite_home(folder).with_store(opened)
