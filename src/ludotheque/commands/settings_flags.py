"""Commands that take settings of a server as flags: the flags follow from the declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from ludotheque.server.configuration import (
    FILE_NAME,
    SETTINGS,
    default_text,
    flag,
    resolve,
    variable,
)

FILE_HELP = f"A TOML file with settings; {FILE_NAME} in the data folder if left out."


def takes_settings(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command flags for these settings; it gets what is in force as its first argument."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def command(**given: Any) -> None:
            flags = {name: given.pop(name) for name in (*names, "config")}
            function(resolve(flags), **given)

        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        flags = [*map(_parameter, names), _option("config", Path, FILE_HELP, "FILE")]
        _set_parameters(command, [*own, *flags])
        return command

    return decorate


def _set_parameters(command: Any, parameters: list[inspect.Parameter]) -> None:
    command.__signature__ = inspect.Signature(parameters)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    del command.__wrapped__


def _parameter(name: str) -> inspect.Parameter:
    says, kind = SETTINGS[name]
    default = f", {text}" if (text := default_text(name)) else ""
    help_ = f"{says} ({variable(name)}{default})"
    type_ = list[str] if kind.adds_up else str
    return _option(name, type_, help_, kind.placeholder)


def _option(name: str, type_: Any, help_: str, placeholder: str) -> inspect.Parameter:
    option = typer.Option(flag(name), help=help_, metavar=placeholder, show_default=False)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    annotation = Annotated[type_ | None, option]
    return inspect.Parameter(name, kind, default=None, annotation=annotation)
