"""Every game's name in Gymnasium's registry: ludotheque/GameName-v1.

The version is that of the rules: what was learnt by other rules is not comparable.
"""

from __future__ import annotations

from ludotheque.engine.game import Game, loadable
from ludotheque.learn.extra import require

require("gymnasium")
from gymnasium.envs.registration import register, registry  # noqa: E402


def environment_id(game: Game) -> str:
    name = "".join(word.capitalize() for word in game.slug.split("_"))
    return f"ludotheque/{name}-v{game.version}"


def register_all() -> None:
    """Register every game that can be loaded and is not there yet."""
    for game in loadable():
        if environment_id(game) not in registry:
            register(
                environment_id(game),
                entry_point="ludotheque.learn.single:SeatEnv",
                vector_entry_point="ludotheque.learn.vector:SeatVectorEnv",
                kwargs={"game": game.slug},
            )
