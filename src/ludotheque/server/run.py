"""Start a server for browsers on this machine and its network."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import TYPE_CHECKING

import segno
import sqlalchemy as sa
import uvicorn
from rich.console import Console
from starlette.applications import Starlette

from ludotheque.engine.refused import Refused
from ludotheque.server import database, garbage, limits, logs, warmup
from ludotheque.server.addresses import network_origin
from ludotheque.server.app import create_app
from ludotheque.server.configuration import Configuration
from ludotheque.server.connections import Connections, HttpConnection
from ludotheque.server.data_folder import held, one_at_a_time
from ludotheque.server.proxies import Proxies
from ludotheque.server.services import Services
from ludotheque.server.sockets import TableSocket
from ludotheque.server.upgrade import upgrade

if TYPE_CHECKING:
    from ludotheque.server.nodes.worker_metrics import Colleagues

# Longer than proxies and clients keep theirs, which is a minute for most: a request on a connection
# that the server is just closing is lost.
KEEP_ALIVE_S = 75
# After which a bot that thinks in Python lets the thread go on that serves people.
# They wait several times as long with the 5 ms that Python has by default.
SWITCH_S = 0.0005
GRACE_S = 2  # for requests to end when the server stops
BETWEEN_CLIENTS_S = 0.005  # that are sent to another server, which takes about as long for each
SENDING_S = 4.0  # for all of them, at most
LEAVING_S = 1.5  # for the last of them to be there; those that do not know how are then hung up on


def run(configuration: Configuration, console: Console) -> None:
    logs.configure(configuration.log_format, configuration.log_level)
    _expect_sound_role(configuration)
    if configuration.workers > 1:
        from ludotheque.server.nodes import workers  # noqa: PLC0415  # most do without

        workers.run(configuration, console)
        return
    is_node = configuration.broker is not None
    if is_node:
        from ludotheque.server.nodes.node import check  # noqa: PLC0415

        check(configuration)
    if configuration.role == "bots":
        console.print(f"Ludothèque   bots for the tables of {configuration.broker}", style="bold")
        serve(None, listen(configuration), configuration)
        return
    with _storage_of(configuration, is_node) as storage, listen(configuration) as listener:
        _bring_up_to_date(storage, configuration, is_node)
        announce(configuration, console)
        serve(storage, listener, configuration)


def _expect_sound_role(configuration: Configuration) -> None:
    role = configuration.role
    if role != "all" and configuration.broker is None:
        raise Refused(f"role is {role}, which needs a broker: name one with --broker")
    if role == "bots" and configuration.workers > 1:
        raise Refused("role is bots, which thinks on all cores in one process: leave workers out")


@contextmanager
def up_to_date(configuration: Configuration, is_shared: bool) -> Iterator[sa.URL]:
    """The database brought up to date; if it is a file, its folder is held meanwhile."""
    with _storage_of(configuration, is_shared) as storage:
        _bring_up_to_date(storage, configuration, is_shared)
        yield storage


@contextmanager
def _storage_of(configuration: Configuration, is_shared: bool) -> Iterator[sa.URL]:
    """The database as it is; any number of servers may share one of PostgreSQL."""
    is_file = configuration.database is None
    with held(configuration.data, is_shared) if is_file else nullcontext():
        yield database.url_of(configuration)


def _bring_up_to_date(storage: sa.URL, configuration: Configuration, is_shared: bool) -> None:
    is_file = configuration.database is None
    with one_at_a_time(configuration.data) if is_file and is_shared else nullcontext():
        upgrade(storage)  # here a refusal is still told in one sentence
        if is_file and (is_shared or configuration.workers > 1):
            # SQLite does not wait for others when it first makes a log of its own.
            engine = database.engine_of(storage)
            engine.connect().close()
            engine.dispose()


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


def serve(
    storage: sa.URL | None,
    listener: socket.socket,
    configuration: Configuration,
    colleagues: Colleagues | None = None,
) -> None:
    connections = Connections(Proxies(configuration.trusted_proxy), _most_connections())
    garbage.collect_in_small_steps()
    sys.setswitchinterval(SWITCH_S)
    config = uvicorn.Config(
        _app(storage, configuration, connections, colleagues),
        log_config=None,  # everything is logged as `logs` has it
        access_log=False,
        http=HttpConnection,
        ws="none" if storage is None else TableSocket,
        proxy_headers=False,  # Unproxied does that, for proxies that the host has named
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    Server(config).run(sockets=[listener])


def _app(
    storage: sa.URL | None,
    configuration: Configuration,
    connections: Connections,
    colleagues: Colleagues | None,
) -> Starlette:
    """The app on this storage; without one it only thinks."""
    if storage is not None:
        return create_app(storage, configuration, connections, colleagues)
    from ludotheque.server.nodes.bots_node import create_bots_app  # noqa: PLC0415

    return create_bots_app(configuration, connections)


class Server(uvicorn.Server):
    """Checks on itself once a second; uvicorn's ten times a second keep a machine awake."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._is_over = asyncio.Event()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._is_over.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._turn_away()
        services = self.lifespan.state.get("services")
        if isinstance(services, Services) and await services.tables.drain():
            await self._send_elsewhere()
        await super().shutdown(sockets)

    async def _send_elsewhere(self) -> None:
        """Have the clients come back through other servers, one after the other.

        They play on meanwhile. If all came at the same time, everyone there would wait for them.
        """
        clients = [c for c in self.server_state.connections if isinstance(c, TableSocket)]
        for client in clients:
            client.send_elsewhere()
            await asyncio.sleep(min(BETWEEN_CLIENTS_S, SENDING_S / len(clients)))
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVING_S):
                while not self.server_state.connections.isdisjoint(clients):
                    await asyncio.sleep(BETWEEN_CLIENTS_S)

    def _turn_away(self) -> None:
        """Accept no new clients: a refused client, or its proxy, tries another node at once.

        Sockets stay open until the tables have been handed over.
        """
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            if isinstance(connection, HttpConnection):
                connection.shutdown()  # after the answer that is on its way

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(self._is_over.set)
        loop.call_soon_threadsafe(warmup.stop)


def listen(configuration: Configuration) -> socket.socket:
    host, port = configuration.host, configuration.port
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:
        listener.close()
        raise _unusable(host, port, error) from None
    return listener


def _unusable(host: str, port: int, error: OSError | UnicodeError) -> Refused:
    if isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES):
        what = f"port {port} on {host} cannot be used ({error.strerror})"
        return Refused(f"{what}; choose another with --port")
    reason = error.strerror if isinstance(error, OSError) else "not a name"
    return Refused(f"{host} is no address of this machine ({reason}); choose another with --host")


def announce(configuration: Configuration, console: Console) -> None:
    """Tell where to go, and show a code for phones in the room."""
    kept_in = configuration.database or configuration.data
    console.print(f"Ludothèque   http://localhost:{configuration.port}", style="bold")
    link = network_origin(configuration)
    if link is not None:
        console.print(f"On other devices around here: {link}")
        segno.make(link, micro=False).terminal(compact=True)
    console.print(f"Tables are kept in {kept_in}", style="dim")
