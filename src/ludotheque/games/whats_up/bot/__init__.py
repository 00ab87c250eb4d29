"""The players of What's Up.

They differ in what they remember and in how far they look. The better two play many matches to the
end in their minds.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.whats_up.bot.greedy import Greedy
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.search.warmup import warm_up

if TYPE_CHECKING:
    from ludotheque.games.whats_up.bot.thinker import Thinker

# How likely it is, at every turn, that what lies under a card slips their mind.
FORGETTING = {"novice": 0.25, "regular": 0.06, "expert": 0.04, "master": 0.0}
SLIPS = 0.2  # of the novice's turns are made without regard to what it knows
SIMULATIONS = {"expert": 1_000, "master": 10_000}


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, FORGETTING[level], SLIPS, thinks_of_others=False)
    if level == "regular":
        return Greedy(seat, rng, FORGETTING[level])
    # Compiled code comes with them, which takes a while to load.
    from ludotheque.games.whats_up.bot.thinker import Thinker  # noqa: PLC0415
    from ludotheque.games.whats_up.bot.tree_search import TreeSearch  # noqa: PLC0415

    search = TreeSearch(game, SIMULATIONS[level], rng)
    return Thinker(seat, Memory(seat, FORGETTING[level], rng), search)


def warm(game: Game) -> None:
    """Compile what the better two think with, or load it from the disk."""
    warm_up(game, hire, 1)
