"""A real server in a process of its own, and clients that talk to it as browsers and scripts do."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

WAIT_TIMEOUT_S = 60.0  # far more than anything takes, so that a busy machine changes nothing


class Server:
    command = "from ludotheque.cli import main; main()"
    options: tuple[str, ...] = ()  # of `ludotheque serve`
    stderr: int | None = None  # where the log goes; None for where the test's own goes

    def __init__(self, data: Path, games: Path | None = None, *options: str) -> None:
        """`games` is one more folder of games; there may be more options of `ludotheque serve`."""
        self.options = (*self.options, *options)
        self.data = data
        self.games = games
        self.sockets = ExitStack()
        self.port = free_port()
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.launch()
        self.wait_until_it_answers()

    def launch(self) -> None:
        arguments = ["serve", "--host", "127.0.0.1", "--port", str(self.port), *self.options]
        if self.games is not None:
            arguments += ["--games", str(self.games)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.command, *arguments, "--data", str(self.data)],
            stdout=subprocess.DEVNULL,
            stderr=self.stderr,
        )

    def wait_until_it_answers(self) -> None:
        until = time.monotonic() + WAIT_TIMEOUT_S
        while not self._answers():
            assert self.process.poll() is None, "the server has stopped"
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.sockets.close()
        self.process.terminate()
        try:
            self.process.wait(WAIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def _answers(self) -> bool:
        try:
            address = f"http://{self.address}/api/games"
            urllib.request.urlopen(address, timeout=WAIT_TIMEOUT_S).close()
        except OSError:
            return False
        return True

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else None
        request = urllib.request.Request(
            f"http://{self.address}{path}", data, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT_TIMEOUT_S) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())


def refusal(data: Path, *more: str, server: type[Server] = Server) -> str:
    """What a server of this kind says that does not start; it ends with code 2."""
    where = ["--host", "127.0.0.1", "--port", str(free_port()), "--data", str(data)]
    ended = subprocess.run(
        [sys.executable, "-c", server.command, "serve", *where, *more],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    return ended.stderr


class Person:
    """A guest with a token."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        status, guest = server.call("POST", "/api/guests", {"name": name, "avatar": 3})
        assert status == 201
        self.id: str = guest["id"]
        self.token: str = guest["token"]
        self.requests = 0

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        return self.server.call(method, path, body, Authorization=f"Bearer {self.token}")

    def open_table(self, game: str, **settings: object) -> str:
        status, opened = self.call("POST", "/api/tables", {"game": game, **settings})
        assert status == 201, opened
        return str(opened["id"])

    def do(self, table: str, do: str, **values: object) -> tuple[int, Any]:
        self.requests += 1
        body = {"id": str(self.requests), "command": {"do": do, **values}}
        return self.call("POST", f"/api/tables/{table}/commands", body)

    def look(self, table: str) -> Any:
        status, update = self.call("GET", f"/api/tables/{table}")
        assert status == 200
        return update

    def connect(self, table: str, **hello: object) -> Socket:
        return Socket(self.server, table, self.token, "", **hello)


class Socket:
    """A client's socket."""

    def __init__(
        self, server: Server, table: str, token: str, first: str = "", **hello: object
    ) -> None:
        """Connect and say hello, or whatever `first` is."""
        self.requests = 0
        self.replies: list[Any] = []
        self.latest: Any = None
        self.setting: dict[str, Any] = {}  # what updates leave out if it is as it was
        self.lines: list[Any] = []
        self.socket: ClientConnection = server.sockets.enter_context(
            connect(
                f"ws://{server.address}/api/tables/{table}/socket",
                additional_headers={"Authorization": f"Bearer {token}"} if token else {},
                open_timeout=WAIT_TIMEOUT_S,
                ping_timeout=WAIT_TIMEOUT_S,
                max_queue=None,  # messages that nobody reads do not hold up the goodbye
            )
        )
        with suppress(ConnectionClosed):  # a server that refuses may hang up first
            self.send(first or {"type": "hello", **hello})

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def request(self, do: str, id_: str = "", **values: object) -> str:
        self.requests += 1
        id_ = id_ or f"s{self.requests}-{os.getpid()}-{id(self)}"
        self.send({"type": "request", "id": id_, "command": {"do": do, **values}})
        return id_

    def send_many(self, count: int, do: str, **values: object) -> None:
        """Send as much as the server takes before it hangs up."""
        with suppress(ConnectionClosed):
            for _ in range(count):
                self.request(do, "", **values)

    def receive(self) -> Any:
        message = json.loads(self.socket.recv(timeout=WAIT_TIMEOUT_S))
        if message["type"] == "update":
            if "table" in message:
                you, me = message.get("you", []), message.get("me")
                self.setting = {"table": message["table"], "you": you, "me": me}
            message |= self.setting
            self.latest = message
            self.lines = message["lines"] if message["fresh"] else self.lines + message["lines"]
        return message

    def update(self) -> Any:
        """The next update."""
        while True:
            message = self.receive()
            if message["type"] == "update":
                return message

    def wait(self, wanted: Callable[[Any], bool]) -> Any:
        """The latest update, or the next one that is as wanted."""
        while self.latest is None or not wanted(self.latest):
            self.receive()
        return self.latest

    def wait_beyond(self, version: int) -> Any:
        return self.wait(lambda update: bool(update["version"] > version))

    def reply(self, id_: str) -> Any:
        while True:
            message = self.receive()
            if message["type"] == "reply" and message["id"] == id_:
                return message

    def close(self) -> None:
        self.socket.close()


def free_port() -> int:
    """A port below those that the system gives to clients.

    A client that looks for a server which is down could get the server's port as its own, and talk
    to itself.
    """
    while True:
        port = Random().randrange(10_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


NewPerson = Callable[[str], Person]
