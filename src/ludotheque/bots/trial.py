"""Whether a game's players can play: what `ludotheque check` asks of them."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.bots import roster
from ludotheque.bots.bot import Adviser, Bot
from ludotheque.engine.discovery import explained
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.inspection import Finding
from ludotheque.engine.words import Words
from ludotheque.search.deadline import Deadline
from ludotheque.search.warmup import opening

FILE = "bot/__init__.py"
CHOICES = 6  # that each level makes at the beginning of a match


def findings(game: Game) -> list[Finding]:
    """What is missing or wrong with the game's own players; a game needs none."""
    if not roster.has_players(game):
        return []
    try:
        return [*_roster(game)] or [*_characters(game), *_play(game), *_hints(game)]
    except Exception as error:  # whatever a bot may do
        return [Finding(FILE, f"fails: {explained(error, game.folder)}")]


def _roster(game: Game) -> Iterator[Finding]:
    if not callable(getattr(game.module("bot"), "hire", None)):
        yield Finding(FILE, "has no function hire(level, game, seat, rng)")
    levels = roster.levels(game)
    if not levels or list(levels) != [level for level in roster.LEVELS if level in levels]:
        known = ", ".join(roster.LEVELS)
        yield Finding(FILE, f"LEVELS is {levels!r}, expected some of {known}, in this order")


def _characters(game: Game) -> Iterator[Finding]:
    for level in roster.levels(game):
        for key in ("name", "character"):
            if not game.words[LANGUAGES[0]].get("bots", {}).get(level, {}).get(key):
                yield Finding("words.toml", f"bots.{level}.{key} is missing in every language")
        names = {
            game.words[language].get("bots", {}).get(level, {}).get("name")
            for language in LANGUAGES
        }
        if len(names) > 1:  # people at one table may read different languages
            yield Finding("words.toml", f"bots.{level}.name is not the same in every language")


def _play(game: Game) -> Iterator[Finding]:
    for level in roster.levels(game):
        match = opening(game)
        for _ in range(CHOICES):
            if match.is_over or not match.awaited():
                break
            seat = match.awaited()[0]
            bot, view = roster.hire(level, game, seat, seat), match.view(seat)
            before, moves = view.copy(), match.legal_moves(seat)
            bot.watch(view)
            move = bot.choose(view, moves, Deadline(0))
            if move not in moves:
                yield Finding(FILE, f"{level} chose {move} of the legal moves {moves[:9]}")
                break
            if view != before:
                yield Finding(FILE, f"{level} changed its view; copy it before playing in it")
                break
            match.play(seat, move, match.now if game.timed else None)


def _hints(game: Game) -> Iterator[Finding]:
    level = roster.adviser(game)
    match = opening(game)
    seat = match.awaited()[0]
    bot: Bot = roster.hire(level, game, seat, seat)
    if not game.has_hints:
        if isinstance(bot, Adviser):
            what = f"[hints] is missing; {level} gives advice, which needs words for its reasons"
            yield Finding("words.toml", what, is_needed=False)
        return
    if not isinstance(bot, Adviser):
        what = f"words.toml has [hints], but {level}, the strongest, has no advise(…); drop one"
        yield Finding(FILE, what)
        return
    advice = bot.advise(match.view(seat), match.legal_moves(seat), Deadline(0))
    for language in LANGUAGES:
        for _, reason, values in advice:
            Words(game, language).text("hints", reason, **values)
