"""A state of OpenSpiel: a position of one of our matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pyspiel

from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.learn.openspiel.position import Position

TERMINAL = int(pyspiel.PlayerId.TERMINAL)
SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)
JOINT = "players choose together here; ask for the actions of each, and give one for each"

assert int(pyspiel.PlayerId.CHANCE) == CHANCE


@contextmanager
def spiel_errors() -> Iterator[None]:
    """What we refuse is raised as the error that users of OpenSpiel expect."""
    try:
        yield
    except Refused as refusal:
        raise pyspiel.SpielError(str(refusal)) from None


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        actors = self.position.actors()
        if not actors:
            return TERMINAL
        return SIMULTANEOUS if len(actors) > 1 else actors[0]

    def is_terminal(self) -> bool:
        return not self.position.actors()

    def _legal_actions(self, player: int) -> list[int]:
        if player == SIMULTANEOUS:
            raise pyspiel.SpielError(JOINT)
        position = self.position
        return position.match.legal_moves(player) if player in position.actors() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        match = self.position.match
        _, outcomes, weights = match.game.chance_outcomes(match.state)
        total = sum(weights)
        return [(o, weight / total) for o, weight in zip(outcomes, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        if player == SIMULTANEOUS:
            raise pyspiel.SpielError(JOINT)
        with spiel_errors():
            self.position.play({player: action})

    def _apply_actions(self, actions: list[int]) -> None:
        actors, seats = self.position.actors(), self.position.match.seats
        if len(actions) != seats:
            raise pyspiel.SpielError(f"there are {len(actions)} actions, expected {seats}")
        with spiel_errors():
            self.position.play({seat: actions[seat] for seat in actors})

    def returns(self) -> list[float]:
        returns: list[float] = self.get_game().returns_of(self.position.match)
        return returns

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.notation(player, action)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state drawn from those that the player cannot tell from this one."""
        rng = Random(sampler())
        with spiel_errors():
            return SpielState(self.get_game(), self.position.guess(player, rng))

    def __str__(self) -> str:
        """The moves so far."""
        game, log = self.position.game, self.position.match.log
        return " ".join(game.notation(entry.seat, entry.move) for entry in log)
