"""Safety around every request: headers, origin, size, pace. Plain ASGI."""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LARGEST_BODY = 256 * 1024
SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Adds the headers, refuses requests of foreign pages and bodies that are too large."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["method"] not in SAFE and not is_same_origin(headers):
            await _refuse(scope, receive, send, 403, "this page may not speak to this server")
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            await _refuse(scope, receive, send, 413, f"a body has at most {LARGEST_BODY} bytes")
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Browsers name the page that asks; cookies must not be lent to pages of other hosts."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, error: str) -> None:
    await JSONResponse({"error": error}, status, HEADERS)(scope, receive, send)


class Pace:
    """How often an address may do something that costs."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def allows(self, limit: RateLimitItem, *who: str) -> bool:
        return await self._limiter.hit(limit, *who)


class Bucket:
    """How often one client may do something: `rate` times a second, and as many at once."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left = rate
        self._filled = time.monotonic()

    def allows(self) -> bool:
        now = time.monotonic()
        self._left = min(self._rate, self._left + (now - self._filled) * self._rate)
        self._filled = now
        self._left -= 1
        return self._left >= 0


# For one address, behind which a whole club may sit.
GUESTS = RateLimitItemPerMinute(120)
TABLES = RateLimitItemPerMinute(120)
COMMANDS = RateLimitItemPerMinute(3000)
HINTS = RateLimitItemPerMinute(120)
