"""The stored tables, looked at from outside the server: listed, examined, decided about."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.verify import check_draws
from ludotheque.server import fate
from ludotheque.server.backup import schema_of
from ludotheque.server.events import Attempt, Cleared
from ludotheque.server.schema import results, tables
from ludotheque.server.store import Store, Stored, Unreadable
from ludotheque.server.table import Bot, Table
from ludotheque.server.upgrade import revisions

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
    """Opens a database of the newest schema; the server may run meanwhile."""

    def __init__(self, path: Path) -> None:
        found, newest = schema_of(path), revisions()[-1]
        if found != newest:
            raise Refused(
                f"{path} has the schema {found}, and this version needs {newest}; "
                "start the server once, and it brings the file up to date"
            )
        self._path = path
        self._store = Store(sa.URL.create("sqlite", database=str(path)))

    def close(self) -> None:
        self._store.engine.dispose()

    def count(self) -> int:
        with self._store.engine.connect() as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(tables)).scalar_one()
            )

    def entries(self) -> Iterator[Entry]:
        """All tables, the longest unused first, each replayed on these rules."""
        with self._store.engine.connect() as connection:
            chosen = sa.select(tables).order_by(tables.c.used, tables.c.id)
            rows = connection.execute(chosen).all()
        for row in rows:
            yield self._entry(row)

    def entry(self, table: str) -> Entry:
        with self._store.engine.connect() as connection:
            row = connection.execute(sa.select(tables).where(tables.c.id == table)).first()
        if row is None:
            raise Refused(PRESENT.format(table, self._path))
        return self._entry(row)

    def decide(self, table: str, decided: str) -> None:
        """Mark a table; a server that runs obeys within seconds."""

        def mark(connection: sa.Connection) -> bool:
            return fate.decide(connection, table, decided)

        if not self._changed(mark):
            raise Refused(PRESENT.format(table, self._path))

    def remove(self, table: str) -> None:
        """Delete a table at once, while no server runs."""
        self._changed(lambda connection: fate.remove(connection, table))

    def _changed(self, work: Callable[[sa.Connection], Any]) -> Any:
        try:
            with self._store.engine.begin() as connection:
                return work(connection)
        except sa.exc.DBAPIError as error:
            raise Refused(f"{self._path} was not changed: {error.orig}") from None

    def _entry(self, row: sa.Row[Any]) -> Entry:
        events, table, flaw = 0, None, ""
        try:
            history = self._store.read_history(row.id)
            events = len(history)
            table, flaw = self._replayed(row.id, history)
        except (Refused, sqlite3.Error, msgspec.MsgspecError) as error:
            flaw = str(error)
        status = UNREADABLE if table is None else table.status
        marks = (row.id, row.created, row.used, row.fate, row.is_live, row.code)
        return Entry(*marks, events, status, flaw, table)

    def _replayed(self, id_: str, history: list[Stored]) -> tuple[Table, str]:
        """The table, and the first way in which it differs from what it was when it was stored."""
        table, flaw = Table(id_), ""
        scores = self._stored_scores(id_)
        for place, stored in enumerate(history):
            if isinstance(stored.event, Cleared):
                flaw = flaw or _difference(table, scores)
            try:
                table.apply(stored.event)
            except Exception as error:
                raise Unreadable(f"event {place} does not fit these rules: {error}") from error
        return table, flaw or _difference(table, scores)

    def _stored_scores(self, table: str) -> dict[int, list[int]]:
        """What was scored in the matches of a table, by their numbers."""
        chosen = sa.select(results.c.match, results.c.body).where(results.c.table == table)
        with self._store.engine.connect() as connection:
            rows = connection.execute(chosen).all()
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


def _other_draw(match: Match, number: int) -> str:
    try:
        if match.seeds is not None:
            check_draws(match, match.seeds.key)
    except Refused as error:
        return f"match {number}: {error}"
    return ""
