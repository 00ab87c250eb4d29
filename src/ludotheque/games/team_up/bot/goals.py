"""What a team still has to gain: a score to reach, a layer to complete.

Written as rules are, for players on a view and for compiled playouts.
"""

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import columns_up_to
from ludotheque.games.team_up.parts import LAYERS
from ludotheque.games.team_up.rules import State, complete_layers, has_target


def is_short_of_target(s: State, points: int) -> bool:
    """Whether only more points can win, so that there is nothing to lose."""
    return has_target(s) and points < s.target


def progress(s: State) -> float:
    """About how much of a layer a box completes: one divided by the gaps of the layer."""
    lowest = complete_layers(s)
    if lowest == LAYERS:
        return 0.0
    return 1.0 / max(2, popcount(columns_up_to(s, lowest)))
