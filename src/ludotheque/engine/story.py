"""What happened in a match, told once: as facts, to one viewer.

A game's story.py defines

    tell(before, seat, move, after) -> list[Fact]

from two views of one viewer and the move between them, which is None if the viewer did not see it.
So a story cannot leak: it is a function of what its viewer has anyway. The board plays the facts,
the history keeps them, the live region speaks them, the terminal prints them.

It may also define

    is_told(before, seat, move) -> bool   on the state itself: False where nobody is told anything,
                                          so that no views are made for it
    chapter(view) -> int                  the round, deal or hand that a fact belongs to; 0 for none
    is_turn(seat, move) -> bool           instead of that, where the state does not count rounds:
                                          whether a seat has had its turn; a round is one of each
    decided(facts, end) -> Decided        what decided a match that is over, in one sentence: from
                                          all its facts, each with its chapter, and its last state
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ludotheque.engine.game import Game
from ludotheque.engine.match import Entry, Match, set_clock
from ludotheque.engine.seats import CHANCE

# What sort of thing happened, whatever the game: how it is shown and how long.
KINDS = (
    "begin",  # what the next round is about
    "reveal",  # hidden cards are turned up
    "cancel",  # cards that count no more
    "award",  # somebody gets something good
    "penalty",  # somebody gets something bad
    "carry",  # nobody gets it
    "turn",  # one card is turned over
    "place",  # something is laid or put
    "gain",  # a row or a layer is complete
    "loss",  # something is lost
    "call",  # somebody ends a race
    "verdict",  # whether it was right
    "score",  # points are written down
    "vote",  # somebody proposes, agrees or refuses
    "warning",  # something is about to end
    "move",  # what somebody did, where a game has no story of its own: told at once
    "note",  # only the history keeps it: it is neither shown nor spoken
)


class Fact(NamedTuple):
    """One thing that happened.

    `key` is one of [story] in the game's words, `values` fill it in: `seat` and `seats` stand for
    players, `by_seat` for a list of pairs of a player and a text. A fact that is not lasting is
    left out of the history while the match runs, because the sheet makes it the players' business
    to remember it.
    """

    kind: str
    key: str
    values: dict[str, Any]
    lasting: bool = True


class Decided(NamedTuple):
    """What decided a match: a key of [decided] in the game's words, filled in as a fact is."""

    key: str
    values: dict[str, Any]


class Step(NamedTuple):
    """One entry of the log as a viewer is told it: the facts, and the match after it."""

    place: int
    chapter: int
    facts: list[Fact]
    view: Any
    scores: list[int | None]


class Story:
    """Tells a match to its viewers as it goes on, from its beginning or from where it is now."""

    def __init__(self, match: Match, *, from_now: bool = False) -> None:
        game = match.game
        self._game = game
        self._module = story_module(game)
        self._state = match.state.copy() if from_now else game.start(match.seats, match.options)
        self.place = len(match.log) if from_now else 0  # entries told
        self._turns = sum(_is_turn(self._module, entry) for entry in match.log[: self.place])

    def go_on(self, match: Match, viewers: set[int]) -> dict[int, list[Step]]:
        """What each of these viewers is told of the entries since the last call."""
        told: dict[int, list[Step]] = {viewer: [] for viewer in viewers}
        game, state = self._game, self._state
        views: dict[int, Any] = {}  # of the state as it is, where they are known
        for entry in match.log[self.place :]:
            late = set_clock(game, state, entry.at)
            if entry.at is not None:
                views = {}
            if not viewers or not _is_told(self._module, state, entry):
                game.play(state, entry.seat, entry.move)
                game.wait(state, late)
                views = {}
            else:
                before = views or self._views(viewers)
                game.play(state, entry.seat, entry.move)
                game.wait(state, late)
                views = self._views(viewers)
                for viewer in viewers:
                    step = self._step(entry, viewer, before[viewer], views[viewer])
                    if step.facts:
                        told[viewer].append(step)
            self.place += 1
            self._turns += _is_turn(self._module, entry)
        return told

    def facts(self, match: Match, viewer: int) -> list[Fact]:
        """What one viewer is told of the entries since the last call, without the views."""
        return [fact for step in self.go_on(match, {viewer})[viewer] for fact in step.facts]

    def _views(self, viewers: set[int]) -> dict[int, Any]:
        return {viewer: self._game.view(self._state, viewer) for viewer in viewers}

    def _step(self, entry: Entry, viewer: int, before: Any, after: Any) -> Step:
        move = entry.move if viewer in entry.seen_by else None
        facts = self._module.tell(before, entry.seat, move, after)
        scores = self._game.known_scores(self._state, viewer)
        chapter = _chapter(self._module, after, self._turns)
        return Step(self.place, chapter, facts, after, scores)


def history(match: Match, viewer: int) -> Iterator[tuple[int, Fact]]:
    """What the history of a match keeps for this viewer, each fact with its chapter.

    When the match is over nothing is hidden and nothing has to be remembered any more.
    """
    if match.is_over:
        yield from told(match, None)
        return
    for chapter, fact in _facts(match, viewer):
        if fact.lasting:
            yield chapter, fact


def told(match: Match, viewer: int | None) -> Iterator[tuple[int, Fact]]:
    """What a viewer was told while the match went on, each fact with its chapter.

    It is None for one who may know everything from the start.
    """
    return ((chapter, fact) for chapter, fact in _facts(match, viewer) if fact.kind != "note")


def _facts(match: Match, viewer: int | None) -> Iterator[tuple[int, Fact]]:
    game, module, turns = match.game, story_module(match.game), 0
    state = game.start(match.seats, match.options)
    for entry in match.log:
        late = set_clock(game, state, entry.at)
        is_told = _is_told(module, state, entry)
        before = _seen(game, state, viewer) if is_told else None
        game.play(state, entry.seat, entry.move)
        if is_told:
            move = entry.move if viewer is None or viewer in entry.seen_by else None
            after = _seen(game, state, viewer)
            for fact in module.tell(before, entry.seat, move, after):
                yield _chapter(module, after, turns), fact
        game.wait(state, late)
        turns += _is_turn(module, entry)


def _seen(game: Game, state: Any, viewer: int | None) -> Any:
    return state.copy() if viewer is None else game.view(state, viewer)


def decided(match: Match, told: list[tuple[int, Fact]]) -> Decided | None:
    """What decided a match that is over, of its history; None if the game does not say."""
    tell = story_module(match.game).decided
    return None if tell is None else tell(told, match.state)


def lead_taken(gains: Sequence[Sequence[int]], winner: int) -> int:
    """The place in `gains`, points by round and seat, from which on the winner led for good.

    It is −1 if the winner does not lead alone at the end.
    """
    totals, taken = [0] * len(gains[0]), -1
    for place, gain in enumerate(gains):
        totals = [total + points for total, points in zip(totals, gain, strict=True)]
        leads = all(totals[winner] > t for seat, t in enumerate(totals) if seat != winner)
        taken = -1 if not leads else place if taken < 0 else taken
    return taken


def story_module(game: Game) -> Any:
    """The game's story.py, or one that tells each move by itself."""
    if not (game.folder / "story.py").exists():
        return _PlainStory(game)
    return _WithDefaults(game.names_of(game.module("story")))


class _WithDefaults:
    def __init__(self, names: dict[str, Any]) -> None:
        self.tell = names["tell"]
        self.is_told = names.get("is_told")
        self.chapter = names.get("chapter", lambda view: 0)
        self.is_turn = names.get("is_turn")
        self.decided = names.get("decided")


class _PlainStory:
    """For a game without a story.py: every move that a viewer saw is a fact."""

    is_told = None
    is_turn = None
    decided = None

    def __init__(self, game: Game) -> None:
        self._game = game

    def tell(self, before: Any, seat: int, move: int | None, after: Any) -> list[Fact]:
        if move is None:
            return []
        key, values = self._game.move_words(seat, move)
        section = "outcomes" if seat == CHANCE else "moves"
        return [Fact("move", f"{section}.{key}", values | {"seat": seat})]

    def chapter(self, view: Any) -> int:
        return 0


def _is_turn(module: Any, entry: Entry) -> bool:
    return module.is_turn is not None and module.is_turn(entry.seat, entry.move)


def _chapter(module: Any, after: Any, turns: int) -> int:
    """The chapter of an entry, by how many turns each seat has had before it."""
    if module.is_turn is not None:
        return turns // int(after.seats) + 1
    number: int = module.chapter(after)
    return number


def _is_told(module: Any, state: Any, entry: Entry) -> bool:
    return module.is_told is None or module.is_told(state, entry.seat, entry.move)
