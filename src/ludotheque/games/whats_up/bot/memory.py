"""What a seat has seen, and what may lie under the other cards.

A seat that has watched a card being turned knows both of its faces. Each card exists once, so the
others are among the cards whose place it does not know.
"""

from random import Random

import numpy as np

from ludotheque.games.whats_up.bot.layouts import CARD_OF, TABLES_SHAPE, count_layouts, lay_out
from ludotheque.games.whats_up.rules import (
    CARDS,
    COLOURS,
    HOLE,
    UNKNOWN,
    State,
    face_of,
    is_over,
)

ALL = (1 << CARDS) - 1


class Memory:
    """`forgetting` is the chance, at every turn, that it forgets what lies under a card."""

    def __init__(self, seat: int, forgetting: float = 0.0, rng: Random | None = None) -> None:
        self.seat = seat
        self.under = [UNKNOWN] * CARDS  # the face under each card, if it knows
        self._up = [HOLE] * CARDS  # what showed when it looked last
        self._taken: dict[int, int] = {}  # by card that it saw taken: the face it was taken for
        self._forgetting = forgetting
        self._rng = rng or Random(seat)
        self._tables = [[0] * TABLES_SHAPE[1] for _ in range(TABLES_SHAPE[0])]
        self._counted: tuple[int, list[int]] | None = None  # what the tables were filled for

    def watch(self, view: State) -> None:
        if is_over(view):
            return
        if any(before not in (HOLE, now) for before, now in zip(self._up, view.up, strict=True)):
            self._forget(view.turned)
        for cell in range(CARDS):
            self._look(view, cell)

    def _forget(self, turned: int) -> None:
        """Forget some of the cards, but not the one that was just turned."""
        if self._forgetting == 0:
            return
        for cell in range(CARDS):
            if self._rng.random() < self._forgetting and cell != turned:
                self.under[cell] = UNKNOWN
        for card in list(self._taken):
            if self._rng.random() < self._forgetting:
                del self._taken[card]

    def _look(self, view: State, cell: int) -> None:
        before, now = self._up[cell], view.up[cell]
        if now == HOLE:
            card = CARD_OF[before][view.taken] if cell == view.turned else -1
            if card >= 0:  # −1 if it has missed a turn
                self._taken[card] = view.taken
            self.under[cell] = UNKNOWN
        elif before not in (HOLE, now):
            self.under[cell] = before
        if now != HOLE and view.down[cell] != UNKNOWN:
            self.under[cell] = view.down[cell]  # with the option `open_memory`
        self._up[cell] = now

    @property
    def unknown(self) -> int:
        """The cells whose under face it does not know, as bits."""
        cells = (c for c in range(CARDS) if self._up[c] != HOLE and self.under[c] == UNKNOWN)
        return sum(1 << cell for cell in cells)

    @property
    def unplaced(self) -> int:
        """The cards whose place it does not know, as bits."""
        known = {CARD_OF[self._up[c]][self.under[c]] for c in range(CARDS) if self.under[c] > 0}
        return ALL - sum(1 << card for card in known | set(self._taken))

    def shows(self, view: State) -> list[int]:
        """How often each face shows on unplaced cards, collections included."""
        count, unknown = [0] * len(CARD_OF), self.unknown
        for cell in range(CARDS):
            count[view.up[cell]] += unknown >> cell & 1
        for rows in view.rows:
            for colour in range(COLOURS):
                for birds in range(1, rows[colour] + 1):
                    count[face_of(colour, birds)] += 1
        for face in self._taken.values():
            count[face] -= 1
        return count

    def recall(self, view: State) -> State:
        """The view with the under faces that it remembers, marked as seen."""
        state = view.copy()
        for cell in range(CARDS):
            if self.under[cell] != UNKNOWN:
                state.down[cell] = self.under[cell]
                state.seen |= 1 << cell
        return state

    def guess(self, view: State, rng: Random) -> State:
        """A state drawn uniformly from the deals that agree with what it remembers.

        All cards must have been dealt.
        """
        self.watch(view)
        state, unplaced, shows = self.recall(view), self.unplaced, self.shows(view)
        if self._counted != (unplaced, shows):
            self._counted = (unplaced, shows)
            count_layouts(unplaced, shows, self._tables)
        with np.errstate(over="ignore"):  # the stream counts modulo 2⁶⁴
            lay_out(state, self.unknown, unplaced, self._tables, [rng.getrandbits(62)])
        return state
