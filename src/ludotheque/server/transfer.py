"""Moves everything from one database to another: a private file of JSON lines, checked by replay.

The first line says what the file is and how many rows follow, then comes a row a line, and the last
line is the checksum of all others. Text that is not UTF-8, in a damaged file of SQLite, is told by
its bytes, so that a move changes nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server import postgresql, schema
from ludotheque.server.database import is_postgresql, name_of, refusal
from ludotheque.server.inventory import UNREADABLE, Entry, Inventory
from ludotheque.server.sqlite_file import PRIVATE
from ludotheque.server.storage_errors import reason
from ludotheque.server.upgrade import expect_newest, migrate, revisions, transaction

KIND, VERSION = "ludotheque export", 1
ROWS_AT_ONCE = 500
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Rows come after those that they belong to.
KEPT = {
    str(table.name): table
    for table in (
        schema.players,
        schema.devices,
        schema.recoveries,
        schema.subscriptions,
        schema.secrets,
        schema.tables,
        schema.seatings,
        schema.deals,
        schema.results,
        schema.events,
    )
}

Progress = Callable[[int, int], object]  # how much is done, and of how much


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a file."""

    kind: str
    version: int
    schema: str
    rows: dict[str, int]  # by table


class _Odd(msgspec.Struct):
    """Bytes that are not text."""

    hex: str


class _End(msgspec.Struct):
    sha256: str


class Moved(NamedTuple):
    rows: int
    notes: list[str]  # what could not be kept as it was, and what was damaged before


# Out of a database


def export(url: sa.URL, target: Path, progress: Progress) -> int:
    """Write everything to a new file, even while a server runs, and return the number of rows."""
    if target.exists():
        raise Refused(f"{target} already exists; choose another name")
    part = target.with_name(f"{target.name}.part")
    try:
        with _snapshot(url) as connection, _private(part) as file:
            total = _write(connection, file, progress)
        part.replace(target)
    except OSError as error:
        raise Refused(f"{target} was not written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return total


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _snapshot(url: sa.URL) -> Iterator[sa.Connection]:
    """A connection that sees everything as it is now, whatever a server writes meanwhile."""
    if is_postgresql(url):
        engine = postgresql.engine_of(url, poolclass=sa.NullPool, isolation_level="REPEATABLE READ")
    else:
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        sa.event.listen(engine, "connect", _read_any_text)
        sa.event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN"))
    try:
        with engine.connect() as connection:
            expect_newest(connection)
            yield connection
    except sa.exc.DBAPIError as error:
        raise refusal(error, url) from None


def _read_any_text(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # or each statement would see another moment
    connection.text_factory = _text_or_bytes


def _text_or_bytes(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _write(connection: sa.Connection, file: BinaryIO, progress: Progress) -> int:
    counts = {name: _count(connection, table) for name, table in KEPT.items()}
    digest, done, total = hashlib.sha256(), 0, sum(counts.values())

    def write(line: object) -> None:
        text = msgspec.json.encode(line) + b"\n"
        digest.update(text)
        file.write(text)

    write(Header(KIND, VERSION, revisions()[-1], counts))
    for name, table in KEPT.items():
        chosen = sa.select(table).order_by(*table.primary_key)
        found = connection.execute(chosen, execution_options={"yield_per": ROWS_AT_ONCE})
        for rows in found.partitions():
            for row in rows:
                write((name, [_told(value) for value in row]))
            done += len(rows)
            progress(done, total)
    file.write(msgspec.json.encode(_End(digest.hexdigest())) + b"\n")
    return total


def _count(connection: sa.Connection, table: sa.Table) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def _told(value: Any) -> Any:
    return _Odd(value.hex()) if isinstance(value, bytes) else value


# Into a database


def import_(source: Path, url: sa.URL, progress: Progress) -> Moved:
    """Fill an empty database from a file and replay every table; all of it, or nothing.

    No server may run there: of SQLite the caller holds the folder.
    """
    try:
        with source.open("rb") as file, transaction(url) as connection:
            if is_postgresql(url):
                postgresql.expect_no_servers(connection, name_of(url))
            reader = _Reader(source, file)
            migrate(connection)
            _expect_empty(connection, name_of(url))
            notes = _Filling(connection, reader, progress).fill()
            return Moved(reader.total, notes + _damages(connection, reader, progress))
    except sa.exc.IntegrityError as error:
        raise Refused(f"{source} does not fit together: {reason(error)}") from None
    except OSError as error:
        raise Refused(f"{source} cannot be read: {error.strerror}") from None


def _expect_empty(connection: sa.Connection, name: str) -> None:
    for table in KEPT.values():
        if found := _count(connection, table):
            raise Refused(
                f"{name} is not empty: it has rows in {table.name} ({found}); "
                "import into a new database"
            )


class _Reader:
    """The lines of a file, each checked; Refused names the first that is wrong."""

    def __init__(self, source: Path, file: BinaryIO) -> None:
        self._source = source
        self._file = file
        self._digest = hashlib.sha256()
        self.line = 0
        self.header = self._header()
        self.total = sum(self.header.rows.values())

    def _header(self) -> Header:
        try:
            header = msgspec.json.decode(self._next(), type=Header)
        except msgspec.MsgspecError:
            header = Header("", 0, "", {})
        newest = revisions()[-1]
        if header.kind != KIND:
            raise Refused(f"{self._source} was not written by `ludotheque export`")
        if (header.version, header.schema) != (VERSION, newest):
            raise Refused(
                f"{self._source} has the version {header.version} with the schema {header.schema}, "
                f"and this version of Ludothèque reads {VERSION} with {newest}; "
                "use the version that has written it, then upgrade"
            )
        return header

    def _next(self) -> bytes:
        self.line += 1
        text = self._file.readline()
        self._digest.update(text)
        return text

    def rows(self) -> Iterator[tuple[sa.Table, list[Any]]]:
        for name, count in self.header.rows.items():
            for _ in range(count):
                yield self._row(name)
        expected = self._digest.hexdigest()
        try:
            end = msgspec.json.decode(self._next(), type=_End)
        except msgspec.MsgspecError:
            raise self.refusal("the checksum is expected here") from None
        if end.sha256 != expected:
            raise Refused(f"{self._source} was changed or damaged: its checksum is wrong")

    def _row(self, name: str) -> tuple[sa.Table, list[Any]]:
        try:
            found, values = msgspec.json.decode(self._next(), type=tuple[str, list[Any]])
        except msgspec.MsgspecError as error:
            raise self.refusal(f"a row of {name} is expected here ({error})") from None
        if found != name or name not in KEPT or len(values) != len(KEPT[name].columns):
            raise self.refusal(f"a row of {name} is expected here")
        return KEPT[name], values

    def refusal(self, complaint: str) -> Refused:
        return Refused(f"{self._source}, line {self.line}: {complaint}")


class _Filling:
    """Puts the rows of a file into a database, many at once."""

    def __init__(self, connection: sa.Connection, reader: _Reader, progress: Progress) -> None:
        self._connection = connection
        self._reader = reader
        self._progress = progress
        self._is_postgresql = connection.dialect.name == "postgresql"
        self._notes: list[str] = []

    def fill(self) -> list[str]:
        """What could not be kept as it was."""
        gathered: list[dict[str, Any]] = []
        last: sa.Table | None = None
        for number, (table, values) in enumerate(self._reader.rows(), 1):
            if last is not None and (table is not last or len(gathered) >= ROWS_AT_ONCE):
                self._insert(last, gathered)
                gathered = []
                self._progress(number, self._reader.total + self._reader.header.rows["tables"])
            last = table
            gathered.append(self._fitted(table, values))
        if last is not None:
            self._insert(last, gathered)
        self._expect_belonging()
        return self._notes

    def _insert(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        odd = [row for row in rows if any(isinstance(value, bytes) for value in row.values())]
        plain = [row for row in rows if row not in odd] if odd else rows
        if plain:
            self._connection.execute(sa.insert(table), plain)
        for row in odd:  # SQLite keeps bytes as text if it is told to
            values = {k: sa.cast(v, sa.Text) if isinstance(v, bytes) else v for k, v in row.items()}
            self._connection.execute(sa.insert(table).values(values))

    def _expect_belonging(self) -> None:
        if not self._is_postgresql:
            loose = self._connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if loose is not None:
                raise self._reader.refusal(f"a row of {loose[0]} belongs to no row of {loose[2]}")

    def _fitted(self, table: sa.Table, values: list[Any]) -> dict[str, Any]:
        pairs = zip(table.columns, values, strict=True)
        return {column.name: self._value(column, value) for column, value in pairs}

    def _value(self, column: sa.Column[Any], value: Any) -> Any:
        match column.type:
            case sa.Boolean():
                fits = isinstance(value, bool)
            case sa.String():  # of which Text is one
                value = self._text(column, value)
                fits = value is not None
            case kind:
                bits = 63 if isinstance(kind, sa.BigInteger) or not self._is_postgresql else 31
                is_whole = isinstance(value, int) and not isinstance(value, bool)
                fits = is_whole and -(2**bits) <= value < 2**bits
        if not fits:
            told = f"{column.table.name}.{column.name}"
            raise self._reader.refusal(f"{told} does not fit: expected {column.type!r}")
        return value

    def _text(self, column: sa.Column[Any], value: Any) -> str | bytes | None:
        """Text that this database can keep, None if there is none."""
        if isinstance(value, dict) and isinstance(value.get("hex"), str):
            try:
                raw = bytes.fromhex(value["hex"])
            except ValueError:
                return None
            if not self._is_postgresql:
                return raw
            value = self._changed(column, raw.decode(errors="replace"), "bytes that are not text")
        if not isinstance(value, str):
            return None
        if self._is_postgresql and "\0" in value:
            value = self._changed(column, value.replace("\0", REPLACEMENT), "NUL characters")
        length = getattr(column.type, "length", None)
        is_too_long = self._is_postgresql and length is not None and len(value) > length
        return None if is_too_long else value

    def _changed(self, column: sa.Column[Any], value: str, what: str) -> str:
        told = f"{column.table.name}.{column.name}"
        self._notes.append(
            f"line {self._reader.line}: {told} had {what}, which PostgreSQL cannot keep; "
            f"{REPLACEMENT} stands for them"
        )
        return value.replace("\0", REPLACEMENT)


def _damages(connection: sa.Connection, reader: _Reader, progress: Progress) -> list[str]:
    """Replay every table as it is now; what is wrong with it was wrong before."""
    inventory, rows = Inventory(connection), reader.total
    total = rows + inventory.count()
    return list(_flaws(inventory.entries(), lambda done: progress(rows + done, total)))


def _flaws(entries: Iterable[Entry], progress: Callable[[int], object]) -> Iterator[str]:
    for number, entry in enumerate(entries, 1):
        progress(number)
        if entry.flaw:
            does = "could not be read" if entry.status == UNREADABLE else "differed on these rules"
            yield f"table {entry.id} {does} before either: {entry.flaw}"
