"""A small game that works from the first minute, for authors of games to start from.

`new_game/` is that game, as real files: they are linted, typed and tested like any other game.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from ludotheque.engine.discovery import checked_name, places
from ludotheque.engine.refused import Refused

TEMPLATE = Path(__file__).parent / "new_game"
SLUG, TITLE = "new_game", "New game"  # as they stand in the template's files


def write_game(name: str, into: Path) -> Path:
    """Write the small game under a name of its own; the answer is its folder, which is new."""
    checked_name(name)
    folder = into / name
    if name in places():
        raise Refused(f"there is a game {name} already, in {places()[name].folder}")
    if folder.exists() or folder.is_symlink():
        raise Refused(f"{folder} already exists, and nothing is overwritten; choose another name")
    try:
        shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for path in folder.rglob("*.*"):
            text = path.read_text("utf-8")
            path.write_text(text.replace(SLUG, name).replace(TITLE, title(name)), "utf-8")
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}") from None
    return folder


def title(name: str) -> str:
    """The name as people read it: "My game"."""
    return name.replace("_", " ").capitalize()
