"""How fast and how carefully people play, by level.

A player compares open ports of the cards that lie with the cards in hand, one glance after the
other, now and then overlooks what is there, and lays the best of the first few cards found. The
figures give medians of about 170, 90, 50 and 25 seconds for the first round. The last rounds are
much harder, and some hands cannot be laid at all: patience keeps the others from waiting long.
"""

from typing import NamedTuple


class Pace(NamedTuple):
    glances: float  # a second
    placing: float  # seconds to take a card, turn it and lay it, at the least
    checking: float  # seconds to go over seven cards before a call
    overlooks: float  # how often a card that fits goes unseen
    choices: int  # cards found before the best of them is laid
    span: int  # glances before the player thinks that nothing fits
    memory: int  # layouts that did not work and are not laid again
    careless: float  # how often a wrong contact with a second card goes unseen …
    notices: float  # … and how often it is seen later, at a move
    checks: float  # … or before the call
    patience: int  # seconds of a race after which the player would rather stop


PACES = {
    "novice": Pace(0.80, 5.0, 8.0, 0.20, 1, 60, 5, 0.06, 0.20, 0.70, 240),
    "regular": Pace(1.40, 2.8, 5.0, 0.12, 1, 80, 12, 0.02, 0.35, 0.85, 240),
    "expert": Pace(4.60, 1.9, 3.0, 0.08, 2, 120, 40, 0.005, 0.60, 0.97, 180),
    "master": Pace(9.00, 1.1, 1.5, 0.03, 2, 200, 200, 0.0, 1.0, 1.0, 150),
}
