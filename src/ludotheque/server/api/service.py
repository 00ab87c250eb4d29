"""What a host asks of the server: is it alive, is it ready, what does it count, which version."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ludotheque.engine.game import load, slugs
from ludotheque.language import every_word
from ludotheque.server import messages
from ludotheque.server.addresses import is_local, origin_to_share
from ludotheque.server.api.context import services_of, wanted_language
from ludotheque.server.api.endpoint import Endpoints, json
from ludotheque.server.metrics import CONTENT_TYPE

ENDPOINTS = Endpoints()
NOT_KEPT = {"Cache-Control": "no-store"}


@ENDPOINTS.add("GET", "/api/version", None, messages.Version)
async def server_version(_: Request, __: None) -> Response:
    """The version of the server, of the rules of each game, and of Python."""
    return json(_version())


@ENDPOINTS.add("GET", "/api/privacy/{language}", None, messages.Privacy)
async def privacy(request: Request, _: None) -> Response:
    """What is kept about guests, in words, and after how many days unused tables are deleted."""
    chosen, words = services_of(request).configuration, every_word(wanted_language(request))
    days = chosen.keep_finished_days, chosen.keep_abandoned_days
    return json(messages.Privacy(*days, words["privacy"]))


@ENDPOINTS.add("GET", "/api/address", None, messages.Address)
async def address(request: Request, _: None) -> Response:
    """The address to give to others; to a browser on this machine, the one in its network."""
    return json(messages.Address(origin_to_share(request, services_of(request).configuration)))


@cache
def _version() -> messages.Version:
    rules = {slug: load(slug).version for slug in slugs()}
    return messages.Version(version("ludotheque"), rules, platform.python_version())


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok\n", headers=NOT_KEPT)


async def _readiness(request: Request) -> Response:
    obstacle = await services_of(request).readiness.obstacle()
    status = 503 if obstacle else 200
    return PlainTextResponse(f"{obstacle or 'ready'}\n", status, headers=NOT_KEPT)


async def _metrics(request: Request) -> Response:
    services = services_of(request)
    openness = services.configuration.metrics
    if openness == "off" or (openness == "local" and not is_local(request)):
        return PlainTextResponse("the metrics of this server are not told here\n", 404)
    text = await services.metrics.text()
    return Response(text, media_type=CONTENT_TYPE, headers=NOT_KEPT)


ROUTES = [
    Route("/healthz", _health),
    Route("/readyz", _readiness),
    Route("/metrics", _metrics),
]
