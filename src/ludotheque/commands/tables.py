"""List, show, close and delete stored tables, for the host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludotheque.commands.settings_flags import takes_settings
from ludotheque.commands.shared import AsJson, bar, out
from ludotheque.engine.discovery import use_folders
from ludotheque.server.configuration import InForce

if TYPE_CHECKING:
    from ludotheque.server.inventory import Entry, Inventory

app = typer.Typer(no_args_is_help=True, help="List, show, close and delete stored tables.")

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")]
SOON = "the server that runs does so within half a minute"


@app.command("list")
@takes_settings("data", "database", "games")
def list_tables(
    in_force: InForce,
    as_json: AsJson = False,
    quarantined: Annotated[
        bool, typer.Option("--quarantined", help="Only those that cannot be read.")
    ] = False,
) -> None:
    """List the tables, the longest unused first."""
    with _inventory(in_force) as inventory, bar("tables") as update:
        total, found = inventory.count(), []
        for number, entry in enumerate(inventory.entries(), 1):
            update(number, total)
            if not quarantined or entry.status == "unreadable":
                found.append(entry)
    if as_json:
        print(json.dumps([entry.to_json() for entry in found], ensure_ascii=False))
        return
    table = Table("table", "game", "status", "people", "bots", "created", "last used", "")
    for entry in found:
        table.add_row(*_cells(entry))
    out.print(table)


@app.command()
@takes_settings("data", "database", "games")
def show(in_force: InForce, table: TableId, as_json: AsJson = False) -> None:
    """Show what is known about a table, but no chat and no cards."""
    with _inventory(in_force) as inventory:
        told = inventory.entry(table).to_json()
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    for name, value in told.items():
        shown = _day(value) if name in ("created", "used") else value
        out.print(f"{name}: {shown}", markup=False, highlight=False)


@app.command()
@takes_settings("data", "database")
def close(in_force: InForce, table: TableId) -> None:
    """Close a table to everybody; it is kept, and `open` opens it again."""
    _decide(in_force, table, "closed")


@app.command("open")
@takes_settings("data", "database")
def reopen(in_force: InForce, table: TableId) -> None:
    """Open a table again that was closed."""
    _decide(in_force, table, "")


@app.command()
@takes_settings("data", "database")
def delete(
    in_force: InForce,
    table: TableId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a table for ever. Results of deals that others share stay, without names."""
    if not yes:
        typer.confirm(f"Delete table {table} for ever?", abort=True)
    _decide(in_force, table, "deleted")
    if not _is_served(in_force):
        with _inventory(in_force) as inventory:
            inventory.remove(table)


def _decide(in_force: InForce, table: str, fate: str) -> None:
    with _inventory(in_force) as inventory:
        inventory.decide(table, fate)
    later = f"; {SOON}" if _is_served(in_force) else ""
    print(f"table {table} is {fate or 'open'}{later}")


def _is_served(in_force: InForce) -> bool:
    from ludotheque.server.database import is_used, url_of  # noqa: PLC0415

    return is_used(url_of(in_force.configuration), in_force.configuration.data)


@contextmanager
def _inventory(in_force: InForce) -> Iterator[Inventory]:
    from ludotheque.server.database import url_with_tables  # noqa: PLC0415
    from ludotheque.server.inventory import opened  # noqa: PLC0415

    use_folders(in_force.configuration.games)
    with opened(url_with_tables(in_force.configuration)) as inventory:
        yield inventory


def _cells(entry: Entry) -> list[str]:
    told = entry.to_json()
    mark = entry.fate or entry.flaw or ("live" if entry.is_live else "")
    counts = [str(told.get(name, "")) for name in ("people", "bots")]
    game = str(told.get("game", ""))
    return [entry.id, game, entry.status, *counts, _day(entry.created), _day(entry.used), mark]


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d")
