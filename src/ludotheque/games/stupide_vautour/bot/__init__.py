"""The players of Stupide Vautour.

The weaker ones bid in proportion to the stake. The stronger ones simulate what may follow. The
master also thinks of what the others think, and plays the end of a match between two exactly.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.greedy import Greedy

if TYPE_CHECKING:
    from ludotheque.games.stupide_vautour.bot.thinker import Thinker

LARGE_WHIM = 4.5  # cards of its hand by which a novice's bid strays


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, LARGE_WHIM, forgets=True)
    if level == "regular":
        return Greedy(seat, rng)
    # Compiled code comes with it, which takes a while to load.
    from ludotheque.games.stupide_vautour.bot.thinker import SKILLS, Thinker  # noqa: PLC0415

    return Thinker(game, seat, rng, SKILLS[level])


def warm(game: Game) -> None:
    """Compile what the stronger ones think with, or load it from the disk."""
    from ludotheque.games.stupide_vautour.bot import thinker  # noqa: PLC0415

    thinker.warm(game)
