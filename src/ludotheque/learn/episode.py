"""One match as environments step it: in ticks, each a move of every awaited seat.

Chance draws from a key that the environment's seed gives. In a timed game a tick takes the game's
mean time of a move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludotheque.engine.chance import seeds_from
from ludotheque.engine.drawing import drawn
from ludotheque.engine.game import Game, load
from ludotheque.engine.layout import Layout
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.words import Words
from ludotheque.learn.rewards import checked_reward, match_rewards

LANGUAGE = "en"  # of what is rendered
LARGEST_KEY = 2**63 - 1


class Setting:
    """What every match of an environment has in common; refuses what cannot be played."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None,
        options: Mapping[str, object] | None,
        reward: str | None,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.seats = self.game.seats[0] if seats is None else seats
        self.layout = Layout(self.game, self.seats)
        chosen = self.game.playout_options | dict(options or {})
        self.options = self.game.complete(chosen, self.seats)
        self.reward = checked_reward(reward, self.game, self.seats)

    def begin(self, rng: np.random.Generator, options: Mapping[str, object] | None) -> Episode:
        """A new match that is played by these options."""
        key = seeds_from(f"learning {rng.integers(LARGEST_KEY)}")
        return Episode(self, Match(self.game, self.seats, self._with(options), seeds=key))

    def start(self, options: Mapping[str, object] | None) -> Any:
        """The state at the beginning of a match that is played by these options."""
        return self.game.start(self.seats, self._with(options))

    def _with(self, options: Mapping[str, object] | None) -> dict[str, object]:
        """Those of these options that the game has; others may be meant for a wrapper."""
        known = {name: v for name, v in (options or {}).items() if name in self.game.options}
        return {**self.options, **known}


class Episode:
    def __init__(self, setting: Setting, match: Match) -> None:
        self.setting = setting
        self.match = match
        self._dtype = np.dtype(setting.layout.dtype)
        self._wake()
        self.tick = self.match.awaited()  # the seats that are still to move in this tick

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    def observation(self, seat: int) -> Any:
        return np.array(self.setting.layout.flatten(self.match.view(seat), seat), self._dtype)

    def mask(self, seat: int) -> Any:
        """1 for every legal move of a seat that is still to move."""
        mask = np.zeros(self.match.game.moves, np.int8)
        if seat in self.tick:
            mask[self.match.legal_moves(seat)] = 1
        return mask

    def is_legal(self, seat: int, move: int) -> bool:
        return self.match.refusal(seat, move) is None

    def play(self, seat: int, move: int) -> None:
        """Play the move of a seat that is still to move in this tick; refuses illegal ones."""
        self.match.play(seat, move, self.match.now if self.match.game.timed else None)
        self.skip(seat)

    def skip(self, seat: int) -> None:
        """This seat does nothing in this tick. After the last one the next tick begins."""
        waiting = self.match.awaited()
        self.tick = [other for other in self.tick if other != seat and other in waiting]
        if not self.tick and not self.is_over:
            self._pass_time()
            self.tick = self.match.awaited()

    def rewards(self) -> list[float]:
        """What each seat is rewarded with now."""
        return match_rewards(self.setting.reward, self.match)

    def drawing(self, viewer: int = NOBODY, names: Sequence[str] = ()) -> str:
        """What a terminal shows this viewer."""
        words = Words(self.match.game, LANGUAGE)
        called = list(names) or [f"seat_{seat}" for seat in range(self.match.seats)]
        return drawn(self.match.view(viewer), viewer, words, called)

    def _pass_time(self) -> None:
        if not self.match.game.timed:
            return
        left = int(self.match.game.rules.MEAN_MOVE_MS)
        while left > 0 and not self.is_over:
            alarm = self.match.game.alarm(self.match.state)
            passed = left if alarm < 0 else min(left, alarm)
            self.match.draw(self.match.now + passed)
            left -= passed
        self._wake()

    def _wake(self) -> None:
        """Let the time pass in which nobody is awaited."""
        while not self.is_over and not self.match.awaited():
            self.match.draw(self.match.now + self.match.game.alarm(self.match.state))
