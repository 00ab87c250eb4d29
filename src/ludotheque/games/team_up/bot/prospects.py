"""What a team still has to gain: a score to reach, a layer to complete.

Written as rules are: players who look at a view and compiled trials ask the same.
"""

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.parts import LAYERS
from ludotheque.games.team_up.rules import (
    State,
    columns_up_to,
    complete_layers,
    has_target,
)


def is_short_of_target(s: State, points: int) -> bool:
    """Whether only more points can win: then there is nothing to lose."""
    return has_target(s) and points < s.target


def progress(s: State) -> float:
    """The part of a layer that a box completes, roughly: one by the number of its gaps."""
    lowest = complete_layers(s)
    if lowest == LAYERS:
        return 0.0
    return 1.0 / max(2, popcount(columns_up_to(s, lowest)))
