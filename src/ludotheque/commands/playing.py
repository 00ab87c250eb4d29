"""List the games, and play them in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ludotheque.commands.shared import (
    AsJson,
    Folders,
    Language,
    Options,
    Parts,
    Seats,
    game_of,
    language_of,
    options_of,
    out,
)
from ludotheque.engine import chance
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.words import Words


def games(as_json: AsJson = False, lang: Language = None, folders: Folders = None) -> None:
    """List the games."""
    listed = [_described(load(slug), language_of(lang)) for slug in slugs()]
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


def play(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="The game to play.")] = None,
    seats: Seats = None,
    people: Annotated[int, typer.Option(help="Seats played at this keyboard.")] = 1,
    bot: Annotated[
        str | None,
        typer.Option(help="Who takes the other seats: novice, regular, expert, master or chaotic."),
    ] = None,
    options: Options = None,
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

    lang = language_of(lang)
    seeds = chance.new_seeds() if seed is None else chance.seeds_from(seed)
    if again is None:
        game = game_of(name or _chosen_game(lang), parts)
        count = _default_seats(game, people) if seats is None else seats
        match = _fresh_match(game, count, options_of(game, options), seeds, new_team)
    elif name or parts or options:
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
