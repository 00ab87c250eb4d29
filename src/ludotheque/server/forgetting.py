"""Everything that is stored about a guest: exported as one file, or deleted.

Matches of others must still replay. So the events of a guest stay, under an id that stands for
nobody, without name, picture and words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa

from ludotheque.engine.seats import CHANCE
from ludotheque.server.player import GONE_NAME, new_gone_id
from ludotheque.server.schema import (
    devices,
    events,
    players,
    recoveries,
    results,
    seatings,
    subscriptions,
)
from ludotheque.server.store import Store

BLANK = {"name": GONE_NAME, "avatar": 0, "text": "", "phrase": ""}
TOLD = ("sat", "renamed", "said", "contributed", "wished")  # events of a guest that hold no secret


async def tables_of(store: Store, guest: str) -> list[str]:
    """The tables whose events name this guest."""
    chosen = sa.select(events.c.table).where(_is_about(guest)).distinct()
    return sorted(row.table for row in await store.scan(chosen))


async def tables_with_results_of(store: Store, tables: Collection[str]) -> list[str]:
    """The tables that replay a deal of these tables, and so keep their results too."""
    deals = {row.deal for row in await store.scan(_results_of(tables))}
    return sorted(row.table for row in await store.scan(_replays()) if _deal(row.body) in deals)


def forget(connection: sa.Connection, guest: str, tables: Collection[str]) -> None:
    """Delete a guest whom only the events of these tables may name."""
    for of_guests in (devices, recoveries, subscriptions, seatings):
        connection.execute(sa.delete(of_guests).where(of_guests.c.guest == guest))
    connection.execute(sa.delete(players).where(players.c.id == guest))
    forgotten: dict[str, str] = {}  # results as they were told before, and as they are now
    for table in tables:
        names = _forget_events(connection, guest, table)
        forgotten |= _forget_results(connection, names, table)
    _forget_replays(connection, forgotten)


def _forget_events(connection: sa.Connection, guest: str, table: str) -> set[str]:
    """Make a guest nobody in the events of a table; the names that they had there."""
    one = _Forgotten(guest)
    chosen = sa.select(events).where(events.c.table == table, _is_about(guest))
    for row in connection.execute(chosen).all():
        place = sa.and_(events.c.table == table, events.c.place == row.place)
        values = {"request": one.request(row.request), "body": one.body(row.request, row.body)}
        connection.execute(sa.update(events).where(place).values(**values))
    return one.names


@dataclass
class _Forgotten:
    """A guest, and who stands for them at a table."""

    guest: str
    gone: str = field(default_factory=new_gone_id)
    names: set[str] = field(default_factory=set)

    def request(self, text: str) -> str:
        return self.gone + text[len(self.guest) :] if self._has_asked(text) else text

    def body(self, request: str, text: str) -> str:
        try:
            event = msgspec.json.decode(text, type=dict[str, Any])
        except msgspec.DecodeError:  # of a damaged table
            return text.replace(self.guest, self.gone)
        is_said = event.get("event") == "said" and self._has_asked(request)
        if is_said or event.get("guest") == self.guest:
            self.names.add(event.get("name", GONE_NAME))
            event |= {key: value for key, value in BLANK.items() if key in event}
        event = {k: self.gone if value == self.guest else value for k, value in event.items()}
        return _text(event)

    def _has_asked(self, request: str) -> bool:
        return request.startswith(f"{self.guest} ")


def _forget_results(connection: sa.Connection, names: set[str], table: str) -> dict[str, str]:
    changed = {}
    for row in connection.execute(_results_of([table])).all():
        attempt = _object(row.body)
        if "names" not in attempt:
            continue  # it is damaged, and names nobody that could be found
        attempt["names"] = [GONE_NAME if name in names else name for name in attempt["names"]]
        changed[row.body] = _text(attempt)
        same = sa.and_(*(results.c[c] == getattr(row, c) for c in ("deal", "table", "match")))
        connection.execute(sa.update(results).where(same).values(body=_text(attempt)))
    return changed


def _forget_replays(connection: sa.Connection, forgotten: dict[str, str]) -> None:
    """Tables that replay a deal were told who had played it before."""
    for row in connection.execute(_replays()).all():
        event = _object(row.body)
        replay = event.get("replay") or {}
        told = replay.get("attempts", [])
        kept = [msgspec.json.decode(forgotten.get(_text(each), _text(each))) for each in told]
        if kept != told:
            replay["attempts"] = kept
            place = sa.and_(events.c.table == row.table, events.c.place == 0)
            connection.execute(sa.update(events).where(place).values(body=_text(event)))


async def export(store: Store, guest: str) -> dict[str, Any]:
    """Everything that is stored about a guest, except what would sign somebody in as them."""
    chosen = sa.select(events).where(_is_about(guest)).order_by(events.c.table, events.c.place)
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in await store.scan(chosen):
        tables.setdefault(row.table, []).extend(_told(guest, row))
    active = await store.read(sa.select(seatings).where(seatings.c.guest == guest))
    return {
        "guest": await _rows(store, players, "id", guest, ("id", "name", "avatar", "created")),
        "devices": await _rows(
            store, devices, "guest", guest, ("id", "browser", "system", "created", "seen")
        ),
        "pushes": await _rows(
            store, subscriptions, "guest", guest, ("endpoint", "language", "created")
        ),
        "seats": [{"table": row.table, "used": row.used} for row in active],
        "tables": [{"table": table, "events": told} for table, told in tables.items()],
    }


def _told(guest: str, row: sa.Row[Any]) -> Iterable[dict[str, Any]]:
    try:
        event = msgspec.json.decode(row.body, type=dict[str, Any])
    except msgspec.DecodeError:
        return
    kind = event.get("event")
    if event.get("host") == guest:
        yield {"event": kind, "game": event.get("game")}  # its seeds are secret
    elif kind in TOLD and guest in (event.get("guest"), _asker(row)):
        yield event
    elif kind == "moved" and guest == _asker(row):
        yield {"event": kind, "moves": _without_draws(event.get("moves", []))}


def _asker(row: sa.Row[Any]) -> str:
    return str(row.request.partition(" ")[0])


def _without_draws(moves: list[list[int]]) -> list[list[int]]:
    """What chance has answered may be for others' eyes only."""
    return [move for move in moves if move[0] != CHANCE]


async def _rows(
    store: Store, table: sa.Table, key: str, guest: str, columns: tuple[str, ...]
) -> list[dict[str, Any]]:
    chosen = sa.select(*(table.c[name] for name in columns)).where(table.c[key] == guest)
    return [dict(row._mapping) for row in await store.read(chosen)]


def _is_about(guest: str) -> sa.ColumnElement[bool]:
    return sa.or_(
        events.c.body.contains(f'"{guest}"', autoescape=True),
        events.c.request.startswith(f"{guest} ", autoescape=True),
    )


def _results_of(tables: Collection[str]) -> sa.Select[Any]:
    return sa.select(results).where(results.c.table.in_(sorted(tables)))


def _replays() -> sa.Select[Any]:
    is_one = sa.and_(events.c.place == 0, events.c.body.contains('"attempts"'))
    return sa.select(events.c.table, events.c.body).where(is_one)


def _object(text: str) -> dict[str, Any]:
    """What is stored, or nothing if it is damaged: others must not wait for that."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}


def _deal(body: str) -> str | None:
    try:
        event = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError:
        return None
    deal: str | None = (event.get("replay") or {}).get("deal")
    return deal


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
