"""PettingZoo's AEC environments: agents move one after the other.

    env = aec.env("GAME", seats=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Agents are seat_0, seat_1, … Where several seats are awaited at once they are asked in their order,
and none of them sees what another has sealed. An illegal action ends the match, as in PettingZoo's
classic games: its agent gets −1 and the others 0. `raw_env` raises InvalidAction instead. This
holds for moves that are tried rather than listed too: the mask is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.learn.environment import AgentsEnvironment
from ludotheque.learn.extra import require
from ludotheque.learn.spaces import checked_action

require("pettingzoo")
from gymnasium.error import InvalidAction  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

ILLEGAL_REWARD = -1.0


class SeatsEnv(AgentsEnvironment, AECEnv[str, Any, Any], EzPickle):  # type: ignore[misc]  # untyped
    metadata = {**AgentsEnvironment.metadata, "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        reward: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, game, seats, options, reward, render_mode)
        super().__init__(game, seats, options, reward, render_mode)

    def __repr__(self) -> str:
        return f"{self.metadata['name']}({self.setting.seats} seats)"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin_with_all(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Any:
        seat = self.possible_agents.index(agent)
        episode = self.episode
        mask = episode.mask(seat if agent == self.agent_selection else -1)
        return {"observation": episode.observation(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        episode = self.episode
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        move = checked_action(action, self.setting.game.moves)
        refusal = episode.match.refusal(seat, move)
        if refusal is not None:
            raise InvalidAction(str(refusal))
        self._cumulative_rewards[agent] = 0.0
        episode.play(seat, move)
        self.rewards = dict(zip(self.agents, episode.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, episode.is_over)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the next seat to move; at the end PettingZoo goes through all, from the first."""
        tick = self.episode.tick
        self.agent_selection = self.possible_agents[tick[0] if tick else 0]


raw_env = SeatsEnv


def env(
    game: str | Game,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    reward: str | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """The environment as PettingZoo's users expect it: order enforced, illegal moves end it."""
    raw = raw_env(game, seats, options, reward, render_mode)
    return wrappers.OrderEnforcingWrapper(
        wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    )
