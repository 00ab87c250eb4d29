"""What becomes of tables: closed or deleted by the host, deleted when unused, and what is kept.

A decision is a mark in storage, so that it can be made from outside while a server runs: the server
closes marked tables, and deletes those that are to be deleted.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from ludotheque.server import events as happened
from ludotheque.server.schema import deals, events, results, seatings, tables

OPEN = ""
CLOSED = "closed"  # kept, but nobody can come to it
DELETED = "deleted"  # to be deleted
ARCHIVED = "archived"  # deleted but for what shared deals need, without names

# What is stored about guests and what they said; no match depends on it.
PERSONAL = (happened.Said, happened.Renamed, happened.Removed, happened.Muted, happened.LetIn)
NOBODYS_NAME = "–"
_STARTED = '{"event":"started"%'


def decide(connection: sa.Connection, table: str, fate: str) -> bool:
    """Mark a table; False if there is none that could be marked."""
    known = sa.update(tables).where(tables.c.id == table, tables.c.fate != ARCHIVED)
    return connection.execute(known.values(fate=fate)).rowcount > 0


def is_finished(connection: sa.Connection, table: str) -> bool:
    """Whether the last match that was begun at a table has ended."""
    is_start = sa.and_(events.c.table == table, events.c.body.like(_STARTED))
    begun = connection.execute(sa.select(sa.func.count()).where(is_start)).scalar_one()
    last = sa.select(sa.func.max(results.c.match)).where(results.c.table == table)
    return bool(begun) and connection.execute(last).scalar_one() == begun


def remove(connection: sa.Connection, table: str) -> None:
    """Delete a table. What people need to play a shared deal stays, without names or chat."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")  # what is deleted is overwritten
    # Of several nodes that delete it at once, the others wait for the first.
    one = tables.c.id == table
    connection.execute(sa.select(tables.c.id).where(one).with_for_update())
    is_of_table, is_shared = results.c.table == table, results.c.deal.in_(sa.select(deals.c.id))
    connection.execute(sa.delete(seatings).where(seatings.c.table == table))
    connection.execute(sa.delete(results).where(is_of_table, sa.not_(is_shared)))
    is_origin = connection.execute(sa.select(deals.c.id).where(deals.c.table == table)).first()
    kept = connection.execute(sa.select(results).where(is_of_table)).all()
    for row in kept:
        same = (is_of_table, results.c.deal == row.deal, results.c.match == row.match)
        connection.execute(sa.update(results).where(*same).values(body=_nameless(row.body)))
    _remove_events(connection, table, bool(is_origin))
    if is_origin or kept:
        marks = {"fate": ARCHIVED, "code": "", "is_live": False}
        connection.execute(sa.update(tables).where(one).values(marks))
    else:
        connection.execute(sa.delete(tables).where(one))


def _remove_events(connection: sa.Connection, table: str, is_origin: bool) -> None:
    is_of_table = events.c.table == table
    chosen = sa.select(events.c.body).where(is_of_table).order_by(events.c.place)
    bodies = [row.body for row in connection.execute(chosen)] if is_origin else []
    connection.execute(sa.delete(events).where(is_of_table))
    rows = [
        {"table": table, "place": place, "request": "", "body": body}
        for place, body in enumerate(_anonymous(bodies))
    ]
    if rows:
        connection.execute(sa.insert(events), rows)


def _anonymous(bodies: list[str]) -> list[str]:
    """The same events of people without names, who say nothing; none if they cannot be read."""
    try:
        known = [happened.decode(body) for body in bodies]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return []
    numbers: dict[str, str] = {}
    kept = (_without_names(event, numbers) for event in known if not isinstance(event, PERSONAL))
    return [happened.encode(event) for event in kept]


def _without_names(event: happened.AnyEvent, numbers: dict[str, str]) -> happened.AnyEvent:
    """`numbers` takes the place of the ids of guests."""

    def number(guest: str) -> str:
        return numbers.setdefault(guest, str(len(numbers) + 1))

    match event:
        case happened.Opened():
            replay = event.replay and _replay_without_names(event.replay)
            return msgspec.structs.replace(event, host=number(event.host), replay=replay)
        case happened.Sat():
            guest = number(event.guest)
            return msgspec.structs.replace(event, guest=guest, name=NOBODYS_NAME, avatar=0)
        case happened.Contributed() | happened.Wished():
            return msgspec.structs.replace(event, guest=number(event.guest))
    return event


def _replay_without_names(replay: happened.Replay) -> happened.Replay:
    nameless = [
        happened.Attempt([NOBODYS_NAME] * len(attempt.names), attempt.scores)
        for attempt in replay.attempts
    ]
    return msgspec.structs.replace(replay, attempts=nameless)


def _nameless(body: str) -> str:
    """A result without names; one that cannot be read tells nothing."""
    try:
        attempt = msgspec.json.decode(body, type=happened.Attempt)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        attempt = happened.Attempt([], [])
    names = [NOBODYS_NAME] * len(attempt.names)
    return msgspec.json.encode(happened.Attempt(names, attempt.scores)).decode()
