"""What environments of one match at a time share: the episode, its drawing, and agents by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludotheque.engine.game import Game
from ludotheque.engine.seats import NOBODY
from ludotheque.learn.episode import Episode, Setting
from ludotheque.learn.extra import require
from ludotheque.learn.spaces import check_usable, masked_observation

require("gymnasium")
from gymnasium import spaces  # noqa: E402


class Environment:
    """Comes before the library's own class among the bases, whose `close` it replaces."""

    def __init__(self, setting: Setting, render_mode: str | None) -> None:
        self.setting = setting
        self.render_mode = render_mode
        self._episode: Episode | None = None
        self._is_closed = False

    @property
    def episode(self) -> Episode:
        check_usable(self._is_closed, self._episode is not None)
        assert self._episode is not None
        return self._episode

    def close(self) -> None:
        self._is_closed = True

    def _begin(self, rng: np.random.Generator, options: Mapping[str, object] | None) -> None:
        self._episode = self.setting.begin(rng, options)

    def _drawn(self, viewer: int = NOBODY) -> str | None:
        """The drawing for this viewer, unless it is printed."""
        drawing = self.episode.drawing(viewer)
        if self.render_mode == "ansi":
            return drawing
        print(drawing)
        return None


class AgentsEnvironment(Environment):
    """An environment for an agent in every seat, as PettingZoo has it: seat_0, seat_1, …"""

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        seats: int | None,
        options: Mapping[str, object] | None,
        reward: str | None,
        render_mode: str | None,
    ) -> None:
        super().__init__(Setting(game, seats, options, reward), render_mode)
        slug, moves = self.setting.game.slug, self.setting.game.moves
        self.metadata = {**self.metadata, "name": f"ludotheque_{slug}"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setting.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: masked_observation(self.setting.layout) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        return self._drawn()

    def _begin_with_all(self, seed: int | None, options: Mapping[str, object] | None) -> None:
        """Begin a match, with an agent in every seat."""
        check_usable(self._is_closed, is_running=True)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._begin(self._rng, options)
        self.agents = self.possible_agents[:]
