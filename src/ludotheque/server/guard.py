"""Safety around every request: headers, origin, pace, turns, failures. Plain ASGI."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludotheque.server import limits, logs, turns
from ludotheque.server.counts import counts
from ludotheque.server.turns import Turn

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")
FOREIGN_PAGE = "this page is not from this server and may not use its API"
STOPPING = "the server stops; try again in a moment"
FAILURE = "something went wrong on the server; it has been logged"


class Guard:
    """Adds the headers to every answer, and answers requests that the app must not or could not.

    These are requests of foreign pages, requests of an address that asks too much, and failures
    inside the app, so it has to be the outermost layer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _Exchange(scope, receive, send).run(self.app)
        else:
            await self.app(scope, receive, send)


class _Exchange:
    """One request and its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._has_begun = False  # the answer
        self._turn: Turn | None = None

    async def run(self, app: ASGIApp) -> None:
        try:
            await self._pass_on(app)
        except limits.TooOften as error:
            await self._refuse(429, str(error), {"Retry-After": str(error.seconds)})
        except ClientDisconnect:
            pass  # the client has gone
        except asyncio.CancelledError:
            await self._refuse(503, STOPPING)  # nothing else cancels a request
        except Exception:
            method, path = self._scope["method"], logs.pattern(self._scope)
            logging.getLogger(__name__).exception("%s %s failed", method, path)
            await self._refuse(500, FAILURE)
        finally:
            self._stand_aside()

    async def _pass_on(self, app: ASGIApp) -> None:
        await self._wait_in_line()
        headers = Headers(scope=self._scope)
        if self._scope["method"] not in SAFE and not is_same_origin(headers):
            await self._refuse(403, FOREIGN_PAGE)
            return
        await app(self._scope, self.receive, self.send)

    async def _wait_in_line(self) -> None:
        """Wait for a turn of the address, and count the request towards its limit."""
        services, client = self._scope.get("state", {}).get("services"), self._scope.get("client")
        if services is not None:
            address = client[0] if client is not None else ""
            self._turn = services.turns.of(address)
            turns.current.set(self._turn)
            await self._turn.begin()
            services.pace.count(limits.REQUESTS, address)

    def _stand_aside(self) -> None:
        if self._turn is not None:
            self._turn.end()

    async def receive(self) -> Message:
        """A client that is slow to send its body does not keep its neighbours in line waiting."""
        self._stand_aside()
        message = await self._receive()
        if self._turn is not None and not self._has_begun:
            await self._turn.begin()
        return message

    async def send(self, message: Message) -> None:
        """Nor does one that is slow to take its answer."""
        self._stand_aside()
        if message["type"] == "http.response.start":
            self._has_begun = True
            MutableHeaders(scope=message).update(HEADERS)
        await self._send(message)

    async def _refuse(
        self, status: int, error: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Answer with one sentence, unless an answer is on its way already."""
        counts.refuse("http", str(status))
        if not self._has_begun:
            answer = JSONResponse({"error": error}, status, headers)
            await answer(self._scope, self._receive, self.send)


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
