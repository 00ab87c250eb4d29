"""Simulate, let bots play each other, solve, and compile ahead."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludotheque.commands.shared import (
    AnyGame,
    AsJson,
    Folders,
    GameName,
    Language,
    Options,
    Parts,
    bar,
    err,
    game_of,
    language_of,
    options_of,
    out,
    progress,
)
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match_file import read_json
from ludotheque.engine.refused import Refused

if TYPE_CHECKING:
    from ludotheque.lab.arena import Contest, Standing
    from ludotheque.lab.pieces import Doer, Saved
    from ludotheque.lab.simulate import Matches

Jobs = Annotated[
    int | None, typer.Option(min=1, help="How many cores share the work; all if left out.")
]
OnCluster = Annotated[
    str | None, typer.Option("--on", help="A Ray cluster that does the work: auto, or ray://…")
]
SaveAs = Annotated[
    Path | None,
    typer.Option(
        "--save", help="A file that keeps what is done. The same command goes on with it."
    ),
]
TableFile = Annotated[
    Path | None, typer.Option("--out", help="A file for the table: .json, .csv or .parquet.")
]


def simulate(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: Annotated[int, typer.Option(help="How many seats.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many matches.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    jobs: Jobs = None,
    on: OnCluster = None,
    save: SaveAs = None,
    table: TableFile = None,
    options: Options = None,
    parts: Parts = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches, compiled, and count."""
    from ludotheque.lab import pieces, rows  # noqa: PLC0415
    from ludotheque.lab import simulate as lab  # noqa: PLC0415

    game = game_of(name, parts)
    chosen = options_of(game, options)
    game.start(seats, chosen)
    if table is not None:
        rows.expect_ending(table)
    smallest, do = _doer(on) if on is not None else (1, pieces.on_threads(jobs or pieces.cores()))
    matches = lab.matches_of(game, seats, count, seed, chosen, smallest)
    with _saved(save, matches) as saved, progress(game.slug, count) as advance:
        result = lab.run(matches, do, advance, saved)
    if table is not None:
        rows.write(result.rows(), table)
    if as_json:
        print(json.dumps(result.to_json()))
        return
    for key, value in result.to_json().items():
        out.print(f"{key}: {value}")


def _doer(address: str) -> tuple[int, Doer[Any]]:
    """The smallest piece that is worth sending to a cluster, and the cluster."""
    from ludotheque.lab.cluster import SMALLEST_PIECE, on_ray  # noqa: PLC0415

    with err.status(f"joining the cluster: {address}"):
        return SMALLEST_PIECE, on_ray(address)


def _saved(path: Path | None, run: Matches | Contest) -> AbstractContextManager[Saved | None]:
    from ludotheque.lab.pieces import Saved  # noqa: PLC0415

    return nullcontext() if path is None else Saved(path, run.header)


def layout(
    name: GameName,
    seats: Annotated[int, typer.Option(help="How many seats.")],
    parts: Parts = None,
    folders: Folders = None,
) -> None:
    """Print which place of an observation holds what, for learning."""
    from ludotheque.engine.layout import Layout  # noqa: PLC0415

    print(Layout(game_of(name, parts), seats))


def arena(
    name: GameName,
    bots: Annotated[str, typer.Option(help="Levels or module:function, one for each seat.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches; whole deals.")] = 100,
    seats: Annotated[int, typer.Option(help="Seats of each team, in a team game.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    jobs: Jobs = None,
    on: OnCluster = None,
    save: SaveAs = None,
    table: TableFile = None,
    options: Options = None,
    as_json: AsJson = False,
    folders: Folders = None,
) -> None:
    """Let bots play each other: the same deals for all, every bot in every seat."""
    from ludotheque.lab import arena as lab  # noqa: PLC0415
    from ludotheque.lab import pieces, rows  # noqa: PLC0415

    game = load(name)
    kinds = tuple(kind.strip() for kind in bots.split(","))
    contest = lab.Contest(game.slug, kinds, options_of(game, options), seed, seats)
    if table is not None:
        rows.expect_ending(table)
    do = _doer(on)[1] if on is not None else pieces.on_processes(jobs or pieces.cores())
    with _saved(save, contest) as saved, progress(game.slug, matches) as advance:
        standings = lab.run(contest, matches, do, advance, saved)
    if table is not None:
        rows.write([standing.row() for standing in standings], table)
    if as_json:
        print(json.dumps([standing.to_json() for standing in standings]))
        return
    out.print(_ranking(standings))


def _ranking(standings: Iterable[Standing]) -> Table:
    shown = Table("bot", "wins", "95 %", "score", "95 %", "rating")
    for s in standings:
        shown.add_row(
            s.bot,
            f"{s.wins.mean:.1%}",
            f"{s.wins.low:.1%} … {s.wins.high:.1%}",
            f"{s.score.mean:.2f}",
            f"{s.score.low:.2f} … {s.score.high:.2f}",
            f"{s.rating:.1f} ± {s.sigma:.1f}",
        )
    return shown


def report(
    name: GameName,
    folder: Annotated[Path, typer.Option("-o", "--out", help="The folder for page and plots.")],
    seats: Annotated[list[int] | None, typer.Option(help="Seat counts; all if left out.")] = None,
    count: Annotated[
        int, typer.Option("--playouts", min=100, help="Random matches for each question.")
    ] = 20_000,
    sample: Annotated[
        int, typer.Option(min=10, help="Matches between bots, at each seat count.")
    ] = 200,
    contests: Annotated[
        int, typer.Option(min=0, help="Matches of each level against the one below.")
    ] = 20,
    level: Annotated[str, typer.Option(help="The level of the bots in the sample.")] = "regular",
    seed: Annotated[int, typer.Option(help="The same seed gives the same page.")] = 0,
    jobs: Jobs = None,
    folders: Folders = None,
) -> None:
    """Write a page with plots that tells a designer how the game plays."""
    from ludotheque.bots import roster  # noqa: PLC0415
    from ludotheque.lab.pieces import cores  # noqa: PLC0415
    from ludotheque.lab.report.page import write_report  # noqa: PLC0415
    from ludotheque.lab.report.survey import Plan, Survey  # noqa: PLC0415

    game = load(name)
    for each in seats or ():
        game.start(each, game.playout_options)
    roster.hire(level, game, 0)
    chosen = tuple(seats or game.seats)
    plan = Plan(chosen, count, sample, contests, level, seed, jobs or cores())
    with bar(game.slug) as update:
        page = write_report(Survey(game, plan, update), folder)
    out.print(f"{page}", markup=False, highlight=False, soft_wrap=True)


def solve(
    name: GameName,
    file: Annotated[Path, typer.Argument(help="What to solve, as the game's documentation says.")],
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to look for better.")] = 10,
    parts: Parts = None,
    as_json: AsJson = False,
    lang: Language = None,
    folders: Folders = None,
) -> None:
    """Find the best there is in a game that has a solver: a layout of cards, a pile of boxes."""
    game = game_of(name, parts)
    if not (game.folder / "solver" / "solve.py").exists():
        able = [slug for slug in slugs() if (load(slug).folder / "solver" / "solve.py").exists()]
        raise Refused(f"there is no solver for {game.slug}; there are some for: {', '.join(able)}")
    solver, data = game.module("solver.solve"), read_json(file)
    try:
        problem = solver.read(data, game.parts)
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None
    with err.status(f"{game.slug}: looking for the best, for {seconds:g} s at most"):
        solution = solver.solve(problem, seconds)
    if as_json:
        print(json.dumps(solution.to_json(), ensure_ascii=False))
        return
    for line in solution.lines(language_of(lang)):
        out.print(line, markup=False, highlight=False)


def warm(
    name: AnyGame = None,
    folders: Folders = None,
    bots: Annotated[
        bool, typer.Option(help="Compile for bots alone, and print how many steps are done.")
    ] = False,
) -> None:
    """Compile ahead, so that neither the first simulation nor the first strong bot has to wait."""
    from ludotheque.bots import roster  # noqa: PLC0415
    from ludotheque.lab.warm import warm_all  # noqa: PLC0415

    chosen = [load(slug).slug for slug in ((name,) if name else slugs())]
    if bots:
        for slug in chosen:
            roster.warm(load(slug), lambda done, total: print(done, total, flush=True))
        return
    with progress("warm", len(chosen)) as advance:
        for number, _ in enumerate(warm_all(chosen), 1):
            advance(number)
