"""Insert a row whose key may be taken: each dialect of SQL has its own insert for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

_INSERTS = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}


def insert_once(
    bind: sa.Engine | sa.Connection, into: sa.Table, values: Mapping[str, object]
) -> sa.Executable:
    """Insert a row unless its key is taken."""
    inserted: sa.Executable = _insert(bind, into).values(dict(values)).on_conflict_do_nothing()
    return inserted


def upsert(
    bind: sa.Engine | sa.Connection, into: sa.Table, values: Mapping[str, object]
) -> sa.Executable:
    """Insert a row, or change the one that has its key.

    To delete and insert would not do: of two nodes at once, the second would find the key taken.
    """
    key = [column.name for column in into.primary_key]
    changed = {name: value for name, value in values.items() if name not in key}
    inserted = _insert(bind, into).values(dict(values))
    written: sa.Executable = inserted.on_conflict_do_update(index_elements=key, set_=changed)
    return written


def _insert(bind: sa.Engine | sa.Connection, into: sa.Table) -> Any:
    return _INSERTS[bind.dialect.name](into)
