"""Guests: their names and pictures, and the tokens that show who they are."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits, messages
from ludotheque.server.api.context import player_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, Failure, json
from ludotheque.server.identity import COOKIE
from ludotheque.server.player import AVATARS, Player, new_player_id
from ludotheque.server.text import NAME_LENGTH, clean

A_YEAR_S = 365 * 24 * 3600

ENDPOINTS = Endpoints()


@ENDPOINTS.add("POST", "/api/guests", messages.NewGuest, messages.Guest)
async def create_guest(request: Request, wish: messages.NewGuest) -> Response:
    """Become a guest: the answer sets a cookie, and carries a token for scripts."""
    slow_down(request, limits.GUESTS)
    player = Player(new_player_id(), *_checked(wish))
    await services_of(request).store.save_player(player, _now_ms())
    return _welcome(request, player, 201)


@ENDPOINTS.add("GET", "/api/me", None, messages.Guest | None)
async def me(request: Request, _: None) -> Response:
    """Who you are; null for a visitor without a name."""
    player = await services_of(request).identity.of(request)
    return json(None) if player is None else _welcome(request, player)


@ENDPOINTS.add("PUT", "/api/me", messages.NewGuest, messages.Guest)
async def rename(request: Request, wish: messages.NewGuest) -> Response:
    """Change your name and picture."""
    player = Player((await player_of(request)).id, *_checked(wish))
    await services_of(request).store.save_player(player, _now_ms())
    return _welcome(request, player)


@ENDPOINTS.add("GET", "/api/me/recovery", None, messages.Recovery)
async def recovery(request: Request, _: None) -> Response:
    """A personal token: a device that has it becomes yours too."""
    token = services_of(request).identity.recovery(await player_of(request))
    return json(messages.Recovery(token))


@ENDPOINTS.add("POST", "/api/recover", messages.Recovery, messages.Guest)
async def recover(request: Request, wish: messages.Recovery) -> Response:
    """Become the player of a recovery token on this device."""
    slow_down(request, limits.GUESTS)
    player = await services_of(request).identity.recovered(wish.token)
    if player is None:
        raise Failure(401, "this recovery link is not one of ours; copy all of it")
    return _welcome(request, player)


def _checked(wish: messages.NewGuest) -> tuple[str, int]:
    if not 0 <= wish.avatar < AVATARS:
        raise Failure(400, f"avatar is {wish.avatar}, expected 0 to {AVATARS - 1}")
    return clean(wish.name, "a name", NAME_LENGTH), wish.avatar


def _welcome(request: Request, player: Player, status: int = 200) -> Response:
    token = services_of(request).identity.token(player)
    response = json(messages.Guest(player.id, player.name, player.avatar, token), status)
    response.set_cookie(
        COOKIE,
        token,
        max_age=A_YEAR_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def _now_ms() -> int:
    return int(time.time() * 1000)
