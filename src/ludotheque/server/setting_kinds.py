"""What values a setting takes: how they are read from a flag, a variable or a file, and written."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

NONE = "none"


class Kind:
    """Reads a value; ValueError if it is none. Flags and variables bring text, files any type."""

    expected = "text"
    placeholder = "TEXT"
    adds_up = False  # whether flag, variable and file are used together

    def read(self, value: object) -> Any:
        if not isinstance(value, str) or not value:
            raise ValueError
        return value

    def write(self, value: Any) -> str:
        return str(value)

    def quote(self, value: object) -> str:
        """What was given, for a message that refuses it."""
        return repr(value)


@dataclass(frozen=True)
class Whole(Kind):
    low: int
    high: int
    placeholder = "NUMBER"

    @property
    def expected(self) -> str:  # type: ignore[override]
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: object) -> int:
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError
        if not self.low <= value <= self.high:
            raise ValueError
        return value


class Choice(Kind):
    def __init__(self, *names: str) -> None:
        self.names = names
        self.expected = f"{', '.join(names[:-1])} or {names[-1]}"
        self.placeholder = "|".join(names)

    def read(self, value: object) -> str:
        if value not in self.names:
            raise ValueError
        return str(value)


class Folder(Kind):
    expected = "the path of a folder"
    placeholder = "FOLDER"

    def read(self, value: object) -> Path:
        return Path(super().read(value)).expanduser()


class File(Kind):
    """A file, which need not exist; None for none."""

    expected = f"the path of a file, or {NONE}"
    placeholder = "FILE"

    def read(self, value: object) -> Path | None:
        text: str = super().read(value)
        return None if text == NONE else Path(text).expanduser()

    def write(self, value: Any) -> str:
        return NONE if value is None else str(value)


class Name(Kind):
    """A word that may be a part of addresses, "" for none."""

    expected = f"letters, digits, - and _, at most 40, or {NONE}"
    placeholder = "NAME"

    def read(self, value: object) -> str:
        text: str = super().read(value)
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", text):
            raise ValueError
        return "" if text == NONE else text

    def write(self, value: Any) -> str:
        return str(value) or NONE


class Folders(Kind):
    """Several in a file are a list, in a variable they are separated as in PATH."""

    expected = "paths of folders"
    placeholder = "FOLDER"
    adds_up = True

    def read(self, value: object) -> tuple[Path, ...]:
        if isinstance(value, str):
            value = [part for part in value.split(os.pathsep) if part]
        if not isinstance(value, list | tuple):
            raise ValueError
        return tuple(Folder().read(str(each) if isinstance(each, Path) else each) for each in value)

    def write(self, value: Any) -> str:
        return os.pathsep.join(str(each) for each in value) or "none"


class Networks(Kind):
    """Several in a file are a list, in a variable they are separated by commas."""

    expected = "addresses or networks, such as 10.0.0.0/8"
    placeholder = "ADDRESS"
    adds_up = True

    def read(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        if not isinstance(value, list | tuple):
            raise ValueError
        return tuple(str(ipaddress.ip_network(self._text(each))) for each in value)

    @staticmethod
    def _text(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError
        return value

    def write(self, value: Any) -> str:
        return ", ".join(value) or "none"


@dataclass(frozen=True)
class Address:
    """Where a server is reached; it may hold a password, which printing it does not tell."""

    full: str = field(repr=False)

    def __str__(self) -> str:
        return _without_password(self.full)


class ServerAddress(Kind):
    """The address of another server, None for none."""

    placeholder = "ADDRESS"

    def __init__(self, example: str, *schemes: str) -> None:
        self.expected = f"an address such as {example}, or {NONE}"
        self.schemes = schemes

    def read(self, value: object) -> Address | None:
        text = super().read(value)
        if text == NONE:
            return None
        parts = urlsplit(text)  # ValueError if it is none
        if parts.scheme not in self.schemes or not text.startswith(f"{parts.scheme}://"):
            raise ValueError
        return Address(text)

    def write(self, value: Any) -> str:
        return NONE if value is None else str(value)

    def quote(self, value: object) -> str:
        return repr(_without_password(value) if isinstance(value, str) else value)


_ADDRESS = re.compile(r"(\w+://)(?:([^:/?@]*)(?::[^/?@]*)?@)?([^?@]*)(?:\?.*)?")


def _without_password(address: str) -> str:
    """An address without its password and its options, which may hold one."""
    parts = _ADDRESS.fullmatch(address)
    if parts is None:  # so there is no telling what of it is secret
        return f"{address.partition('://')[0][:12]}://…" if "://" in address else "…"
    scheme, user, rest = parts.groups()
    return f"{scheme}{user}@{rest}" if user else f"{scheme}{rest}"
