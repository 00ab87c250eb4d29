"""From the command to the first simulated match, with kernels compiled before."""

from __future__ import annotations

import subprocess
import sys
import time

from ludotheque.engine.game import load, slugs


def first_match(slug: str) -> float:
    """Seconds that a new process takes to simulate one match."""
    seats = str(load(slug).seats[0])
    command = "from ludotheque.cli import main; main()"
    arguments = ["simulate", slug, "--seats", seats, "--games", "1", "--json"]
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", command, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun


def plain_import() -> float:
    """Seconds that a new process takes to load all rules as they are."""
    code = "from ludotheque.engine.game import load, slugs\nfor s in slugs(): load(s)"
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def report() -> list[str]:
    lines = [
        "## Start-up",
        "",
        f"All five rules files, plain, in a new process: {plain_import():.2f} s.",
        "",
        "| first match in a new process, warm kernels | seconds |",
        "| --- | --- |",
    ]
    for slug in slugs():
        first_match(slug)
        lines.append(f"| {slug} | {min(first_match(slug) for _ in range(3)):.2f} |")
    return lines
