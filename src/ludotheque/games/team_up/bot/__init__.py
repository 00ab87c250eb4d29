"""The players of Team UP, from one who overlooks half of what fits to one who tries it all out.

The novice and the regular keep the pile flat and low. The expert and the master try out how the
match would go on after each good placement; where the order of the cards is known they plan ahead.
"""

from random import Random
from typing import TYPE_CHECKING

from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.greedy import Greedy
from ludotheque.search.warmup import warm_up

if TYPE_CHECKING:
    from ludotheque.games.team_up.bot.thinker import Thinker

OVERLOOKS, LOOKS = 0.6, 6  # what a novice does not notice, and what it looks at closely
TRIALS = {"expert": 150, "master": 5000}
BREADTH = {"expert": 8, "master": 32}  # placements that are compared
ATTEMPTS = {"expert": 0, "master": 6}  # at a perfect pallet, where the order is known


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, LOOKS, OVERLOOKS)
    if level == "regular":
        return Greedy(seat, rng)
    # Compiled code comes with it, which takes a while to load.
    from ludotheque.games.team_up.bot.thinker import Thinker  # noqa: PLC0415

    return Thinker(game, seat, rng, TRIALS[level], BREADTH[level], ATTEMPTS[level])


def warm(game: Game) -> None:
    """Compile what the better two think with, or load it from the disk."""
    from ludotheque.games.team_up.solver.optimise import Optimiser  # noqa: PLC0415

    warm_up(game, hire, 2)
    Optimiser(game, game.start(1), ()).warm_up()
