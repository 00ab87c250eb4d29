"""Servers whose log can be read, and which may not do all that root may."""

from __future__ import annotations

import subprocess
import sys
import time
from threading import Thread
from typing import IO

from people import WAIT_TIMEOUT_S, Server

LINES_SHOWN = 40  # the end of the log, beside a test that fails


class LoggedServer(Server):
    stderr = subprocess.PIPE  # not a file, so that a limit on files does not limit the log

    def launch(self) -> None:
        super().launch()
        self._log: list[str] = []
        assert self.process.stderr is not None
        self._reader = Thread(target=self._read, args=(self.process.stderr,))
        self._reader.start()

    def stop(self) -> None:
        super().stop()
        self._reader.join()
        sys.stderr.writelines(self._log[-LINES_SHOWN:])

    @property
    def log(self) -> str:
        return "".join(self._log)

    def wait_for_log(self, text: str) -> None:
        until = time.monotonic() + WAIT_TIMEOUT_S
        while text not in self.log:
            assert time.monotonic() < until, f"the log does not say {text!r}"
            time.sleep(0.02)

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            self._log.extend(line.decode() for line in stream)


class HumbleServer(LoggedServer):
    """Obeys the permissions of its own files, also if it is root's: it gives up that privilege."""

    command = """
import ctypes
header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # the version of the sets, this process
sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: the low 32 bits, the high ones
system = ctypes.CDLL(None, use_errno=True)
assert system.capget(header, sets) == 0
sets[0] &= ~0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
assert system.capset(header, sets) == 0
from ludotheque.cli import main; main()
"""
