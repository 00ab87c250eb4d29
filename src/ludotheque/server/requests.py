"""Requests that were carried out: when they are sent again, they are only answered."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

import msgspec

from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.player import Player

REMEMBERED_REQUESTS = 500  # of a table; docs/http-api.md promises it
LONGEST_ID = 40  # characters

_encode = msgspec.json.Encoder().encode


class Requests:
    """The last requests that a table has carried out, from the oldest to the newest.

    A request is kept with the events it led to, as one text: the guest, the id that the client gave
    it, and a fingerprint of the command. So what is remembered is the same after a restart.
    """

    def __init__(self, stored: Iterable[str]) -> None:
        self._fingerprints: dict[str, str] = {}
        for text in stored:
            self.remember(text)

    def remember(self, text: str) -> None:
        key, _, fingerprint = text.rpartition(" ")
        self._fingerprints.setdefault(key, fingerprint)
        if len(self._fingerprints) > REMEMBERED_REQUESTS:
            del self._fingerprints[next(iter(self._fingerprints))]

    def is_known(self, text: str) -> bool:
        """Whether this request was carried out; Refused if its id was used for another one."""
        key, _, fingerprint = text.rpartition(" ")
        known = self._fingerprints.get(key)
        if known is not None and known != fingerprint:
            id_ = key.partition(" ")[2]
            raise Refused(f"the request id {id_!r} was used for another command; choose a new one")
        return known is not None


def text_of(player: Player, request: messages.Request) -> str:
    """A request as it is stored and remembered."""
    if len(request.id) > LONGEST_ID:
        found = len(request.id)
        raise Refused(f"a request id has at most {LONGEST_ID} characters, not {found}")
    if "\0" in request.id:
        raise Refused("a request id has no NUL characters: not every database can keep them")
    command = hashlib.blake2b(_encode(request.command), digest_size=8).hexdigest()
    return f"{player.id} {request.id} {command}"


def new_id() -> str:
    """An id for what the server asks for itself; no client can know it."""
    return secrets.token_hex(8)


def text_of_hint(player: Player, id_: str) -> str:
    """That a player was advised, as it is stored and remembered."""
    return f"{player.id} {id_} hint"
