"""The command `ludotheque`."""

from __future__ import annotations

import sys

import typer

from ludotheque.commands import (
    assistants,
    authoring,
    lab,
    playing,
    records,
    serving,
    storage,
    tables,
)
from ludotheque.commands.shared import Folders
from ludotheque.engine.refused import Refused

BAD_INPUT = 2

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    playing.games,
    playing.play,
    serving.serve,
    serving.settings,
    serving.broker_config,
    storage.backup,
    storage.restore,
    storage.doctor,
    storage.export,
    records.replay,
    records.verify,
    lab.simulate,
    lab.arena,
    lab.report,
    lab.solve,
    lab.layout,
    authoring.new,
    authoring.check,
    lab.warm,
    assistants.mcp,
)
for command in COMMANDS:
    app.command()(command)
app.command("import")(storage.import_)
app.add_typer(tables.app, name="tables")


@app.callback()
def everywhere(folders: Folders = None) -> None:
    """Tabletop games for people, bots and research."""


def main() -> None:
    """Run the command; what is refused is said in one sentence, and the exit code is 2."""
    try:
        app()
    except Refused as refusal:
        print(f"ludotheque: {refusal}", file=sys.stderr)
        sys.exit(BAD_INPUT)
