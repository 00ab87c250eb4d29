"""A game's terminal drawing as plain text: for pages without a board of the game's own."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from ludotheque.engine.words import Words

COLUMNS = 72  # at most; most drawings are narrower


def drawn(view: Any, viewer: int, words: Words, names: Sequence[str]) -> str:
    """What `draw` of the game's terminal.py makes of a view, without colours."""
    # People choose their names, so what looks like markup in one is shown as it is.
    console = Console(
        file=io.StringIO(), width=COLUMNS, color_system=None, markup=False, emoji=False
    )
    with console.capture() as captured:
        console.print(words.game.module("terminal").draw(view, viewer, words, list(names)))
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join(lines).strip("\n")
