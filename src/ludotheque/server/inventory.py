"""The stored tables seen from outside the server: list them, examine them, decide about them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.verify import check_draws
from ludotheque.server import fate
from ludotheque.server.database import engine_of, name_of, refusal
from ludotheque.server.events import AnyEvent, Attempt, Cleared, Moved, Started
from ludotheque.server.schema import events, results, tables
from ludotheque.server.store import Stored, Unreadable, read_history
from ludotheque.server.table import Bot, Table
from ludotheque.server.upgrade import expect_newest

UNREADABLE = "unreadable"
PRESENT = "there is no table {!r} in {}"


@dataclass(frozen=True)
class Entry:
    """A stored table. `flaw` says why it cannot be read, or what is different on these rules."""

    id: str
    created: int  # in milliseconds since 1970, as `used`
    used: int
    fate: str
    is_live: bool
    code: str
    events: int
    status: str  # gathering, playing, over, or unreadable
    flaw: str
    table: Table | None

    def to_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "table"}
        return found | (_described(self.table) if self.table is not None else {})


@contextmanager
def opened(url: sa.URL) -> Iterator[Inventory]:
    """The inventory of a database; Refused if it cannot be used, or has another schema."""
    engine = engine_of(url)
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            expect_newest(connection)
            yield Inventory(connection)
    except sa.exc.DBAPIError as error:
        raise refusal(error, url) from None
    finally:
        engine.dispose()


def _described(table: Table) -> dict[str, Any]:
    bots = sum(isinstance(occupant, Bot) for occupant in table.seats)
    return {
        "game": table.settings.game,
        "options": table.settings.options,
        "seats": len(table.seats),
        "people": len(table.persons),
        "bots": bots,
        "names": [None if each is None else each.name for each in table.seats],
        "matches": table.matches,
        "lines_of_chat": table.said,
    }


class Inventory:
    """The tables of a database of the newest schema; a server may run meanwhile."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self._name = name_of(connection.engine.url)

    def count(self) -> int:
        chosen = sa.select(sa.func.count()).select_from(tables)
        return int(self.connection.execute(chosen).scalar_one())

    def entries(self) -> Iterator[Entry]:
        """All tables, the longest unused first, each replayed on these rules."""
        chosen = sa.select(tables).order_by(tables.c.used, tables.c.id)
        for row in self.connection.execute(chosen).all():
            yield self._entry(row)

    def entry(self, table: str) -> Entry:
        row = self.connection.execute(sa.select(tables).where(tables.c.id == table)).first()
        if row is None:
            raise Refused(PRESENT.format(table, self._name))
        return self._entry(row)

    def decide(self, table: str, decided: str) -> None:
        """Mark a table; a server that runs obeys within seconds."""
        with self.connection.engine.begin() as connection:
            is_known = fate.decide(connection, table, decided)
        if not is_known:
            raise Refused(PRESENT.format(table, self._name))

    def remove(self, table: str) -> None:
        """Delete a table at once, while no server runs."""
        with self.connection.engine.begin() as connection:
            fate.remove(connection, table)

    def _entry(self, row: sa.Row[Any]) -> Entry:
        table, flaw = None, ""
        of_table = sa.select(sa.func.count()).select_from(events).where(events.c.table == row.id)
        try:
            history = read_history(self.connection, row.id)
            table, flaw = self._replayed(row.id, history)
        except (Refused, sa.exc.DBAPIError, msgspec.MsgspecError) as error:
            flaw = str(error)
        status = UNREADABLE if table is None else table.status
        marks = (row.id, row.created, row.used, row.fate, row.is_live, row.code)
        stored = self.connection.execute(of_table).scalar_one()
        return Entry(*marks, stored, status, flaw, table)

    def _replayed(self, id_: str, history: list[Stored]) -> tuple[Table, str]:
        """The table, and the first way in which it differs from what it was when it was stored."""
        table, flaw, other = Table(id_), "", ""
        scores = self._stored_scores(id_)
        for place, stored in enumerate(history):
            if isinstance(stored.event, Cleared):
                flaw, other = flaw or _difference(table, scores) or other, ""
            try:
                table.apply(stored.event)
            except Exception as error:
                raise Unreadable(f"event {place} does not fit these rules: {error}") from error
            other = other or _other_standing(table, stored.event)
        rules = _other_rules(table, history)
        return table, flaw or _difference(table, scores) or other or rules

    def _stored_scores(self, table: str) -> dict[int, list[int]]:
        """What was scored in the matches of a table, by their numbers."""
        chosen = sa.select(results.c.match, results.c.body).where(results.c.table == table)
        rows = self.connection.execute(chosen).all()
        return {row.match: msgspec.json.decode(row.body, type=Attempt).scores for row in rows}


def _difference(table: Table, scores: dict[int, list[int]]) -> str:
    """How the match on the table differs from the one that people played, "" if it does not."""
    match, number = table.match, table.matches
    if match is None:
        return ""
    if number in scores and not match.is_over:
        return f"match {number} had ended, and is not over on these rules"
    if match.is_over and number in scores and match.scores != scores[number]:
        told = f"{scores[number]}, and is {match.scores} on these rules"
        return f"the score of match {number} was {told}"
    return _other_draw(match, number)


def _other_standing(table: Table, event: AnyEvent) -> str:
    """How the match differs from what it was after this event, as far as that is stored."""
    match = table.match
    if not isinstance(event, Moved) or not event.digest or match is None:
        return ""
    if match.digest() == event.digest:
        return ""
    where = "in the end" if match.is_over else f"after {len(match.log)} moves"
    return f"match {table.matches} stood otherwise {where} than it does on these rules"


def _other_rules(table: Table, history: list[Stored]) -> str:
    """A running match continues on these rules, even if they change nothing of its past."""
    starts = [stored.event for stored in history if isinstance(stored.event, Started)]
    if table.match is None or table.match.is_over or not starts:
        return ""
    begun, now = starts[-1].rules, table.game.version
    if begun in (0, now):
        return ""
    return f"match {table.matches} was begun by version {begun} of the rules, this is {now}"


def _other_draw(match: Match, number: int) -> str:
    try:
        if match.seeds is not None:
            check_draws(match, match.seeds.key)
    except Refused as error:
        return f"match {number}: {error}"
    return ""
