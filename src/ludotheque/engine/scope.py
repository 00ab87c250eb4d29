"""The scope in which a game's functions meet: the defaults, its rules, and modules around them.

A function's body looks its helpers and tables up by name, so in a scope of its own it meets the
clones beside it: compiled ones if `wrap` compiles, a host's cards if the game has parts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ludotheque.engine import rulebook

if TYPE_CHECKING:
    from ludotheque.engine.game import Game

Wrap = Callable[[FunctionType], Any]


def shared_scope(game: Game, wrap: Wrap, *around: ModuleType) -> dict[str, Any]:
    """The rulebook's defaults, the modules `around` and the game's rules, cloned into one scope.

    Only what a module of defaults defines may be defined again by a later one.
    """
    scope: dict[str, Any] = {"__name__": game.rules.__name__, "__builtins__": __builtins__}
    functions: dict[str, FunctionType] = {}
    taken: dict[str, Any] = {}
    modules = (rulebook, *around, *rule_modules(game))
    for module in modules:
        names = functions_of(module) | _constants(module)
        for name in set(names) & set(taken):
            if names[name] is not taken[name]:
                raise TypeError(f"{module.__name__} may not define {name}: the engine uses it")
        if module in around and not hasattr(module, "__defaults__"):
            taken |= {name: names[name] for name in set(names) - _defaults(modules)}
        functions.update(functions_of(module))
        scope.update(_constants(module))
    scope["HAS_BITS"] = "legal_bits" in functions_of(game.rules)
    scope["HAS_SETS"] = "legal_sets" in functions_of(game.rules)
    scope.update(game.tables)
    for name, function in functions.items():
        scope[name] = wrap(cloned(function, scope))
    return scope


def _defaults(modules: Sequence[ModuleType]) -> set[str]:
    return {name for m in modules if hasattr(m, "__defaults__") for name in vars(m)}


def rule_modules(game: Game) -> list[ModuleType]:
    """rules.py and the modules of its folder whose functions it uses."""
    found = [game.rules]
    for module in found:
        for value in vars(module).values():
            home = getattr(value, "__module__", None) if isinstance(value, FunctionType) else None
            if home is not None and home.startswith(game.package + "."):
                sibling = importlib.import_module(home)
                if sibling not in found:
                    found.append(sibling)
    return found


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }


def _constants(module: ModuleType) -> dict[str, Any]:
    """Its constants, and what it takes from modules that are not written in Python."""
    return {
        name: value
        for name, value in vars(module).items()
        if name.isupper() or isinstance(value, BuiltinFunctionType) or _is_number_type(value)
    }


def _is_number_type(value: object) -> bool:
    return isinstance(value, type) and value.__module__ == "numpy"


def cloned(function: FunctionType, scope: dict[str, Any]) -> FunctionType:
    clone = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    clone.__doc__ = function.__doc__
    clone.__annotations__ = {}
    return clone
