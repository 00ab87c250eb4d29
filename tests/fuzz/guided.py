"""Inputs that are led by what they reach in the code, where atheris installs: `make fuzz`.

python tests/fuzz/guided.py [RUNS] [TARGET ...]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

RUNS = 20_000  # of each target
LONGEST_BYTES = 65_536
TIMEOUT_S = 60


def main(runs: int, names: list[str]) -> int:
    """Each target has a process of its own, which ends where it fails."""
    if find_spec("atheris") is None:
        print("NOT RUN: atheris does not install here; the other wrong inputs were tried")
        return 0
    from fuzz.targets import TARGETS  # noqa: PLC0415

    failed = [name for name in names or TARGETS if _run(name, runs)]
    print(f"failed: {', '.join(failed)}" if failed else "every input was taken or refused")
    return 1 if failed else 0


def _run(name: str, runs: int) -> int:
    from fuzz.targets import corpus, seeds  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate((*seeds(name), *corpus(name))):
            (Path(folder) / str(number)).write_bytes(text)
        limits = [f"-runs={runs}", f"-max_len={LONGEST_BYTES}", f"-timeout={TIMEOUT_S}"]
        command = [sys.executable, __file__, "--one", name, *limits, "-print_final_stats=1"]
        return subprocess.run([*command, folder], check=False).returncode


def one(name: str, arguments: list[str]) -> None:
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["ludotheque"]):
        from fuzz.targets import TARGETS  # noqa: PLC0415
    with tempfile.TemporaryDirectory() as folder, TARGETS[name](Path(folder)) as take:
        atheris.Setup([sys.argv[0], *arguments], take)
        atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS, sys.argv[2:]))
