"""What the errors of the two databases mean, under SQLAlchemy or straight from the driver."""

from __future__ import annotations

# PostgreSQL's numbers
DUPLICATE_KEY = "23505"
NOT_ALLOWED = "42501"
ENDED_CONNECTIONS = (
    "08",  # the connection failed
    "57P",  # the server was stopped, or restarts
    "25P03",  # the transaction was idle for too long
)
GIVEN_WAY = ("40001", "40P01")  # to another transaction; nothing was stored

DAMAGED = "disk image is malformed"  # as SQLite says it
REMEDY = "run `ludotheque doctor`, stop the server, and `ludotheque restore` a backup"

FENCE = "events_pkey"


def driver_error(error: BaseException) -> BaseException:
    """What the driver has raised."""
    return getattr(error, "orig", None) or error


def reason(error: BaseException) -> str:
    """Why it failed, in a line without the rows that PostgreSQL adds to its messages."""
    found = driver_error(error)
    said = getattr(getattr(found, "diag", None), "message_primary", None) or str(found)
    told = said.partition("\n")[0]
    return f"{told}; {REMEDY}" if DAMAGED in told else told


def is_fence(error: BaseException) -> bool:
    """Whether an event is stored already in the place of one that was to be stored."""
    found = driver_error(error)
    if _number(found) == DUPLICATE_KEY:
        return bool(getattr(found, "diag").constraint_name == FENCE)  # noqa: B009
    is_key = getattr(found, "sqlite_errorname", "") == "SQLITE_CONSTRAINT_PRIMARYKEY"
    return is_key and "events.place" in str(found)


def is_end_of_connection(error: BaseException) -> bool:
    """Whether the connection to PostgreSQL was lost: what was just committed may be stored."""
    found = driver_error(error)
    if not hasattr(found, "sqlstate"):
        return False  # a file of SQLite has no connection to lose
    number = _number(found)
    if number is None:  # it did not come from the server, so it is about the connection
        return type(found).__name__ in ("OperationalError", "InterfaceError")
    return number.startswith(ENDED_CONNECTIONS)


def has_given_way(error: BaseException) -> bool:
    """Whether it failed only because another transaction was in the way."""
    return _number(driver_error(error)) in GIVEN_WAY


def _number(error: BaseException) -> str | None:
    number: str | None = getattr(error, "sqlstate", None)
    return number
