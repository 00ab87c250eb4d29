"""Who is asking: guests with a signed token, in a cookie or in a header. No passwords."""

from __future__ import annotations

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.requests import HTTPConnection

from ludotheque.server.player import Player
from ludotheque.server.store import Store

COOKIE = "ludotheque"
NOT_SIGNED_IN = "not signed in: create a guest with POST /api/guests"


class Identity:
    """Signs and reads tokens with the secret of this server."""

    def __init__(self, secret: str, store: Store) -> None:
        self._tokens = URLSafeSerializer(secret, salt="player")
        self._recovery = URLSafeSerializer(secret, salt="recovery")
        self._screens = Signer(secret, salt="screen")
        self._store = store

    def token(self, player: Player) -> str:
        return str(self._tokens.dumps(player.id))

    def recovery(self, player: Player) -> str:
        """What a personal link carries to another device."""
        return str(self._recovery.dumps(player.id))

    async def recovered(self, token: str) -> Player | None:
        return await self._known(self._recovery, token)

    def screen_key(self, table: str) -> str:
        """What makes a big screen this table's own, in whichever browser it is."""
        return self._screens.get_signature(table).decode()

    def is_screen_key(self, key: str, table: str) -> bool:
        return self._screens.verify_signature(table, key)

    async def of(self, connection: HTTPConnection) -> Player | None:
        """The player of this request: by `Authorization: Bearer`, else by cookie."""
        kind, _, bearer = connection.headers.get("authorization", "").partition(" ")
        token = bearer.strip() if kind.lower() == "bearer" else connection.cookies.get(COOKIE, "")
        return await self._known(self._tokens, token) if token else None

    async def _known(self, serializer: URLSafeSerializer, token: str) -> Player | None:
        try:
            id_ = serializer.loads(token)
        except BadSignature:
            return None
        return await self._store.player(id_) if isinstance(id_, str) else None
