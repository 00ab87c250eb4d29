"""Start a server for browsers here and on the network around."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import segno
import sqlalchemy as sa
import uvicorn
from rich.console import Console

from ludotheque.engine.refused import Refused
from ludotheque.server import garbage, limits, logs, warmup
from ludotheque.server.app import create_app
from ludotheque.server.configuration import Configuration
from ludotheque.server.connections import Connections, HttpConnection
from ludotheque.server.data_folder import database_in, held
from ludotheque.server.proxies import Proxies
from ludotheque.server.sockets import TableSocket
from ludotheque.server.upgrade import upgrade

# Longer than proxies and clients keep theirs, which is a minute for most: a request on a connection
# that the server is just closing is lost.
KEEP_ALIVE_S = 75
# After which a bot that thinks in Python lets the thread go on that serves people.
# They wait several times as long with the 5 ms that Python has by default.
SWITCH_S = 0.0005
GRACE_S = 2  # for requests to end when the server stops


def run(configuration: Configuration, console: Console) -> None:
    host, port, folder = configuration.host, configuration.port, configuration.data
    logs.configure(configuration.log_format, configuration.log_level)
    with held(folder):
        storage = sa.URL.create("sqlite", database=str(database_in(folder)))
        upgrade(storage)  # here a refusal is still told in one sentence
        listener = _listener(host, port)
        _announce(host, port, folder, console)
        _serve(storage, listener, configuration)


def _most_connections() -> int:
    """As many as the system lets us open files, but a few."""
    try:
        import resource  # noqa: PLC0415  # Windows has none, and no such limit
    except ImportError:
        return limits.CONNECTIONS
    files, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.CONNECTIONS + limits.SPARE_FILES
    if files != resource.RLIM_INFINITY and files < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            files = most
    if files == resource.RLIM_INFINITY:
        files = wanted
    return min(limits.CONNECTIONS, max(files - limits.SPARE_FILES, files // 2))


def _serve(storage: sa.URL, listener: socket.socket, configuration: Configuration) -> None:
    connections = Connections(Proxies(configuration.trusted_proxy), _most_connections())
    garbage.collect_in_small_steps()
    sys.setswitchinterval(SWITCH_S)
    config = uvicorn.Config(
        create_app(storage, configuration, connections),
        log_config=None,  # everything is logged as `logs` has it
        access_log=False,
        http=HttpConnection,
        ws=TableSocket,
        proxy_headers=False,  # Unproxied does that, for proxies that the host has named
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    Server(config).run(sockets=[listener])


class Server(uvicorn.Server):
    """Looks after itself once a second; uvicorn's way, ten times a second, keeps a host awake."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._is_over = asyncio.Event()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._is_over.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(self._is_over.set)
        loop.call_soon_threadsafe(warmup.stop)


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        raise Refused(
            f"port {port} on {host} cannot be used ({error.strerror}); choose another with --port"
        ) from None
    return listener


def _announce(host: str, port: int, folder: Path, console: Console) -> None:
    """Tell where to go, and show a code for phones in the room."""
    console.print(f"Ludothèque   http://localhost:{port}", style="bold")
    address = _address_on_the_network() if host == "0.0.0.0" else None
    if address is not None:
        link = f"http://{address}:{port}"
        console.print(f"On other devices around here: {link}")
        segno.make(link, micro=False).terminal(compact=True)
    console.print(f"Tables are kept in {folder}", style="dim")


def _address_on_the_network() -> str | None:
    """This machine's own address; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
