"""The application over HTTP: storage opened, tables woken, routes laid."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from ludotheque.server import api, guard
from ludotheque.server.identity import Identity
from ludotheque.server.store import Store
from ludotheque.server.switchboard import Switchboard
from ludotheque.server.tables import Tables


def create_app(storage: str) -> Starlette:
    """The app on this storage: an address that SQLAlchemy understands."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, api.Services]]:
        store = Store(storage)
        await store.open()
        secret = await store.secret("tokens", secrets.token_hex(32))
        tables = Tables(store)
        await tables.restore()
        switchboard = Switchboard()
        watch = asyncio.create_task(switchboard.watch())
        identity = Identity(secret, store)
        yield {"services": api.Services(store, identity, tables, guard.Pace(), switchboard)}
        watch.cancel()
        tables.close()
        await store.close()

    return Starlette(
        lifespan=lifespan,
        routes=[
            *api.routes(),
            Route("/api/{rest:path}", _no_such_route),
            *_pages(),
        ],
        middleware=[
            Middleware(Doorbell),
            Middleware(guard.Guard),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={HTTPException: _problem},
    )


class Doorbell:
    """Keeps the server awake for whoever asks over HTTP."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["state"]["services"].tables.expect_requests()
        await self.app(scope, receive, send)


def _pages() -> list[Route | Mount]:
    """The client's files, and its one page for every other path."""
    if not api.STATIC.is_dir():
        return [Route("/{rest:path}", _not_built)]
    return [
        Mount("/assets", StaticFiles(directory=api.STATIC / "assets")),
        Route("/{rest:path}", _page),
    ]


async def _page(request: Request) -> Response:
    """A file of the client if there is one of that name, its page if not."""
    wanted = (api.STATIC / request.path_params["rest"]).resolve()
    if wanted.is_file() and wanted.is_relative_to(api.STATIC.resolve()):
        return FileResponse(wanted)
    return FileResponse(api.STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def _not_built(_: Request) -> Response:
    return JSONResponse({"error": "the page has not been built; run make play"}, 503)


async def _no_such_route(request: Request) -> Response:
    return JSONResponse({"error": f"there is no {request.method} {request.url.path}"}, 404)


async def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)
