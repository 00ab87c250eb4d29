"""The command `ludotheque`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ludotheque import language
from ludotheque.engine import chance, discovery, inspection
from ludotheque.engine.chance import Seeds
from ludotheque.engine.discovery import use_folders
from ludotheque.engine.game import LANGUAGES, Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read, read_json
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.words import Words

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

BAD_INPUT = 2

GameName = Annotated[str, typer.Argument(help="A game, as `ludotheque games` lists them.")]
AnyGame = Annotated[str | None, typer.Argument(help="A game; all of them if left out.")]
Seats = Annotated[int | None, typer.Option(help="How many seats; the fewest if left out.")]
Settings = Annotated[
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


def main() -> None:
    """Run the command; what is refused is said in one sentence, and the exit code is 2."""
    try:
        app()
    except Refused as refusal:
        print(f"ludotheque: {refusal}", file=sys.stderr)
        sys.exit(BAD_INPUT)


@app.callback()
def everywhere(folders: Folders = None) -> None:
    """Tabletop games for people, bots and research."""


@app.command()
def games(as_json: AsJson = False, lang: Language = None, folders: Folders = None) -> None:
    """List the games."""
    listed = [_described(load(slug), _language(lang)) for slug in slugs()]
    if as_json:
        print(json.dumps(listed, ensure_ascii=False))
        return
    table = Table("", "", "seats", "options")
    for entry in listed:
        seats = f"{entry['seats'][0]}–{entry['seats'][-1]}"
        table.add_row(entry["game"], entry["name"], seats, ", ".join(entry["options"]))
    out.print(table)


def _described(game: Game, lang: str) -> dict[str, Any]:
    words = Words(game, lang)
    return {
        "game": game.slug,
        "name": words.name,
        "pitch": " ".join(words.pitch.split()),
        "rules": game.version,
        "seats": list(game.seats),
        "options": {
            name: {"default": option.default, "expected": option.expected()}
            for name, option in game.options.items()
        },
    }


@app.command()
def play(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="The game to play.")] = None,
    seats: Seats = None,
    people: Annotated[int, typer.Option(help="Seats played at this keyboard.")] = 1,
    bot: Annotated[
        str | None,
        typer.Option(help="Who takes the other seats: novice, regular, expert, master or chaotic."),
    ] = None,
    settings: Settings = None,
    parts: Parts = None,
    lang: Language = None,
    save: Annotated[Path | None, typer.Option(help="Write the match to this file.")] = None,
    again: Annotated[
        Path | None, typer.Option(help="The file of a finished match: play its deal once more.")
    ] = None,
    new_team: Annotated[
        bool, typer.Option("--new-team", help="With --again: other people play than before.")
    ] = False,
    seed: Annotated[
        str | None, typer.Option(help="Any text: the same text deals the same match.")
    ] = None,
    folders: Folders = None,
) -> None:
    """Play in the terminal, with bots in the seats that nobody takes."""
    from ludotheque.bots import roster  # noqa: PLC0415
    from ludotheque.terminal import Terminal  # noqa: PLC0415

    lang = _language(lang)
    seeds = chance.new_seeds() if seed is None else chance.seeds_from(seed)
    if again is None:
        game = _game(name or _chosen_game(lang), parts)
        count = _default_seats(game, people) if seats is None else seats
        match = _fresh_match(game, count, _options(game, settings), seeds, new_team)
    elif name or parts or settings:
        raise Refused("--again takes game, options and parts from its file; leave them out")
    else:
        match = _match_again(read(again), seats, seeds, is_same_team=not new_team)
    if not 0 <= people <= match.seats:
        raise Refused(f"{people} people do not fit at {match.seats} seats")
    kind = bot or roster.nearest(match.game, roster.REGULAR)
    bots = {
        seat: roster.hire(kind, match.game, seat, seed and f"{seed} {seat}")
        for seat in range(people, match.seats)
    }
    Terminal(match, bots, lang, out, save).run()


def _fresh_match(
    game: Game, seats: int, options: dict[str, Any], seeds: Seeds, new_team: bool
) -> Match:
    if new_team:
        raise Refused("--new-team says who plays an earlier deal, so it needs --again FILE")
    game.refuse_replay_options(options)
    return Match(game, seats, options, seeds=seeds)


def _match_again(earlier: Match, seats: int | None, seeds: Seeds, is_same_team: bool) -> Match:
    """A match on the deal of an earlier one, drawn from `seeds` if the earlier one tells none."""
    if not earlier.is_over:
        raise Refused("the match is not over; --again plays the deal of a finished match")
    game, count = earlier.game, earlier.seats if seats is None else seats
    options = game.options_again(earlier.options, max(earlier.scores), is_same_team)
    if earlier.seeds is None:
        return Match(game, count, options, deal=earlier.chance_moves(), seeds=seeds)
    deal = [game.notation(CHANCE, move) for move in earlier.deal]
    return Match(game, count, options, deal=deal, seeds=earlier.seeds)


def _default_seats(game: Game, people: int) -> int:
    return max(people, min(max(game.seats[0], 2), game.seats[-1]))


def _chosen_game(lang: str) -> str:
    """Ask which game to play."""
    names = slugs()
    for number, slug in enumerate(names, 1):
        words = Words(load(slug), lang)
        out.print(f"[cyan]{number}[/cyan]  [bold]{words.name}[/bold]  {words.pitch}\n")
    answer = out.input(f"1–{len(names)} > ").strip()
    if answer.isdecimal() and 1 <= int(answer) <= len(names):
        return names[int(answer) - 1]
    return answer


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(help="The folder to keep tables in; the user's by default.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy, or a network of proxies, to believe about who its clients are.",
        ),
    ] = None,
    folders: Folders = None,
) -> None:
    """Open the table to browsers on this machine and on the network around it."""
    from ludotheque.server.run import run  # noqa: PLC0415

    _expect_sound_games()
    run(host, port, data, out, trusted_proxy or ())


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A match file.")],
    as_json: AsJson = False,
    seat: Annotated[
        int | None, typer.Option(help="Tell only what this seat saw; -2 for a spectator.")
    ] = None,
    lang: Language = None,
    folders: Folders = None,
) -> None:
    """Replay a match file and print how it stands."""
    match = read(file)
    if seat is not None and not (0 <= seat < match.seats or seat == NOBODY):
        raise Refused(f"there is no seat {seat}; the seats are 0 to {match.seats - 1}")
    result = match.result(seat)
    if seat is not None:
        result |= {
            "seat": seat,
            "told": match.visible_log(seat),
            "view": match.view(seat).to_json(),
        }
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
        return
    words = Words(match.game, _language(lang))
    names = [language.say(words.language, "seat", number=s + 1) for s in range(match.seats)]
    viewer = NOBODY if seat is None else seat
    state = match.state if seat is None else match.view(seat)
    out.print(match.game.module("terminal").draw(state, viewer, words, names))
    for key, value in result.items():
        if key not in ("told", "view"):
            out.print(f"{key}: {value}")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The file of a finished match.")],
    folders: Folders = None,
) -> None:
    """Check that every draw of a finished match follows from its seeds."""
    from ludotheque.engine.verify import verify as check_draws  # noqa: PLC0415

    match = read(file)
    if not match.game.has_chance:
        print(f"there is no chance in {match.game.slug}, so there is nothing to verify")
        return
    found = check_draws(match)
    print(f"{found.draws} draws follow from the seeds, {found.fixed} were fixed by the deal")
    print(f"commitment of the server seed: {found.commitment}")
    print("compare it with the one that was shown before the match")
    if found.clients == 0:
        print("no player added a seed: the server alone chose the shuffle")


@app.command()
def simulate(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: Annotated[int, typer.Option(help="How many seats.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many matches.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    settings: Settings = None,
    parts: Parts = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches, compiled, and count."""
    from ludotheque.lab.simulate import simulate as run  # noqa: PLC0415

    game = _game(name, parts)
    options = _options(game, settings)
    game.start(seats, options)
    with _progress(game.slug, count) as advance:
        result = run(game, seats, count, seed, options, advance).to_json()
    if as_json:
        print(json.dumps(result))
        return
    for key, value in result.items():
        out.print(f"{key}: {value}")


@app.command()
def arena(
    name: GameName,
    bots: Annotated[str, typer.Option(help="Levels, with commas between: one for each seat.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches; whole deals.")] = 100,
    seats: Annotated[int, typer.Option(help="Seats of each team, in a team game.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    settings: Settings = None,
    as_json: AsJson = False,
    folders: Folders = None,
) -> None:
    """Let bots play each other: the same deals for all, every bot in every seat."""
    from ludotheque.lab.arena import Contest  # noqa: PLC0415
    from ludotheque.lab.arena import arena as run  # noqa: PLC0415

    game = load(name)
    kinds = tuple(kind.strip() for kind in bots.split(","))
    contest = Contest(game.slug, kinds, _options(game, settings), seed, seats)
    with _progress(game.slug, matches) as advance:
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


@app.command()
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
    game = _game(name, parts)
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
    for line in solution.lines(_language(lang)):
        out.print(line, markup=False, highlight=False)


@app.command()
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


@app.command()
def check(name: AnyGame = None, folders: Folders = None) -> None:
    """List everything that is missing or wrong with a game, and run the conformance suite."""
    from ludotheque.lab.check import Report, examine  # noqa: PLC0415

    reports: list[Report] = []
    for slug in (name,) if name else slugs():
        with _bar(slug) as update:
            reports.append(examine(slug, update))
    for report in reports:
        for line in report.lines():
            out.print(line, markup=False, highlight=False, soft_wrap=True)
    if any(report.is_failure for report in reports):
        raise typer.Exit(1)


@app.command()
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
    with _progress("warm", len(chosen)) as advance:
        for number, _ in enumerate(warm_all(chosen), 1):
            advance(number)


# What the commands share


def _language(given: str | None) -> str:
    if given is None:
        return language.of_this_machine()
    if given not in LANGUAGES:
        raise Refused(f"there is no language {given!r}; the languages are: {', '.join(LANGUAGES)}")
    return given


def _expect_sound_games() -> None:
    """Refuse to serve a game of the user's that cannot be played; ours are tested."""
    for slug, place in discovery.places().items():
        if not place.is_ours:
            for where, what, _ in inspection.faults(slug, place):
                raise Refused(
                    f"{slug} cannot be played: {where}: {what}; "
                    f"`ludotheque check {slug}` lists everything"
                )


def _game(name: str, parts: Path | None) -> Game:
    game = load(name)
    return game if parts is None else Game(name, read_json(parts))


def _options(game: Game, settings: list[str] | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        if not equals:
            raise Refused(f"option {setting!r} has no value; write it as name=value")
        if key not in game.options:
            game.complete({key: value}, game.seats[0])
        try:
            options[key] = game.options[key].parse(value)
        except ValueError as error:
            raise Refused(f"{game.slug}: {error}") from None
    return options


@contextmanager
def _progress(label: str, total: int) -> Iterator[Any]:
    """A bar on standard error; yields a function that takes how much is done."""
    with _bar(label) as update:
        update(0, total)
        yield lambda done: update(done, total)


@contextmanager
def _bar(label: str) -> Iterator[Any]:
    """A bar on standard error; yields a function that takes how much is done, and of how much."""
    columns = (
        *Progress.get_default_columns()[:3],
        TextColumn("{task.completed}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
