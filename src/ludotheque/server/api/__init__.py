"""HTTP: guests, their tables and calls, games, tables, deals. Each endpoint states its types."""

from __future__ import annotations

from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server.api import deals, games, guests, my_data, my_tables, push, service, tables
from ludotheque.server.api.description import described
from ludotheque.server.api.endpoint import Endpoints

MODULES = (guests, my_data, my_tables, push, games, tables, deals, service)
ENDPOINTS = Endpoints([endpoint for module in MODULES for endpoint in module.ENDPOINTS])


@ENDPOINTS.add("GET", "/api/openapi.json", None, dict[str, Any])
async def openapi(request: Request, _: None) -> Response:
    """This description."""
    return Response(_description(), media_type="application/json")


@cache
def _description() -> bytes:
    return described(ENDPOINTS)
