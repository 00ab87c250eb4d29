"""Links as QR codes."""

from __future__ import annotations

import asyncio
import io
from functools import lru_cache

import segno
from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server.addresses import origin_to_share
from ludotheque.server.api.context import services_of
from ludotheque.server.api.endpoint import Failure

PICTURES_KEPT = 256


async def qr_picture(request: Request, path: str) -> Response:
    """The link to a page of this server."""
    link = origin_to_share(request, services_of(request).configuration) + path
    # In a thread: to draw one takes as long as several moves.
    return Response(await asyncio.to_thread(_drawn, link), media_type="image/svg+xml")


@lru_cache(PICTURES_KEPT)
def _drawn(link: str) -> bytes:
    picture = io.BytesIO()
    try:
        code = segno.make(link, micro=False)
    except segno.DataOverflowError:
        raise Failure(400, "the address of this server is too long for a QR code") from None
    code.save(picture, kind="svg", border=2, scale=4, dark="#1c1917", light="#fff", xmldecl=False)
    return picture.getvalue()
