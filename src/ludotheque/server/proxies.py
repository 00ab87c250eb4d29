"""Whom a proxy speaks for: X-Forwarded-For and X-Forwarded-Proto, from proxies that are named."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable, Sequence
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from ludotheque.engine.refused import Refused

UNNAMED_PROXY = (  # without its address: the log has none
    "X-Forwarded-For from a machine of this network is not believed; "
    "if that is your proxy, name its address with --trusted-proxy"
)
FOR, PROTO = b"x-forwarded-for", b"x-forwarded-proto"

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Headers = Iterable[tuple[bytes, bytes]]

log = logging.getLogger(__name__)


class Proxies:
    """The proxies that are believed."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """Each name is an address or a network, such as 10.0.0.0/8."""
        self._networks = [_network(name) for name in names]
        self._has_warned = False
        self.trusts = lru_cache(4096)(self._trusts)

    def _trusts(self, host: str) -> bool:
        address = _address(host)
        return address is not None and any(address in network for network in self._networks)

    def client(self, peer: str, headers: Headers) -> str:
        """The address of the client: the last one that no proxy of ours has.

        Everything to the left of it may have been written by the client.
        """
        told = b",".join(value for name, value in headers if name == FOR).decode("latin-1")
        if not self.trusts(peer):
            if told:
                self._warn(peer)
            return peer
        for entry in reversed(told.split(",")):
            address = _address(_without_port(entry.strip()))
            if address is None:
                break
            peer = str(address)
            if not self.trusts(peer):
                break
        return peer

    def scheme(self, peer: str, headers: Headers, scheme: str) -> str:
        """The scheme that the client used: `scheme`, unless a proxy says otherwise."""
        told = [value for name, value in headers if name == PROTO]
        if told and self.trusts(peer):
            last = told[-1].rpartition(b",")[2].strip().lower()
            if last in (b"http", b"https"):
                return last.decode()
        return scheme

    def _warn(self, peer: str) -> None:
        """Tell a host once who has put a proxy in front and not named it."""
        address = _address(peer)
        if not self._has_warned and address is not None and address.is_private:
            self._has_warned = True
            log.warning(UNNAMED_PROXY)


class Unproxied:
    """Gives requests the address and the scheme of the client in place of the proxy's."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client") is not None:
            (peer, port), headers = scope["client"], scope["headers"]
            scope["client"] = (self._proxies.client(peer, headers), port)
            scope["scheme"] = self._proxies.scheme(peer, headers, scope["scheme"])
        await self.app(scope, receive, send)


def _network(name: str) -> _Network:
    try:
        return ipaddress.ip_network(name.strip())
    except ValueError:
        raise Refused(
            f"--trusted-proxy is {name[:60]!r}, expected an address or a network such as 10.0.0.0/8"
        ) from None


def _address(host: str) -> _Address | None:
    """None for anything else. IPv4 stays what it is on a listener of both kinds."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _without_port(host: str) -> str:
    """Some proxies write `192.0.2.1:4711`, or `[2001:db8::1]:4711`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host
