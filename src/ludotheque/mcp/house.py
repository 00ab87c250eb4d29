"""Our server as a client sees it: HTTP requests, with the server's own words for refusals."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

from ludotheque.engine.refused import Refused

TIMEOUT_S = 30.0


class House:
    """A guest at a server; the guest is made with the first request."""

    def __init__(self, address: str, name: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise Refused(f"the server is {address!r}, expected an address like http://HOST:PORT")
        self.address = address.rstrip("/")
        self.name = name
        self.token = ""

    @property
    def socket_address(self) -> str:
        return "ws" + self.address.removeprefix("http")

    async def sign_in(self) -> None:
        if not self.token:
            guest = await self.call("POST", "/api/guests", {"name": self.name})
            self.token = guest["token"]

    async def call(self, method: str, path: str, body: object = None) -> Any:
        return json.loads(await self.text(method, path, body))

    async def text(self, method: str, path: str, body: object = None) -> str:
        """The answer as the server sends it; what it refuses, it says why."""
        return await asyncio.to_thread(self._ask, method, path, body)

    def _ask(self, method: str, path: str, body: object) -> str:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                return str(answer.read(), "utf-8")
        except urllib.error.HTTPError as error:
            raise Refused(_reason(error)) from None
        except (OSError, ValueError) as error:
            raise away(self.address, error) from None


def away(address: str, error: Exception) -> Refused:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return Refused(f"no server of Ludothèque answers at {address} ({reason}); is it running?")


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read())["error"])
    except (ValueError, KeyError, TypeError):
        return f"{error.url} answered {error.code} {error.reason}"
