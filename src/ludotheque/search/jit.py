"""Functions compiled by themselves, apart from a game's rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

from ludotheque.engine.kernels import cache_root

Function = TypeVar("Function", bound=Callable[..., object])


def jit(function: Function) -> Function:
    """Compiled when it is first called; Numba's own decorator has no types."""
    return cast(Function, numba.njit(function, error_model="numpy", nogil=True))


def jit_cached(name: str, *sources: str) -> Callable[[Function], Function]:
    """Like `jit`, and cached on disk as long as none of the source files changes.

    Numba itself looks only at the file of the function that it caches.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sources:
        digest.update(Path(source).read_bytes())
    folder = cache_root() / f"{name}-{digest.hexdigest()[:16]}"

    def compile_cached(function: Function) -> Function:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
        try:
            njit = numba.njit(cache=True, error_model="numpy", nogil=True)
            return cast(Function, njit(function))
        finally:
            numba.config.CACHE_DIR = before

    return compile_cached
