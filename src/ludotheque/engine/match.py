"""A match is its log: a header and moves. Replaying them gives the same state, bit for bit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ludotheque.engine import chance
from ludotheque.engine.chance import Draw, Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.option import Value
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY

FORMAT = 1  # of match files; match_file.py reads them
DIGEST_BYTES = 6
HIDDEN_MOVE = "?"  # in place of a move that the viewer may not see


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
    deals made by hand. Its moves before any seat moves must be legal. Later, when people may have
    played differently than its author expected, the first move that is not legal ends the list, and
    the seeds draw from there on.
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
        self._chance_moves_made = 0
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
        before = self._snapshot()
        try:
            self._make(seat, move, at)
            if self.seeds is not None:
                self._draw()
        except BaseException:
            self._restore(before)
            raise

    def make(self, seat: int, move: int, at: int | None) -> None:
        """Make this one move, chance's or a seat's, and nothing after it."""
        before = self._snapshot()
        try:
            self._make(seat, move, at)
        except BaseException:
            self._restore(before)
            raise

    def draw(self, at: int | None = None) -> None:
        """Let chance act, by the deal and then by the seeds, until it waits for someone."""
        before = self._snapshot()
        try:
            self._pass_time(CHANCE, at)
            self._draw()
        except BaseException:
            self._restore(before)
            raise

    def copy(self) -> Match:
        """A match that goes on from here by itself; what never changes is shared."""
        twin = object.__new__(Match)
        twin.__dict__ = self.__dict__ | {"state": self.state.copy(), "log": self.log[:]}
        return twin

    def legal_moves(self, seat: int) -> list[int]:
        return self.game.legal_moves(self.state, seat)

    def refusal(self, seat: int, move: int) -> Refused | None:
        """Why this move may not be made now, or None if it may."""
        if seat != CHANCE and not 0 <= seat < self.seats:
            return Refused(f"there is no seat {seat}; the seats are 0 to {self.seats - 1}")
        if seat == CHANCE and not self.game.has_chance:
            return Refused(f"there is no chance in {self.game.slug}")
        limit = self.game.outcomes if seat == CHANCE else self.game.moves
        if not 0 <= move < limit:
            return Refused(f"there is no move {move}; moves are 0 to {limit - 1}")
        fixed = self._fixed() if seat == CHANCE else None
        if fixed is not None and fixed != move:
            made, expected = self.game.notation(CHANCE, move), self.game.notation(CHANCE, fixed)
            return Refused(f"chance may not play {made}: the deal says {expected}")
        if self.game.is_legal(self.state, seat, move):
            return None
        return self._illegal(seat, move)

    # Watching

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def scores(self) -> list[int]:
        return [self.game.score(self.state, seat) for seat in range(self.seats)]

    def shown_scores(self) -> list[int | None]:
        """The scores that everyone knows, None in place of the others."""
        return self.game.shown_scores(self.state)

    def known_scores(
        self, viewer: int, shown: Sequence[int | None] | None = None
    ) -> list[int | None]:
        """The scores that this viewer knows: those that are shown, and their own.

        To ask for several viewers, find the `shown_scores` once and give them.
        """
        return self.game.known_scores(self.state, viewer, shown)

    @property
    def winners(self) -> list[int]:
        if not self.is_over:
            return []
        return [seat for seat in range(self.seats) if self.game.wins(self.state, seat)]

    @property
    def shares(self) -> list[float]:
        """The share of each seat in the victory: 1 divided among the winners."""
        winners = self.winners
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.seats)]

    @property
    def verdict(self) -> str:
        """The key of the game's words that tells how the match ended; "" before."""
        return self.game.verdict(self.state) if self.is_over else ""

    def digest(self) -> str:
        """A few letters that differ if the state does, or what the rules say of it.

        Fields that are blank do not count, nor do options: a later version of the game may have
        more of either, and its matches stand as they stood.
        """
        held = {name: value for name, value in vars(self.state).items() if _holds_something(value)}
        fields = sorted((name, value) for name, value in held.items() if name not in self.options)
        told = [fields, self.scores, self.winners, self.verdict]
        return hashlib.blake2b(json.dumps(told).encode(), digest_size=DIGEST_BYTES).hexdigest()

    @property
    def commitment(self) -> str:
        """The commitment to the server seed; "" without seeds."""
        return "" if self.seeds is None else chance.commitment(self.seeds.server)

    @property
    def now(self) -> int:
        """The time of the last move in a timed game, 0 in others."""
        return int(self.state.clock) if self.game.timed else 0

    def earliest(self, seat: int) -> int:
        """The earliest time that a move of this seat may bear: in a race it may have come late."""
        if not self.game.race or seat == CHANCE:
            return self.now
        times = (e.at for e in reversed(self.log) if e.seat in (seat, CHANCE))
        return next(times, None) or 0

    def awaited(self) -> list[int]:
        """The seats that the table waits for."""
        return [seat for seat in range(self.seats) if self.game.awaits(self.state, seat)]

    def view(self, viewer: int) -> Any:
        """The state as this viewer may see it (NOBODY for a spectator)."""
        return self.game.view(self.state, viewer)

    def visible_log(self, viewer: int) -> list[list[int | str]]:
        """The log as this viewer may see it: a hidden move is HIDDEN_MOVE."""
        return [
            [e.seat, self._entry_text(e) if viewer in e.seen_by else HIDDEN_MOVE] for e in self.log
        ]

    def _entry_text(self, entry: Entry) -> str:
        text = self.game.notation(entry.seat, entry.move)
        return text if entry.at is None else f"{text} @{entry.at}"

    def chance_moves(self) -> list[str]:
        """Every chance move so far, in notation: another match can have them as its deal."""
        return [self.game.notation(CHANCE, e.move) for e in self.log if e.seat == CHANCE]

    def steps(self) -> Iterator[tuple[Any, Entry]]:
        """Every entry of the log, with the state in which it was made (copy it to keep it)."""
        game, state = self.game, self.game.start(self.seats, self.options)
        for entry in self.log:
            late = set_clock(game, state, entry.at)
            yield state, entry
            game.play(state, entry.seat, entry.move)
            game.wait(state, late)

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
        if self.seeds is not None and self.is_over:  # earlier they would reveal what is to come
            server, clients = self.seeds
            header["seeds"] = {"server": server.hex(), "clients": [c.hex() for c in clients]}
        return header | {"moves": [[e.seat, self._entry_text(e)] for e in self.log]}

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

    # Internals

    def _snapshot(self) -> tuple[Any, int, list[int], int]:
        return self.state.copy(), len(self.log), self.deal, self._chance_moves_made

    def _restore(self, snapshot: tuple[Any, int, list[int], int]) -> None:
        """Undo all that has happened since; the state stays the same object."""
        state, length, self.deal, self._chance_moves_made = snapshot
        self.state.__dict__ = state.__dict__
        del self.log[length:]

    def _make(self, seat: int, move: int, at: int | None) -> None:
        late = self._pass_time(seat, at)
        refusal = self.refusal(seat, move)
        if refusal is not None:
            raise refusal
        sees, state = self.game.sees, self.state
        seen_by = frozenset([v for v in self._viewers if sees(state, v, seat, move)])
        self.game.play(state, seat, move)
        if seat == CHANCE:
            self._count_draw(move)
        self.log.append(Entry(seat, move, self.now if self.game.timed else None, seen_by))
        self.game.wait(state, late)

    def _count_draw(self, move: int) -> None:
        """Count a chance move; one that differs from the deal ends the deal there."""
        if self._chance_moves_made < len(self.deal) and self.deal[self._chance_moves_made] != move:
            self.deal = self.deal[: self._chance_moves_made]
        self._chance_moves_made += 1

    def _draw(self) -> None:
        while self.game.awaits(self.state, CHANCE):
            self._make(CHANCE, self._next_outcome(), None)

    def _pass_time(self, seat: int, at: int | None) -> int:
        """Set the clock to `at`, when this seat moves; by how much that is back."""
        if at is not None:
            if not self.game.timed:
                raise Refused(f"{self.game.slug} has no clock; leave the time of the move out")
            if at < self.now and at < (earliest := self.earliest(seat)):
                raise Refused(f"a move came at {at} ms, but the match is at {earliest} ms already")
        return set_clock(self.game, self.state, at)

    def _next_outcome(self) -> int:
        fixed = self._fixed()
        if fixed is not None:
            return fixed
        if self.seeds is None:
            raise Refused(
                "chance has neither a deal nor seeds to draw from; play its move, or give seeds"
            )
        return self.game.chance_outcomes(self.state).draw(self.seeds.key)

    def _drawn(self, state: Any, move: int) -> Draw:
        """The draw that gave this outcome: the case that the key says, or else its first one."""
        name, outcomes, weights = self.game.chance_outcomes(state)
        place, cases = outcomes.index(move), sum(weights)
        first = sum(weights[:place])
        case = first if self.seeds is None else chance.case_of(self.seeds.key, name, cases)
        gives_it = first <= case < first + weights[place]
        return Draw(name, cases, case if gives_it else first)

    def _fixed(self) -> int | None:
        """What the deal says that chance makes next, or None if it is free.

        Without seeds nothing could be drawn in place of a move that does not fit, so it stays.
        """
        if self._chance_moves_made >= len(self.deal):
            return None
        move = self.deal[self._chance_moves_made]
        if self.seeds is not None and not self.game.is_legal(self.state, CHANCE, move):
            return None
        return move

    def _check_opening(self) -> None:
        """Refuse a deal that does not fit what chance does before any seat moves."""
        trial = self.copy()
        try:
            while trial._chance_moves_made < len(trial.deal) and trial.game.awaits(
                trial.state, CHANCE
            ):
                trial._make(CHANCE, trial.deal[trial._chance_moves_made], None)
        except Refused as error:
            raise Refused(
                f"move {trial._chance_moves_made + 1} of the deal does not fit: {error}"
            ) from None

    def _illegal(self, seat: int, move: int) -> Refused:
        who = "chance" if seat == CHANCE else f"seat {seat}"
        text = self.game.notation(seat, move)
        reason = self.game.objections[self.game.objection(self.state, seat, move)]
        why = reason.replace("_", " ")
        return Refused(f"{who} may not play {text} now ({why}); {self._allowed(seat)}", reason)

    def _allowed(self, seat: int) -> str:
        moves = self.legal_moves(seat)
        if not moves:
            return "it may play nothing now"
        some = ", ".join(self.game.notation(seat, move) for move in moves[:6])
        more = f" and {len(moves) - 6} more" if len(moves) > 6 else ""
        return f"it may play {some}{more}"


def set_clock(game: Game, state: Any, at: int | None) -> int:
    """Set the clock to the time of a move, if it has one.

    In a race that may turn it back. Returns the milliseconds to wait after the move, so that the
    clock shows again what it showed.
    """
    if at is None:
        return 0
    passed: int = at - state.clock
    game.wait(state, passed)
    return max(0, -passed)


def _holds_something(value: int | list[Any]) -> bool:
    """Whether a field of a state, a number, a row or a grid, is anything but zeros."""
    return any(map(_holds_something, value)) if isinstance(value, list) else value != 0
