"""A position of a match as OpenSpiel moves through it: who acts, what each viewer was told."""

from __future__ import annotations

from random import Random
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.learn.openspiel.told import EVERYTHING, Told, begun, guessed, told_on


class Position:
    """A match without seeds, in which chance moves are played like all others.

    With `together`, seats that choose in secret choose at one node. Where everyone sees a choice at
    once, as in an open vote, the awaited seats always act one after the other.
    """

    def __init__(self, match: Match, together: bool) -> None:
        self.match = match
        self.together = together
        self._start: Any = match.game.start(match.seats, match.options)
        self._told: dict[int, Told] = {}
        self._actors: list[int] | None = None
        self._is_guess = False

    @property
    def game(self) -> Game:
        return self.match.game

    def actors(self) -> list[int]:
        """The seats that act at this node, CHANCE among them; none if the match is over."""
        if self._actors is None:
            self._actors = self._find_actors()
        return self._actors

    def _find_actors(self) -> list[int]:
        if self.match.is_over:
            return []
        if self.game.awaits(self.match.state, CHANCE):
            return [CHANCE]
        awaited = self.match.awaited()
        return awaited if self.together and self._is_sealed(awaited) else awaited[:1]

    def _is_sealed(self, awaited: list[int]) -> bool:
        """Whether the first of these seats moves without the second one seeing what."""
        if len(awaited) < 2:
            return False
        first, second = awaited[:2]
        move = self.match.legal_moves(first)[0]
        return not self.game.sees(self.match.state, second, first, move)

    def play(self, moves: dict[int, int]) -> None:
        """Make the moves of all seats that act, in the order of the seats: all of them or none."""
        match = self.match.copy()  # which clones of this position share
        for seat, move in moves.items():
            match.make(seat, move, None)
        self.match = match
        self._actors = None

    def told(self, viewer: int) -> Told:
        """What this viewer has been told; what it had been told before is not worked out again."""
        known = self._told.get(viewer)
        if known is None:
            known = begun(self.game, self._start, viewer)
        if known.place < len(self.match.log) or viewer not in self._told:
            new = self.match.log[known.place :]
            self._told[viewer] = known = told_on(self.game, known, new, viewer)
        return known

    def guess(self, viewer: int, rng: Random) -> Position:
        """A position drawn from those that the viewer, who has been told the same, may be in.

        The game's own memory of a seat draws it. It has no log: what the others were told before is
        the view that they would have.
        """
        if self._is_guess:
            raise Refused("a resampled state has no history to resample it from")
        memory = self._memory(viewer)
        for state, _ in self.match.steps():
            memory.watch(self.game.view(state, viewer))
        match = self.match.copy()
        match.state, match.log = memory.guess(self.match.view(viewer), rng), []
        other = Position(match, self.together)
        other._is_guess = True
        for each in (*range(match.seats), NOBODY, EVERYTHING):
            known = self.told(each) if each == viewer else None
            other._told[each] = guessed(self.game, match.state.copy(), each, known)
        return other

    def _memory(self, viewer: int) -> Any:
        try:
            return self.game.module("bot.memory").Memory(viewer)
        except ModuleNotFoundError:
            raise Refused(
                f"{self.game.slug} has no bot/memory.py, which would guess what a seat cannot see"
            ) from None

    def __deepcopy__(self, memo: object) -> Position:
        """OpenSpiel clones a state by deep copies of what it holds."""
        twin = object.__new__(Position)
        twin.__dict__ = self.__dict__ | {"_told": self._told.copy()}
        return twin

    def __reduce__(self) -> Any:
        """OpenSpiel serialises a state by pickling what it holds: a match is its log."""
        if self._is_guess:
            raise Refused("a resampled state has no history and cannot be serialised")
        return restored, (self.match.to_json(), self.together)


def restored(file: object, together: bool) -> Position:
    return Position(replay(file), together)
