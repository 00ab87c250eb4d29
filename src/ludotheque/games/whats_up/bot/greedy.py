"""A player who weighs each card by what may lie under it, one turn at a time.

It takes what it knows to lie under a card, otherwise it turns the card that most likely hides what
it needs. Every turn shows the others a face and buries another one, so it may also weigh what the
next player, and it itself a round later, could then take.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.whats_up.bot.layouts import CARD_OF
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.bot.vote import wins_alone
from ludotheque.games.whats_up.rules import (
    AGREE,
    CARDS,
    FACES,
    FULL,
    GOAL,
    HOLE,
    UNKNOWN,
    State,
    birds_of,
    colour_of,
    fits,
)
from ludotheque.search.deadline import NO_DEADLINE, Deadline

STEP = 3.0  # worth of a card that brings the goal nearer; one that does not counts its birds alone
BIRD = 0.3
GOAL_REACHED = 100.0
SOON = 0.4  # of its worth a card has that can be taken in a round, if nobody turns it before
RIVAL = 0.2  # of its worth a card has that the next player can take; more, and two bots only block
WHIM = 0.01  # decides between cards that are worth the same
BACKS_OF = {face: [back for back in FACES if CARD_OF[face][back] >= 0] for face in FACES}


class Greedy:
    """`slips` is how often it overlooks all it knows and turns a card that might do."""

    def __init__(
        self,
        seat: int,
        rng: Random,
        forgetting: float = 0.0,
        slips: float = 0.0,
        thinks_of_others: bool = True,
    ) -> None:
        self._seat = seat
        self._rng = rng
        self._slips = slips
        self._thinks_of_others = thinks_of_others
        self._memory = Memory(seat, forgetting, rng)

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        cells = [move for move in legal_moves if move != AGREE]
        if not cells or (AGREE in legal_moves and wins_alone(view, self._seat)):
            return AGREE
        if self._rng.random() < self._slips:
            hopeful = [c for c in cells if self._might_do(view, c)]
            return self._rng.choice(hopeful or cells)
        unmet = self._memory.unmet
        return max(
            cells, key=lambda cell: self._prize(view, cell, unmet) + self._rng.random() * WHIM
        )

    def _might_do(self, view: State, cell: int) -> bool:
        return any(fits(view, self._seat, back) for back in BACKS_OF[view.up[cell]])

    def _prize(self, view: State, cell: int, unmet: int) -> float:
        """What turning this card is worth, on average over what may lie under it."""
        faces = self._possible(view.up[cell], cell, unmet)
        taken = sum(worth_of(view, self._seat, face) for face in faces) / len(faces)
        stays = sum(not fits(view, self._seat, face) for face in faces) / len(faces)
        return taken + (self._outlook(view, cell, stays) if self._thinks_of_others else 0.0)

    def _possible(self, up: int, cell: int, unmet: int) -> list[int]:
        """The faces that may lie under a card: no card is there twice."""
        if self._memory.under[cell] != UNKNOWN:
            return [self._memory.under[cell]]
        backs = BACKS_OF[up]
        return [face for face in backs if unmet >> CARD_OF[up][face] & 1] or backs

    def _outlook(self, view: State, turned: int, stays: float) -> float:
        """What this turn leaves to be taken: some to itself, most to the next player."""
        rival = (self._seat + 1) % view.seats
        own, theirs = [0.0], [0.0]
        for cell in range(CARDS):
            under = self._memory.under[cell]
            if cell == turned:  # if it is not taken, the face that shows now will lie under it
                own.append(stays * worth_of(view, self._seat, view.up[cell]))
                theirs.append(stays * worth_of(view, rival, view.up[cell]))
            elif under != UNKNOWN:
                own.append(worth_of(view, self._seat, under))
                theirs.append(worth_of(view, rival, under))
        return SOON * max(own) - RIVAL * max(theirs)


def worth_of(view: State, seat: int, face: int) -> float:
    """What this face is worth to a seat; nothing if it does not continue a row."""
    if face == HOLE or not fits(view, seat, face):
        return 0.0
    rows = list(view.rows[seat])
    before = steps(view, rows)
    rows[colour_of(face)] += 1
    after = steps(view, rows)
    if after == 0:
        return GOAL_REACHED
    return STEP * (after < before) + BIRD * birds_of(face)


def steps(view: State, rows: list[int]) -> int:
    """The cards that are still missing in the rows that are needed, the longest ones first."""
    return sum(FULL - birds for birds in sorted(rows, reverse=True)[: GOAL[view.seats]])
