"""Long work in numbered pieces: shared by threads, processes or a cluster, and resumed.

A piece gives the same result wherever and whenever it is done, so neither the number of workers nor
an interruption changes what comes out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self, TypeVar

from ludotheque.engine.refused import Refused

T = TypeVar("T")
Work = Callable[[int], T]  # from the number of a piece to its result
Doer = Callable[[Work[T], Iterable[int]], Iterator[tuple[int, T]]]  # pieces as they are done

FILE_KIND = "ludotheque run"
FILE_VERSION = 1


def cores() -> int:
    return os.cpu_count() or 1


def on_threads(workers: int) -> Doer[Any]:
    """For compiled work, which lets other threads run."""
    return lambda work, numbers: _shared(ThreadPoolExecutor(workers), work, numbers)


def on_processes(workers: int) -> Doer[Any]:
    """For work in Python; the work and its results are copied."""
    if workers <= 1:
        return lambda work, numbers: ((number, work(number)) for number in numbers)
    spawn = get_context("spawn")
    return lambda work, numbers: _shared(ProcessPoolExecutor(workers, spawn), work, numbers)


def _shared(pool: Executor, work: Work[T], numbers: Iterable[int]) -> Iterator[tuple[int, T]]:
    futures = {pool.submit(work, number): number for number in numbers}
    try:
        for done in as_completed(futures):
            yield futures.pop(done), done.result()
    finally:  # if somebody stops early, nothing new is begun
        pool.shutdown(cancel_futures=True)


class Saved:
    """Results of pieces in a file, a line each, behind a line that says what they are pieces of."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        """Open the file of this run, or begin it; Refused if it is another run's."""
        self.path = path
        self.results: dict[int, Any] = {}
        header = {"kind": FILE_KIND, "version": FILE_VERSION, "run": run}
        try:
            is_old = path.exists() and path.stat().st_size > 0
            complete = self._read(header) if is_old else 0
            self._file = path.open("r+" if is_old else "w", encoding="utf-8")
            self._file.seek(complete)
            self._file.truncate()  # what was being written when the last run ended
            if not is_old:
                self._write(header)
        except OSError as error:
            raise Refused(f"{path} cannot keep a run: {error.strerror}") from None

    def _read(self, header: dict[str, Any]) -> int:
        """Take over the results, and return where the last complete line ends."""
        complete = 0
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                break
            found = self._parsed(line, number)
            if number == 0:
                self._expect(found, header)
            else:
                self.results[found["piece"]] = found["result"]
            complete += len(line)
        return complete

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            found = json.loads(line)
            if isinstance(found, dict) and (number == 0 or {"piece", "result"} <= set(found)):
                return found
        except ValueError:
            pass
        raise Refused(f"{self.path} is not the file of a run: line {number + 1} cannot be read")

    def _expect(self, found: dict[str, Any], header: dict[str, Any]) -> None:
        if found.get("kind") != FILE_KIND or found.get("version") != FILE_VERSION:
            raise Refused(f"{self.path} is not the file of a run, version {FILE_VERSION}")
        expected, there = json.loads(json.dumps(header["run"])), found.get("run", {})
        differences = [
            f"its {key.replace('_', ' ')} is {_told(there, key)}, not {_told(expected, key)}"
            for key in expected | there
            if _told(expected, key) != _told(there, key)
        ]
        if differences:
            raise Refused(
                f"{self.path} is another run: {', '.join(differences)}; name another file"
            )

    def add(self, piece: int, result: Any) -> None:
        self.results[piece] = result
        self._write({"piece": piece, "result": result})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _told(run: dict[str, Any], key: str) -> str:
    return repr(run[key]) if key in run else "unknown"


def done_or_saved(
    work: Work[T], count: int, do: Doer[T], saved: Saved | None = None
) -> Iterator[tuple[int, T]]:
    """The results of all pieces, those that a file has first; the others are added to it."""
    known = saved.results.copy() if saved is not None else {}
    yield from known.items()
    for number, result in do(work, [n for n in range(count) if n not in known]):
        if saved is not None:
            saved.add(number, result)
        yield number, result
