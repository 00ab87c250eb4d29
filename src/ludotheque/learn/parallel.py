"""PettingZoo's Parallel environments, native: every awaited agent moves in each step.

    env = parallel.parallel_env("GAME", seats=4)
    observations, infos = env.reset(seed=7)
    while env.agents:
        actions = {
            agent: env.action_space(agent).sample(observations[agent]["action_mask"])
            for agent in env.agents
        }
        observations, rewards, terminations, truncations, infos = env.step(actions)

The mask of an agent that is not awaited is all zeros, and its action is not read. Seats move in
their order; an action that an earlier seat's has made illegal is passed over. What an illegal
action does is said in `illegal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludotheque.engine.game import Game
from ludotheque.learn.episode import Episode, Setting
from ludotheque.learn.extra import require
from ludotheque.learn.illegal import ILLEGAL_REWARD, play_or_substitute
from ludotheque.learn.spaces import check_usable, checked_action, masked_observation

require("pettingzoo")
from gymnasium import spaces  # noqa: E402
from gymnasium.error import InvalidAction  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import ParallelEnv  # noqa: E402

ByAgent = dict[str, Any]


class SeatsParallelEnv(ParallelEnv[str, Any, Any], EzPickle):  # type: ignore[misc]  # no types
    metadata: dict[str, Any] = {  # noqa: RUF012  # as PettingZoo declares it
        "render_modes": ["human", "ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        reward: str | None = None,
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, game, seats, options, reward, illegal_reward, render_mode)
        self.setting = Setting(game, seats, options, reward)
        self.metadata = {**self.metadata, "name": f"ludotheque_{self.setting.game.slug}"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setting.seats)]
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.illegal_reward = illegal_reward
        moves = self.setting.game.moves
        self.observation_spaces = {
            agent: masked_observation(self.setting.layout) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self._episode: Episode | None = None
        self._is_closed = False

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def episode(self) -> Episode:
        check_usable(self._is_closed, self._episode is not None)
        assert self._episode is not None
        return self._episode

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        check_usable(self._is_closed, is_running=True)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._episode = self.setting.begin(self._rng, options)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[ByAgent, ...]:
        episode, agents = self.episode, self.agents
        check_usable(self._is_closed, is_running=bool(agents))
        awaited = list(episode.tick)
        missing = [agents[seat] for seat in awaited if agents[seat] not in actions]
        if missing:
            raise InvalidAction(f"{', '.join(missing)} must act, and no action is given")
        moves = {s: checked_action(actions[agents[s]], self.setting.game.moves) for s in awaited}
        legal = {seat for seat in awaited if episode.is_legal(seat, moves[seat])}
        costs = dict.fromkeys(agents, 0.0)
        for seat in awaited:
            if seat not in episode.tick:
                continue
            if seat in legal and not episode.is_legal(seat, moves[seat]):
                episode.skip(seat)
            elif play_or_substitute(episode, seat, moves[seat], self._rng):
                costs[agents[seat]] = self.illegal_reward
        rewards = {
            agent: reward + costs[agent]
            for agent, reward in zip(agents, episode.rewards(), strict=True)
        }
        over = episode.is_over
        observations = self._observations()
        infos: ByAgent = {agent: {} for agent in agents}
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    def render(self) -> str | None:
        drawing = self.episode.drawing()
        if self.render_mode == "ansi":
            return drawing
        print(drawing)
        return None

    def close(self) -> None:
        self._is_closed = True

    def _observations(self) -> ByAgent:
        episode = self.episode
        return {
            agent: {"observation": episode.observation(seat), "action_mask": episode.mask(seat)}
            for seat, agent in enumerate(self.possible_agents)
        }


parallel_env = SeatsParallelEnv
