"""The players of Team UP.

The novice and the regular keep the pile flat and low; the novice misses more than half of the
placements. The expert and the master compare placements by playouts, and the master plans ahead
where the order of the cards is known.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.greedy import Greedy
from ludotheque.search.warmup import Step

if TYPE_CHECKING:
    from ludotheque.games.team_up.bot.thinker import Thinker

MISS_RATE = 0.6  # the share of placements that a novice does not notice
NOVICE_CANDIDATES = 6  # placements that a novice evaluates in full


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, NOVICE_CANDIDATES, MISS_RATE)
    if level == "regular":
        return Greedy(seat, rng)
    # Compiled code comes with it, which takes a while to load.
    from ludotheque.games.team_up.bot.thinker import SKILLS, Thinker  # noqa: PLC0415

    return Thinker(game, seat, rng, SKILLS[level])


def warm_steps(game: Game) -> list[Step]:
    """What compiles all that the expert and the master think with."""
    from ludotheque.games.team_up.bot import planner  # noqa: PLC0415
    from ludotheque.games.team_up.solver.optimise import Optimiser  # noqa: PLC0415

    return [*planner.warm_steps(game), *Optimiser(game, game.start(1), ()).warm_steps()]
