"""Bring a database up to date: every missing migration, in one transaction.

If the process is killed meanwhile, the database is as it was before. On SQLite the transaction
is begun by hand, since its driver would commit each CREATE TABLE by itself. On PostgreSQL, where
several nodes may start at once, the others wait for the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ludotheque.engine.refused import Refused
from ludotheque.server import postgresql
from ludotheque.server.database import is_postgresql, name_of, path_of, refusal
from ludotheque.server.sqlite_file import copy, make_private


def upgrade(url: sa.URL) -> None:
    """Run the missing migrations, after a backup if there is data."""
    with transaction(url) as connection:
        migrate(connection)


@contextmanager
def transaction(url: sa.URL) -> Iterator[sa.Connection]:
    """One transaction for changes to the schema too; Refused if the database cannot be used."""
    engine = _engine_of(url)
    try:
        if engine.dialect.name == "sqlite":
            make_private(path_of(url))
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                postgresql.expect_usable(connection, name_of(url))
                postgresql.wait_to_upgrade(connection)
            yield connection
    except sa.exc.DBAPIError as error:
        raise refusal(error, url) from error
    except OSError as error:
        raise Refused(f"the database {name_of(url)} cannot be opened: {error.strerror}") from error
    finally:
        engine.dispose()


@contextmanager
def rehearsed(url: sa.URL) -> Iterator[tuple[sa.Connection, str]]:
    """A database in PostgreSQL as it is after an upgrade, and the schema that it has now.

    An older one is copied into temporary tables and the copy is upgraded, in a transaction that is
    rolled back: nothing changes, and a server that runs meanwhile does not have to wait.
    """
    engine = postgresql.engine_of(url, poolclass=sa.NullPool)
    try:
        with engine.connect() as connection, connection.begin() as whole:
            found = schema_in(connection)
            if found is None:
                raise Refused(f"{name_of(url)} holds no tables of Ludothèque")
            expect_known(found, name_of(url))
            if found != revisions()[-1]:
                _copy_to_temporary(connection)
                migrate(connection)
            yield connection, found
            whole.rollback()
    except sa.exc.DBAPIError as error:
        raise refusal(error, url) from error
    finally:
        engine.dispose()


def _copy_to_temporary(connection: sa.Connection) -> None:
    """Temporary tables of the same names, which are found first."""
    schema = connection.exec_driver_sql("SELECT current_schema()").scalar_one()
    for name in sa.inspect(connection).get_table_names(schema):
        origin = f'"{schema}"."{name}"'
        connection.exec_driver_sql(f'CREATE TEMPORARY TABLE "{name}" (LIKE {origin} INCLUDING ALL)')
        connection.exec_driver_sql(f'INSERT INTO pg_temp."{name}" SELECT * FROM {origin}')
    connection.exec_driver_sql(f'SET LOCAL search_path = pg_temp, "{schema}"')


def _engine_of(url: sa.URL) -> sa.Engine:
    if is_postgresql(url):
        return postgresql.engine_of(url, poolclass=sa.NullPool)
    engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", _leave_transactions_to_us)
    sa.event.listen(engine, "begin", _begin_at_once)
    return engine


@cache
def revisions() -> tuple[str, ...]:
    """The schemas that this version knows, the oldest first.

    They are read once: Alembic loads every migration for it, as modules that only the collector
    frees.
    """
    return tuple(sorted(script.revision for script in _scripts(Config()).walk_revisions()))


def _scripts(config: Config) -> ScriptDirectory:
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return ScriptDirectory.from_config(config)


def migrate(connection: sa.Connection) -> None:
    """Run the missing migrations in the transaction of this connection."""
    config = Config(attributes={"connection": connection})
    newest = str(_scripts(config).get_current_head())
    found = schema_in(connection)
    if found == newest:
        return
    if found is not None:
        expect_known(found, name_of(connection.engine.url))
        if connection.dialect.name == "sqlite":
            path = path_of(connection.engine.url)
            copy(path, _copy_before(path, newest))
    command.upgrade(config, newest)


def _copy_before(path: Path, revision: str) -> Path:
    return path.with_name(f"{path.name}.before-{revision}")


def copies_before_upgrades(path: Path) -> list[Path]:
    """The copies of this database that upgrades have kept."""
    return [copy for each in revisions() if (copy := _copy_before(path, each)).exists()]


def expect_known(found: str, name: str) -> None:
    """Refuse a schema of a newer version."""
    known = revisions()
    if found not in known:
        raise Refused(
            f"the database {name} was written by a newer version of Ludothèque: "
            f"its schema is {found}, this version knows {', '.join(known)}"
        )


def schema_in(connection: sa.Connection) -> str | None:
    """The revision of the schema of a database, None if it has none of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def expect_newest(connection: sa.Connection) -> None:
    """Refuse a database with another schema than this version's."""
    found, newest, name = schema_in(connection), revisions()[-1], name_of(connection.engine.url)
    if found is None:
        raise Refused(f"{name} holds no tables of Ludothèque")
    expect_known(found, name)
    if found != newest:
        raise Refused(
            f"{name} has the schema {found}, and this version needs {newest}; "
            "start the server once, and it brings it up to date"
        )


def _leave_transactions_to_us(connection: Any, _record: Any) -> None:
    connection.isolation_level = None


def _begin_at_once(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
