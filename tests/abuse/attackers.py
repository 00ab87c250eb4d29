"""Servers to attack, with limits that are met soon, and what attackers do to them.

The server listens on 127.0.0.1; a client that binds 127.0.0.2 comes from another address.
"""

from __future__ import annotations

import http.client
import json
import re
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.uri import parse_uri

from people import WAIT_TIMEOUT_S, Person, Server

ATTACKER = "127.0.0.2"
NEIGHBOUR = "127.0.0.3"
FILES = 4096


class ImpatientServer(Server):
    """Waits two seconds for what it otherwise waits longer for."""

    command = """
from ludotheque.server import limits
limits.HEADERS_TIMEOUT_S = limits.BODY_TIMEOUT_S = limits.HELLO_TIMEOUT_S = 2
from ludotheque.cli import main; main()
"""


@contextmanager
def serving(kind: type[Server], data: Path) -> Iterator[Server]:
    server = kind(data)
    try:
        yield server
    finally:
        server.stop()


def allow_many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))


def knock(server: Server, source: str = ATTACKER) -> socket.socket:
    """A connection that says nothing."""
    address = ("127.0.0.1", server.port)
    return socket.create_connection(address, WAIT_TIMEOUT_S, (source, 0))


def is_answered(server: Server, source: str = NEIGHBOUR) -> bool:
    """Whether a visitor from this address sees the games."""
    return ask(server, "GET", "/api/games", source=source)[0] == 200


def ask(
    server: Server,
    method: str,
    path: str,
    body: object = None,
    source: str = ATTACKER,
    **headers: str,
) -> tuple[int, dict[str, str], Any]:
    """The status, the headers and the content of the answer to somebody at this address."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=WAIT_TIMEOUT_S, source_address=(source, 0)
    )
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, None if body is None else json.dumps(body), names)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content


def last_words(connection: socket.socket) -> bytes:
    """Everything that the server says before it ends the connection."""
    connection.settimeout(WAIT_TIMEOUT_S)
    heard = b""
    with suppress(ConnectionError):
        while data := connection.recv(65536):
            heard += data
    return heard


def send_without_end(connection: socket.socket, data: bytes, most: int) -> int:
    """Send this again and again until the server hangs up or `most` bytes are sent."""
    sent = 0
    with suppress(ConnectionError):
        while sent < most:
            connection.sendall(data)
            sent += len(data)
    return sent


def refused(answer: bytes) -> tuple[int, str]:
    """The status and the sentence; the answer says that the connection ends."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower(), answer
    return int(head.split()[1]), json.loads(body)["error"]


def memory(server: Server) -> float:
    """The most that the server has ever used, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1000


def wait_until_ended(connections: list[socket.socket]) -> None:
    """Wait until the server has ended all of these."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    for connection in connections:
        connection.settimeout(max(0.1, until - time.monotonic()))
        with suppress(ConnectionError):
            while connection.recv(65536):
                pass


@contextmanager
def crowd(server: Server, count: int, source: str = ATTACKER) -> Iterator[list[socket.socket]]:
    """This many connections that say nothing."""
    with ExitStack() as stack:
        yield [stack.enter_context(knock(server, source)) for _ in range(count)]


class RawSocket:
    """A table's socket, from which any frames may be sent."""

    def __init__(
        self, server: Server, table: str, token: str = "", source: str = ATTACKER, **headers: str
    ) -> None:
        self.wire = server.sockets.enter_context(knock(server, source))
        self.framing = ClientProtocol(
            parse_uri(f"ws://{server.address}/api/tables/{table}/socket"), max_size=None
        )
        request = self.framing.connect()
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        for name, value in headers.items():
            request.headers[name.replace("_", "-")] = value
        self.framing.send_request(request)
        self.wire.sendall(b"".join(self.framing.data_to_send()))
        self.status: int = self._event().status_code

    def hello(self) -> Any:
        """Say hello, and be shown the table."""
        self.send(Opcode.TEXT, b'{"type": "hello"}')
        return self.message()

    def send(self, opcode: Opcode, data: bytes, fin: bool = True) -> None:
        self.wire.sendall(Frame(opcode, data, fin).serialize(mask=True))

    def message(self) -> Any:
        """The next message in words."""
        while (frame := self._event()).opcode is not Opcode.TEXT:
            pass
        return json.loads(frame.data)

    def goodbye(self) -> tuple[Any, int]:
        """The last message, and the code with which the server closes."""
        last: Any = None
        while (frame := self._event()).opcode is not Opcode.CLOSE:
            if frame.opcode is Opcode.TEXT:
                last = json.loads(frame.data)
        return last, Close.parse(frame.data).code

    def _event(self) -> Any:
        while not self.framing.events:
            data = self.wire.recv(65536)
            assert data, "the server has hung up"
            self.framing.receive_data(data)
        return self.framing.events.pop(0)


def opened_table(server: Server, **settings: object) -> tuple[Person, str]:
    """A host, and a table of theirs that everyone may see."""
    host = Person(server, "Ann")
    return host, host.open_table("stupide_vautour", **settings)
