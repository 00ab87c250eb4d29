"""Match files: a header and moves as JSON, checked as they are read, and replayed by the rules.

The header is written by `Match.to_json` and checked here, in `_started`, nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import FORMAT, Entry, Match
from ludotheque.engine.refused import Refused

HEADER_KEYS = ("format", "about", "game", "rules", "seats", "options", "parts", "deal", "seeds")
KEYS = frozenset((*HEADER_KEYS, "result", "moves"))


def replay(data: object) -> Match:
    """Play the match that this JSON tells; Refused names the first thing that is wrong."""
    fields = _fields(data)
    match, moves, seeds = _started(fields), _moves(fields), _seeds(fields.get("seeds"))
    for _ in play_moves(match, moves):
        pass
    if seeds is not None and not match.is_over:
        raise Refused("the file tells the seeds of a match that is not over; leave them out")
    match.seeds = seeds
    _check_result(match, fields.get("result"))
    return match


def start(data: object) -> tuple[Match, list[Any]]:
    """The match of this JSON before its first move, and its moves, for `play_moves`."""
    fields = _fields(data)
    return _started(fields), _moves(fields)


def play_moves(match: Match, moves: Sequence[Any]) -> Iterator[Entry]:
    """Play the moves of a file one by one."""
    for number, item in enumerate(moves, 1):
        try:
            seat, move, at = _parsed(match.game, item)
            match.play(seat, move, at)
        except Refused as error:
            raise Refused(f"move {number}: {error}") from None
        yield match.log[-1]


def read(path: Path) -> Match:
    """Replay the match in this file."""
    return replay(read_json(path))


def read_json(path: Path) -> object:
    try:
        data: object = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise Refused(
            f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except (RecursionError, ValueError) as error:  # ValueError: a number of thousands of digits
        raise Refused(f"{path} cannot be read: {error}") from None
    return data


def write_text(match: Match, about: str = "") -> str:
    """The match as the text of a file, one move on a line, with its result."""
    data = ({"about": about} if about else {}) | match.to_json()
    data["result"] = _result(match)
    moves = ",\n".join("    " + json.dumps(m, ensure_ascii=False) for m in data.pop("moves"))
    header = "".join(f"  {json.dumps(k)}: {json.dumps(v)},\n" for k, v in data.items())
    return f'{{\n{header}  "moves": [\n{moves}\n  ]\n}}\n'


def _result(match: Match) -> dict[str, Any]:
    return {"over": match.is_over, "scores": match.scores, "winners": match.winners}


def _check_result(match: Match, expected: object) -> None:
    found = _result(match)
    if expected is not None and expected != found:
        raise Refused(
            f"the moves lead to {json.dumps(found)}, the file says {json.dumps(expected)}"
        )


def _fields(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise Refused("a match file is a JSON object with format, game, rules, seats and moves")
    unknown = set(data) - KEYS
    if unknown:
        raise Refused(f"a match file has no {', '.join(sorted(unknown))}")
    return data


def _started(header: dict[str, Any]) -> Match:
    """Check the header; the match before its first move."""
    if header.get("format") != FORMAT:
        raise Refused(f"the format is {header.get('format')!r}, expected {FORMAT}")
    game = _game(header)
    if header.get("rules") != game.version:
        raise Refused(
            f"the match was played by rules version {header.get('rules')!r} of {game.slug}, "
            f"expected {game.version}"
        )
    seats, options, deal = header.get("seats"), header.get("options", {}), header.get("deal", [])
    if type(seats) is not int:
        raise Refused(f"seats is {seats!r}, expected a whole number")
    if not isinstance(options, dict):
        raise Refused(f"options is {options!r}, expected an object")
    if not isinstance(deal, list) or not all(isinstance(text, str) for text in deal):
        raise Refused("deal is not a list of chance moves in notation")
    return Match(game, seats, options, deal=deal)


def _moves(fields: dict[str, Any]) -> list[Any]:
    moves = fields.get("moves")
    if not isinstance(moves, list):
        raise Refused("moves is missing, expected a list of [seat, notation] pairs")
    return moves


def _game(header: dict[str, Any]) -> Game:
    slug = header.get("game")
    if not isinstance(slug, str):
        raise Refused(f"game is {slug!r}, expected the name of a game")
    game = load(slug)
    return game if header.get("parts") is None else Game(slug, header["parts"])


def _seeds(data: object) -> Seeds | None:
    match data:
        case None:
            return None
        case {"server": str(server), "clients": list(clients), **rest} if not rest:
            seeds = Seeds(_bytes(server), tuple(_bytes(seed) for seed in clients))
        case _:
            raise Refused("seeds is not an object with server and clients")
    try:
        _ = seeds.key
    except ValueError as error:
        raise Refused(str(error)) from None
    return seeds


def _bytes(text: object) -> bytes:
    try:
        return bytes.fromhex(text if isinstance(text, str) else "?")
    except ValueError:
        raise Refused(f"a seed is {text!r}, expected hexadecimal digits") from None


def _parsed(game: Game, item: object) -> tuple[int, int, int | None]:
    match item:
        case [int(seat), str(text)]:
            move, _, at = text.partition(" @")
            if at and not at.isdecimal():
                raise Refused(f"{text!r} has the time {at!r}, expected milliseconds")
            return seat, game.parse(seat, move), int(at) if at else None
    raise Refused(f"{json.dumps(item)} is not a pair of a seat and a move in notation")
