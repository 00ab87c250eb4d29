"""Gymnasium's vector environments on compiled rules: one learner a match, the others at random.

    envs = gymnasium.make_vec(f"ludotheque.learn:ludotheque/{name}-v1", num_envs=4096, seats=2)
    observations, infos = envs.reset(seed=7)
    observations, rewards, terminations, truncations, infos = envs.step(envs.random_actions())

Both autoreset modes are there: with NEXT_STEP a step after the end starts the next match and reads
no action; with SAME_STEP it has started already, and infos["final_obs"] holds the last observation
where infos["_final_obs"] says so. `illegal` says what an illegal action does.

infos["action_mask"] has a row for each match. Of a game whose moves are tried rather than listed
it marks the listed ones alone, from `unlisted_moves` on. `copy=False` hands out the arrays
themselves, which the next step writes again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludotheque.bots.roster import CHAOTIC
from ludotheque.engine import kernels
from ludotheque.engine.batch import kernel_modules
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused
from ludotheque.learn import seat_stepping
from ludotheque.learn.episode import LARGEST_KEY, Setting
from ludotheque.learn.extra import require
from ludotheque.learn.illegal import ILLEGAL_REWARD
from ludotheque.learn.rewards import final_rewards
from ludotheque.learn.spaces import check_seat, check_usable, observation_box

require("gymnasium")
from gymnasium import spaces  # noqa: E402
from gymnasium.error import InvalidAction  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`seat` is the learner's, or None: then in match i it is seat i % seats."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: str = CHAOTIC,
        options: Mapping[str, object] | None = None,
        reward: str | None = None,
        illegal_reward: float = ILLEGAL_REWARD,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        first: int = 0,
        copy: bool = True,
    ) -> None:
        self.setting = setting = Setting(game, seats, options, reward)
        check_seat(seat, setting.seats)
        if opponents != CHAOTIC:
            raise Refused(
                f"in a vector environment the others are {CHAOTIC!r}, not {opponents!r}; "
                'make_vec(…, vectorization_mode="sync") plays against any bot'
            )
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode not in MODES:
            names = ", ".join(mode.value for mode in MODES)
            raise Refused(f"autoreset mode {self.autoreset_mode.value}: the modes are {names}")
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_box(setting.layout)
        self.single_action_space = spaces.Discrete(setting.game.moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.illegal_reward = illegal_reward
        self._first = first
        self._copy = copy
        self._is_running = False
        self._all = np.ones(num_envs, np.bool_)
        numbers = np.arange(num_envs)
        self._allocate(numbers % setting.seats if seat is None else numbers * 0 + seat)

    def _allocate(self, owns: Any) -> None:
        game, layout, count = self.setting.game, self.setting.layout, self.num_envs
        start = self.setting.start(None)
        around = (*kernel_modules(game), seat_stepping)
        self._kernels = kernels.compiled(game, around=around)
        self._owns = kernels.padded((count,), np.int64)
        self._owns[:] = owns
        self._start = kernels.blank(game, 1, start)
        self._view = kernels.blank(game, 1, start)
        self._states = kernels.blank(game, count, start)
        self._streams = kernels.padded((count,), np.int64)
        self._scratch = kernels.padded((max(game.moves, game.outcomes),), np.int64)
        self._masks = kernels.padded((count, game.moves - game.unlisted_moves), np.int8)
        self._marked = kernels.padded((count, kernels.marked_sets(game)), np.int64)
        self._choices = kernels.padded((count,), np.int64)
        self._finished = kernels.padded((count,), np.int8)
        self._substituted = kernels.padded((count,), np.int8)
        self._points = kernels.padded((count, self.setting.seats), np.int64)
        self._shares = kernels.padded((count, self.setting.seats), np.float64)
        self._observations = kernels.padded((count, layout.size), layout.dtype)
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        self._finals = kernels.padded((count if same_step else 0, layout.size), layout.dtype)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """One seed for all matches: match n of a seed is the same in every environment."""
        check_usable(self.closed, is_running=True)
        if isinstance(seed, list):
            raise Refused("a list of seeds is not needed: give one, and each match has its own")
        super().reset(seed=seed)
        self.setting.start(options).store(self._start[0])
        self._finished[:] = 0
        self._kernels["open_seats"](
            self._start,
            int(self.np_random.integers(LARGEST_KEY)),
            self._first,
            self._owns,
            self._states,
            self._streams,
            self._scratch,
            self._masks,
            self._marked,
            self._view,
            self._observations,
        )
        self._is_running = True
        return self._handed_out(self._observations), self._infos()

    def random_actions(self) -> Any:
        """A legal action in every match, each equally likely."""
        check_usable(self.closed, self._is_running)
        self._kernels["choose_seats"](
            self._states,
            self._owns,
            self._streams,
            self._scratch,
            self._marked,
            self._choices,
        )
        return self._handed_out(self._choices)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        check_usable(self.closed, self._is_running)
        choices = self._checked(actions)
        self._kernels["step_seats"](
            self._start,
            self._owns,
            self._states,
            self._streams,
            self._scratch,
            choices,
            self.autoreset_mode == AutoresetMode.NEXT_STEP,
            self._masks,
            self._marked,
            self._finished,
            self._substituted,
            self._points,
            self._shares,
            self._view,
            self._observations,
            self._finals,
        )
        terminations = self._finished.astype(np.bool_)
        infos = self._infos()
        if self._finals.size > 0 and terminations.any():
            infos |= {"final_obs": self._handed_out(self._finals), "_final_obs": terminations}
        return (
            self._handed_out(self._observations),
            self._rewards(),
            terminations,
            np.zeros(self.num_envs, np.bool_),
            infos,
        )

    def _checked(self, actions: Any) -> Any:
        given = np.asarray(actions)
        moves = self.setting.game.moves
        if given.shape != (self.num_envs,):
            raise InvalidAction(
                f"actions have the shape {given.shape}, expected {(self.num_envs,)}"
            )
        if not np.issubdtype(given.dtype, np.integer):
            raise InvalidAction(f"actions are {given.dtype}, expected integers")
        if given.min(initial=0) < 0 or given.max(initial=0) >= moves:
            raise InvalidAction(f"there is an action beyond 0 to {moves - 1} in {given}")
        return np.ascontiguousarray(given, np.int64)

    def _rewards(self) -> Any:
        rewards = self._substituted * self.illegal_reward
        over = np.flatnonzero(self._finished)
        if over.size > 0:
            final = final_rewards(self.setting.reward, self._points[over], self._shares[over])
            rewards[over] += final[np.arange(over.size), self._owns[over]]
        return rewards

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._handed_out(self._masks),
            "_action_mask": self._handed_out(self._all),
        }

    def _handed_out(self, values: Any) -> Any:
        return values.copy() if self._copy else values
