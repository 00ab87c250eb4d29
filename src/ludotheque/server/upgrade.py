"""Bring a database up to date: every missing migration, in one transaction.

If the process is killed meanwhile, the database is as it was before. On SQLite the transaction
is begun by hand, since its driver would commit each CREATE TABLE by itself.
"""

from __future__ import annotations

import glob
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ludotheque.engine.refused import Refused

PRIVATE = 0o600  # the database holds the keys of chance and the secret that signs tokens


def upgrade(url: sa.URL) -> None:
    """Run the migrations that this database has not had, after a backup if there is data."""
    engine = sa.create_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            _make_private(_path(url))
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


def _upgrade(connection: sa.Connection) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    newest = str(scripts.get_current_head())
    found = MigrationContext.configure(connection).get_current_revision()
    if found == newest:
        return
    if found is not None:
        _check_known(found, scripts, connection.engine.url)
        if connection.dialect.name == "sqlite":
            _back_up(_path(connection.engine.url), newest)
    command.upgrade(config, newest)


def _check_known(found: str, scripts: ScriptDirectory, url: sa.URL) -> None:
    known = sorted(script.revision for script in scripts.walk_revisions())
    if found not in known:
        raise Refused(
            f"the database {_name(url)} was written by a newer version of Ludothèque: "
            f"its schema is {found}, this version knows {', '.join(known)}"
        )


def _back_up(path: Path, revision: str) -> None:
    """Copy the database through SQLite, which includes what is still in the write-ahead log.

    The copy gets its name when it is complete, so a file of that name is a good backup.
    """
    backup = path.with_name(f"{path.name}.before-{revision}")
    part = backup.with_name(f"{backup.name}.part")
    for leftover in _files_of(part):
        leftover.unlink()
    part.touch(PRIVATE)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
    part.replace(backup)


def _make_private(path: Path) -> None:
    """Allow only the owner to read the database, its backups, and SQLite's other files."""
    path.touch(PRIVATE)  # SQLite gives its other files the permissions of this one
    for file in _files_of(path):
        file.chmod(PRIVATE)


def _files_of(path: Path) -> list[Path]:
    return list(path.parent.glob(f"{glob.escape(path.name)}*"))


def _leave_transactions_to_us(connection: Any, _record: Any) -> None:
    connection.isolation_level = None


def _begin_at_once(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _path(url: sa.URL) -> Path:
    return Path(str(url.database))


def _name(url: sa.URL) -> str:
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string()
