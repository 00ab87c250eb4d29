"""Results as a table in a file: JSON, CSV or Parquet, by its ending."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludotheque.engine.refused import Refused

Rows = list[dict[str, Any]]


def expect_ending(path: Path) -> None:
    """Refuse a file that could not be written in the end, before anything is computed."""
    if path.suffix not in WRITERS:
        raise Refused(f"{path} ends in none of {', '.join(WRITERS)}")
    if path.suffix == ".parquet":
        _parquet()


def write(rows: Rows, path: Path) -> None:
    try:
        WRITERS[path.suffix](rows, path)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None


def _write_json(rows: Rows, path: Path) -> None:
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _write_csv(rows: Rows, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(rows: Rows, path: Path) -> None:
    arrow, parquet = _parquet()
    parquet.write_table(arrow.Table.from_pylist(rows), path)


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise Refused("Parquet needs an extra: pip install 'ludotheque[report]'") from None
    return pyarrow, pyarrow.parquet


WRITERS: dict[str, Callable[[Rows, Path], None]] = {
    ".json": _write_json,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}
