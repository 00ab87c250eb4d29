"""Write and check a game of your own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.commands.shared import AnyGame, Folders, bar, out
from ludotheque.engine import discovery
from ludotheque.engine.game import slugs


def new(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Its name, such as my_game.")],
    into: Annotated[Path, typer.Option(help="The folder that the game's folder goes to.")] = Path(),
    folders: Folders = None,
) -> None:
    """Write a small game that works, as the beginning of your own."""
    from ludotheque.template import write_game  # noqa: PLC0415

    folder = write_game(name, into)
    discovery.places.cache_clear()
    there = "" if name in slugs() else f" --games {shlex.quote(str(into))}"
    print(f"{folder} holds a small game that works. Make it yours, and see how it goes:")
    for command in ("check", "play"):
        print(f"  ludotheque {command} {name}{there}")
    print(f"  ludotheque serve{there}")


def check(name: AnyGame = None, folders: Folders = None) -> None:
    """List everything that is missing or wrong with a game, and run the conformance suite."""
    from ludotheque.lab.check import Report, examine  # noqa: PLC0415

    reports: list[Report] = []
    for slug in (name,) if name else slugs():
        with bar(slug) as update:
            reports.append(examine(slug, update))
    for report in reports:
        for line in report.lines():
            out.print(line, markup=False, highlight=False, soft_wrap=True)
    if any(report.is_failure for report in reports):
        raise typer.Exit(1)
