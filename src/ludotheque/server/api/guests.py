"""Guests: their names and pictures, their devices, and the links that sign in one more."""

from __future__ import annotations

import math

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.server import limits, messages
from ludotheque.server.api.context import player_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, Failure, json
from ludotheque.server.devices import Devices
from ludotheque.server.identity import COOKIE
from ludotheque.server.player import AVATARS, Player, new_player_id
from ludotheque.server.text import NAME_LENGTH, clean

A_YEAR_S = 365 * 24 * 3600
WRONG_LINK = "this recovery link was used before, is too old or not one of ours; make a new one"

ENDPOINTS = Endpoints()


@ENDPOINTS.add("POST", "/api/guests", messages.NewGuest, messages.Newcomer)
async def create_guest(request: Request, wish: messages.NewGuest) -> Response:
    """Become a guest: the answer sets a cookie, and carries a token for scripts.

    Pages get no token, only the cookie, which scripts in pages cannot read.
    """
    slow_down(request, limits.GUESTS)
    player = Player(new_player_id(), *_checked(wish))
    token = await _devices(request).enter(player, _user_agent(request))
    is_page = "origin" in request.headers or "sec-fetch-site" in request.headers
    shown = "" if is_page else token
    response = json(messages.Newcomer(player.id, player.name, player.avatar, shown), 201)
    return _with_cookie(request, response, token)


@ENDPOINTS.add("GET", "/api/me", None, messages.Guest | None)
async def me(request: Request, _: None) -> Response:
    """Who you are; null for a visitor without a name."""
    player = await services_of(request).identity.of(request)
    if player is None:
        return json(None)
    token = request.cookies.get(COOKIE, "")
    if token and not player.device:
        # The cookie of an earlier version, which all devices shared, becomes that of this device.
        slow_down(request, limits.ACCOUNT, player)
        token = await _devices(request).add(player.id, _user_agent(request))
    response = json(_guest(player))
    return _with_cookie(request, response, token) if token else response


@ENDPOINTS.add("PUT", "/api/me", messages.NewGuest, messages.Guest)
async def rename(request: Request, wish: messages.NewGuest) -> Response:
    """Change your name and picture, in the seats that you have taken too."""
    asker = await player_of(request)
    slow_down(request, limits.ACCOUNT, asker)
    player = Player(asker.id, *_checked(wish), asker.device)
    await _devices(request).rename(player)
    services_of(request).tables.rename(player)
    return json(_guest(player))


# Devices


@ENDPOINTS.add("GET", "/api/me/devices", None, list[messages.Device])
async def devices(request: Request, _: None) -> Response:
    """Where you are signed in, the last used first."""
    player = await player_of(request)
    slow_down(request, limits.READS, player)
    found = await _devices(request).of(player.id)
    return json([messages.Device(*device, device.id == player.device) for device in found])


@ENDPOINTS.add("DELETE", "/api/me/devices/{device}", None, None)
async def sign_out(request: Request, _: None) -> Response:
    """Sign out one of your devices; its sockets end."""
    player = await player_of(request)
    slow_down(request, limits.ACCOUNT, player)
    device = request.path_params["device"]
    if all(device != each.id for each in await _devices(request).of(player.id)):
        raise Failure(404, "you have no such device; GET /api/me/devices lists yours")
    await _devices(request).sign_out(player.id, device)
    services_of(request).tables.dismiss(player.id, device)
    return _without_cookie(json(None)) if device == player.device else json(None)


@ENDPOINTS.add("DELETE", "/api/me/devices", None, None)
async def sign_out_everywhere(request: Request, _: None) -> Response:
    """Sign out all of your devices, this one too; their sockets end.

    Without a recovery link made before, nobody can be you again: so `?others` keeps this one.
    """
    player = await player_of(request)
    slow_down(request, limits.ACCOUNT, player)
    if "others" not in request.query_params:
        await _devices(request).sign_out(player.id)
        services_of(request).tables.dismiss(player.id)
        return _without_cookie(json(None))
    others = [each.id for each in await _devices(request).of(player.id) if each.id != player.device]
    await _devices(request).sign_out(player.id, all_but=player.device)
    for device in ("", *others):  # tokens of earlier versions are those of no device
        services_of(request).tables.dismiss(player.id, device)
    return json(None)


# Links that sign in one more device


@ENDPOINTS.add("GET", "/api/me/recovery", None, messages.RecoveryLeft)
async def recovery_left(request: Request, _: None) -> Response:
    """For how long your last recovery token works."""
    player = await player_of(request)
    slow_down(request, limits.READS, player)
    left = await _devices(request).link_left_ms(player.id)
    return json(messages.RecoveryLeft(math.ceil(left / 1000)))


@ENDPOINTS.add("POST", "/api/me/recovery", None, messages.Recovery)
async def recovery(request: Request, _: None) -> Response:
    """A token that makes one more device yours, once and within 15 minutes. It ends the last one.

    The page puts it into a link behind `#`, so that no server is sent it before it is used.
    """
    player = await player_of(request)
    slow_down(request, limits.GUESTS)
    return json(messages.Recovery(await _devices(request).new_link(player.id)), 201)


@ENDPOINTS.add("DELETE", "/api/me/recovery", None, None)
async def revoke_recovery(request: Request, _: None) -> Response:
    """End your recovery token."""
    player = await player_of(request)
    slow_down(request, limits.ACCOUNT, player)
    await _devices(request).end_link(player.id)
    return json(None)


@ENDPOINTS.add("POST", "/api/recover", messages.Recovery, messages.Guest)
async def recover(request: Request, wish: messages.Recovery) -> Response:
    """Become the player of a recovery token on this device: the answer sets a cookie."""
    slow_down(request, limits.GUESTS)
    identity = services_of(request).identity
    before = await identity.of(request)
    token = await identity.devices.use_link(wish.token, _user_agent(request), before)
    found = await identity.devices.signed_in(token) if token is not None else None
    if token is None or found is None:
        raise Failure(401, WRONG_LINK)
    return _with_cookie(request, json(_guest(found.player)), token)


def _checked(wish: messages.NewGuest) -> tuple[str, int]:
    if not 0 <= wish.avatar < AVATARS:
        raise Failure(400, f"avatar is {wish.avatar}, expected 0 to {AVATARS - 1}")
    return clean(wish.name, "a name", NAME_LENGTH), wish.avatar


def _guest(player: Player) -> messages.Guest:
    return messages.Guest(player.id, player.name, player.avatar)


def _devices(request: Request) -> Devices:
    return services_of(request).identity.devices


def _user_agent(request: Request) -> str:
    return request.headers.get("user-agent", "")


def _with_cookie(request: Request, response: Response, token: str) -> Response:
    response.set_cookie(
        COOKIE,
        token,
        max_age=A_YEAR_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def _without_cookie(response: Response) -> Response:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return response
