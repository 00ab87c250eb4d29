"""Safety around every request: headers, origin, size, failures, pace. Plain ASGI."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
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
LARGEST_BODY_BYTES = 256 * 1024
SAFE = ("GET", "HEAD", "OPTIONS")
FOREIGN_PAGE = "this page is not from this server and may not use its API"
FAILURE = "something went wrong on the server; it has been logged"


class Guard:
    """Adds the headers to every answer, and answers requests that the app must not or could not.

    These are requests of foreign pages, bodies that are too large, and failures inside the app, so
    it has to be the outermost layer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _Exchange(scope, receive, send).run(self.app)
        else:
            await self.app(scope, receive, send)


class _TooLarge(Exception):
    """A body is larger than allowed."""


class _Exchange:
    """One request and its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._received = 0  # bytes of the body
        self._has_begun = False  # the answer

    async def run(self, app: ASGIApp) -> None:
        try:
            await self._pass_on(app)
        except _TooLarge:
            await self._refuse(413, f"a body has at most {LARGEST_BODY_BYTES} bytes")
        except ClientDisconnect:
            pass  # the client has gone
        except Exception:
            method, path = self._scope["method"], self._scope["path"]
            logging.getLogger(__name__).exception("%s %s failed", method, path)
            await self._refuse(500, FAILURE)

    async def _pass_on(self, app: ASGIApp) -> None:
        headers = Headers(scope=self._scope)
        if self._scope["method"] not in SAFE and not is_same_origin(headers):
            await self._refuse(403, FOREIGN_PAGE)
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 10 or int(length) > LARGEST_BODY_BYTES:
            raise _TooLarge
        await app(self._scope, self.receive, self.send)

    async def receive(self) -> Message:
        """The next part of the body; a body in chunks does not say how large it is."""
        message = await self._receive()
        self._received += len(message.get("body", b""))
        if self._received > LARGEST_BODY_BYTES:
            raise _TooLarge
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            MutableHeaders(scope=message).update(HEADERS)
        await self._send(message)

    async def _refuse(self, status: int, error: str) -> None:
        """Answer with one sentence, unless an answer is on its way already."""
        if not self._has_begun:
            await JSONResponse({"error": error}, status)(self._scope, self._receive, self.send)


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Browsers name the page that asks; pages of other hosts must not use the cookies."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        return False
    return host != "" and host == headers.get("host")


# Rate limits

Now = Callable[[], float]  # seconds on a monotonic clock


class Limit(NamedTuple):
    """How often one address may do something. A whole club may share an address."""

    name: str
    per_minute: int


GUESTS = Limit("guests", 120)
TABLES = Limit("tables", 120)
COMMANDS = Limit("commands", 3000)
HINTS = Limit("hints", 120)
WARMUPS = Limit("warmups", 600)  # who waits for a warm-up asks again after every step of it
PUSH = Limit("push", 60)
CODES = Limit("codes", 30)  # so that trying all of them takes days

FEW_BUCKETS = 1000  # so many are kept without a look at which are full


class Bucket:
    """Allows something `rate` times a second, and `burst` times at once."""

    def __init__(
        self, rate: float, burst: float | None = None, clock: Now = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = rate if burst is None else burst
        self._clock = clock
        self._left = self._burst
        self._filled = clock()

    @property
    def is_full(self) -> bool:
        self._fill()
        return self._left >= self._burst

    def allows(self) -> bool:
        """Whether it may be done now; if so, it counts as done."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._filled) * self._rate)
        self._filled = now


class Pace:
    """How often each address may do something that costs."""

    def __init__(self, clock: Now = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._most = FEW_BUCKETS

    def __len__(self) -> int:
        """How many buckets are kept."""
        return len(self._buckets)

    def allows(self, limit: Limit, who: str) -> bool:
        key = (limit.name, who)
        if key not in self._buckets:
            self._make_room()
            self._buckets[key] = Bucket(limit.per_minute / 60, limit.per_minute, self._clock)
        return self._buckets[key].allows()

    def _make_room(self) -> None:
        """Forget full buckets, which equal new ones, whenever their number has doubled."""
        if len(self._buckets) >= self._most:
            self._buckets = {key: b for key, b in self._buckets.items() if not b.is_full}
            self._most = max(FEW_BUCKETS, 2 * len(self._buckets))
