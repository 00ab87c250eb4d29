"""How fast and how carefully the players of each level play.

A player compares the open ports of laid cards with the cards in hand, one pair after the other, now
and then misses a match, and lays the best of the first few cards found. The figures give medians of
about 170, 90, 50 and 25 seconds for the first round. The last rounds are much harder, and some
hands cannot be laid at all: so that the others need not wait long, every level stops at some time.
"""

from typing import NamedTuple


class Skill(NamedTuple):
    comparisons_per_s: float
    lay_s: float  # to take a card, turn it and lay it, at the least
    check_s: float  # to check seven cards before a call
    miss_rate: float  # how often a match goes unseen
    candidates: int  # cards found before the best of them is laid
    max_comparisons: int  # before the player decides that nothing fits
    tried_layouts: int  # remembered, so that they are not laid again
    slip_rate: float  # how often a wrong contact with a second card goes unseen …
    notice_rate: float  # … and how often it is seen later, at a move
    check_rate: float  # … or before the call
    stop_after_s: int  # from the start of a race until the player wants to stop


SKILLS = {
    "novice": Skill(0.80, 5.0, 8.0, 0.20, 1, 60, 5, 0.06, 0.20, 0.70, 240),
    "regular": Skill(1.40, 2.8, 5.0, 0.12, 1, 80, 12, 0.02, 0.35, 0.85, 240),
    "expert": Skill(4.60, 1.9, 3.0, 0.08, 2, 120, 40, 0.005, 0.60, 0.97, 180),
    "master": Skill(9.00, 1.1, 1.5, 0.03, 2, 200, 200, 0.0, 1.0, 1.0, 150),
}
