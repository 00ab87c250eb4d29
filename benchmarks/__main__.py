"""Run every benchmark and write results.md."""

from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    endgame,
    games,
    goofspiel,
    page,
    search,
    server_start,
    startup,
    table_load,
    team_up,
    ubongo,
)

PARTS = (
    goofspiel,
    games,
    search,
    endgame,
    ubongo,
    team_up,
    startup,
    page,
    server_start,
    table_load,
)
RESULTS = Path(__file__).parent / "results.md"


def machine() -> list[str]:
    names = [line for line in _cpuinfo() if line.startswith("model name")]
    cpu = names[0].partition(":")[2].strip() if names else platform.processor()
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "open-spiel"))
    return [
        "# Results",
        "",
        f"{date.today()}, {cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{packages}.",
        "",
        "Written by `make bench`. Rates are the best of five rounds in which the things compared",
        "take turns; on a busy machine the ratios hold better than the numbers.",
    ]


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def main() -> None:
    lines = machine()
    for part in PARTS:
        print(f"measuring {part.__name__} …", flush=True)
        lines += ["", *part.report()]
    RESULTS.write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
