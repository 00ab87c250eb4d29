"""HTTP: guests, tables, words. Every route states the types it takes and gives; so does OpenAPI."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

import ludotheque
from ludotheque.bots import roster
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.lesson import names as lesson_names
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import write_text
from ludotheque.engine.refused import Refused
from ludotheque.language import every_word
from ludotheque.server import guard, messages
from ludotheque.server.decision import NAME_LENGTH, clean
from ludotheque.server.identity import AVATARS, COOKIE, Identity, new_player_id
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.lessons import lesson as told_lesson
from ludotheque.server.owner import FAILED, UNSTORED, NotYours, Owner
from ludotheque.server.store import Lost, Player, Store, Unavailable
from ludotheque.server.tables import Broken, NotFound, Tables

A_YEAR_S = 365 * 24 * 3600
STATUSES = {UNSTORED: 503, FAILED: 500}  # of commands that were refused for no fault of the asker


@dataclass(frozen=True)
class Services:
    """What a request or a socket may need; the app gives it to them when it starts."""

    store: Store
    identity: Identity
    tables: Tables
    pace: guard.Pace
    keepalive: Keepalive


class Failure(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


DEAL_OF_OTHERS = (
    "this deal comes from another table, where its seeds were told; "
    "they are not told here, since others may still play it"
)

Handler = Callable[[Request, Any], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    does: str
    takes: type | None
    gives: Any
    handler: Handler


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: str, path: str, takes: type | None = None, gives: Any = None
) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        does = (handler.__doc__ or "").strip()
        ENDPOINTS.append(Endpoint(method, path, does, takes, gives, handler))
        return handler

    return register


# Guests


@endpoint("POST", "/api/guests", messages.NewGuest, messages.Guest)
async def create_guest(request: Request, wish: messages.NewGuest) -> Response:
    """Become a guest: the answer sets a cookie, and carries a token for scripts."""
    _slow_down(request, guard.GUESTS)
    player = Player(new_player_id(), *_checked(wish))
    await _services(request).store.save_player(player, _now())
    return _welcome(request, player, 201)


@endpoint("GET", "/api/me", None, messages.Guest | None)
async def me(request: Request, _: None) -> Response:
    """Who you are; null for a visitor without a name."""
    player = await _services(request).identity.of(request)
    return _json(None) if player is None else _welcome(request, player)


@endpoint("PUT", "/api/me", messages.NewGuest, messages.Guest)
async def rename(request: Request, wish: messages.NewGuest) -> Response:
    """Change your name and picture."""
    player = Player((await _player(request)).id, *_checked(wish))
    await _services(request).store.save_player(player, _now())
    return _welcome(request, player)


@endpoint("GET", "/api/me/recovery", None, messages.Recovery)
async def recovery(request: Request, _: None) -> Response:
    """A personal token: whoever has it becomes you on their device."""
    token = _services(request).identity.recovery(await _player(request))
    return _json(messages.Recovery(token))


@endpoint("POST", "/api/recover", messages.Recovery, messages.Guest)
async def recover(request: Request, wish: messages.Recovery) -> Response:
    """Become the player of a recovery token on this device."""
    _slow_down(request, guard.GUESTS)
    player = await _services(request).identity.recovered(wish.token)
    if player is None:
        raise Failure(401, "this recovery link is not one of ours; copy the whole of it")
    return _welcome(request, player)


# Games and words


@endpoint("GET", "/api/games", None, list[messages.GameInfo])
async def games(request: Request, _: None) -> Response:
    """The games there are, with their seats, options and bots."""
    return Response(_games(), media_type="application/json")


@cache
def _games() -> bytes:
    return msgspec.json.encode([_game_info(slug) for slug in slugs()])


def _game_info(slug: str) -> messages.GameInfo:
    game = load(slug)
    options = [
        messages.OptionInfo(
            o.name,
            o.default,
            None if o.values is None else [v for v in o.values if isinstance(v, bool | str)],
            o.low,
            o.high,
            o.is_seat,
            list(o.of_replay) if isinstance(o.of_replay, tuple) else o.of_replay,
        )
        for o in game.options.values()
    ]
    return messages.GameInfo(
        game=slug,
        rules=game.version,
        seats=list(game.seats),
        options=options,
        bots=list(roster.kinds(game)),
        is_timed=game.timed,
        has_chance=game.has_chance,
        has_hints=game.has_hints,
        lessons=lesson_names(game),
    )


@endpoint("GET", "/api/games/{game}/lessons/{lesson}", None, messages.Lesson)
async def lesson(request: Request, _: None) -> Response:
    """A lesson, with everything that is needed to play it."""
    game, name = request.path_params["game"], request.path_params["lesson"]
    if game not in slugs() or name not in lesson_names(load(game)):
        raise Failure(404, f"there is no lesson {name!r} of {game!r}; GET /api/games lists them")
    return _json(told_lesson(load(game), name))


@endpoint("GET", "/api/words/{language}", None, dict[str, Any])
async def words(request: Request, _: None) -> Response:
    """Every word of the page and of all games in one language: fr, en or de."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise Failure(404, f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    return Response(_words(language), media_type="application/json")


@cache
def _words(language: str) -> bytes:
    of_games = {slug: load(slug).words[language] for slug in slugs()}
    return msgspec.json.encode({"page": every_word(language), "games": of_games})


# Tables


@endpoint("GET", "/api/tables", None, messages.TablePage)
async def public_tables(request: Request, _: None) -> Response:
    """Public tables at which somebody is; `?after=` an answer's `next` gives those that follow."""
    after = request.query_params.get("after", "")
    return _json(_services(request).tables.public(after))


@endpoint("POST", "/api/tables", messages.NewTable, messages.Opened)
async def open_table(request: Request, wish: messages.NewTable) -> Response:
    """Open a table; you are its host."""
    player = await _player(request)
    _slow_down(request, guard.TABLES)
    return _json(messages.Opened(await _services(request).tables.open(player, wish)), 201)


@endpoint("GET", "/api/tables/{table}", None, messages.Update)
async def table(request: Request, _: None) -> Response:
    """The table as you may see it, with the whole log; `?seat=` chooses among your seats."""
    seat, owner = _wanted_seat(request), await _owner(request)
    player = await _services(request).identity.of(request)
    return Response(await owner.look(player, seat), media_type="application/json")


@endpoint("POST", "/api/tables/{table}/commands", messages.Request, messages.Reply)
async def command(request: Request, wish: messages.Request) -> Response:
    """Do something at a table: sit, play, say … The same request id again does nothing more."""
    player = await _player(request)
    _slow_down(request, guard.COMMANDS)
    owner = await _owner(request)
    reply = await owner.answer(player, wish)
    return _json(reply, 200 if reply.done else STATUSES.get(reply.error, 409))


@endpoint("POST", "/api/tables/{table}/hints", None, list[messages.Hint])
async def hints(request: Request, _: None) -> Response:
    """What a master would play in your seat now, and why; `?seat=` chooses among your seats.

    Everyone at the table is told that you asked.
    """
    player = await _player(request)
    _slow_down(request, guard.HINTS)
    owner = await _owner(request)
    return _json(await owner.advise(player, _wanted_seat(request)))


@endpoint("GET", "/api/tables/{table}/match", None, dict[str, Any])
async def match_file(request: Request, _: None) -> Response:
    """The match file of a match that is over."""
    owner = await _owner(request)
    match = _finished(owner)
    if not owner.stored.tells_seeds:
        match = match.copy()
        match.seeds = None
    return Response(write_text(match), media_type="application/json")


@endpoint("GET", "/api/tables/{table}/proof", None, messages.Proof)
async def proof(request: Request, _: None) -> Response:
    """What shows that nobody chose the draws of a match that is over."""
    owner = await _owner(request)
    match = _finished(owner)
    if not owner.stored.tells_seeds:
        raise Failure(403, DEAL_OF_OTHERS)
    assert match.seeds is not None
    server, clients = match.seeds
    draws = await asyncio.to_thread(match.draws)
    told = messages.Proof(
        match.commitment,
        server.hex(),
        [seed.hex() for seed in clients],
        owner.stored.replay is not None,
        [(draw.name, draw.cases, draw.case) for draw in draws],
    )
    return _json(told)


@endpoint("GET", "/api/tables/{table}/qr.svg", None, None)
async def qr_code(request: Request, _: None) -> Response:
    """The link of the table as a QR code."""
    await _owner(request)
    return _qr_code(f"{request.base_url}t/{request.path_params['table']}")


# Deals


@endpoint("POST", "/api/tables/{table}/deal", None, messages.Opened)
async def share_deal(request: Request, _: None) -> Response:
    """Let others play the deal of the match that is over here: the id is for `/deal/ID`."""
    await _player(request)
    _slow_down(request, guard.TABLES)
    _finished(await _owner(request))
    tables = _services(request).tables
    return _json(messages.Opened(await tables.share_deal(request.path_params["table"])), 201)


@endpoint("GET", "/api/deals/{deal}", None, messages.SharedDeal)
async def deal(request: Request, _: None) -> Response:
    """A deal that can be played again, and how those did who have played it."""
    return _json(await _services(request).tables.deal(request.path_params["deal"]))


@endpoint("GET", "/api/deals/{deal}/qr.svg", None, None)
async def deal_qr_code(request: Request, _: None) -> Response:
    """The link of a deal as a QR code."""
    deal_id = request.path_params["deal"]
    await _services(request).tables.expect_deal(deal_id)
    return _qr_code(f"{request.base_url}deal/{deal_id}")


@endpoint("GET", "/api/openapi.json", None, dict[str, Any])
async def openapi(request: Request, _: None) -> Response:
    """This description."""
    return Response(_openapi(), media_type="application/json")


# What the handlers share


def _services(request: Request) -> Services:
    services: Services = request.state.services
    return services


def _now() -> int:
    return int(time.time() * 1000)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def _player(request: Request) -> Player:
    player = await _services(request).identity.of(request)
    if player is None:
        raise Failure(401, "not signed in: become a guest with POST /api/guests")
    return player


async def _owner(request: Request) -> Owner:
    return await _services(request).tables.owner(request.path_params["table"])


def _finished(owner: Owner) -> Match:
    match = owner.stored.match
    if match is None or not match.is_over:
        raise Failure(409, "there is no finished match on this table")
    return match


def _wanted_seat(request: Request) -> int | None:
    seat = request.query_params.get("seat", "")
    if seat and not (seat.isascii() and seat.isdecimal() and len(seat) <= 2):
        raise Failure(400, f"seat is {seat[:8]!r}, expected a number of one or two digits")
    return int(seat) if seat else None


def _qr_code(link: str) -> Response:
    picture = io.BytesIO()
    try:
        code = segno.make(link, micro=False)
    except segno.DataOverflowError:
        raise Failure(400, "the address of this server is too long for a QR code") from None
    code.save(picture, kind="svg", border=2, scale=4, dark="#1c1917", light="#fff", xmldecl=False)
    return Response(picture.getvalue(), media_type="image/svg+xml")


def _slow_down(request: Request, limit: guard.Limit) -> None:
    address = request.client.host if request.client else ""
    if not _services(request).pace.allows(limit, address):
        raise Failure(429, "too many requests from your address; wait a minute")


def _checked(wish: messages.NewGuest) -> tuple[str, int]:
    if not 0 <= wish.avatar < AVATARS:
        raise Failure(400, f"avatar is {wish.avatar}, expected 0 to {AVATARS - 1}")
    return clean(wish.name, "a name", NAME_LENGTH), wish.avatar


def _welcome(request: Request, player: Player, status: int = 200) -> Response:
    token = _services(request).identity.token(player)
    response = _json(messages.Guest(player.id, player.name, player.avatar, token), status)
    response.set_cookie(
        COOKIE,
        token,
        max_age=A_YEAR_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


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
            return _json(messages.Problem(str(failure)), failure.status)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _json(messages.Problem(f"the body is not what was expected: {error}"), 400)
        except RecursionError:
            return _json(messages.Problem("the body is nested too deeply"), 400)
        except Lost:
            return _json(messages.Problem(UNSTORED), 503)
        except Refused as error:
            return _refusal(error)

    return serve


def _refusal(error: Refused) -> Response:
    match error:
        case NotFound():
            status = 404
        case NotYours():
            status = 403
        case Broken() | Unavailable():
            status = 503
        case _:
            status = 400
    return _json(messages.Problem(str(error), error.reason), status)


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
            response = _json(messages.Problem(error), 405)
            response.headers["Allow"] = allowed
        await response(scope, receive, send)


def routes() -> list[Route]:
    paths = dict.fromkeys(e.path for e in ENDPOINTS)
    return [Route(path, Resource([e for e in ENDPOINTS if e.path == path])) for path in paths]


# OpenAPI


@cache
def _openapi() -> bytes:
    types = [t for e in ENDPOINTS for t in (e.takes, e.gives) if t is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, messages.Problem], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(map(str, [*types, messages.Problem]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for e in ENDPOINTS:
        paths.setdefault(e.path, {})[e.method.lower()] = _operation(e, by_type)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Ludothèque", "version": version("ludotheque")},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return json.dumps(document).encode()


def _operation(e: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    problem = {
        "description": "What was wrong, where, and what was expected.",
        "content": {"application/json": {"schema": schemas[str(messages.Problem)]}},
    }
    kind = "image/svg+xml" if e.path.endswith(".svg") else "application/json"
    shape = {"schema": schemas[str(e.gives)]} if e.gives is not None else {}
    operation: dict[str, Any] = {
        "operationId": e.handler.__name__,
        "summary": e.does,
        "security": [{"cookie": []}, {"token": []}, {}],
        "responses": {"2XX": {"description": "Done.", "content": {kind: shape}}, "4XX": problem},
    }
    names = [part[1:-1] for part in e.path.split("/") if part.startswith("{")]
    if names:
        operation["parameters"] = [
            {"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in names
        ]
    if e.takes is not None:
        body = {"application/json": {"schema": schemas[str(e.takes)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


STATIC = Path(str(ludotheque.__file__)).parent / "server" / "static"
