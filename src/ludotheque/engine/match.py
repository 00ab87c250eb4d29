"""A match is its log: a header and moves. Replaying them gives the same state, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ludotheque.engine import chance
from ludotheque.engine.game import Game, load
from ludotheque.engine.option import Value
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY

FORMAT = 1
KEYS = frozenset(
    ("format", "about", "game", "rules", "seats", "options", "parts", "deal", "result", "moves")
)
UNSEEN = "?"  # a move as those are told who may not see it


class Entry(NamedTuple):
    """One move in the log, with its time if the game is timed, and who saw which move it was."""

    seat: int
    move: int
    at: int | None
    seen_by: frozenset[int]


class Match:
    """One playing of a game: its state, its seats, its log.

    `deal` is a list of chance moves, in notation, that chance must make first: the same deal for
    another try or another team. With a `key`, chance draws by itself; without one every chance
    move must be played, as a replay does.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, object] | None = None,
        *,
        deal: Sequence[str] = (),
        key: bytes | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options: dict[str, Value] = game.complete(options or {}, seats)
        self.state = game.start(seats, self.options)
        self.log: list[Entry] = []
        self.deal = [game.parse(CHANCE, text) for text in deal]
        self.key = key
        self._dealt = 0  # chance moves made
        self._viewers = (*range(seats), NOBODY)
        if key is not None:
            self.draw()

    # Playing

    def play(self, seat: int, move: int, at: int | None = None) -> None:
        """Make a move, then let chance answer it; a refused move leaves everything as it was."""
        self.make(seat, move, at)
        if self.key is not None:
            self.draw()

    def make(self, seat: int, move: int, at: int | None) -> None:
        """Make this one move, chance's or a seat's, and nothing after it."""
        before = self._pass_time(at)
        refusal = self.refusal(seat, move)
        if refusal is not None:
            self.game.wait(self.state, before - self.now if self.game.timed else 0)
            raise Refused(refusal)
        sees, state = self.game.sees, self.state
        seen_by = frozenset([v for v in self._viewers if sees(state, v, seat, move)])
        self.game.play(self.state, seat, move)
        self._dealt += seat == CHANCE
        self.log.append(Entry(seat, move, self.now if self.game.timed else None, seen_by))

    def draw(self, at: int | None = None) -> None:
        """Let chance act, by the deal and then by the key, until it waits for someone."""
        self._pass_time(at)
        while self.game.awaits(self.state, CHANCE):
            self.make(CHANCE, self._next_outcome(), None)

    def legal_moves(self, seat: int) -> list[int]:
        return self.game.legal_moves(self.state, seat)

    def refusal(self, seat: int, move: int) -> str | None:
        """Why this move may not be made now, or None if it may."""
        if seat != CHANCE and not 0 <= seat < self.seats:
            return f"there is no seat {seat}; the seats are 0 to {self.seats - 1}"
        limit = self.game.outcomes if seat == CHANCE else self.game.moves
        if not 0 <= move < limit:
            return f"there is no move {move}; moves are 0 to {limit - 1}"
        if seat == CHANCE and self._is_off_the_deal(move):
            expected = self.game.notation(CHANCE, self.deal[self._dealt])
            return (
                f"chance may not play {self.game.notation(CHANCE, move)}: the deal says {expected}"
            )
        if self.game.is_legal(self.state, seat, move):
            return None
        return self._explained(seat, move)

    # Watching

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def scores(self) -> list[int]:
        return [self.game.score(self.state, seat) for seat in range(self.seats)]

    def shown_scores(self) -> list[int | None]:
        """The scores that everyone knows, None in place of the others."""
        state, score, is_shown = self.state, self.game.score, self.game.shows_score
        return [score(state, seat) if is_shown(state, seat) else None for seat in range(self.seats)]

    def known_scores(self, viewer: int) -> list[int | None]:
        """The scores that this viewer knows: those that are shown and its own."""
        known = self.shown_scores()
        if viewer >= 0:
            known[viewer] = self.game.score(self.state, viewer)
        return known

    @property
    def winners(self) -> list[int]:
        if not self.is_over:
            return []
        return [seat for seat in range(self.seats) if self.game.wins(self.state, seat)]

    @cached_property
    def commitment(self) -> str:
        """What binds chance before the deal; "" if it has no key."""
        return "" if self.key is None else chance.commitment(self.key)

    @property
    def now(self) -> int:
        """The time of the last move in a timed game, 0 in others."""
        return int(self.state.clock) if self.game.timed else 0

    def awaited(self) -> list[int]:
        """The seats that the table waits for."""
        return [seat for seat in range(self.seats) if self.game.awaits(self.state, seat)]

    def view(self, viewer: int) -> Any:
        """The state as this viewer may see it (NOBODY for a spectator)."""
        return self.game.view(self.state, viewer)

    def told(self, viewer: int) -> list[list[int | str]]:
        """The log as it was told to this viewer: moves they could not see are marked."""
        return [[e.seat, self.written(e) if viewer in e.seen_by else UNSEEN] for e in self.log]

    def written(self, entry: Entry) -> str:
        text = self.game.notation(entry.seat, entry.move)
        return text if entry.at is None else f"{text} @{entry.at}"

    def dealt(self) -> list[str]:
        """Every chance move so far: give it to another match as its deal."""
        return [self.game.notation(CHANCE, e.move) for e in self.log if e.seat == CHANCE]

    # Files

    def to_json(self) -> dict[str, Any]:
        header: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game.slug,
            "rules": self.game.version,
            "seats": self.seats,
            "options": self.options,
        }
        if self.game.parts is not None:
            header["parts"] = self.game.parts
        if self.deal:
            header["deal"] = [self.game.notation(CHANCE, move) for move in self.deal]
        return header | {"moves": [[e.seat, self.written(e)] for e in self.log]}

    def result(self, viewer: int | None = None) -> dict[str, Any]:
        """How the match stands; to a viewer, with None for the scores that they do not know."""
        return {
            "game": self.game.slug,
            "seats": self.seats,
            "over": self.is_over,
            "scores": self.scores if viewer is None else self.known_scores(viewer),
            "winners": self.winners,
            "moves": len(self.log),
        }

    # What is behind

    def _pass_time(self, at: int | None) -> int:
        """Set the clock to `at`; return what it showed before."""
        now = self.now
        if at is not None:
            if not self.game.timed:
                raise Refused(f"{self.game.slug} has no clock, so a move in it has no time")
            if at < now:
                raise Refused(f"a move came at {at} ms, but the match is at {now} ms already")
            self.game.wait(self.state, at - now)
        return now

    def _next_outcome(self) -> int:
        if self._dealt < len(self.deal):
            return self.deal[self._dealt]
        if self.key is None:
            raise Refused("chance has neither a deal nor a key to draw from")
        outcomes = self.legal_moves(CHANCE)
        weights = [self.game.weight(self.state, outcome) for outcome in outcomes]
        return outcomes[chance.draw(self.key, len(self.log), weights)]

    def _is_off_the_deal(self, move: int) -> bool:
        return self._dealt < len(self.deal) and self.deal[self._dealt] != move

    def _explained(self, seat: int, move: int) -> str:
        who = "chance" if seat == CHANCE else f"seat {seat}"
        text = self.game.notation(seat, move)
        reason = self.game.objections[self.game.objection(self.state, seat, move)].replace("_", " ")
        return f"{who} may not play {text} now ({reason}); {self._allowed(seat)}"

    def _allowed(self, seat: int) -> str:
        moves = self.legal_moves(seat)
        if not moves:
            return "it may play nothing now"
        some = ", ".join(self.game.notation(seat, move) for move in moves[:6])
        more = f" and {len(moves) - 6} more" if len(moves) > 6 else ""
        return f"it may play {some}{more}"


def replay(data: object) -> Match:
    """Play the match that this JSON tells; Refused names the first thing that is wrong."""
    match, moves = begin(data)
    for _ in replayed(match, moves):
        pass
    expected = _object(data).get("result")
    if expected is not None:
        _check_result(match, expected)
    return match


def begin(data: object) -> tuple[Match, list[Any]]:
    """The match of this JSON before its first move, and its moves still to be played."""
    header = _object(data)
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
    if not _is_texts(deal):
        raise Refused("deal is not a list of chance moves in notation")
    moves = header.get("moves")
    if not isinstance(moves, list):
        raise Refused("moves is missing, expected a list of [seat, notation] pairs")
    return Match(game, seats, options, deal=deal), moves


def replayed(match: Match, moves: Sequence[Any]) -> Iterator[Entry]:
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
    return data


def write_text(match: Match, about: str = "") -> str:
    """The match as the text of a file, one move on a line, with its result."""
    data = ({"about": about} if about else {}) | match.to_json()
    data["result"] = _outcome(match)
    moves = ",\n".join("    " + json.dumps(m, ensure_ascii=False) for m in data.pop("moves"))
    header = "".join(f"  {json.dumps(k)}: {json.dumps(v)},\n" for k, v in data.items())
    return f'{{\n{header}  "moves": [\n{moves}\n  ]\n}}\n'


def _outcome(match: Match) -> dict[str, Any]:
    return {"over": match.is_over, "scores": match.scores, "winners": match.winners}


def _object(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise Refused("a match file is a JSON object with format, game, rules, seats and moves")
    unknown = set(data) - KEYS
    if unknown:
        raise Refused(f"a match file has no {', '.join(sorted(unknown))}")
    return data


def _check_result(match: Match, expected: object) -> None:
    found = _outcome(match)
    if expected != found:
        raise Refused(
            f"the moves lead to {json.dumps(found)}, the file says {json.dumps(expected)}"
        )


def _game(header: dict[str, Any]) -> Game:
    slug = header.get("game")
    if not isinstance(slug, str):
        raise Refused(f"game is {slug!r}, expected the name of a game")
    game = load(slug)
    return game if header.get("parts") is None else Game(slug, header["parts"])


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def _parsed(game: Game, item: object) -> tuple[int, int, int | None]:
    match item:
        case [int(seat), str(text)]:
            move, _, at = text.partition(" @")
            if at and not at.isdecimal():
                raise Refused(f"{text!r} has the time {at!r}, expected milliseconds")
            return seat, game.parse(seat, move), int(at) if at else None
    raise Refused(f"{json.dumps(item)} is not a pair of a seat and a move in notation")
