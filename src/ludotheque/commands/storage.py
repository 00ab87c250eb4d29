"""The data folder of a server: copied, brought back, examined."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.commands.settings_flags import takes_settings
from ludotheque.commands.shared import bar, out
from ludotheque.engine.discovery import use_folders
from ludotheque.server.configuration import InForce


@takes_settings("data")
def backup(
    in_force: InForce,
    file: Annotated[
        Path, typer.Argument(help="The file to write, or a folder for one named by the time.")
    ],
) -> None:
    """Copy all tables to a file, also while the server runs, and check the copy."""
    from ludotheque.server.backup import back_up  # noqa: PLC0415

    print(f"{back_up(in_force.configuration.data, file)} is a complete copy; keep it private")


@takes_settings("data")
def restore(
    in_force: InForce,
    file: Annotated[Path, typer.Argument(help="A file that `ludotheque backup` has written.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tables that are there; they are kept.")
    ] = False,
) -> None:
    """Bring back all tables from a backup, while no server runs."""
    from ludotheque.server.backup import restore as bring_back  # noqa: PLC0415

    folder = in_force.configuration.data
    kept = bring_back(file, folder, force)
    print(f"the tables of {file} are in {folder}")
    if kept is not None:
        print(f"the former ones are kept as {kept}")


@takes_settings("data", "games")
def doctor(in_force: InForce) -> None:
    """Examine the data folder, and replay every stored match on these rules, before an upgrade."""
    from ludotheque.server.doctor import examine  # noqa: PLC0415

    use_folders(in_force.configuration.games)
    with bar("tables") as update:
        findings = list(examine(in_force.configuration.data, update))
    for finding in findings:
        mark = "✓" if finding.is_well else "✗"
        out.print(f"{mark} {finding.text}", markup=False, highlight=False, soft_wrap=True)
    if not all(finding.is_well for finding in findings):
        raise typer.Exit(1)
