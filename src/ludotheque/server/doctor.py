"""Whether a database is healthy, and whether its tables can go on unchanged on these rules."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server.backup import schema_of
from ludotheque.server.database import is_postgresql, path_of, sqlite_url
from ludotheque.server.inventory import UNREADABLE, Entry, Inventory, opened
from ludotheque.server.sqlite_file import copy, damages, files_of
from ludotheque.server.upgrade import expect_known, rehearsed, revisions, upgrade

FEW_BYTES = 100 * 1024 * 1024  # of free space, below which a server may soon be unable to store
OTHERS = stat.S_IRWXG | stat.S_IRWXO

Progress = Callable[[int, int], object]  # how many tables are examined, and of how many


class Finding(NamedTuple):
    is_well: bool
    text: str


def examine(url: sa.URL, progress: Progress) -> Iterator[Finding]:
    """Everything that is worth telling about a database; nothing in it is changed."""
    if is_postgresql(url):
        yield from _examine_server(url, progress)
    else:
        yield from _examine_file(path_of(url), progress)


def _examine_file(path: Path, progress: Progress) -> Iterator[Finding]:
    yield _permissions(path)
    yield _space(path.parent, path)
    found = damages(path)
    yield Finding(not found, f"integrity: {found[0]}" if found else "integrity: nothing is damaged")
    if found:
        return
    schema, newest = schema_of(path), revisions()[-1]
    try:
        expect_known(schema, str(path))
    except Refused as error:
        yield Finding(False, f"schema: {error}")
        return
    later = "" if schema == newest else f", brought to {newest} when the server starts"
    yield Finding(True, f"schema: {schema}{later}")
    with ExitStack() as stack:
        if schema != newest:
            path = _brought_up_to_date(path, Path(stack.enter_context(TemporaryDirectory())))
        yield from _tables(stack.enter_context(opened(sqlite_url(path))), progress)


def _examine_server(url: sa.URL, progress: Progress) -> Iterator[Finding]:
    newest = revisions()[-1]
    with rehearsed(url) as (connection, schema):
        yield _durability(connection)
        later = "" if schema == newest else f", brought to {newest} when the server starts"
        yield Finding(True, f"schema: {schema}{later}")
        yield from _tables(Inventory(connection), progress)


def _durability(connection: sa.Connection) -> Finding:
    """Whether what PostgreSQL has committed survives a power cut."""
    ask = "SELECT current_setting('fsync'), current_setting('full_page_writes')"
    off = [
        name
        for name, value in zip(
            ("fsync", "full_page_writes"), connection.exec_driver_sql(ask).one(), strict=True
        )
        if value == "off"
    ]
    if off:
        return Finding(False, f"durability: {' and '.join(off)} off: a power cut may lose moves")
    return Finding(True, "durability: what is committed survives a power cut")


def _permissions(path: Path) -> Finding:
    open_ = [file.name for file in files_of(path) if file.stat().st_mode & OTHERS]
    if open_:
        return Finding(False, f"permissions: others may read {', '.join(sorted(open_))}")
    if not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
        return Finding(False, f"permissions: {path} cannot be written to")
    return Finding(True, "permissions: the files are their owner's alone")


def _space(folder: Path, path: Path) -> Finding:
    """An upgrade keeps a copy, so there has to be room for one."""
    free, size = shutil.disk_usage(folder).free, path.stat().st_size
    text = f"disk: {free / 1e9:.1f} GB free, the tables take {size / 1e9:.3f} GB"
    is_enough = free > size + FEW_BYTES
    return Finding(is_enough, text if is_enough else f"{text}: too little for an upgrade")


def _brought_up_to_date(path: Path, folder: Path) -> Path:
    """A copy of the file with the newest schema."""
    copy(path, folder / path.name)
    upgrade(sqlite_url(folder / path.name))
    return folder / path.name


def _tables(inventory: Inventory, progress: Progress) -> Iterator[Finding]:
    """Replay every table."""
    total, bad = inventory.count(), 0
    for number, entry in enumerate(inventory.entries(), 1):
        progress(number, total)
        if entry.flaw:
            bad += 1
            yield flaw_of(entry)
    yield Finding(not bad, f"tables: {total - bad} of {total} go on as they are on these rules")


def flaw_of(entry: Entry) -> Finding:
    does = "cannot be read" if entry.status == UNREADABLE else "would differ"
    return Finding(False, f"table {entry.id} {does}: {entry.flaw}")
