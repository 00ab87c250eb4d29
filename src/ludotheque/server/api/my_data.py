"""What is kept about a guest: to download or to delete."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits
from ludotheque.server.api.context import player_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, json
from ludotheque.server.forgetting import export
from ludotheque.server.identity import COOKIE

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/me/data", None, dict[str, Any])
async def my_data(request: Request, _: None) -> Response:
    """Everything that is kept about you, as one file."""
    player = await player_of(request)
    slow_down(request, limits.DATA, player)
    response = json(await export(services_of(request).store, player.id))
    response.headers["Content-Disposition"] = 'attachment; filename="ludotheque.json"'
    return response


@ENDPOINTS.add("DELETE", "/api/me", None, None)
async def delete_me(request: Request, _: None) -> Response:
    """Delete everything that is kept about you, for good.

    Bots play on in your seats. Matches that you have played stay, as those of nobody.
    """
    player = await player_of(request)
    slow_down(request, limits.DATA, player)
    identity = services_of(request).identity
    identity.begin_leaving(player.id)
    try:
        await services_of(request).tables.forget(player.id)
    finally:
        identity.end_leaving(player.id)
    response = json(None)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return response
