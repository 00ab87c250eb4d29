"""HTTP: guests, games, tables, deals. Every endpoint states the types that it takes and gives."""

from __future__ import annotations

from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server.api import deals, games, guests, tables
from ludotheque.server.api.description import described
from ludotheque.server.api.endpoint import Endpoints

ENDPOINTS = Endpoints([*guests.ENDPOINTS, *games.ENDPOINTS, *tables.ENDPOINTS, *deals.ENDPOINTS])


@ENDPOINTS.add("GET", "/api/openapi.json", None, dict[str, Any])
async def openapi(request: Request, _: None) -> Response:
    """This description."""
    return Response(_description(), media_type="application/json")


@cache
def _description() -> bytes:
    return described(ENDPOINTS)
