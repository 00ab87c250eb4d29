"""Start the server, and show its settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludotheque.commands.settings_flags import takes_settings
from ludotheque.commands.shared import AsJson, out
from ludotheque.engine import discovery, inspection
from ludotheque.engine.refused import Refused
from ludotheque.server.configuration import SETTINGS, InForce, manual


@takes_settings(*SETTINGS)
def serve(in_force: InForce) -> None:
    """Open the table to browsers on this machine and on the network around it."""
    from ludotheque.server.run import run  # noqa: PLC0415

    discovery.use_folders(in_force.configuration.games)
    _expect_sound_games()
    run(in_force.configuration, out)


def _expect_sound_games() -> None:
    """Refuse to serve a game of the user's that cannot be played; ours are tested."""
    for slug, place in discovery.places().items():
        if not place.is_ours:
            for where, what, _ in inspection.faults(slug, place):
                raise Refused(
                    f"{slug} cannot be played: {where}: {what}; "
                    f"`ludotheque check {slug}` lists everything"
                )


def broker_config(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    nodes: Annotated[
        list[str], typer.Argument(help="What the nodes are called: NAME or NAME:ROLE.")
    ],
) -> None:
    """Write a configuration for a NATS server, with a user for each node."""
    from ludotheque.server.nodes.credentials import named, write  # noqa: PLC0415

    passwords = write(file, nodes)
    print(f"start the broker with nats-server -js -c {file}, and the nodes with")
    for node, password in passwords.items():
        name, role = named(node)
        broker = f"LUDOTHEQUE_BROKER=nats://{name}:{password}@127.0.0.1:4222"
        print(f"  {broker} ludotheque serve{f' --role {role}' if role != 'all' else ''}")


@takes_settings(*SETTINGS)
def settings(
    in_force: InForce,
    as_json: AsJson = False,
    as_manual: Annotated[
        bool, typer.Option("--manual", help="Print the table of all settings for the manual.")
    ] = False,
) -> None:
    """Print the settings that a server would have now, and where each comes from."""
    if as_manual:
        print("\n".join(manual()))
        return
    told = {
        name: {"value": kind.write(getattr(in_force.configuration, name)), "from": origin}
        for (name, (_, kind)), origin in zip(
            SETTINGS.items(), in_force.origins.values(), strict=True
        )
    }
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    table = Table("setting", "value", "from")
    for name, entry in told.items():
        table.add_row(name, entry["value"], entry["from"])
    out.print(table)
