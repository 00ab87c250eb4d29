"""The tables at which a guest plays."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits, messages
from ludotheque.server.api.context import player_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, json

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/me/tables", None, messages.MyTablePage)
async def my_tables(request: Request, _: None) -> Response:
    """The tables at which you have seats; `?after=` the last `next` gives the following ones."""
    player = await player_of(request)
    slow_down(request, limits.READS, player)
    after = request.query_params.get("after", "")
    return json(await services_of(request).tables.of_guest(player, after))


@ENDPOINTS.add("DELETE", "/api/me/tables/{table}", None, None)
async def forget_table(request: Request, _: None) -> Response:
    """Take a table off your list. You keep your seats.

    It is listed again when you sit down there, or when a match that you play there begins or ends.
    """
    player = await player_of(request)
    slow_down(request, limits.READS, player)
    await services_of(request).store.forget_seating(player.id, request.path_params["table"])
    return json(None)
