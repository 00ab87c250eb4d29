"""The players of Up & Down.

The novice and the regular follow the policy. The expert and the master compare plans in trials
against models of the others; the master also learns of which kind the others are.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.bot.greedy import Greedy
from ludotheque.search.warmup import Step

if TYPE_CHECKING:
    from ludotheque.games.up_and_down.bot.thinker import Thinker

NOVICE_WEIGHTS = (1000, 0, 0, 700, 250)  # wins when it can, keeps nothing for later
NOVICE_FORGETTING = 0.5
NOVICE_SLIPS = 0.2


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, NOVICE_WEIGHTS, NOVICE_FORGETTING, NOVICE_SLIPS)
    if level == "regular":
        return Greedy(seat, rng)
    # Loading compiled code takes a while, and only these two need it.
    from ludotheque.games.up_and_down.bot.thinker import SKILLS, Thinker  # noqa: PLC0415

    return Thinker(game, seat, rng, SKILLS[level])


def warm_steps(game: Game) -> list[Step]:
    """What compiles all that the expert and the master think with."""
    from ludotheque.games.up_and_down.bot import thinker  # noqa: PLC0415

    return thinker.warm_steps(game)
