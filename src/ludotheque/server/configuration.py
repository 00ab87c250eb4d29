"""Every setting of a server, declared once: flags, variables, the file and the manual follow.

A setting `log_format` is the flag `--log-format`, the variable `LUDOTHEQUE_LOG_FORMAT` and the key
`log_format` in a TOML file. A flag is stronger than a variable, and a variable than the file.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import platformdirs

from ludotheque.engine.refused import Refused
from ludotheque.server.setting_kinds import (
    Address,
    Choice,
    File,
    Folder,
    Folders,
    Kind,
    Name,
    Networks,
    ServerAddress,
    Whole,
)

PREFIX = "LUDOTHEQUE_"
FILE_VARIABLE = "LUDOTHEQUE_CONFIG"
FILE_NAME = "ludotheque.toml"  # looked for in the data folder unless another file is named
OTHER_VARIABLES = ("CACHE", "CONFIG", "SERVER")  # which are not settings of a server
FOR_EVER = 0  # days that stand for no end
MOST_DAYS = 36_500
DEFAULT = "default"


class Setting(NamedTuple):
    """What a setting is for, in a sentence, and what it takes."""

    says: str
    kind: Kind


def _data_folder() -> Path:
    return Path(platformdirs.user_data_dir("ludotheque"))


@dataclass(frozen=True)
class Configuration:
    """The settings of a server. A new one is a new field."""

    host: Annotated[str, Setting("The address to listen on.", Kind())] = "0.0.0.0"
    port: Annotated[int, Setting("The port to listen on.", Whole(1, 65535))] = 8000
    workers: Annotated[
        int,
        Setting(
            "How many processes share the work on this machine, over a NATS server that they start "
            "themselves unless there is a broker.",
            Whole(1, 64),
        ),
    ] = 1
    data: Annotated[
        Path, Setting("The folder to keep tables in; the user's data folder by default.", Folder())
    ] = field(default_factory=_data_folder)
    database: Annotated[
        Address | None,
        Setting(
            "The database of PostgreSQL to keep everything in, instead of a file in the folder.",
            ServerAddress("postgresql://user@host/name", "postgresql", "postgres"),
        ),
    ] = None
    broker: Annotated[
        Address | None,
        Setting(
            "The NATS server over which several nodes share their tables; without one, this server "
            "has them to itself.",
            ServerAddress("nats://127.0.0.1:4222", "nats", "tls", "ws", "wss"),
        ),
    ] = None
    broker_credentials: Annotated[
        Path | None,
        Setting(
            "A file with the credentials or the seed of this node's user at the broker.",
            File(),
        ),
    ] = None
    node: Annotated[
        str,
        Setting(
            "What this node is called among the others; its user at the broker, or the machine's "
            "name by default.",
            Name(),
        ),
    ] = ""
    role: Annotated[
        str,
        Setting(
            "What this node does for all that share the broker: has tables and thinks for bots, "
            "or only one of both.",
            Choice("all", "tables", "bots"),
        ),
    ] = "all"
    games: Annotated[
        tuple[Path, ...],
        Setting("A folder with games of your own; several may be given.", Folders()),
    ] = ()
    trusted_proxy: Annotated[
        tuple[str, ...],
        Setting(
            "A proxy, or a network of proxies, to believe about who its clients are; several may "
            "be given.",
            Networks(),
        ),
    ] = ()
    log_format: Annotated[
        str, Setting("How the log is written: lines for people, or JSON.", Choice("text", "json"))
    ] = "text"
    log_level: Annotated[
        str,
        Setting(
            "The least severe events that are logged.",
            Choice("debug", "info", "warning", "error"),
        ),
    ] = "warning"
    metrics: Annotated[
        str,
        Setting(
            "Who may read /metrics: programs on this machine, everyone, or nobody.",
            Choice("local", "open", "off"),
        ),
    ] = "local"
    keep_finished_days: Annotated[
        int,
        Setting(
            "Days after which a table is deleted where nothing has happened since a match ended; "
            "0 keeps it for ever.",
            Whole(FOR_EVER, MOST_DAYS),
        ),
    ] = 365
    keep_abandoned_days: Annotated[
        int,
        Setting(
            "Days after which a table is deleted where a match was not begun or not finished, and "
            "nothing has happened since; 0 keeps it for ever.",
            Whole(FOR_EVER, MOST_DAYS),
        ),
    ] = 180


DEFAULTS = Configuration()
SETTINGS: dict[str, Setting] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Configuration, include_extras=True).items()
}


class InForce(NamedTuple):
    """The settings of a server, and where each comes from."""

    configuration: Configuration
    origins: dict[str, str]


def flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def default_text(name: str) -> str:
    """The default as the manual gives it: the same on every machine."""
    found = next(each for each in fields(Configuration) if each.name == name)
    return "" if name == "data" else SETTINGS[name].kind.write(found.default)


def resolve(
    flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ
) -> InForce:
    """The settings in force; Refused names the first that is wrong, and where it comes from."""
    layers = _Layers()
    typed = {name: value for name, value in (flags or {}).items() if value}
    named = typed.pop("config", None) or environment.get(FILE_VARIABLE)
    layers.add(typed, {name: flag(name) for name in typed})
    found = _in_environment(environment)
    layers.add(found, {name: variable(name) for name in found})
    if named:
        layers.add_file(Path(named).expanduser())
    folder = layers.values.get("data", _data_folder())
    if not named and (folder / FILE_NAME).is_file():
        layers.add_file(folder / FILE_NAME, is_in_data=True)
    origins = {name: layers.origins.get(name, DEFAULT) for name in SETTINGS}
    return InForce(Configuration(**layers.values), origins)


class _Layers:
    """Values from one place after another, the strongest first."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str] = {}

    def add(self, given: Mapping[str, Any], origins: Mapping[str, str]) -> None:
        for name, value in given.items():
            read = _checked(name, value, origins[name])
            if name not in self.values:
                self.values[name], self.origins[name] = read, origins[name]
            elif SETTINGS[name].kind.adds_up:
                self.values[name] = tuple(dict.fromkeys((*self.values[name], *read)))
                self.origins[name] += f", {origins[name]}"

    def add_file(self, path: Path, is_in_data: bool = False) -> None:
        given = _in_file(path)
        if is_in_data and "data" in given:
            raise Refused(f"data is set in {path}, which is found by it; use {flag('data')}")
        self.add(given, dict.fromkeys(given, str(path)))


def _in_environment(environment: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, value in environment.items():
        key = name.removeprefix(PREFIX)
        if key == name or not value or key in OTHER_VARIABLES:
            continue
        if key.lower() not in SETTINGS:
            known = [variable(each) for each in SETTINGS]
            raise Refused(f"there is no variable {name} to set; {_nearest(name, known)}")
        found[key.lower()] = value
    return found


def _in_file(path: Path) -> dict[str, Any]:
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is not TOML: {error}") from None
    for name in given:
        if name not in SETTINGS:
            raise Refused(f"there is no setting {name!r}, in {path}; {_nearest(name, SETTINGS)}")
    return given


def _checked(name: str, value: object, origin: str) -> Any:
    kind = SETTINGS[name].kind
    try:
        return kind.read(value)
    except ValueError:
        expected = f"expected {kind.expected}"
        raise Refused(f"{name} is {kind.quote(value)} (from {origin}), {expected}") from None


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"


def manual() -> list[str]:
    """The table of all settings, as docs/hosting.md has it."""
    lines = ["| setting | values | default | what it does |", "| --- | --- | --- | --- |"]
    for name, (says, kind) in SETTINGS.items():
        default = f"`{text}`" if (text := default_text(name)) else "the user's"
        lines.append(f"| `{name}` | {kind.expected} | {default} | {says} |")
    return lines
