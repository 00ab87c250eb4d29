"""Whether a data folder is well, and whether its tables go on as they are on these rules."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server.backup import schema_of
from ludotheque.server.data_folder import expect_tables
from ludotheque.server.inventory import UNREADABLE, Inventory
from ludotheque.server.sqlite_file import copy, damages, files_of
from ludotheque.server.upgrade import expect_known, revisions, upgrade

FEW_BYTES = 100 * 1024 * 1024  # of free space, below which a server may soon be unable to store
OTHERS = stat.S_IRWXG | stat.S_IRWXO

Progress = Callable[[int, int], object]  # how many tables are examined, and of how many


class Finding(NamedTuple):
    is_well: bool
    text: str


def examine(folder: Path, progress: Progress) -> Iterator[Finding]:
    """Everything that is worth telling about a data folder; nothing in it is changed."""
    path = expect_tables(folder)
    yield _permissions(path)
    yield _space(folder, path)
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
    yield from _tables(path, schema != newest, progress)


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


def _tables(path: Path, is_old: bool, progress: Progress) -> Iterator[Finding]:
    """Replay every table; those of an older schema from a copy that is brought up to date."""
    with ExitStack() as stack:
        if is_old:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            copy(path, folder / path.name)
            path = folder / path.name
            upgrade(sa.URL.create("sqlite", database=str(path)))
        inventory = stack.enter_context(closing(Inventory(path)))
        total, bad = inventory.count(), 0
        for number, entry in enumerate(inventory.entries(), 1):
            progress(number, total)
            if entry.flaw:
                bad += 1
                does = "cannot be read" if entry.status == UNREADABLE else "would differ"
                yield Finding(False, f"table {entry.id} {does}: {entry.flaw}")
        text = f"tables: {total - bad} of {total} go on as they are on these rules"
        yield Finding(not bad, text)
