"""Where games are found: in our own package, in folders of the user's, in other installed packages.

A game is a folder with a rules.py; the name of the folder is the name of the game. Folders of games
are named in the environment, so that the processes that this one starts find the same games. They
become part of the package `ludotheque.games`: a game is written the same way wherever it stands.
An installed package names its games as entry points of the group `ludotheque.games`.
"""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import os
import re
import traceback
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import NamedTuple

from ludotheque.engine.refused import Refused

GAMES = "ludotheque.games"  # our package, and the group of entry points
FOLDERS = "LUDOTHEQUE_GAMES"  # in the environment: more folders of games, separated as in PATH
LONGEST_NAME = 40


class Place(NamedTuple):
    """Where a game is: the package that its modules are imported from, and its folder."""

    package: str
    folder: Path

    @property
    def is_ours(self) -> bool:
        return self.folder.parent == _own_folder()


def checked_name(name: str) -> str:
    """The name of a game; Refused says what is wrong with it."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise Refused(
            f"{name!r} cannot be the name of a game; expected lower-case letters, digits and "
            "single underscores, beginning with a letter, such as my_game"
        )
    if len(name) > LONGEST_NAME:
        raise Refused(f"{name!r} has {len(name)} characters, expected at most {LONGEST_NAME}")
    return name


def use_folders(folders: Iterable[Path]) -> None:
    """Look for games in these folders too, here and in the processes that this one starts."""
    known = [str(folder) for folder in _folders()]
    added = [str(folder.resolve()) for folder in folders]
    os.environ[FOLDERS] = os.pathsep.join(dict.fromkeys([*known, *added]))
    places.cache_clear()


@cache
def places() -> dict[str, Place]:
    """Every game there is, by its name, in alphabetical order; Refused if a name comes twice."""
    found: dict[str, Place] = {}
    for name, place in (*_in_folders(), *_installed()):
        if name in found and found[name].folder != place.folder:
            raise Refused(
                f"there are two games {name}, in {found[name].folder} and in {place.folder}; "
                "rename one of them"
            )
        found[name] = place
    return dict(sorted(found.items()))


def place_of(name: str) -> Place:
    """Where the game of this name is."""
    if name not in places():
        raise Refused(f"there is no game {name!r}; the games are: {', '.join(places())}")
    return places()[name]


def place_to_check(name: str) -> Place:
    """Where the game of this name is, or is to be: also a folder that has no rules.py yet."""
    if name not in places():
        for folder in (_own_folder(), *_folders()):
            if (folder / name).is_dir():
                return Place(f"{GAMES}.{name}", folder / name)
    return place_of(name)


def explained(error: BaseException, folder: Path) -> str:
    """An error in one line, with the line of the game that it comes from."""
    text = f"{type(error).__name__}: {_first_line(error)}".removesuffix(": ")
    for file, line in _lines_of(error):
        path = Path(file).resolve()
        if path.is_relative_to(folder):
            return f"{path.relative_to(folder)}, line {line}: {text}"
    return text


def _first_line(error: BaseException) -> str:
    """The first line of its message that says something; of Numba's, not where it gave up."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    lines = [line.strip() for line in message.splitlines()]
    return next((line for line in lines if line and "nopython mode pipeline" not in line), "")


def _lines_of(error: BaseException) -> Iterator[tuple[str, int]]:
    """Files and lines that an error names, the nearest to its cause first."""
    if isinstance(error, SyntaxError) and error.filename:
        yield error.filename, error.lineno or 0
    for file, line in re.findall(r'File "([^"]+)", line (\d+)', str(error)):  # Numba's messages
        yield file, int(line)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        yield frame.filename, frame.lineno or 0


def _own_folder() -> Path:
    return Path(str(importlib.import_module(GAMES).__file__)).resolve().parent


def _folders() -> Iterator[Path]:
    """The folders of the user's that the environment names."""
    for text in os.environ.get(FOLDERS, "").split(os.pathsep):
        if text:
            yield _checked_folder(Path(text).resolve())


def _checked_folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise Refused(f"{folder} is not a folder; --games and {FOLDERS} name folders of games")
    if (folder / "rules.py").exists():
        raise Refused(f"{folder} is a game; expected the folder that it stands in, {folder.parent}")
    return folder


def _in_folders() -> Iterator[tuple[str, Place]]:
    package = importlib.import_module(GAMES)
    for folder in (_own_folder(), *_folders()):
        if str(folder) not in package.__path__:
            package.__path__.append(str(folder))
        for rules in sorted(folder.glob("*/rules.py")):
            name = checked_name(rules.parent.name)
            yield name, Place(f"{GAMES}.{name}", rules.parent)


def _installed() -> Iterator[tuple[str, Place]]:
    for entry in entry_points(group=GAMES):
        yield checked_name(entry.name), Place(entry.value, _folder_of(entry))


def _folder_of(entry: EntryPoint) -> Path:
    """The folder of an installed game, which is not imported for it."""
    try:
        spec = importlib.util.find_spec(entry.value)
    except Exception as error:  # a parent package may fail in any way
        raise Refused(f"the installed game {entry.name} cannot be found: {error}") from None
    if spec is None or not spec.submodule_search_locations:
        raise Refused(
            f"the installed game {entry.name} is {entry.value!r}, expected a package with rules.py"
        )
    return Path(spec.submodule_search_locations[0]).resolve()
