"""Who acts: seats are 0, 1, 2 … clockwise; two numbers below zero are not people."""

CHANCE = -1  # shuffles, deals and rolls are moves of this seat
NOBODY = -2  # a spectator as a viewer; no one as a winner
