"""Notifications of a turn, on devices whose page is closed."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from ludotheque.engine.game import LANGUAGES
from ludotheque.server import limits, messages
from ludotheque.server.api.context import player_of, services_of, slow_down
from ludotheque.server.api.endpoint import Endpoints, Failure, json
from ludotheque.server.web_push import Subscription

LONGEST_CONTACT = 255

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/push", None, messages.PushKey)
async def push_key(request: Request, _: None) -> Response:
    """The key for a subscription to notifications from this server."""
    return json(messages.PushKey(services_of(request).notifier.sender.public_key))


@ENDPOINTS.add("PUT", "/api/me/push", messages.PushSubscription, None)
async def subscribe(request: Request, wish: messages.PushSubscription) -> Response:
    """Notify this device when it is your turn and you are away.

    It stops notifying any other guest.
    """
    player = await player_of(request)
    slow_down(request, limits.PUSH, player)
    if wish.language not in LANGUAGES:
        expected = ", ".join(LANGUAGES)
        raise Failure(400, f"language is {wish.language[:8]!r}, expected one of {expected}")
    contact = (request.url.hostname or "")[:LONGEST_CONTACT]
    subscription = Subscription(wish.endpoint, wish.p256dh, wish.auth, wish.language, contact)
    services = services_of(request)
    services.notifier.sender.check(subscription)
    now_ms = int(time.time() * 1000)
    await services.store.save_subscription(player.id, subscription, now_ms, player.device)
    return json(None)


@ENDPOINTS.add("DELETE", "/api/me/push", messages.PushEndpoint, None)
async def unsubscribe(request: Request, wish: messages.PushEndpoint) -> Response:
    """Stop notifying this device."""
    player = await player_of(request)
    slow_down(request, limits.PUSH, player)
    await services_of(request).store.forget_subscription(wish.endpoint, player.id)
    return json(None)
