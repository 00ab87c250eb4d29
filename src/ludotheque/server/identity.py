"""Who is asking: guests with a token, in a cookie or in a header. No passwords."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.requests import HTTPConnection

from ludotheque.server.devices import SEEN_EVERY_MS, Devices, now_ms
from ludotheque.server.player import Player
from ludotheque.server.store import Store
from ludotheque.server.writer import Lost

COOKIE = "ludotheque"
NOT_SIGNED_IN = "not signed in: create a guest with POST /api/guests"


class Identity:
    def __init__(self, secret: str, store: Store) -> None:
        self.devices = Devices(store)
        # Earlier versions signed a guest's id; such tokens have a dot, those of devices have none.
        self._former = URLSafeSerializer(secret, salt="player")
        self._screens = Signer(secret, salt="screen")
        self._leaving: set[str] = set()  # guests whose data is being deleted
        self._notes: set[asyncio.Task[None]] = set()

    def screen_key(self, name: str) -> str:
        """What makes a big screen a table's own, in whichever browser it is; see ScreenName."""
        return self._screens.get_signature(name).decode()

    def is_screen_key(self, key: str, name: str) -> bool:
        return self._screens.verify_signature(name, key)

    async def of(self, connection: HTTPConnection) -> Player | None:
        """The player of this request: by `Authorization: Bearer`, else by cookie."""
        kind, _, bearer = connection.headers.get("authorization", "").partition(" ")
        token = bearer.strip() if kind.lower() == "bearer" else connection.cookies.get(COOKIE, "")
        player = await self._known(token) if token else None
        return None if player is None or player.id in self._leaving else player

    async def _known(self, token: str) -> Player | None:
        if "." in token:
            return await self._known_before(token)
        found = await self.devices.signed_in(token)
        if found is None:
            return None
        if now_ms() - found.seen > SEEN_EVERY_MS:
            self._note_seen(found.player.device)
        return found.player

    async def _known_before(self, token: str) -> Player | None:
        try:
            id_ = self._former.loads(token)
        except BadSignature:
            return None
        return await self.devices.former(id_) if isinstance(id_, str) else None

    def _note_seen(self, device: str) -> None:
        """Nobody waits for this, and it may fail."""

        async def note() -> None:
            with suppress(Lost):  # the writer has logged it
                await self.devices.note_seen(device)

        task = asyncio.create_task(note())
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    def note_leaving(self, guest: str, is_leaving: bool) -> None:
        """Another node deletes what is kept about a guest, or has finished doing so."""
        (self.begin_leaving if is_leaving else self.end_leaving)(guest)

    def begin_leaving(self, guest: str) -> None:
        """This guest is nobody from now on."""
        self._leaving.add(guest)

    def end_leaving(self, guest: str) -> None:
        """The guest is forgotten, or forgetting has failed and they are who they were."""
        self._leaving.discard(guest)
