"""Several nodes on one machine as one server: one port, one folder, and a broker of their own.

The process that was started holds the folder and the port and looks after the others; it serves
nobody itself. A worker that dies is started again, and the others take over its tables meanwhile.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from ludotheque.engine import discovery
from ludotheque.engine.refused import Refused
from ludotheque.server import database, logs
from ludotheque.server.configuration import Configuration
from ludotheque.server.nodes.node import broker_of, check
from ludotheque.server.nodes.own_broker import OwnBroker, end_orphan
from ludotheque.server.nodes.worker_metrics import Colleagues
from ludotheque.server.run import announce, listen, serve, up_to_date

LOOK_S = 1.0  # for a broker that has ended
SOON_S = 5.0  # a worker that ends within this time of its start may do so again
PAUSE_S = 1.0  # before it is started again
STOP_TIMEOUT_S = 10.0
LONGEST_NAME = 36  # of a node, without its number

log = logging.getLogger(__name__)
spawn = multiprocessing.get_context("spawn")


def run(configuration: Configuration, console: Console) -> None:
    """Serve with several workers until SIGTERM or Ctrl-C."""
    if sys.platform == "win32":
        raise Refused("several workers cannot share a port on this system; use --workers 1")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(_private_folder()))
        broker, workers = None, _named(configuration)
        if configuration.broker is None:
            broker = stack.enter_context(_own_broker(folder, workers))
            workers = [replace(each, broker=broker.address_of(each.node)) for each in workers]
        for each in workers:
            check(each)
        # Nobody else can reach a broker of our own, so nobody else may share the folder.
        stack.enter_context(up_to_date(configuration, is_shared=broker is None))
        listener = stack.enter_context(listen(configuration))
        listener.listen()  # who comes while no worker is up waits
        announce(configuration, console)
        Workers(workers, listener, folder, broker).run()


def _named(configuration: Configuration) -> list[Configuration]:
    """What each worker is told: its name, with its number."""
    name = configuration.node or "worker"
    if configuration.broker is not None:
        name = broker_of(configuration).name
    numbers = range(1, configuration.workers + 1)
    return [
        replace(configuration, node=f"{name[:LONGEST_NAME]}-{number}", workers=1)
        for number in numbers
    ]


def _private_folder() -> TemporaryDirectory[str]:
    """For sockets between the workers, and for what their own broker keeps."""
    return TemporaryDirectory(prefix="ludotheque-", ignore_cleanup_errors=True)


@contextmanager
def _own_broker(folder: Path, workers: list[Configuration]) -> Iterator[OwnBroker]:
    broker = OwnBroker(folder, [each.node for each in workers])
    try:
        yield broker
    finally:
        broker.stop()


class Worker:
    """One of the processes, started again whenever it ends."""

    def __init__(
        self, told: Configuration, listener: socket.socket, colleagues: Colleagues
    ) -> None:
        self._arguments = (told, listener, colleagues)
        self.name = told.node
        self.start()

    def start(self) -> None:
        self.process: BaseProcess = spawn.Process(target=_work, args=self._arguments)
        self.process.start()
        self._started_at = time.monotonic()
        self._due_at: float | None = None

    def mend(self) -> None:
        """Start it again if it has ended, after a pause if it seems to end whenever it starts."""
        if self.process.is_alive():
            return
        now = time.monotonic()
        if self._due_at is None:
            log.warning("worker %s has ended (%s)", self.name, self.process.exitcode)
            is_soon = now - self._started_at < SOON_S
            self._due_at = now + PAUSE_S if is_soon else now
        if now >= self._due_at:
            self.start()


class Workers:
    def __init__(
        self,
        told: list[Configuration],
        listener: socket.socket,
        folder: Path,
        broker: OwnBroker | None,
    ) -> None:
        self._broker = broker
        self._ended, self._end = os.pipe()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: os.write(self._end, b"."))
        colleagues = Colleagues(folder, tuple(each.node for each in told))
        self._workers = [Worker(each, listener, colleagues) for each in told]

    def run(self) -> None:
        try:
            while not self._is_over():
                self._mend_broker()
                for worker in self._workers:
                    worker.mend()
        finally:
            self._stop()

    def _mend_broker(self) -> None:
        """Without it the workers answer for no table, but they go on when it is back."""
        try:
            if self._broker is not None:
                self._broker.mend()
        except (Refused, OSError) as error:
            log.error("%s; it is tried again", error)

    def _is_over(self) -> bool:
        """Wait until something ends; whether that is all."""
        living = [each.process.sentinel for each in self._workers if each.process.is_alive()]
        return self._ended in connection.wait([self._ended, *living], LOOK_S)

    def _stop(self) -> None:
        """All at once: each stores what is to be stored, and there is nobody to hand over to."""
        processes = [each.process for each in self._workers]
        for process in processes:
            process.terminate()
        until = time.monotonic() + STOP_TIMEOUT_S
        for process in processes:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def _work(configuration: Configuration, listener: socket.socket, colleagues: Colleagues) -> None:
    """One worker, from its start to its end."""
    threading.Thread(target=_end_with_parent, args=(colleagues.folder,), daemon=True).start()
    logs.configure(configuration.log_format, configuration.log_level)
    discovery.use_folders(configuration.games)
    serve(database.url_of(configuration), listener, configuration, colleagues)


def _end_with_parent(folder: Path) -> None:
    """End at once if the server was killed: what anyone was told is stored."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    end_orphan(folder)
    os._exit(1)
