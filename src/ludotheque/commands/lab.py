"""Simulation, bots against each other, solvers, and compiling ahead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

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


def simulate(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: Annotated[int, typer.Option(help="How many seats.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many matches.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    options: Options = None,
    parts: Parts = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches, compiled, and count."""
    from ludotheque.lab.simulate import simulate as run  # noqa: PLC0415

    game = game_of(name, parts)
    chosen = options_of(game, options)
    game.start(seats, chosen)
    with progress(game.slug, count) as advance:
        result = run(game, seats, count, seed, chosen, advance).to_json()
    if as_json:
        print(json.dumps(result))
        return
    for key, value in result.items():
        out.print(f"{key}: {value}")


def arena(
    name: GameName,
    bots: Annotated[str, typer.Option(help="Levels, with commas between: one for each seat.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches; whole deals.")] = 100,
    seats: Annotated[int, typer.Option(help="Seats of each team, in a team game.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    options: Options = None,
    as_json: AsJson = False,
    folders: Folders = None,
) -> None:
    """Let bots play each other: the same deals for all, every bot in every seat."""
    from ludotheque.lab.arena import Contest  # noqa: PLC0415
    from ludotheque.lab.arena import arena as run  # noqa: PLC0415

    game = load(name)
    kinds = tuple(kind.strip() for kind in bots.split(","))
    contest = Contest(game.slug, kinds, options_of(game, options), seed, seats)
    with progress(game.slug, matches) as advance:
        standings = run(contest, matches, jobs, advance)
    if as_json:
        print(json.dumps([standing.to_json() for standing in standings]))
        return
    table = Table("bot", "wins", "95 %", "score", "95 %", "rating")
    for s in standings:
        table.add_row(
            s.bot,
            f"{s.wins.mean:.1%}",
            f"±{s.wins.margin:.1%}",
            f"{s.score.mean:.2f}",
            f"±{s.score.margin:.2f}",
            f"{s.rating:.1f} ± {s.sigma:.1f}",
        )
    out.print(table)


def solve(
    name: GameName,
    file: Annotated[Path, typer.Argument(help="What to solve, as the game's documentation says.")],
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to look for better.")] = 10,
    parts: Parts = None,
    as_json: AsJson = False,
    lang: Language = None,
    folders: Folders = None,
) -> None:
    """Find the best there is: the largest layout in Ubongo, the best pallet in Team UP."""
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
