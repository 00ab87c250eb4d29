"""A game is one folder, found by looking; nothing else names it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from ludotheque.engine import rulebook
from ludotheque.engine.bits import numbers
from ludotheque.engine.box import Box, read_box
from ludotheque.engine.chance import ChanceOutcomes
from ludotheque.engine.discovery import explained, place_of, places
from ludotheque.engine.option import Option, Value
from ludotheque.engine.record import Record
from ludotheque.engine.refused import Refused
from ludotheque.engine.scope import cloned, functions_of, shared_scope
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.text import read_words

VERDICTS = ("won", "shared", "nobody")  # how a match ended, where a game says no more
SOLO = "solo"  # of a match that one player played alone, against nobody
LANGUAGES = ("fr", "en", "de")


class Game:
    """One game's rules, words and notation, loaded from its folder.

    `parts` replaces the cards or boxes of the folder by a host's own: the JSON of a file that the
    game's parts.py understands.
    """

    def __init__(self, slug: str, parts: object = None) -> None:
        self.slug = slug
        self.parts = parts
        self.package, self.folder = place_of(slug)
        self.rules = importlib.import_module(f"{self.package}.rules")
        self.State: type[Record] = self.rules.State
        self.version: int = self.rules.VERSION
        self.seats: range = self.rules.SEATS
        self.moves: int = self.rules.MOVES
        self.outcomes: int = getattr(self.rules, "OUTCOMES", 0)
        self.max_match_moves: int = self.rules.MAX_MATCH_MOVES
        self.options: dict[str, Option] = {o.name: o for o in getattr(self.rules, "OPTIONS", ())}
        self.objections: tuple[str, ...] = getattr(self.rules, "OBJECTIONS", ("", "not_now"))
        self.playout_options: dict[str, Value] = dict(getattr(self.rules, "PLAYOUT_OPTIONS", {}))
        self.unlisted_moves: int = getattr(self.rules, "UNLISTED_MOVES", 0)
        self.team: bool = getattr(self.rules, "TEAM", False)
        self.scores: range | None = getattr(self.rules, "SCORES", None)
        self.timed = "clock" in self.State.FIELDS
        self.race: bool = self.timed and getattr(self.rules, "RACE", False)
        self.tables: dict[str, Any] = {} if parts is None else self._tables(parts)
        scope = self._scope = shared_scope(self, lambda function: function)
        self.setup: Callable[[Any], None] = scope["setup"]
        self.awaits: Callable[[Any, int], bool] = scope["awaits"]
        self.is_legal: Callable[[Any, int, int], bool] = scope["is_legal"]
        self.play: Callable[[Any, int, int], None] = scope["play"]
        self.is_over: Callable[[Any], bool] = scope["is_over"]
        self.score: Callable[[Any, int], int] = scope["score"]
        self.wins: Callable[[Any, int], bool] = scope["wins"]
        self.hide: Callable[[Any, int], None] = scope["hide"]
        self.sees: Callable[[Any, int, int, int], bool] = scope["sees"]
        self.shows_score: Callable[[Any, int], bool] = scope["shows_score"]
        self.weight: Callable[[Any, int], int] = scope["weight"]
        self.draw_name: Callable[[Any], int] = scope["draw_name"]
        self.objection: Callable[[Any, int, int], int] = scope["objection"]
        self.wait: Callable[[Any, int], None] = scope["wait"]
        self.alarm: Callable[[Any], int] = scope["alarm"]
        self._list_moves: Callable[[Any, int, list[int]], int] = scope["legal_moves"]
        self._legal_bits: Callable[[Any, int], int] = scope["legal_bits"]
        self._has_bits: bool = scope["HAS_BITS"]

    def __repr__(self) -> str:
        return f"Game({self.slug!r})"

    @property
    def has_chance(self) -> bool:
        return self.outcomes > 0

    @property
    def has_hints(self) -> bool:
        """Whether the game's strongest player gives advice: there are words for its reasons."""
        return "hints" in self.words[LANGUAGES[0]]

    @cached_property
    def words(self) -> dict[str, Any]:
        """Every word a player reads, by language."""
        return read_words(self.folder / "words.toml")

    @cached_property
    def box(self) -> Box:
        """For whom it is, how long it takes, and how many usually play it."""
        return read_box(self.folder, self.seats)

    def module(self, name: str) -> ModuleType:
        """Another module of the game's folder: notation, terminal, checks, bot."""
        return importlib.import_module(f"{self.package}.{name}")

    @cached_property
    def _notation(self) -> ModuleType:
        return self.module("notation")

    @cached_property
    def _notes(self) -> Callable[[Game, Any, int], dict[str, Any]] | None:
        return getattr(self._notation, "notes", None)

    def start(self, seats: int, options: Mapping[str, object] | None = None) -> Any:
        """The state at the beginning of a match; refuses seats and options the game has not."""
        state = self.State()
        state.__dict__["seats"] = self._checked_seats(seats)
        for name, value in self.complete(options or {}, seats).items():
            state.__dict__[name] = self.options[name].encode(value)
        self.setup(state)
        return state

    def complete(self, options: Mapping[str, object], seats: int) -> dict[str, Value]:
        """All options of the game with their values, those not given at their defaults."""
        for name in options:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise Refused(f"{self.slug} has no option {name!r}; its options are: {known}")
        try:
            return {
                name: option.decode(option.encode(options.get(name, option.default), seats))
                for name, option in self.options.items()
            }
        except ValueError as error:
            raise Refused(f"{self.slug}: {error}") from None

    def restored_options(self, stored: Mapping[str, Value]) -> dict[str, Value]:
        """Options that an earlier version of the rules may have stored, as they are read now."""
        return {**stored, **{name: o.restore(stored) for name, o in self.options.items()}}

    def refuse_replay_options(self, options: Mapping[str, object]) -> None:
        """Refuse what only a replay of an earlier match sets: a fresh match may not ask for it."""
        for name, value in options.items():
            if name in self.options and self.options[name].is_of_replay(value):
                raise Refused(
                    f"{self.slug}: option {name} is {value!r}, "
                    "which only playing an earlier deal again can set"
                )

    def replay_options(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """Of these options, those that a replay sets and a host may not change."""
        return {name: value for name, value in options.items() if self.options[name].of_replay}

    def fresh_options(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """These options without what only a replay sets."""
        known = self.options
        return {
            name: known[name].default if known[name].is_of_replay(value) else value
            for name, value in options.items()
        }

    def options_again(
        self, options: Mapping[str, Value], best_score: int, is_same_team: bool
    ) -> dict[str, Value]:
        """The options for another match on a deal that was played with these.

        A game's rematch.py may change them by the best score so far, and by whether the same
        people play again.
        """
        if not (self.folder / "rematch.py").exists():
            return dict(options)
        again: dict[str, Value] = self.module("rematch").options_again(
            options, best_score, is_same_team
        )
        return again

    def legal_moves(self, state: Any, seat: int) -> list[int]:
        most = self.moves if seat >= 0 else self.outcomes
        if self._has_bits and most <= rulebook.MAX_LEGAL_BITS:  # one question instead of one a move
            return list(numbers(self._legal_bits(state, seat)))
        moves = [0] * most
        return moves[: self._list_moves(state, seat, moves)]

    def chance_outcomes(self, state: Any) -> ChanceOutcomes:
        """What chance may draw in a state in which it is awaited."""
        outcomes = self.legal_moves(state, CHANCE)
        weights = [self.weight(state, outcome) for outcome in outcomes]
        return ChanceOutcomes(self.draw_name(state), outcomes, weights)

    def view(self, state: Any, viewer: int) -> Any:
        """A copy of the state with everything removed that this viewer may not know."""
        view = state.copy()
        self.hide(view, viewer)
        return view

    def shown_scores(self, state: Any) -> list[int | None]:
        """The scores that everyone knows, None in place of the others."""
        score, is_shown = self.score, self.shows_score
        return [score(state, s) if is_shown(state, s) else None for s in range(state.seats)]

    def known_scores(
        self, state: Any, viewer: int, shown: Sequence[int | None] | None = None
    ) -> list[int | None]:
        """The scores that this viewer knows: those that are shown, and their own."""
        known = list(self.shown_scores(state) if shown is None else shown)
        if viewer >= 0:
            known[viewer] = self.score(state, viewer)
        return known

    def notation(self, seat: int, move: int) -> str:
        notation = self._notation
        text: str = notation.outcome_text(move) if seat == CHANCE else notation.move_text(move)
        return text

    def prompt(self, view: Any, seat: int) -> str:
        """The key of what this seat is asked to do in its view."""
        key: str = self._notation.prompt(view, seat)
        return key

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The keys that `verdict` may give: [results] of words.toml holds them all."""
        may_be_alone = 1 in self.seats and not self.team
        usual = (*VERDICTS, SOLO) if may_be_alone else VERDICTS
        verdicts: tuple[str, ...] = getattr(self._notation, "VERDICTS", usual)
        return verdicts

    def is_contest(self, seats: int) -> bool:
        """Whether a match can be won: a player alone, unless in a team game, beats nobody."""
        return self.team or seats > 1

    def verdict(self, state: Any) -> str:
        """The key of [results] that tells how a match that is over has ended."""
        told: Callable[[Game, Any], str] | None = getattr(self._notation, "verdict", None)
        if told is not None:
            return told(self, state)
        if not self.is_contest(state.seats):
            return SOLO
        winners = sum(self.wins(state, seat) for seat in range(state.seats))
        return "nobody" if winners == 0 else "won" if winners == 1 else "shared"

    def rule(self, name: str) -> Any:
        """A function or a table of the rules, with the cards and boxes of this game."""
        return self._scope[name]

    def names_of(self, module: ModuleType) -> dict[str, Any]:
        """What a module of the game's folder defines, made to use this game's cards and boxes."""
        if self.parts is None:
            return vars(module)
        rules = vars(self.rules)
        scope = {
            name: self._scope.get(name, value) if value is rules.get(name) else value
            for name, value in vars(module).items()
        }
        scope |= {name: cloned(each, scope) for name, each in functions_of(module).items()}
        return scope

    def notes(self, view: Any, viewer: int) -> dict[str, Any]:
        """What the rules say of a view beyond its fields, for a board to show; often nothing."""
        return {} if self._notes is None else self._notes(self, view, viewer)

    def breakdown(self, state: Any, seat: int) -> list[tuple[str, int, int]]:
        """What the score of a seat is made of, where the game says: keys of [breakdown], each with
        how many of it there are and the points that they bring."""
        told: Callable[[Game, Any, int], list[tuple[str, int, int]]] | None = getattr(
            self._notation, "breakdown", None
        )
        return [] if told is None else told(self, state, seat)

    def move_words(self, seat: int, move: int) -> tuple[str, dict[str, Any]]:
        """Which of the words tell this move: a key of [moves], or of [outcomes] for chance."""
        notation = self._notation
        told: tuple[str, dict[str, Any]] = (
            notation.outcome_words(move) if seat == CHANCE else notation.move_words(move)
        )
        return told

    def parse(self, seat: int, text: str) -> int:
        """The move that this text stands for."""
        known = self._outcome_numbers if seat == CHANCE else self._move_numbers
        if seat == CHANCE and not self.has_chance:
            raise Refused(f"{text!r} is not an outcome: there is no chance in {self.slug}")
        if text not in known:
            examples = ", ".join(list(known)[:3])
            kind = "an outcome of chance" if seat == CHANCE else "a move"
            raise Refused(
                f"{text!r} is not {kind} in {self.slug}; such are written like {examples}"
            )
        return known[text]

    @cached_property
    def _move_numbers(self) -> dict[str, int]:
        return {self.notation(0, move): move for move in range(self.moves)}

    @cached_property
    def _outcome_numbers(self) -> dict[str, int]:
        return {self.notation(CHANCE, move): move for move in range(self.outcomes)}

    def _checked_seats(self, seats: int) -> int:
        if seats not in self.seats:
            first, last = self.seats[0], self.seats[-1]
            fitting = f"{first} to {last}" if first < last else f"{first}"
            raise Refused(f"{self.slug} is for {fitting} seats, not {seats}")
        return seats

    def _tables(self, parts: object) -> dict[str, Any]:
        if not (self.folder / "parts.py").exists():
            raise Refused(f"{self.slug} has no cards or boxes that a host could replace")
        try:
            tables = self.module("parts").read(parts)
        except ValueError as error:
            raise Refused(f"{self.slug}: {error}") from None
        return {name.upper(): value for name, value in tables._asdict().items()}


def slugs() -> tuple[str, ...]:
    """The games there are, in alphabetical order."""
    return tuple(places())


def loadable() -> Iterator[Game]:
    """The games that can be loaded; `ludotheque check` tells why another one cannot."""
    for slug in slugs():
        try:
            game = load(slug)
        except Refused:
            continue
        yield game


@cache
def load(slug: str) -> Game:
    """The game of that name, read once."""
    folder = place_of(slug).folder
    try:
        return Game(slug)
    except Refused:
        raise
    except Exception as error:  # whatever a rules.py may do when it is imported
        raise Refused(
            f"{slug} cannot be loaded: {explained(error, folder)}; "
            f"`ludotheque check {slug}` lists what is wrong"
        ) from error
