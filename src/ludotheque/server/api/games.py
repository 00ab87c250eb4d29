"""The games there are, and their words."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ludotheque.bots import roster
from ludotheque.engine import lesson as lessons
from ludotheque.engine.game import Game, load, slugs
from ludotheque.language import every_word
from ludotheque.server import limits, messages, warmup
from ludotheque.server.api.context import (
    player_of,
    reader_of,
    slow_down,
    wanted_language,
)
from ludotheque.server.api.endpoint import Endpoints, Failure, json
from ludotheque.server.lessons import lesson as told_lesson
from ludotheque.server.lessons import pictures as drawn_pictures
from ludotheque.server.turns import stand_aside

LATER = ("account", "verify")  # sections of the page's words that are fetched when they are needed

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/api/games", None, list[messages.GameInfo])
async def games(request: Request, _: None) -> Response:
    """The games there are, with their seats, options and bots."""
    return Response(_games(), media_type="application/json")


@cache
def _games() -> bytes:
    return msgspec.json.encode([_game_info(slug) for slug in slugs()])


def _game_info(slug: str) -> messages.GameInfo:
    game = load(slug)
    options = [
        messages.OptionInfo(
            o.name,
            o.default,
            None if o.values is None else list(o.values),
            o.low,
            o.high,
            o.is_seat,
            list(o.of_replay) if isinstance(o.of_replay, tuple) else o.of_replay,
        )
        for o in game.options.values()
    ]
    return messages.GameInfo(
        game=slug,
        rules=game.version,
        seats=list(game.seats),
        usual_seats=game.box.usual_seats,
        age=game.box.age,
        minutes=list(game.box.minutes),
        options=options,
        bots=list(roster.kinds(game)),
        usual_bot=roster.usual(game),
        is_timed=game.timed,
        has_chance=game.has_chance,
        is_team=game.team,
        has_hints=game.has_hints,
        lessons=lessons.names(game),
    )


def game_of(request: Request) -> Game:
    slug = request.path_params["game"]
    if slug not in slugs():
        raise Failure(404, f"there is no game {slug!r}; GET /api/games lists them")
    return load(slug)


@ENDPOINTS.add("GET", "/api/games/{game}/lessons/{lesson}", None, messages.Lesson)
async def lesson(request: Request, _: None) -> Response:
    """A lesson, with everything that is needed to play it."""
    await reader_of(request)
    game, name = game_of(request), request.path_params["lesson"]
    if name not in lessons.names(game):
        error = f"there is no lesson {name!r} of {game.slug!r}; GET /api/games lists them"
        raise Failure(404, error)
    # In a thread: the first time, the lesson is played.
    return json(await asyncio.to_thread(told_lesson, game, name))


@ENDPOINTS.add("GET", "/api/games/{game}/warmup", None, messages.Warmup)
async def warmed(request: Request, _: None) -> Response:
    """The progress of the compiling that strong bots and hints need; it starts if it has not.

    With `?after=` the answer comes when more steps than that are done, or after a while.
    """
    slow_down(request, limits.WARMUPS, await player_of(request))
    game, after = game_of(request), request.query_params.get("after", "-1")
    if after != "-1" and not (after.isascii() and after.isdecimal() and len(after) <= 4):
        raise Failure(400, f"after is {after[:8]!r}, expected a number of up to four digits")
    stand_aside()
    return json(messages.Warmup(*await warmup.progress(game, int(after))))


@ENDPOINTS.add("GET", "/api/games/{game}/pictures", None, dict[str, messages.Picture])
async def pictures(request: Request, _: None) -> Response:
    """What the rules help shows of a game's lessons, by "lesson/chapter"."""
    await reader_of(request)
    # In a thread: the first time, all lessons of the game are played.
    return json(await asyncio.to_thread(drawn_pictures, game_of(request)))


@ENDPOINTS.add("GET", "/api/words/{language}", None, dict[str, Any])
async def words(request: Request, _: None) -> Response:
    """Every word of the page and of all games in one language: fr, en or de."""
    language = wanted_language(request)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_words(language), headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(_packed_words(language), headers=headers, media_type="application/json")


@ENDPOINTS.add("GET", "/api/words/{language}/{section}", None, dict[str, Any])
async def more_words(request: Request, _: None) -> Response:
    """Words of the page that few visitors need, and none at once."""
    section = request.path_params["section"]
    if section not in LATER:
        raise Failure(404, f"there are no words {section!r}; there are {', '.join(LATER)}")
    return json(every_word(wanted_language(request))["page"][section])


@cache
def _packed_words(language: str) -> bytes:
    """Compressed once: doing so takes longer than everything else about a request."""
    return gzip.compress(_words(language))


@cache
def _words(language: str) -> bytes:
    of_games = {slug: load(slug).words[language] for slug in slugs()}
    of_page = {key: words for key, words in every_word(language).items() if key != "privacy"}
    at_once = {key: words for key, words in of_page["page"].items() if key not in LATER}
    of_page = of_page | {"page": at_once}
    return msgspec.json.encode({"page": of_page, "games": of_games})
