"""The same rules, compiled by Numba to run over arrays of records.

`compiled(game)` clones every rule function into one scope in which the others are compiled too.
Tuples of constants become arrays there, since Numba indexes those far better.

Numba's disk cache looks only at the file of the function it compiles. Our kernels draw on several
files, so the cache folder is named by a hash of all that is compiled.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from ludotheque.engine import playouts
from ludotheque.engine.game import Game
from ludotheque.engine.scope import rule_modules, shared_scope

CACHE_LINE_BYTES = 128  # two lines of 64: processors fetch their neighbour, too
INLINE_MAX_MOVES = 5000  # of a game; with more, inlining everything takes too long to compile


@cache
def compiled(
    game: Game, boundscheck: bool = False, around: tuple[ModuleType, ...] = (playouts,)
) -> dict[str, Any]:
    """Every rule function and every function of the modules `around`, compiled on first use.

    What Python calls, a module names in `__kernels__`: that is kept on disk, and everything else
    is inlined into it.
    """
    folder = cache_folder(game, boundscheck, around)
    kept = {name for module in around for name in getattr(module, "__kernels__", ())}

    def compile_function(function: FunctionType) -> Any:
        keep = function.__name__ in kept
        return numba.njit(
            cache=keep,
            forceinline=not keep and game.moves < INLINE_MAX_MOVES,
            boundscheck=boundscheck,
            error_model="numpy",
            nogil=True,
        )(function)

    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        scope = shared_scope(game, compile_function, *around)
    finally:
        numba.config.CACHE_DIR = before
    scope.update({name: _as_array(value) for name, value in scope.items() if _is_table(value)})
    return scope


def blank(game: Game, count: int, state: Any) -> Any:
    """An array of `count` records, each a copy of `state`."""
    states = padded((count,), game.State.dtype())
    state.store(states[:1][0])
    states[:] = states[0]
    return states


def padded(shape: tuple[int, ...], dtype: Any) -> Any:
    """An array of zeros that shares no line of the processor's cache with anything else."""
    size = np.dtype(dtype).itemsize * math.prod(shape)
    room = np.zeros(size + 2 * CACHE_LINE_BYTES, np.uint8)
    first = -room.ctypes.data % CACHE_LINE_BYTES
    lines = -(-size // CACHE_LINE_BYTES) * CACHE_LINE_BYTES
    return room[first : first + lines][:size].view(dtype).reshape(shape)


def marked_sets(game: Game) -> int:
    """Sets of moves that a mask keeps: none where bits tell them, or where they are tried."""
    if game.rule("has_bits")(0) or game.unlisted_moves > 0:
        return 0
    return int(game.rule("set_count")())


def cache_folder(game: Game, boundscheck: bool, around: tuple[ModuleType, ...]) -> Path:
    return cache_root() / f"{game.slug}-{_fingerprint(game, boundscheck, around)}"


def cache_root() -> Path:
    """Where compiled kernels are kept: $LUDOTHEQUE_CACHE, or the user's cache folder."""
    given = os.environ.get("LUDOTHEQUE_CACHE")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "ludotheque" / "kernels"


def _fingerprint(game: Game, boundscheck: bool, around: tuple[ModuleType, ...]) -> str:
    """Stands for all that the compiled code depends on: code, constants, records and compiler."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    scope = shared_scope(game, lambda function: function, *around)
    for name in sorted(scope.keys() - {"__builtins__"}):
        digest.update(f"{name}={_identity(scope[name])}\n".encode())
    for module in (*around, *rule_modules(game)):
        digest.update(repr(_record_fields(module)).encode())
    digest.update(f"{game.State.dtype()} {boundscheck}".encode())
    digest.update(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    return digest.hexdigest()[:16]


def _identity(value: object) -> str:
    """A text that changes when the code compiled for this value does."""
    if isinstance(value, FunctionType):
        return _code_identity(value.__code__)
    return repr(value)


def _code_identity(code: CodeType) -> str:
    """What a function does, without its comments, docstring and place in the file."""
    constants = [
        _code_identity(c) if isinstance(c, CodeType) else repr(c)
        for c in code.co_consts
        if not isinstance(c, str)  # rules compute with numbers: a text is a docstring
    ]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames}"


def _record_fields(module: ModuleType) -> list[tuple[str, tuple[str, ...]]]:
    """The named tuples of a module: compiled code finds their fields by position."""
    return [
        (name, value._fields)
        for name, value in vars(module).items()
        if isinstance(value, type) and hasattr(value, "_fields")
    ]


def _is_table(value: object) -> bool:
    if type(value) is not tuple or not value:
        return False
    return all(type(v) is int or type(v) is bytes or _is_table(v) for v in value)


def _as_array(table: tuple[Any, ...]) -> Any:
    """Integers as 64-bit numbers, so that functions are compiled for one type; bytes as bytes."""
    if type(table[0]) is bytes:
        return np.array([list(row) for row in table], np.uint8)
    return np.array(table, np.int64)
