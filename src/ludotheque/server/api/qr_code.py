"""Links as QR codes."""

from __future__ import annotations

import io

import segno
from starlette.responses import Response

from ludotheque.server.api.endpoint import Failure


def qr_picture(link: str) -> Response:
    picture = io.BytesIO()
    try:
        code = segno.make(link, micro=False)
    except segno.DataOverflowError:
        raise Failure(400, "the address of this server is too long for a QR code") from None
    code.save(picture, kind="svg", border=2, scale=4, dark="#1c1917", light="#fff", xmldecl=False)
    return Response(picture.getvalue(), media_type="image/svg+xml")
