"""Tables: opened, listed, looked at and played at; what shows that a match was fair."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits, messages, questions
from ludotheque.server.api.context import (
    owner_of,
    player_of,
    reader_of,
    services_of,
    slow_down,
    wanted_seat,
)
from ludotheque.server.api.endpoint import Endpoints, json
from ludotheque.server.api.qr_code import qr_picture
from ludotheque.server.code import read_code
from ludotheque.server.owner import FAILED, UNCERTAIN, UNSTORED
from ludotheque.server.turns import stand_aside

# Of commands that were refused for no fault of the asker
STATUSES = {UNSTORED: 503, UNCERTAIN: 503, FAILED: 500}

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/tables", None, messages.TablePage)
async def public_tables(request: Request, _: None) -> Response:
    """Public tables at which someone is; `?after=` the last `next` gives the following ones."""
    await reader_of(request)
    after = request.query_params.get("after", "")
    return json(await services_of(request).tables.public(after))


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
    player = await reader_of(request)
    seat, owner = wanted_seat(request), await owner_of(request)
    return Response(
        await owner.consult(questions.Look(player, seat)), media_type="application/json"
    )


@ENDPOINTS.add("POST", "/api/tables/{table}/commands", messages.Request, messages.Reply)
async def command(request: Request, wish: messages.Request) -> Response:
    """Do something at a table: sit, play, say … Repeating a request id does nothing more."""
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
    stand_aside()
    return json(await owner.consult(questions.Advise(player, wanted_seat(request))))


@ENDPOINTS.add("GET", "/api/tables/{table}/match", None, dict[str, Any])
async def match_file(request: Request, _: None) -> Response:
    """The match file of a match that is over."""
    player, owner = await reader_of(request), await owner_of(request)
    text = await owner.consult(questions.MatchFile(player))
    return Response(text, media_type="application/json")


@ENDPOINTS.add("GET", "/api/tables/{table}/proof", None, messages.Proof)
async def proof(request: Request, _: None) -> Response:
    """What proves that nobody chose the draws of a match that is over."""
    player, owner = await reader_of(request), await owner_of(request)
    return json(await owner.consult(questions.Prove(player)))


@ENDPOINTS.add("GET", "/api/tables/{table}/screen", None, messages.ScreenKey)
async def screen_key(request: Request, _: None) -> Response:
    """What a big screen on another device says in its hello; for players of the table and its host.

    Without it, it shows the table all the same, but phones do not count on it.
    """
    player = await player_of(request)
    slow_down(request, limits.READS, player)
    owner = await owner_of(request)
    name = await owner.consult(questions.ScreenName(player))
    return json(messages.ScreenKey(services_of(request).identity.screen_key(name)))


@ENDPOINTS.add("GET", "/api/tables/{table}/qr.svg", None, None)
async def qr_code(request: Request, _: None) -> Response:
    """The link of the table as a QR code."""
    await reader_of(request)
    await (await owner_of(request)).consult(questions.Exists())
    return await qr_picture(request, f"/t/{request.path_params['table']}")
