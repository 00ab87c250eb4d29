"""What the commands share: their common options, what they print to, and progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ludotheque import language
from ludotheque.engine.discovery import use_folders
from ludotheque.engine.game import LANGUAGES, Game, load
from ludotheque.engine.match_file import read_json
from ludotheque.engine.refused import Refused

out = Console()
err = Console(stderr=True)

GameName = Annotated[str, typer.Argument(help="A game, as `ludotheque games` lists them.")]
AnyGame = Annotated[str | None, typer.Argument(help="A game; all of them if left out.")]
Seats = Annotated[int | None, typer.Option(help="How many seats; the fewest if left out.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="An option of the game, as name=value.")
]
Parts = Annotated[
    Path | None, typer.Option(help="A file with the cards or boxes of your own box of the game.")
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--games",
        help="A folder with games of your own; several may be given.",
        callback=lambda folders: use_folders(folders or ()),
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Language = Annotated[str | None, typer.Option("--lang", help="fr, en or de.")]


def language_of(given: str | None) -> str:
    if given is None:
        return language.of_this_machine()
    if given not in LANGUAGES:
        raise Refused(f"there is no language {given!r}; the languages are: {', '.join(LANGUAGES)}")
    return given


def game_of(name: str, parts: Path | None) -> Game:
    game = load(name)
    return game if parts is None else Game(name, read_json(parts))


def options_of(game: Game, given: list[str] | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for each in given or []:
        key, equals, value = each.partition("=")
        if not equals:
            raise Refused(f"option {each!r} has no value; write it as name=value")
        if key not in game.options:
            game.complete({key: value}, game.seats[0])
        try:
            options[key] = game.options[key].parse(value)
        except ValueError as error:
            raise Refused(f"{game.slug}: {error}") from None
    return options


@contextmanager
def progress(label: str, total: int) -> Iterator[Any]:
    """A bar on standard error; yields a function that takes how much is done."""
    with bar(label) as update:
        update(0, total)
        yield lambda done: update(done, total)


@contextmanager
def bar(label: str) -> Iterator[Any]:
    """A bar on standard error; yields a function that takes how much is done, and of how much."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.completed}"),
        _Rate(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as shown:
        task = shown.add_task(label, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


class _Rate(ProgressColumn):
    """How much is done in a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.2g}/s")
