"""The database of a server: a file of SQLite in its data folder, or PostgreSQL by its address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server import postgresql
from ludotheque.server.configuration import Configuration
from ludotheque.server.data_folder import database_in, expect_tables, is_served
from ludotheque.server.storage_errors import reason

PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=5000",
    "secure_delete=ON",  # what guests have deleted does not stay in the file
)


def url_of(configuration: Configuration) -> sa.URL:
    """Where a server with these settings keeps everything."""
    if configuration.database is not None:
        return postgresql.url_of(configuration.database)
    return sqlite_url(database_in(configuration.data))


def url_with_tables(configuration: Configuration) -> sa.URL:
    """The same, but Refused if a folder has no tables."""
    if configuration.database is None:
        expect_tables(configuration.data)
    return url_of(configuration)


def sqlite_url(path: Path) -> sa.URL:
    return sa.URL.create("sqlite", database=str(path))


def is_postgresql(url: sa.URL) -> bool:
    return url.get_backend_name() == "postgresql"


def path_of(url: sa.URL) -> Path:
    """The file of a database of SQLite."""
    return Path(str(url.database))


def name_of(url: sa.URL) -> str:
    """The database for people to read, without a password."""
    return postgresql.name_of(url) if is_postgresql(url) else str(url.database)


def engine_of(url: sa.URL) -> sa.Engine:
    """The connections of a server to its database."""
    if is_postgresql(url):
        engine = postgresql.engine_of(url)
        sa.event.listen(engine, "connect", postgresql.prepare)
    else:
        engine = sa.create_engine(url, hide_parameters=True)  # names, chat and keys
        sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def is_used(url: sa.URL, folder: Path) -> bool:
    """Whether a server uses the database now; that of SQLite is in this folder."""
    if not is_postgresql(url):
        return is_served(folder)
    engine = postgresql.engine_of(url, poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            return postgresql.is_served(connection)
    except sa.exc.DBAPIError as error:
        raise postgresql.refusal(error, url) from None


def refusal(error: sa.exc.DBAPIError, url: sa.URL) -> Refused:
    """Why a database cannot be used, in a sentence."""
    if is_postgresql(url):
        return postgresql.refusal(error, url)
    return Refused(f"the database {name_of(url)} cannot be opened: {reason(error)}")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
