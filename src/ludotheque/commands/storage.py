"""Back up, restore, examine and move what a server keeps."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.commands.settings_flags import takes_settings
from ludotheque.commands.shared import bar, out
from ludotheque.engine.discovery import use_folders
from ludotheque.engine.refused import Refused
from ludotheque.server.configuration import InForce


@takes_settings("data", "database")
def backup(
    in_force: InForce,
    file: Annotated[
        Path, typer.Argument(help="The file to write, or a folder for one named by the time.")
    ],
) -> None:
    """Copy all tables to a file, even while the server runs, and check the copy."""
    from ludotheque.server.backup import back_up  # noqa: PLC0415

    _expect_file(in_force, f"pg_dump --format=custom --file={file}")
    print(f"{back_up(in_force.configuration.data, file)} is a complete copy; keep it private")


@takes_settings("data", "database")
def restore(
    in_force: InForce,
    file: Annotated[Path, typer.Argument(help="A file that `ludotheque backup` has written.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tables that are there; they are kept.")
    ] = False,
) -> None:
    """Bring back all tables from a backup, while no server runs."""
    from ludotheque.server.backup import restore as bring_back  # noqa: PLC0415

    _expect_file(in_force, f"pg_restore --clean --if-exists {file} --dbname")
    folder = in_force.configuration.data
    kept = bring_back(file, folder, force)
    print(f"the tables of {file} are in {folder}")
    if kept is not None:
        print(f"the former ones are kept as {kept}")


@takes_settings("data", "database", "games")
def doctor(in_force: InForce) -> None:
    """Examine what is kept, and replay every stored match on these rules, before an upgrade."""
    from ludotheque.server.database import url_with_tables  # noqa: PLC0415
    from ludotheque.server.doctor import examine  # noqa: PLC0415

    use_folders(in_force.configuration.games)
    with bar("tables") as update:
        findings = list(examine(url_with_tables(in_force.configuration), update))
    for finding in findings:
        mark = "✓" if finding.is_well else "✗"
        out.print(f"{mark} {finding.text}", markup=False, highlight=False, soft_wrap=True)
    if not all(finding.is_well for finding in findings):
        raise typer.Exit(1)


@takes_settings("data", "database")
def export(
    in_force: InForce,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write everything to a file that `import` takes, for another database to go on with."""
    from ludotheque.server import transfer  # noqa: PLC0415
    from ludotheque.server.database import url_with_tables  # noqa: PLC0415

    with bar("rows") as update:
        rows = transfer.export(url_with_tables(in_force.configuration), file, update)
    print(f"{file} holds everything ({rows} rows); keep it private")


@takes_settings("data", "database", "games")
def import_(
    in_force: InForce,
    file: Annotated[Path, typer.Argument(help="A file that `ludotheque export` has written.")],
) -> None:
    """Fill an empty database from a file, while no server runs, and replay every match."""
    from ludotheque.server import transfer  # noqa: PLC0415
    from ludotheque.server.data_folder import held  # noqa: PLC0415
    from ludotheque.server.database import name_of, url_of  # noqa: PLC0415

    configuration = in_force.configuration
    use_folders(configuration.games)
    url = url_of(configuration)
    with ExitStack() as stack:
        if configuration.database is None:
            stack.enter_context(held(configuration.data))
        moved = transfer.import_(file, url, stack.enter_context(bar("rows and tables")))
    for note in moved.notes:
        out.print(f"✗ {note}", markup=False, highlight=False, soft_wrap=True)
    print(f"everything of {file} ({moved.rows} rows) is in {name_of(url)}")


def _expect_file(in_force: InForce, command: str) -> None:
    """Refuse to copy a database of PostgreSQL: its own tools do that."""
    database = in_force.configuration.database
    if database is not None:
        raise Refused(f"PostgreSQL has its own tools for that: {command} {database}")
