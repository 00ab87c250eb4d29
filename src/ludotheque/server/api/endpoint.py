"""An endpoint: a handler with the types it takes and gives. How endpoints are served."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ludotheque.engine.refused import Refused
from ludotheque.server import limits, messages
from ludotheque.server.counts import counts
from ludotheque.server.owner import UNSTORED, told_of
from ludotheque.server.questions import NotAdmitted, NotFinished, NotYours
from ludotheque.server.store import Unavailable
from ludotheque.server.tables import Broken, NotFound
from ludotheque.server.writer import Lost

NOT_STORED = "what you asked for could not be stored; nothing has changed, try again"

Handler = Callable[[Request, Any], Awaitable[Response]]


class Failure(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    does: str
    takes: type | None
    gives: Any
    handler: Handler


class Endpoints(list[Endpoint]):
    """The endpoints of a module; each handler is added where it is defined."""

    def add(
        self, method: str, path: str, takes: type | None = None, gives: Any = None
    ) -> Callable[[Handler], Handler]:
        """Add a handler. Its docstring becomes the description of the endpoint."""

        def register(handler: Handler) -> Handler:
            does = (handler.__doc__ or "").strip()
            self.append(Endpoint(method, path, does, takes, gives, handler))
            return handler

        return register


def routes(endpoints: list[Endpoint]) -> list[Route]:
    paths = dict.fromkeys(e.path for e in endpoints)
    return [Route(path, Resource([e for e in endpoints if e.path == path])) for path in paths]


def json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


class Resource:
    """The endpoints of one path: an ASGI app that answers every other method with 405."""

    def __init__(self, endpoints: list[Endpoint]) -> None:
        self._serve = {e.method: _served(e) for e in endpoints}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        method = "GET" if request.method == "HEAD" else request.method
        if method in self._serve:
            response = await self._serve[method](request)
        else:
            allowed = ", ".join(self._serve)
            error = f"{request.url.path} takes {allowed}, not {request.method}"
            response = _problem(405, error)
            response.headers["Allow"] = allowed
        await response(scope, receive, send)


def _served(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """The handler with its body parsed and its failures put into words."""
    decoder: msgspec.json.Decoder[Any] | None = (
        msgspec.json.Decoder(endpoint.takes) if endpoint.takes is not None else None
    )

    async def serve(request: Request) -> Response:
        try:
            body = None if decoder is None else decoder.decode(await request.body())
            return await endpoint.handler(request, body)
        except Failure as failure:
            return _problem(failure.status, str(failure))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _problem(400, f"the body is not what was expected: {error}", "undecodable")
        except RecursionError:
            return _problem(400, "the body is nested too deeply", "undecodable")
        except Lost as lost:
            return _problem(503, _told_of(lost, request.url.path), "not_stored")
        except Refused as error:
            return _refusal(error)

    return serve


def _told_of(lost: Lost, path: str) -> str:
    told = told_of(lost)
    return NOT_STORED if told == UNSTORED and not path.startswith("/api/tables") else told


def _problem(status: int, error: str, counted_as: str = "") -> Response:
    counts.refuse("http", counted_as or str(status))
    return json(messages.Problem(error), status)


def _refusal(error: Refused) -> Response:
    match error:
        case NotFound():
            status = 404
        case NotYours() | NotAdmitted():
            status = 403
        case NotFinished():
            status = 409
        case Broken() | Unavailable():
            status = 503
        case limits.TooOften():
            status = 429
        case _:
            status = 400
    counts.refuse("http", error.reason or str(status))
    response = json(messages.Problem(str(error), error.reason), status)
    if isinstance(error, limits.TooOften):
        response.headers["Retry-After"] = str(error.seconds)
    return response
