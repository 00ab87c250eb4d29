"""Run every benchmark and write results.md; or those named, and write their sections alone.

python -m benchmarks table_load startup levels=1800

A number is for how many seconds a benchmark plays that can play for any time.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    abuse,
    endgame,
    games,
    goofspiel,
    learning,
    levels,
    nodes,
    page,
    page_feedback,
    page_first_move,
    search,
    server_start,
    soak,
    startup,
    storage,
    table_load,
    team_up,
    ubongo,
)
from benchmarks.judged import Judged

PARTS = (
    goofspiel,
    learning,
    games,
    search,
    endgame,
    levels,
    ubongo,
    team_up,
    startup,
    page,
    page_feedback,
    page_first_move,
    server_start,
    storage,
    table_load,
    nodes,
    abuse,
    soak,
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


def main(names: Sequence[str]) -> None:
    parts = {part.__name__.rpartition(".")[2]: part for part in PARTS}
    asked = [(name, seconds) for name, _, seconds in (each.partition("=") for each in names)]
    unknown = [name for name, _ in asked if name not in parts]
    if unknown:
        sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(parts)}")
    missed: list[str] = []
    text = "\n".join(machine()) if not names else RESULTS.read_text("utf-8")
    for name, seconds in asked or [(name, "") for name in parts]:
        print(f"measuring {name} …", flush=True)
        lines = parts[name].report(*([float(seconds)] if seconds else []))
        missed += lines.missed if isinstance(lines, Judged) else []
        if names:
            lines.insert(1, f"\nMeasured by itself on {date.today()}.")
        text = with_section(text, "\n".join(lines))
        RESULTS.write_text(text, "utf-8")
        print("\n".join(lines))
    if missed:
        sys.exit(f"goals were missed: {'; '.join(missed)}")


def with_section(text: str, section: str) -> str:
    """The text with this section in place of the one with the same heading, or at its end."""
    head, *sections = text.strip().split("\n## ")
    new = section.strip().removeprefix("## ")
    title = new.partition("\n")[0]
    titles = [each.partition("\n")[0] for each in sections]
    if title in titles:
        sections[titles.index(title)] = new
    else:
        sections.append(new)
    return "\n\n## ".join(part.strip() for part in (head, *sections)) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
