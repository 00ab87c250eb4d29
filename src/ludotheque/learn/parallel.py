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

from ludotheque.engine.game import Game
from ludotheque.learn.environment import AgentsEnvironment
from ludotheque.learn.extra import require
from ludotheque.learn.illegal import ILLEGAL_REWARD, play_or_substitute
from ludotheque.learn.spaces import check_usable, checked_action

require("pettingzoo")
from gymnasium.error import InvalidAction  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import ParallelEnv  # noqa: E402

ByAgent = dict[str, Any]


class SeatsParallelEnv(AgentsEnvironment, ParallelEnv[str, Any, Any], EzPickle):  # type: ignore[misc]  # untyped
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
        super().__init__(game, seats, options, reward, render_mode)
        self.illegal_reward = illegal_reward

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        self._begin_with_all(seed, options)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[ByAgent, ...]:
        episode, agents = self.episode, self.agents
        check_usable(self._is_closed, is_running=bool(agents))
        substituted = self._play(self._moves(actions))
        rewards = {
            agent: reward + (seat in substituted) * self.illegal_reward
            for seat, (agent, reward) in enumerate(zip(agents, episode.rewards(), strict=True))
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

    def _moves(self, actions: Mapping[str, Any]) -> dict[int, int]:
        """The move of every awaited seat."""
        awaited = {seat: self.agents[seat] for seat in self.episode.tick}
        missing = [agent for agent in awaited.values() if agent not in actions]
        if missing:
            raise InvalidAction(f"{', '.join(missing)} must act, and no action is given")
        count = self.setting.game.moves
        return {seat: checked_action(actions[agent], count) for seat, agent in awaited.items()}

    def _play(self, moves: Mapping[int, int]) -> set[int]:
        """Play them; the seats for which another move was played than theirs."""
        episode = self.episode
        legal = {seat for seat, move in moves.items() if episode.is_legal(seat, move)}
        substituted = set()
        for seat, move in moves.items():
            if seat not in episode.tick:
                continue
            if seat in legal and not episode.is_legal(seat, move):
                episode.skip(seat)
            elif play_or_substitute(episode, seat, move, self._rng):
                substituted.add(seat)
        return substituted

    def _observations(self) -> ByAgent:
        episode = self.episode
        return {
            agent: {"observation": episode.observation(seat), "action_mask": episode.mask(seat)}
            for seat, agent in enumerate(self.possible_agents)
        }


parallel_env = SeatsParallelEnv
