"""How a server ends: soon, whatever it is doing."""

from __future__ import annotations

import signal
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from people import WAIT_TIMEOUT_S, Person, Server, Socket
from push_service import Browser


class Stuck(Server):
    """Whatever it does in threads never ends; a file in its folder tells that it has begun."""

    command = """
import asyncio, sys
from pathlib import Path
from threading import Event
from ludotheque.bots import roster
from ludotheque.server import turn_calls, warmup
from ludotheque.server.web_push import Sender

def hanging(name):
    def hang(*_):
        (Path(sys.argv[-1]) / name).touch()
        Event().wait()
    return hang

Sender.send = hanging("calling")
roster.hire = hanging("thinking")
roster.warm = hanging("loading")
warmup._Warmup._compile = lambda *_: asyncio.sleep(0)
turn_calls.GRACE_S = 0
from ludotheque.cli import main
main()
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_server_ends_though_bots_think_games_are_loaded_and_push_services_do_not_answer(
    tmp_path: Path, ending: signal.Signals
) -> None:
    server = Stuck(tmp_path)
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    endpoint = "https://fcm.googleapis.com/fcm/send/abc"
    assert bob.call("PUT", "/api/me/push", Browser().subscription(endpoint))[0] == 200
    table = ann.open_table("stupide_vautour", seats=3)
    bob.do(table, "sit")
    ann.do(table, "seat", seat=2, bot="master")
    ann.do(table, "start")
    deadline = time.monotonic() + WAIT_TIMEOUT_S
    while not all((tmp_path / name).exists() for name in ("calling", "thinking", "loading")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    server.process.send_signal(ending)
    try:
        server.process.wait(WAIT_TIMEOUT_S)
    finally:
        server.kill()


class SlowToDrain(Server):
    """Hands its tables over until a file in its folder is gone."""

    command = """
import asyncio, sys
from pathlib import Path
from ludotheque.server.tables import Tables

async def drain(self):
    while (Path(sys.argv[-1]) / "draining").exists():
        await asyncio.sleep(0.01)

Tables.drain = drain
from ludotheque.cli import main
main()
"""


def test_a_server_that_stops_takes_nobody_in_while_it_hands_its_tables_over(
    tmp_path: Path,
) -> None:
    """A balancer that is refused tries another node at once; one that is told 503 may not."""
    server = SlowToDrain(tmp_path)
    kept = HTTPConnection(server.address, timeout=WAIT_TIMEOUT_S)
    kept.request("GET", "/healthz")
    kept.getresponse().read()
    table = Person(server, "Ann").open_table("stupide_vautour", seats=2)
    socket = Socket(server, table, "")
    socket.update()
    (tmp_path / "draining").touch()
    server.process.terminate()
    until = time.monotonic() + WAIT_TIMEOUT_S
    while server._answers():
        assert time.monotonic() < until, "it still takes people in"
    assert kept.sock is not None
    assert kept.sock.recv(1) == b""  # a connection that waits for a next request has ended
    socket.send({"type": "ping"})
    assert socket.receive() == {"type": "pong"}
    (tmp_path / "draining").unlink()
    kept.close()
    server.sockets.close()
    assert server.process.wait(WAIT_TIMEOUT_S) in (0, -signal.SIGTERM)
