"""A player who values each card by what may lie under it, one turn at a time.

It takes a face that it knows to lie under a card, otherwise it turns the card that most likely
hides a face it needs. Every turn shows a face and hides another, so it may also consider what the
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
from ludotheque.search.remembering import Remembering

STEP_VALUE = 3.0  # of a card that brings the goal nearer; other cards count their birds alone
BIRD_VALUE = 0.3
GOAL_VALUE = 100.0
OWN_LATER_SHARE = 0.4  # of its value counts for a card that can be taken a round later
RIVAL_SHARE = 0.2  # of its value counts against a card that the next player can take
NOISE = 0.01  # decides between cards of the same value
BACKS_OF = {face: [back for back in FACES if CARD_OF[face][back] >= 0] for face in FACES}


class Greedy(Remembering[Memory]):
    """`slips` is the share of its turns in which it ignores what it has seen."""

    def __init__(
        self,
        seat: int,
        rng: Random,
        forgetting: float = 0.0,
        slips: float = 0.0,
        considers_others: bool = True,
    ) -> None:
        super().__init__(seat, rng, Memory(seat, forgetting, rng))
        self._slips = slips
        self._considers_others = considers_others

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        cells = [move for move in legal_moves if move != AGREE]
        if not cells or (AGREE in legal_moves and wins_alone(view, self._seat)):
            return AGREE
        if self._rng.random() < self._slips:
            possible = [cell for cell in cells if self._may_take(view, cell)]
            return self._rng.choice(possible or cells)
        unplaced = self._memory.unplaced
        return max(
            cells, key=lambda cell: self._value(view, cell, unplaced) + self._rng.random() * NOISE
        )

    def _may_take(self, view: State, cell: int) -> bool:
        return any(fits(view, self._seat, back) for back in BACKS_OF[view.up[cell]])

    def _value(self, view: State, cell: int, unplaced: int) -> float:
        """The value of turning this card, on average over what may lie under it."""
        faces = self._possible(view.up[cell], cell, unplaced)
        taken = sum(face_value(view, self._seat, face) for face in faces) / len(faces)
        stays = sum(not fits(view, self._seat, face) for face in faces) / len(faces)
        return taken + (self._value_left(view, cell, stays) if self._considers_others else 0.0)

    def _possible(self, up: int, cell: int, unplaced: int) -> list[int]:
        """The faces that may lie under a card: every card exists once."""
        if self._memory.under[cell] != UNKNOWN:
            return [self._memory.under[cell]]
        backs = BACKS_OF[up]
        return [face for face in backs if unplaced >> CARD_OF[up][face] & 1] or backs

    def _value_left(self, view: State, turned: int, stays: float) -> float:
        """What this turn leaves to be taken, by the player itself less what the next one can."""
        rival = (self._seat + 1) % view.seats
        own, theirs = [0.0], [0.0]
        for cell in range(CARDS):
            under = self._memory.under[cell]
            if cell == turned:  # if it is not taken, the face that shows now will lie under it
                own.append(stays * face_value(view, self._seat, view.up[cell]))
                theirs.append(stays * face_value(view, rival, view.up[cell]))
            elif under != UNKNOWN:
                own.append(face_value(view, self._seat, under))
                theirs.append(face_value(view, rival, under))
        return OWN_LATER_SHARE * max(own) - RIVAL_SHARE * max(theirs)


def face_value(view: State, seat: int, face: int) -> float:
    """The value of this face to a seat; 0 if it does not continue a row."""
    if face == HOLE or not fits(view, seat, face):
        return 0.0
    rows = list(view.rows[seat])
    before = cards_to_goal(view, rows)
    rows[colour_of(face)] += 1
    after = cards_to_goal(view, rows)
    if after == 0:
        return GOAL_VALUE
    return STEP_VALUE * (after < before) + BIRD_VALUE * birds_of(face)


def cards_to_goal(view: State, rows: list[int]) -> int:
    """The cards still missing in the rows that are needed, the longest ones first."""
    return sum(FULL - birds for birds in sorted(rows, reverse=True)[: GOAL[view.seats]])
