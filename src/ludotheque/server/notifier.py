"""Calls guests to their turns on the devices where they have asked for it."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from http.client import HTTPException

from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.language import every_word
from ludotheque.server.store import Store
from ludotheque.server.table import Table
from ludotheque.server.threads import Threads
from ludotheque.server.web_push import PUSH_HOSTS, PushHosts, Sender, Subscription
from ludotheque.server.writer import Lost

THREADS = 2  # of their own, so that a slow push service keeps nobody from reading storage
GONE = (404, 410)  # statuses of a subscription that has ended

log = logging.getLogger(__name__)


class Notifier:
    def __init__(self, store: Store, secret: str, hosts: PushHosts = PUSH_HOSTS) -> None:
        self.sender = Sender(secret, hosts)
        self._store = store
        self._threads = Threads(THREADS, "push")
        self._tasks: set[asyncio.Task[None]] = set()

    def call(self, guest: str, table: Table) -> None:
        """Tell a guest that it is their turn at a table; nobody waits for this."""
        task = asyncio.create_task(self._call(guest, table.id, table.settings.game))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._threads.close()

    async def _call(self, guest: str, table: str, game: str) -> None:
        try:
            for subscription in await self._store.subscriptions(guest):
                await self._send(subscription, table, game)
        except (Refused, Lost) as error:
            log.warning("a guest could not be called to table %s: %s", table, error)
        except Exception:
            log.exception("a guest could not be called to table %s", table)

    async def _send(self, subscription: Subscription, table: str, game: str) -> None:
        """Failures are logged without the address: anyone who has it can send messages there."""
        message = _message(subscription.language, table, game)
        send = partial(self.sender.send, subscription, message, table)
        try:
            status = await self._threads.do(send)
        except (OSError, HTTPException, ValueError) as error:
            log.warning("a push service could not be reached: %s", type(error).__name__)
            return
        if status in GONE:
            await self._store.forget_subscription(subscription.endpoint)
        elif status >= 300:
            log.warning("a push service answered with status %d", status)


def _message(language: str, table: str, game: str) -> bytes:
    """What the service worker of the page shows."""
    title: str = load(game).words[language]["name"]
    body: str = every_word(language)["page"]["table"]["your_turn"]
    shown = {"title": title, "body": body, "table": table, "language": language}
    return json.dumps(shown).encode()
