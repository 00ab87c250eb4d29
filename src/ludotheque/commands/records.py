"""Replay and verify match files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from ludotheque import language
from ludotheque.commands.shared import AsJson, Folders, Language, language_of, out
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import told
from ludotheque.engine.words import Words


def replay(
    file: Annotated[Path, typer.Argument(help="A match file.")],
    as_json: AsJson = False,
    seat: Annotated[
        int | None, typer.Option(help="Tell only what this seat saw; -2 for a spectator.")
    ] = None,
    lang: Language = None,
    folders: Folders = None,
) -> None:
    """Replay a match file and print what happened and how it stands."""
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
    words = Words(match.game, language_of(lang))
    names = [language.say(words.language, "seat", number=s + 1) for s in range(match.seats)]
    for line in story(match, seat, words, names):
        out.print(line, highlight=False)
    viewer = NOBODY if seat is None else seat
    state = match.state if seat is None else match.view(seat)
    out.print(match.game.module("terminal").draw(state, viewer, words, names))
    for key, value in result.items():
        if key not in ("told", "view"):
            out.print(f"{key}: {value}")


def story(match: Match, seat: int | None, words: Words, names: list[str]) -> Iterator[str]:
    """What this seat was told, or all that happened: sentences, and a heading for each round."""
    last = 0
    for chapter, fact in told(match, seat):
        if chapter not in (0, last):
            yield f"[bold]{words.text('story', 'chapter', number=chapter)}[/bold]"
        last = chapter
        yield escape(f"{words.fact(fact, names)}.")


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
