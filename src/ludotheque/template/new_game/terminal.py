"""The table in a terminal, and in a browser as long as the game has no board of its own."""

from rich.console import RenderableType
from rich.text import Text

from ludotheque.engine.words import Words

from .rules import STONES, State


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    heap = "● " * view.stones + "○ " * (STONES - view.stones)
    who = words.board("won" if view.stones == 0 else "turn", player=names[view.turn])
    return Text(f"{words.board('stones', count=view.stones)}\n\n{heap}\n\n{who}")
