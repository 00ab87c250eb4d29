"""The application over HTTP: opens the storage, restores the tables, sets up the routes."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludotheque.server import api, garbage, guard, limits, logs, pages, warmup
from ludotheque.server.api import service
from ludotheque.server.api.endpoint import routes
from ludotheque.server.background import background
from ludotheque.server.configuration import DEFAULTS, Configuration
from ludotheque.server.connections import Connections
from ludotheque.server.identity import Identity
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.metrics import Metrics, Told
from ludotheque.server.notifier import Notifier
from ludotheque.server.proxies import Proxies, Unproxied
from ludotheque.server.readiness import Readiness
from ludotheque.server.retention import Ages, Retention
from ludotheque.server.services import Services
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.turns import Turns
from ludotheque.server.web_push import new_secret

if TYPE_CHECKING:
    from ludotheque.server.nodes.worker_metrics import Colleagues

Work = list[Coroutine[Any, Any, None]]  # beside the answers

STATIC = Path(__file__).parent / "static"  # what the client is built into


def create_app(
    storage: str | sa.URL,
    configuration: Configuration = DEFAULTS,
    connections: Connections | None = None,
    colleagues: Colleagues | None = None,
) -> Starlette:
    """The app on this storage: an address that SQLAlchemy understands."""
    guarded = Connections(Proxies()) if connections is None else connections

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Services]]:
        async with _serving(storage, configuration, guarded, colleagues) as services:
            yield {"services": services}

    return Starlette(
        lifespan=lifespan,
        routes=[
            *routes(api.ENDPOINTS),
            *service.ROUTES,
            Route("/api/{rest:path}", _no_such_route),
            *pages.routes(STATIC),
        ],
        middleware=[
            Middleware(Unproxied, proxies=guarded.proxies),
            Middleware(logs.Requests),
            Middleware(guard.Guard),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={HTTPException: _problem},
    )


@asynccontextmanager
async def _serving(
    storage: str | sa.URL,
    configuration: Configuration,
    connections: Connections,
    colleagues: Colleagues | None,
) -> AsyncIterator[Services]:
    """What requests and sockets use, and the work beside it, until the server ends."""
    warmup.start()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(_opened(storage))
        secret = await store.secret("tokens", secrets.token_hex(32))
        notifier = Notifier(store, await store.secret("vapid", new_secret()))
        stack.callback(notifier.close)
        identity, keepalive, pace = Identity(secret, store), Keepalive(), limits.Pace()
        opened = (
            _own_tables(store, notifier, pace)
            if configuration.broker is None
            else _shared_tables(configuration, store, notifier, identity, pace, secret)
        )
        tables, work = await stack.enter_async_context(opened)
        retention = Retention(store, tables, Ages.of(configuration))
        work += [tables.run(), keepalive.run(), garbage.run(), retention.run()]
        await stack.enter_async_context(background(*work))
        own = Metrics(store, tables, keepalive)
        metrics = await stack.enter_async_context(_told_together(own, configuration, colleagues))
        yield Services(
            configuration,
            store,
            identity,
            tables,
            pace,
            connections,
            keepalive,
            notifier,
            Readiness(tables, store),
            metrics,
            Turns(),
        )


@asynccontextmanager
async def _opened(storage: str | sa.URL) -> AsyncIterator[Store]:
    store = Store(storage)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _own_tables(
    store: Store, notifier: Notifier, pace: limits.Pace
) -> AsyncIterator[tuple[Tables, Work]]:
    """The tables of a server that has them to itself."""
    tables = Tables(store, notifier.call)
    tables.thinkers.home_of = pace.home_of
    with closing(tables):
        yield tables, []


@asynccontextmanager
async def _shared_tables(
    configuration: Configuration,
    store: Store,
    notifier: Notifier,
    identity: Identity,
    pace: limits.Pace,
    secret: str,
) -> AsyncIterator[tuple[Tables, Work]]:
    """The tables of all nodes, and the work of a node, which also thinks for the others' bots."""
    from ludotheque.server.nodes import node as nodes  # noqa: PLC0415  # most do without
    from ludotheque.server.nodes.helping import Helping  # noqa: PLC0415
    from ludotheque.server.nodes.tables import SharedTables  # noqa: PLC0415

    pace.is_shared = True
    node = nodes.Node(nodes.broker_of(configuration), pace)
    tables = SharedTables(store, notifier.call, node)
    tables.note_leaving = identity.note_leaving
    tables.thinkers.home_of = pace.home_of
    async with AsyncExitStack() as stack:
        stack.push_async_callback(node.close)
        await node.open()
        helpers = await Helping.begin(
            configuration.role, node.broker, tables.thinkers, secret, pace
        )
        stack.push_async_callback(helpers.close)
        stack.callback(tables.close)
        yield tables, [node.run(), helpers.run()]


@asynccontextmanager
async def _told_together(
    own: Metrics, configuration: Configuration, colleagues: Colleagues | None
) -> AsyncIterator[Told]:
    """What this server counts; if it is one of several workers, with what the others do."""
    if colleagues is None:
        yield own
        return
    from ludotheque.server.nodes.worker_metrics import WorkerMetrics  # noqa: PLC0415

    shared = WorkerMetrics(own, configuration.node, colleagues)
    await shared.open()
    try:
        yield shared
    finally:
        shared.close()


async def _no_such_route(request: Request) -> Response:
    return JSONResponse({"error": f"there is no {request.method} {request.url.path}"}, 404)


async def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)
