"""Under which address this server is reached: by this machine, and by others around here."""

from __future__ import annotations

import socket

from starlette.requests import Request

from ludotheque.server.configuration import Configuration

LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_local(request: Request) -> bool:
    """Whether a program on this machine asks, and not a proxy on it for someone else."""
    client = request.client.host if request.client else ""
    name = request.headers.get("host", "").rpartition(":")
    host = name[0] if name[2].isdecimal() and name[0] else request.headers.get("host", "")
    is_forwarded = any(header in request.headers for header in FORWARDED)
    return client in LOOPBACK and host in LOCAL_NAMES and not is_forwarded


def origin_to_share(request: Request, configuration: Configuration) -> str:
    """What links begin with that are given to others: `localhost` is another machine to them."""
    network = network_origin(configuration) if is_local(request) else None
    return network or str(request.base_url).removesuffix("/")


def network_origin(configuration: Configuration) -> str | None:
    """Where other devices around here reach this server; None if they cannot."""
    address = _network_address() if configuration.host == "0.0.0.0" else None
    return None if address is None else f"http://{address}:{configuration.port}"


def _network_address() -> str | None:
    """This machine's own address; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
