"""Gymnasium's environments: one learner in one seat, our bots in the others.

    env = gymnasium.make("ludotheque.learn:ludotheque/GameName-v1", opponents="expert")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(
        env.action_space.sample(info["action_mask"])
    )

A step is a decision of the learner and all that follows until the next one. `info["action_mask"]`
marks the legal actions; `illegal` says what others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.bots import roster
from ludotheque.bots.bot import Bot
from ludotheque.engine.game import Game
from ludotheque.learn.environment import Environment
from ludotheque.learn.episode import LARGEST_KEY, Setting
from ludotheque.learn.extra import require
from ludotheque.learn.illegal import ILLEGAL_REWARD, play_or_substitute
from ludotheque.learn.spaces import check_seat, check_usable, checked_action, observation_box

require("gymnasium")
import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402


class SeatEnv(Environment, gymnasium.Env[Any, Any]):
    """`seat` is the learner's, or None for another one in every match, drawn."""

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: str | None = None,
        options: Mapping[str, object] | None = None,
        reward: str | None = None,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(Setting(game, seats, options, reward), render_mode)
        check_seat(seat, self.setting.seats)
        self.seat = seat
        self.opponents = roster.usual(self.setting.game) if opponents is None else opponents
        roster.hire(self.opponents, self.setting.game, 0)  # refuses a level that there is not
        self.illegal_reward = illegal_reward
        self.observation_space = observation_box(self.setting.layout)
        self.action_space = spaces.Discrete(self.setting.game.moves)
        self._own = 0
        self._bots: dict[int, Bot] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        check_usable(self._is_closed, is_running=True)
        gymnasium.Env.reset(self, seed=seed)
        seats = self.setting.seats
        self._own = int(self.np_random.integers(seats)) if self.seat is None else self.seat
        self._bots = {
            seat: roster.hire(
                self.opponents, self.setting.game, seat, int(self.np_random.integers(LARGEST_KEY))
            )
            for seat in range(seats)
            if seat != self._own
        }
        self._begin(self.np_random, options)
        self._watch()
        self._let_bots_move()
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        episode = self.episode
        check_usable(self._is_closed, is_running=not episode.is_over)
        move = checked_action(action, self.setting.game.moves)
        substituted = play_or_substitute(episode, self._own, move, self.np_random)
        self._watch()
        self._let_bots_move()
        reward = episode.rewards()[self._own] + substituted * self.illegal_reward
        observation, info = self._seen()
        if self.render_mode == "human":
            self.render()
        return observation, reward, episode.is_over, False, info

    def action_masks(self) -> Any:
        """1 for every legal action, for learners that ask for the mask by this name."""
        return self.episode.mask(self._own)

    def render(self) -> Any:
        return self._drawn(self._own)

    def _let_bots_move(self) -> None:
        """Until the learner is to move, or the match is over."""
        episode = self.episode
        while not episode.is_over and episode.tick[0] != self._own:
            seat = episode.tick[0]
            view = episode.match.view(seat)
            moves = episode.match.game.legal_moves(view, seat)
            episode.play(seat, self._bots[seat].choose(view, moves))
            self._watch()

    def _watch(self) -> None:
        for seat, bot in self._bots.items():
            bot.watch(self.episode.match.view(seat))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        episode = self.episode
        info = {"action_mask": episode.mask(self._own), "seat": self._own}
        return episode.observation(self._own), info
