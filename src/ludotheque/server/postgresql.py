"""What is special about PostgreSQL: how to connect, what must hold there, who uses it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server.setting_kinds import Address
from ludotheque.server.storage_errors import NOT_ALLOWED, driver_error, reason

DRIVER = "postgresql+psycopg"
# So that a server that does not answer is noticed within seconds. An address may say otherwise.
CONNECTING = {
    "application_name": "ludotheque",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
# A node that is frozen in the middle of a transaction must not keep the others waiting. A commit is
# on disk before it is answered, whatever was set for the database or the role.
SESSION = """
SELECT set_config('lock_timeout', '5s', false),
       set_config('idle_in_transaction_session_timeout', '5s', false),
       CASE WHEN current_setting('synchronous_commit') = 'off'
            THEN set_config('synchronous_commit', 'on', false) END
"""
UPGRADING, SERVING = 0x10D07EC1, 0x10D07EC2  # advisory locks: keys that nobody else uses
IN_USE = "the database {} is being used by a server; stop it first"
IMPORTING = "everything is just being imported into this database"

# What to do about what PostgreSQL or its client says: parts of messages, in English.
ADVICE = (
    (("password",), "check the user and the password, which PGPASSWORD or ~/.pgpass may hold"),
    (("role",), "check the user in the address"),
    (("database", "does not exist"), "create it, for example with createdb"),
    (("SSL negotiation",), "what answers there is not PostgreSQL"),
    (("authentication request",), "what answers there is not PostgreSQL"),
    (("no pg_hba.conf entry",), "let this machine in, in PostgreSQL's pg_hba.conf"),
    (("permission denied for database",), "let the user connect to it"),
    (("permission denied",), 'let the user create tables: GRANT CREATE ON SCHEMA public TO "{}"'),
    (("already exists",), "another program uses this database; create one for Ludothèque"),
    (("read-only",), "name the server that may be written to"),
    (("starting up",), "try again in a while"),
    (("connection",), "check the address, and that PostgreSQL runs there"),
    (("could not translate host name",), "check the address"),
)


def url_of(address: Address) -> sa.URL:
    """The address for SQLAlchemy; Refused if the driver is missing."""
    if find_spec("psycopg") is None:
        raise Refused(
            "PostgreSQL needs the driver psycopg, which is not installed: "
            "pip install 'ludotheque[nodes]'"
        )
    try:
        return sa.make_url(address.full).set(drivername=DRIVER)
    except (sa.exc.ArgumentError, ValueError):
        raise Refused(f"{address} is not the address of a PostgreSQL database") from None


def name_of(url: sa.URL) -> str:
    """The address for people to read: neither a password nor options, which may hold one."""
    plain = sa.URL.create("postgresql", url.username, None, url.host, url.port, url.database)
    return plain.render_as_string()


def engine_of(url: sa.URL, **options: Any) -> sa.Engine:
    arguments = {key: value for key, value in CONNECTING.items() if key not in url.query}
    return sa.create_engine(
        url,
        hide_parameters=True,  # names, chat and keys
        use_native_hstore=False,  # or each connection would ask for what we do not use
        connect_args=arguments,
        **options,
    )


def prepare(connection: Any, _record: Any) -> None:
    """Set up a new connection of a server."""
    connection.execute(SESSION)
    connection.commit()


def expect_usable(connection: sa.Connection, name: str) -> None:
    """Refuse a database in which not every name and word could be kept."""
    asked = "SELECT current_setting('server_encoding'), current_setting('transaction_read_only')"
    encoding, is_read_only = connection.exec_driver_sql(asked).one()
    if encoding != "UTF8":
        raise Refused(
            f"the database {name} has the encoding {encoding}; "
            "create one with UTF8: createdb --encoding=UTF8 --template=template0"
        )
    if is_read_only == "on":
        raise Refused(f"the database {name} is read-only; name the server that may be written to")


def refusal(error: BaseException, url: sa.URL) -> Refused:
    """Why a database cannot be used, and what to do, in a sentence."""
    said = reason(error)
    if getattr(driver_error(error), "sqlstate", None) == NOT_ALLOWED:
        said = f"permission denied: {said.removeprefix('permission denied ')}"
    for parts, advice in ADVICE:
        if all(part in said for part in parts):
            said = f"{said}; {advice.format(url.username or 'USER')}"
            break
    return Refused(f"the database {name_of(url)} cannot be used: {said}")


# Who uses a database


def wait_to_upgrade(connection: sa.Connection) -> None:
    """Of several nodes that start at once, one upgrades, until the end of its transaction."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADING})")


def join_servers(connection: sa.Connection) -> None:
    """Say that a server uses this database, for as long as the connection lasts."""
    asked = f"SELECT pg_try_advisory_lock_shared({SERVING})"
    if not connection.exec_driver_sql(asked).scalar_one():
        raise Refused(IMPORTING)
    connection.commit()


def is_served(connection: sa.Connection) -> bool:
    """Whether a server uses this database now."""
    is_alone = _takes(connection)
    connection.rollback()
    return not is_alone


def expect_no_servers(connection: sa.Connection, name: str) -> None:
    """Keep servers out until the end of this transaction; Refused if there is one."""
    if not _takes(connection):
        raise Refused(IN_USE.format(name))


def _takes(connection: sa.Connection) -> bool:
    """Whether this connection alone may use the database, until the end of its transaction."""
    asked = f"SELECT pg_try_advisory_xact_lock({SERVING})"
    return bool(connection.exec_driver_sql(asked).scalar_one())
