"""A match is its log: a header and moves. Replaying them gives the same state, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ludotheque.engine import chance
from ludotheque.engine.chance import Draw, Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.option import Value
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY

FORMAT = 1
HEADER = ("format", "about", "game", "rules", "seats", "options", "parts", "deal", "seeds")
KEYS = frozenset((*HEADER, "result", "moves"))
UNSEEN = "?"  # a move as those are told who may not see it


class Entry(NamedTuple):
    """One move in the log, with its time if the game is timed, and who saw which move it was."""

    seat: int
    move: int
    at: int | None
    seen_by: frozenset[int]


class Match:
    """One playing of a game: its state, its seats, its log.

    With `seeds` chance draws by itself; without them every chance move must be played, as a replay
    does. `deal` is a list of chance moves, in notation, that chance makes first: for lessons and
    deals made by hand. What it says of the opening, before any seat moves, must fit. Later, when
    people may have played otherwise than its author thought, the first move that is not legal ends
    the list and the seeds draw from there on.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, object] | None = None,
        *,
        deal: Sequence[str] = (),
        seeds: Seeds | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options: dict[str, Value] = game.complete(options or {}, seats)
        self.state = game.start(seats, self.options)
        self.log: list[Entry] = []
        self.deal = [game.parse(CHANCE, text) for text in deal]
        self.seeds = seeds
        self._dealt = 0  # chance moves made
        self._viewers = (*range(seats), NOBODY)
        if deal:
            self._check_opening()
        if seeds is not None:
            self.draw()

    # Playing

    def play(self, seat: int, move: int, at: int | None = None) -> None:
        """Make a move, then let chance answer it if it has seeds.

        This, `make` and `draw` do all of it or, whatever is raised, nothing.
        """
        before = self._mark()
        try:
            self._make(seat, move, at)
            if self.seeds is not None:
                self._draw()
        except BaseException:
            self._return_to(before)
            raise

    def make(self, seat: int, move: int, at: int | None) -> None:
        """Make this one move, chance's or a seat's, and nothing after it."""
        before = self._mark()
        try:
            self._make(seat, move, at)
        except BaseException:
            self._return_to(before)
            raise

    def draw(self, at: int | None = None) -> None:
        """Let chance act, by the deal and then by the seeds, until it waits for someone."""
        before = self._mark()
        try:
            self._pass_time(at)
            self._draw()
        except BaseException:
            self._return_to(before)
            raise

    def copy(self) -> Match:
        """A match that goes on from here by itself; what never changes is shared."""
        twin = object.__new__(Match)
        twin.__dict__ = self.__dict__ | {"state": self.state.copy(), "log": self.log[:]}
        return twin

    def legal_moves(self, seat: int) -> list[int]:
        return self.game.legal_moves(self.state, seat)

    def refusal(self, seat: int, move: int) -> str | None:
        """Why this move may not be made now, or None if it may."""
        if seat != CHANCE and not 0 <= seat < self.seats:
            return f"there is no seat {seat}; the seats are 0 to {self.seats - 1}"
        if seat == CHANCE and not self.game.has_chance:
            return f"there is no chance in {self.game.slug}"
        limit = self.game.outcomes if seat == CHANCE else self.game.moves
        if not 0 <= move < limit:
            return f"there is no move {move}; moves are 0 to {limit - 1}"
        if seat == CHANCE and self._fixed() not in (None, move):
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

    @property
    def verdict(self) -> str:
        """The key of the game's words that tells how the match ended; "" before."""
        return self.game.verdict(self.state) if self.is_over else ""

    @property
    def commitment(self) -> str:
        """What binds chance before the deal; "" if it has no seeds."""
        return "" if self.seeds is None else chance.commitment(self.seeds.server)

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

    def steps(self) -> Iterator[tuple[Any, Entry]]:
        """Every entry of the log, with the state in which it was made (copy it to keep it)."""
        game, state = self.game, self.game.start(self.seats, self.options)
        for entry in self.log:
            if entry.at is not None:
                game.wait(state, entry.at - state.clock)
            yield state, entry
            game.play(state, entry.seat, entry.move)

    def draws(self) -> list[Draw]:
        """What chance drew, in the order of the log; a move that the deal fixed has one case."""
        made = [self._drawn(state, e.move) for state, e in self.steps() if e.seat == CHANCE]
        fixed = [Draw(draw.name, 1, 0) for draw in made[: len(self.deal)]]
        return fixed + made[len(fixed) :]

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
        if self.seeds is not None and self.is_over:  # before, they would tell what is to come
            server, clients = self.seeds
            header["seeds"] = {"server": server.hex(), "clients": [c.hex() for c in clients]}
        return header | {"moves": [[e.seat, self.written(e)] for e in self.log]}

    def result(self, viewer: int | None = None) -> dict[str, Any]:
        """How the match stands; to a viewer, with None for the scores that they do not know."""
        return {
            "game": self.game.slug,
            "seats": self.seats,
            "over": self.is_over,
            "scores": self.scores if viewer is None else self.known_scores(viewer),
            "winners": self.winners,
            "verdict": self.verdict,
            "moves": len(self.log),
        }

    # What is behind

    def _mark(self) -> tuple[Any, int, list[int], int]:
        return self.state.copy(), len(self.log), self.deal, self._dealt

    def _return_to(self, mark: tuple[Any, int, list[int], int]) -> None:
        """Undo all that has happened since; the state stays the same object."""
        state, length, self.deal, self._dealt = mark
        self.state.__dict__ = state.__dict__
        del self.log[length:]

    def _make(self, seat: int, move: int, at: int | None) -> None:
        self._pass_time(at)
        refusal = self.refusal(seat, move)
        if refusal is not None:
            raise Refused(refusal)
        sees, state = self.game.sees, self.state
        seen_by = frozenset([v for v in self._viewers if sees(state, v, seat, move)])
        self.game.play(state, seat, move)
        if seat == CHANCE:
            self._count_draw(move)
        self.log.append(Entry(seat, move, self.now if self.game.timed else None, seen_by))

    def _count_draw(self, move: int) -> None:
        """Keep of the deal what chance made of it: a move that did not fit has ended it."""
        if self._dealt < len(self.deal) and self.deal[self._dealt] != move:
            self.deal = self.deal[: self._dealt]
        self._dealt += 1

    def _draw(self) -> None:
        while self.game.awaits(self.state, CHANCE):
            self._make(CHANCE, self._next_outcome(), None)

    def _pass_time(self, at: int | None) -> None:
        """Set the clock to `at`."""
        if at is not None:
            if not self.game.timed:
                raise Refused(f"{self.game.slug} has no clock, so a move in it has no time")
            if at < self.now:
                raise Refused(f"a move came at {at} ms, but the match is at {self.now} ms already")
            self.game.wait(self.state, at - self.now)

    def _next_outcome(self) -> int:
        fixed = self._fixed()
        if fixed is not None:
            return fixed
        if self.seeds is None:
            raise Refused("chance has neither a deal nor seeds to draw from")
        lots = self.game.lots(self.state)
        return lots.outcomes[chance.draw(self.seeds.key, lots.name, lots.weights)]

    def _drawn(self, state: Any, move: int) -> Draw:
        """The draw that gave this outcome: the case that the key says, or else its first one."""
        lots = self.game.lots(state)
        place, cases = lots.outcomes.index(move), sum(lots.weights)
        first = sum(lots.weights[:place])
        case = first if self.seeds is None else chance.case_of(self.seeds.key, lots.name, cases)
        gives_it = first <= case < first + lots.weights[place]
        return Draw(lots.name, cases, case if gives_it else first)

    def _fixed(self) -> int | None:
        """What the deal says that chance makes next, or None if it is free.

        Without seeds nothing could be drawn in place of a move that does not fit, so it stays.
        """
        if self._dealt >= len(self.deal):
            return None
        move = self.deal[self._dealt]
        if self.seeds is not None and not self.game.is_legal(self.state, CHANCE, move):
            return None
        return move

    def _check_opening(self) -> None:
        """Refuse a deal that does not fit what chance does before any seat moves."""
        trial = self.copy()
        trial.seeds = None  # so nothing is drawn in place of a move that does not fit
        try:
            while trial._dealt < len(trial.deal) and trial.game.awaits(trial.state, CHANCE):
                trial._make(CHANCE, trial.deal[trial._dealt], None)
        except Refused as error:
            raise Refused(f"move {trial._dealt + 1} of the deal does not fit: {error}") from None

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
    seeds = _seeds(_object(data).get("seeds"))
    for _ in replayed(match, moves):
        pass
    if seeds is not None and not match.is_over:
        raise Refused("seeds are told of a match that is not over, expected none before its end")
    match.seeds = seeds
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
