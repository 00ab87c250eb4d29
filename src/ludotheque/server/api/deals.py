"""Deals that others play too."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits, messages
from ludotheque.server.api.context import player_of, reader_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, json
from ludotheque.server.api.qr_code import qr_picture

ENDPOINTS = Endpoints()


@ENDPOINTS.add("POST", "/api/tables/{table}/deal", None, messages.Opened)
async def share_deal(request: Request, _: None) -> Response:
    """Let others play the deal of the match that is over here: the id is for `/deal/ID`."""
    player = await player_of(request)
    slow_down(request, limits.TABLES, player)
    tables = services_of(request).tables
    deal_id = await tables.share_deal(request.path_params["table"], player)
    return json(messages.Opened(deal_id), 201)


@ENDPOINTS.add("GET", "/api/deals/{deal}", None, messages.SharedDeal)
async def deal(request: Request, _: None) -> Response:
    """A deal that can be played again, and how those did who have played it."""
    await reader_of(request)
    return json(await services_of(request).tables.deal(request.path_params["deal"]))


@ENDPOINTS.add("GET", "/api/deals/{deal}/qr.svg", None, None)
async def deal_qr_code(request: Request, _: None) -> Response:
    """The link of a deal as a QR code."""
    await reader_of(request)
    deal_id = request.path_params["deal"]
    await services_of(request).tables.expect_deal(deal_id)
    return await qr_picture(request, f"/deal/{deal_id}")
