"""Programs of other projects in an environment that is made for them and thrown away.

What a benchmark compares us with need not fit our dependencies: its packages are fetched into a
temporary folder. Where that fails, the reason is kept, for a line that says what was not measured.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parent.parent
UV = ROOT / ".tools" / "bin" / "uv"
INSTALL_TIMEOUT_S = 600


class NotMeasured(Exception):
    """Why there is nothing to compare with."""


class Peers:
    """An environment with these packages, for scripts that answer each line with a number."""

    def __init__(self, packages: Sequence[str]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="ludotheque-peers-"))
        self._running: list[subprocess.Popen[str]] = []
        self._failure = self._install(packages)

    def job(self, script: Path, name: str) -> Callable[[], int]:
        """What one line to `script name` has it do; raises NotMeasured if it cannot be run."""
        if self._failure:
            raise NotMeasured(self._failure)
        peer = subprocess.Popen(
            [self._python, script, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.append(peer)
        assert peer.stdin is not None
        assert peer.stdout is not None
        asked, answers = peer.stdin, peer.stdout
        if answers.readline().strip() != "ready":
            assert peer.stderr is not None
            raise NotMeasured(_last_line(peer.stderr.read()))

        def job() -> int:
            asked.write("\n")
            asked.flush()
            return int(answers.readline())

        return job

    @property
    def _python(self) -> Path:
        return self._folder / "bin" / "python"

    def _install(self, packages: Sequence[str]) -> str:
        """Fetch the packages; returns what went wrong, or nothing."""
        uv = str(UV) if UV.exists() else shutil.which("uv")
        if uv is None:
            return "uv, which fetches what is compared, is not installed"
        commands = (
            [uv, "venv", "--quiet", "--python", sys.executable, str(self._folder), "--clear"],
            [uv, "pip", "install", "--quiet", "--python", str(self._python), *packages],
        )
        for command in commands:
            try:
                done = subprocess.run(
                    command,
                    check=False,
                    capture_output=True,
                    text=True,
                    timeout=INSTALL_TIMEOUT_S,
                )
            except subprocess.TimeoutExpired:
                return f"{', '.join(packages)} could not be fetched in {INSTALL_TIMEOUT_S} s"
            if done.returncode != 0:
                return f"{', '.join(packages)} could not be fetched"
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for peer in self._running:
            peer.kill()
            peer.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it ended without a word"])[-1]
