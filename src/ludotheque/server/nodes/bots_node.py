"""A node that only thinks: bots for the tables of all others, and what its host asks of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware

from ludotheque.server import garbage, guard, logs, warmup
from ludotheque.server.api import service
from ludotheque.server.background import background
from ludotheque.server.configuration import Configuration
from ludotheque.server.connections import Connections
from ludotheque.server.limits import Pace
from ludotheque.server.metrics import Exposition, gauges, named, thinking
from ludotheque.server.nodes.answerer import Answerer
from ludotheque.server.nodes.broker import Broker
from ludotheque.server.nodes.node import broker_of
from ludotheque.server.proxies import Unproxied
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.turns import Turns


class BotsReadiness:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def obstacle(self) -> str:
        return "" if self._broker.is_connected else "the broker does not answer"


class BotsMetrics(Exposition):
    def __init__(self, node: str, thinkers: Thinkers, worker: Answerer) -> None:
        super().__init__()
        self._node = node
        self._thinkers = thinkers
        self._worker = worker

    def _now(self) -> Iterator[Any]:
        ready = ("Games that this node thinks about.", len(self._worker.games))
        yield from gauges({**thinking(self._thinkers), "bots_games": ready})
        yield named(self._node)


@dataclass(frozen=True)
class BotsServices:
    """Of what a server has, that which connections and the routes for its host use."""

    configuration: Configuration
    connections: Connections
    pace: Pace
    turns: Turns
    readiness: BotsReadiness
    metrics: BotsMetrics


def create_bots_app(configuration: Configuration, connections: Connections) -> Starlette:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, BotsServices]]:
        warmup.start()
        broker, thinkers = broker_of(configuration), Thinkers()
        await broker.open(None)
        worker = Answerer(broker, thinkers)
        await worker.open()
        async with background(worker.run(), garbage.run()):
            yield {
                "services": BotsServices(
                    configuration,
                    connections,
                    Pace(),
                    Turns(),
                    BotsReadiness(broker),
                    BotsMetrics(broker.name, thinkers, worker),
                )
            }
            await worker.close()
        thinkers.close()
        await broker.close()

    return Starlette(
        lifespan=lifespan,
        routes=service.ROUTES,
        middleware=[
            Middleware(Unproxied, proxies=connections.proxies),
            Middleware(logs.Requests),
            Middleware(guard.Guard),
        ],
    )
