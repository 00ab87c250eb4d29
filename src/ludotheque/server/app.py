"""The application over HTTP: opens the storage, restores the tables, lays the routes."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ludotheque.server import api, garbage, guard, limits, logs, warmup
from ludotheque.server.api import service
from ludotheque.server.api.endpoint import routes
from ludotheque.server.configuration import DEFAULTS, Configuration
from ludotheque.server.connections import Connections
from ludotheque.server.identity import Identity
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.metrics import Metrics
from ludotheque.server.notifier import Notifier
from ludotheque.server.proxies import Proxies, Unproxied
from ludotheque.server.readiness import Readiness
from ludotheque.server.retention import Ages, Retention
from ludotheque.server.services import Services
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.web_push import new_secret

STATIC = Path(__file__).parent / "static"  # what the client is built into
PAGE = "index.html"
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}  # its name has its hash
ASK_AGAIN = {"Cache-Control": "no-cache"}  # the name stays when the content changes


def create_app(
    storage: str | sa.URL,
    configuration: Configuration = DEFAULTS,
    connections: Connections | None = None,
) -> Starlette:
    """The app on this storage: an address that SQLAlchemy understands."""
    connections = Connections(Proxies()) if connections is None else connections

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Services]]:
        warmup.start()
        store = Store(storage)
        await store.open()
        secret = await store.secret("tokens", secrets.token_hex(32))
        notifier = Notifier(store, await store.secret("vapid", new_secret()))
        identity, keepalive = Identity(secret, store), Keepalive()
        tables = Tables(store, notifier.call)
        retention = Retention(store, tables, Ages.of(configuration))
        work = (tables.run(), keepalive.run(), garbage.run(), retention.run())
        async with _background(*work):
            services = Services(
                configuration,
                store,
                identity,
                tables,
                limits.Pace(),
                connections,
                keepalive,
                notifier,
                Readiness(tables, store),
                Metrics(store, tables, keepalive),
            )
            yield {"services": services}
        tables.close()
        notifier.close()
        await store.close()

    return Starlette(
        lifespan=lifespan,
        routes=[
            *routes(api.ENDPOINTS),
            *service.ROUTES,
            Route("/api/{rest:path}", _no_such_route),
            *_pages(),
        ],
        middleware=[
            Middleware(Unproxied, proxies=connections.proxies),
            Middleware(logs.Requests),
            Middleware(guard.Guard),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={HTTPException: _problem},
    )


@asynccontextmanager
async def _background(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do this work while the server answers, and give up what is not done when it ends."""
    tasks = [asyncio.create_task(_logged(each)) for each in work]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        logging.getLogger(__name__).exception("%r failed in the background", work)


def _pages() -> list[Route | Mount]:
    """The client's files, and its one page for every other path."""
    if not STATIC.is_dir():
        return [Route("/{rest:path}", _not_built)]
    names = {path.name for path in STATIC.iterdir() if path.is_file()} - {PAGE}
    return [
        Mount("/assets", _Assets(directory=STATIC / "assets")),
        Route("/{rest:path}", partial(_page, STATIC, names)),
    ]


class _Assets(StaticFiles):
    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(FOR_EVER)
        return response


async def _page(folder: Path, names: set[str], request: Request) -> Response:
    """A file of the client if there is one of that name, its page if not.

    A path is looked up among names, so that nothing a stranger writes reaches the disk.
    """
    wanted = request.path_params["rest"]
    return FileResponse(folder / (wanted if wanted in names else PAGE), headers=ASK_AGAIN)


async def _not_built(_: Request) -> Response:
    return JSONResponse({"error": "the page has not been built; run make play"}, 503)


async def _no_such_route(request: Request) -> Response:
    return JSONResponse({"error": f"there is no {request.method} {request.url.path}"}, 404)


async def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)
