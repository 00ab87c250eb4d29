"""A bot with a perfect memory of the faces it has seen.

It takes what it knows to lie under a card, otherwise it turns the card that most likely hides what
it needs. Every turn shows the others a face and buries another one, so it also weighs what the next
player, and it itself a round later, could then take.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.whats_up.rules import (
    AGREE,
    CARDS,
    DECK,
    FULL,
    GOAL,
    HOLE,
    UNKNOWN,
    State,
    fits,
    is_ahead,
    is_over,
)
from ludotheque.search.thought import UNHURRIED, Thought

STEP = 3.0  # worth of a card that brings the goal nearer; one that does not counts its birds alone
BIRD = 0.3
GOAL_REACHED = 100.0
SOON = 0.4  # of its worth a card has that can be taken in a round, if nobody turns it before
RIVAL = 0.2  # of its worth a card has that the next player can take; more, and two bots only block
WHIM = 0.01  # decides between cards that are worth the same
PARTNERS = {
    face: [sum(card) - face for card in DECK if face in card]
    for face in {face for card in DECK for face in card}
}


class Greedy:
    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._up = [HOLE] * CARDS  # what lay up when it looked last
        self._under = [UNKNOWN] * CARDS  # the face under each card, if it has been seen
        self._met: set[tuple[int, int]] = set()  # cards of which both faces have been seen

    def watch(self, view: State) -> None:
        if is_over(view):
            return
        for cell in range(CARDS):
            before, now = self._up[cell], view.up[cell]
            if now == HOLE and before != HOLE and cell == view.turned:
                self._met.add(card_of(before, view.taken))
            if now not in (before, HOLE) and before != HOLE:
                self._under[cell] = before
            if now != HOLE and view.down[cell] != UNKNOWN:
                self._under[cell] = view.down[cell]  # with the option `open_memory`
            if now == HOLE:
                self._under[cell] = UNKNOWN
            elif self._under[cell] != UNKNOWN:
                self._met.add(card_of(now, self._under[cell]))
            self._up[cell] = now

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        if AGREE in legal_moves and self._leads(view):
            return AGREE
        cells = [move for move in legal_moves if move != AGREE]
        if not cells:
            return AGREE
        return max(cells, key=lambda cell: self._prize(view, cell) + self._rng.random() * WHIM)

    def _leads(self, view: State) -> bool:
        others = [seat for seat in range(view.seats) if seat != self._seat]
        return all(is_ahead(view, self._seat, other) for other in others)

    def _prize(self, view: State, cell: int) -> float:
        """What turning this card is worth, on average over what may lie under it."""
        faces = self._possible(cell)
        taken = sum(worth(view, self._seat, face) for face in faces) / len(faces)
        stays = sum(not fits(view, self._seat, face) for face in faces) / len(faces)
        return taken + self._outlook(view, cell, stays)

    def _possible(self, cell: int) -> list[int]:
        """The faces that may lie under a card: no card is there twice."""
        if self._under[cell] != UNKNOWN:
            return [self._under[cell]]
        up = self._up[cell]
        return [face for face in PARTNERS[up] if card_of(up, face) not in self._met] or PARTNERS[up]

    def _outlook(self, view: State, turned: int, stays: float) -> float:
        """What this turn leaves to be taken: some to itself, most to the next player."""
        rival = (self._seat + 1) % view.seats
        own, theirs = [0.0], [0.0]
        for cell in range(CARDS):
            if cell == turned:  # if it is not taken, the face that shows now will lie under it
                own.append(stays * worth(view, self._seat, self._up[cell]))
                theirs.append(stays * worth(view, rival, self._up[cell]))
            elif self._under[cell] != UNKNOWN:
                own.append(worth(view, self._seat, self._under[cell]))
                theirs.append(worth(view, rival, self._under[cell]))
        return SOON * max(own) - RIVAL * max(theirs)


def card_of(face: int, other: int) -> tuple[int, int]:
    return (face, other) if face < other else (other, face)


def worth(view: State, seat: int, face: int) -> float:
    """What this face is worth to a seat; nothing if it does not continue a row."""
    if face == HOLE or not fits(view, seat, face):
        return 0.0
    rows = list(view.rows[seat])
    before = steps(view, rows)
    rows[face // 4] += 1
    after = steps(view, rows)
    if after == 0:
        return GOAL_REACHED
    return STEP * (after < before) + BIRD * (face % 4)


def steps(view: State, rows: list[int]) -> int:
    """The cards that are still missing in the rows that are needed, the longest ones first."""
    return sum(FULL - birds for birds in sorted(rows, reverse=True)[: GOAL[view.seats]])
