"""What has happened at a table and is not stored yet: the rows of its next commit."""

from __future__ import annotations

import time

from ludotheque.engine.seats import CHANCE
from ludotheque.server.counts import counts
from ludotheque.server.decision import Decision
from ludotheque.server.events import AnyEvent, Attempt, Moved
from ludotheque.server.store import Stored, row
from ludotheque.server.table import Table
from ludotheque.server.writer import Batch, Ended, Row, SeatingChanges

USE_NOTED_S = 86_400.0  # between two notes in storage that the table is used


class Unstored:
    def __init__(self, table_id: str, place: int) -> None:
        self.place = place  # events stored so far
        self._table_id = table_id
        self._use_known_until = 0.0  # in seconds since 1970
        self._begin()

    def _begin(self) -> None:
        self._rows: list[Row] = []
        self._ended: list[Ended] = []
        self._seatings = SeatingChanges()

    def __bool__(self) -> bool:
        return bool(self._rows)

    def keep(self, decision: Decision, before: Table, request: str) -> None:
        """Keep what was decided at the table as it was before."""
        place = self.place + len(self._rows)
        self._rows += [
            row(self._table_id, place + i, Stored(request, event))
            for i, event in enumerate(decision.events)
        ]
        counts.moves += sum(_is_of_seat(event) for event in decision.events)
        after = decision.table
        if after.results is not before.results:
            self._ended.append(_ended(after))
            self._note_seatings(SeatingChanges(after.guests))
        if after.seats != before.seats or after.matches != before.matches:
            self._note_seatings(_seatings(before, after))

    def batch(self, mark: bool | None) -> Batch:
        """All of it, with the new mark of the table in storage."""
        used = self._new_use() if self._rows else None
        return Batch(self._table_id, self._rows, mark, tuple(self._ended), self._seatings, used)

    def clear(self) -> None:
        """It is stored, or lost with the owner of the table."""
        self.place += len(self._rows)
        self._begin()

    def _new_use(self) -> int | None:
        """Now, if storage does not know yet that the table is used today."""
        now = time.time()
        if now < self._use_known_until:
            return None
        self._use_known_until = now + USE_NOTED_S
        return int(now * 1000)

    def _note_seatings(self, later: SeatingChanges) -> None:
        active, left = self._seatings
        self._seatings = SeatingChanges(
            (active - later.left) | later.active, (left - later.active) | later.left
        )


def _is_of_seat(event: AnyEvent) -> bool:
    """Whether a person or a bot has moved, and not chance alone."""
    return isinstance(event, Moved) and event.moves[0][0] != CHANCE


def _ended(table: Table) -> Ended:
    last = table.results[-1]
    return Ended(last.deal, table.matches, Attempt(last.names, last.scores, last.team))


def _seatings(before: Table, after: Table) -> SeatingChanges:
    """Who has sat down or begun a match, and who has left the table."""
    active = after.guests if after.matches != before.matches else after.guests - before.guests
    left = {person.guest for person in before.persons} - {p.guest for p in after.persons}
    return SeatingChanges(active, frozenset(left))
