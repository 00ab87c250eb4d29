"""What values a setting takes: how they are read from a flag, a variable or a file, and written."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
