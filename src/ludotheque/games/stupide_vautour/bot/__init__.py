"""The players of Stupide Vautour.

The novice and the regular bid in proportion to the stake. The expert and the master search a tree
of what may follow. The master also predicts what several opponents bid, and plays the end of a
match between two exactly.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.greedy import Greedy
from ludotheque.search.warmup import Step

if TYPE_CHECKING:
    from ludotheque.games.stupide_vautour.bot.thinker import Thinker

NOVICE_NOISE_CARDS = 4.5


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, NOVICE_NOISE_CARDS, forgets=True)
    if level == "regular":
        return Greedy(seat, rng)
    # Loading compiled code takes a while, and only these two need it.
    from ludotheque.games.stupide_vautour.bot.thinker import SKILLS, Thinker  # noqa: PLC0415

    return Thinker(game, seat, rng, SKILLS[level])


def warm_steps(game: Game) -> list[Step]:
    """What compiles all that the expert and the master think with."""
    from ludotheque.games.stupide_vautour.bot import thinker  # noqa: PLC0415

    return thinker.warm_steps(game)
