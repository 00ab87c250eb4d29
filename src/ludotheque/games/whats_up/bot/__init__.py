"""The players of What's Up.

They differ in what they remember and in how far they look: the novice and the regular one turn
ahead, the expert and the master by a tree search.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.whats_up.bot.greedy import Greedy
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.search.warmup import Step

if TYPE_CHECKING:
    from ludotheque.games.whats_up.bot.thinker import Thinker

# The chance, at every turn, that they forget what lies under a card
FORGETTING = {"novice": 0.25, "regular": 0.06, "expert": 0.04, "master": 0.0}
NOVICE_SLIPS = 0.2
# The page shows a turned card for this long when it is calm, and where it flies if it is taken
PAUSE_S = 2.8
SIMULATIONS = {"expert": 1_000, "master": 10_000}


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, FORGETTING[level], NOVICE_SLIPS, considers_others=False)
    if level == "regular":
        return Greedy(seat, rng, FORGETTING[level])
    # Loading compiled code takes a while, and only these two need it.
    from ludotheque.games.whats_up.bot.thinker import Thinker  # noqa: PLC0415
    from ludotheque.games.whats_up.bot.tree_search import TreeSearch  # noqa: PLC0415

    search = TreeSearch(game, SIMULATIONS[level], rng)
    return Thinker(seat, Memory(seat, FORGETTING[level], rng), search)


def warm_steps(game: Game) -> list[Step]:
    """What compiles all that the expert and the master think with."""
    from ludotheque.games.whats_up.bot import tree_search  # noqa: PLC0415

    return tree_search.warm_steps(game)
