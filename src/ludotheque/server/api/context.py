"""What handlers need to know of a request: who asks, for which table and seat, how often."""

from __future__ import annotations

from starlette.requests import Request

from ludotheque.engine.game import LANGUAGES
from ludotheque.server.api.endpoint import Failure
from ludotheque.server.identity import NOT_SIGNED_IN
from ludotheque.server.limits import READS, Limit
from ludotheque.server.owner import AnyOwner
from ludotheque.server.player import Player
from ludotheque.server.services import Services


def services_of(request: Request) -> Services:
    services: Services = request.state.services
    return services


async def player_of(request: Request) -> Player:
    player = await services_of(request).identity.of(request)
    if player is None:
        raise Failure(401, NOT_SIGNED_IN)
    return player


async def owner_of(request: Request) -> AnyOwner:
    return await services_of(request).tables.reach(request.path_params["table"])


def wanted_seat(request: Request) -> int | None:
    seat = request.query_params.get("seat", "")
    if seat and not (seat.isascii() and seat.isdecimal() and len(seat) <= 2):
        raise Failure(400, f"seat is {seat[:8]!r}, expected a number of one or two digits")
    return int(seat) if seat else None


def slow_down(request: Request, limit: Limit, player: Player | None = None) -> None:
    """Count that this is done, for the address and for the player; TooOften if it is too much."""
    address = request.client.host if request.client else ""
    services_of(request).pace.count(limit, address, player.id if player is not None else "")


async def reader_of(request: Request) -> Player | None:
    """Who looks something up, which counts for them wherever they do it; None without a name."""
    player = await services_of(request).identity.of(request)
    slow_down(request, READS, player)
    return player


def wanted_language(request: Request) -> str:
    """The language in the path."""
    language: str = request.path_params["language"]
    if language not in LANGUAGES:
        raise Failure(404, f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    return language
