"""Bring a database up to date: every missing migration, in one transaction.

If the process is killed meanwhile, the database is as it was before. On SQLite the transaction
is begun by hand, since its driver would commit each CREATE TABLE by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ludotheque.engine.refused import Refused
from ludotheque.server.sqlite_file import copy, make_private


def upgrade(url: sa.URL) -> None:
    """Run the migrations that this database has not had, after a backup if there is data."""
    engine = sa.create_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            make_private(_path(url))
            sa.event.listen(engine, "connect", _leave_transactions_to_us)
            sa.event.listen(engine, "begin", _begin_at_once)
        with engine.begin() as connection:
            _upgrade(connection)
    except sa.exc.DBAPIError as error:
        raise Refused(f"the database {_name(url)} cannot be opened: {error.orig}") from error
    except OSError as error:
        raise Refused(f"the database {_name(url)} cannot be opened: {error.strerror}") from error
    finally:
        engine.dispose()


def revisions() -> list[str]:
    """The schemas that this version knows, the oldest first."""
    return sorted(script.revision for script in _scripts(Config()).walk_revisions())


def _scripts(config: Config) -> ScriptDirectory:
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return ScriptDirectory.from_config(config)


def _upgrade(connection: sa.Connection) -> None:
    config = Config(attributes={"connection": connection})
    newest = str(_scripts(config).get_current_head())
    found = MigrationContext.configure(connection).get_current_revision()
    if found == newest:
        return
    if found is not None:
        expect_known(found, _name(connection.engine.url))
        if connection.dialect.name == "sqlite":
            path = _path(connection.engine.url)
            copy(path, path.with_name(f"{path.name}.before-{newest}"))
    command.upgrade(config, newest)


def expect_known(found: str, name: str) -> None:
    """Refuse a schema of a newer version."""
    known = revisions()
    if found not in known:
        raise Refused(
            f"the database {name} was written by a newer version of Ludothèque: "
            f"its schema is {found}, this version knows {', '.join(known)}"
        )


def _leave_transactions_to_us(connection: Any, _record: Any) -> None:
    connection.isolation_level = None


def _begin_at_once(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _path(url: sa.URL) -> Path:
    return Path(str(url.database))


def _name(url: sa.URL) -> str:
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string()
