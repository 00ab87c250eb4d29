"""Tables: opened, listed, looked at and played at; what shows that a match was fair."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.engine.match_file import write_text
from ludotheque.server import limits, messages
from ludotheque.server.api.context import (
    finished_match,
    open_to,
    owner_of,
    player_of,
    services_of,
    slow_down,
    wanted_seat,
)
from ludotheque.server.api.endpoint import Endpoints, Failure, json
from ludotheque.server.api.qr_code import qr_picture
from ludotheque.server.code import read_code
from ludotheque.server.owner import FAILED, UNSTORED

STATUSES = {UNSTORED: 503, FAILED: 500}  # of commands that were refused for no fault of the asker
DEAL_OF_OTHERS = (
    "this deal comes from another table, where its seeds were told; "
    "they are not told here, since others may still play it"
)

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/tables", None, messages.TablePage)
async def public_tables(request: Request, _: None) -> Response:
    """Public tables at which someone is; `?after=` an answer's `next` gives the following ones."""
    slow_down(request, limits.READS)
    after = request.query_params.get("after", "")
    return json(services_of(request).tables.public(after))


@ENDPOINTS.add("POST", "/api/tables", messages.NewTable, messages.Opened)
async def open_table(request: Request, wish: messages.NewTable) -> Response:
    """Open a table; you are its host."""
    player = await player_of(request)
    slow_down(request, limits.TABLES, player)
    return json(messages.Opened(await services_of(request).tables.open(player, wish)), 201)


@ENDPOINTS.add("GET", "/api/codes/{code}", None, messages.Opened)
async def coded(request: Request, _: None) -> Response:
    """The table that a spoken code leads to now, in capitals or not, with spaces or without."""
    slow_down(request, limits.CODES)
    code = read_code(request.path_params["code"])
    return json(messages.Opened(await services_of(request).tables.coded(code)))


@ENDPOINTS.add("GET", "/api/tables/{table}", None, messages.Update)
async def table(request: Request, _: None) -> Response:
    """The table as you may see it, with the whole log; `?seat=` chooses among your seats."""
    player = await services_of(request).identity.of(request)
    slow_down(request, limits.READS, player)
    seat, owner = wanted_seat(request), await owner_of(request)
    return Response(await owner.look(player, seat), media_type="application/json")


@ENDPOINTS.add("POST", "/api/tables/{table}/commands", messages.Request, messages.Reply)
async def command(request: Request, wish: messages.Request) -> Response:
    """Do something at a table: sit, play, say … The same request id again does nothing more."""
    player = await player_of(request)
    slow_down(request, limits.of(wish.command), player)
    owner = await owner_of(request)
    reply = await owner.answer(player, wish)
    return json(reply, 200 if reply.done else STATUSES.get(reply.error, 409))


@ENDPOINTS.add("POST", "/api/tables/{table}/hints", None, list[messages.Hint])
async def hints(request: Request, _: None) -> Response:
    """What a master would play in your seat now, and why; `?seat=` chooses among your seats.

    Everyone at the table is told that you asked.
    """
    player = await player_of(request)
    slow_down(request, limits.HINTS, player)
    owner = await owner_of(request)
    return json(await owner.advise(player, wanted_seat(request)))


@ENDPOINTS.add("GET", "/api/tables/{table}/match", None, dict[str, Any])
async def match_file(request: Request, _: None) -> Response:
    """The match file of a match that is over."""
    slow_down(request, limits.READS)
    owner = await open_to(request)
    match = finished_match(owner)
    if not owner.stored.tells_seeds:
        match = match.copy()
        match.seeds = None
    return Response(write_text(match), media_type="application/json")


@ENDPOINTS.add("GET", "/api/tables/{table}/proof", None, messages.Proof)
async def proof(request: Request, _: None) -> Response:
    """What proves that nobody chose the draws of a match that is over."""
    slow_down(request, limits.READS)
    owner = await open_to(request)
    match = finished_match(owner)
    if not owner.stored.tells_seeds:
        raise Failure(403, DEAL_OF_OTHERS)
    assert match.seeds is not None
    server, clients = match.seeds
    draws = await asyncio.to_thread(match.draws)
    told = messages.Proof(
        match.commitment,
        server.hex(),
        [seed.hex() for seed in clients],
        owner.stored.replay is not None,
        [(draw.name, draw.cases, draw.case) for draw in draws],
    )
    return json(told)


@ENDPOINTS.add("GET", "/api/tables/{table}/screen", None, messages.ScreenKey)
async def screen_key(request: Request, _: None) -> Response:
    """What a big screen on another device says in its hello; for players of the table and its host.

    Without it, it shows the table all the same, but phones do not count on it.
    """
    player, owner = await player_of(request), await owner_of(request)
    if not owner.stored.belongs(player) or not owner.stored.admits(player):
        raise Failure(403, "you hold no seat at this table and are not its host")
    return json(messages.ScreenKey(services_of(request).identity.screen_key(owner.stored)))


@ENDPOINTS.add("GET", "/api/tables/{table}/qr.svg", None, None)
async def qr_code(request: Request, _: None) -> Response:
    """The link of the table as a QR code."""
    slow_down(request, limits.READS)
    await owner_of(request)
    return qr_picture(f"{request.base_url}t/{request.path_params['table']}")
