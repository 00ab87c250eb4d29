"""How moves are written, and which of the words tell them: a move is the number of its stones."""

from .rules import State, awaits


def move_text(move: int) -> str:
    return str(move + 1)


def move_words(move: int) -> tuple[str, dict[str, object]]:
    """A key of [moves] in words.toml, and what its blanks are filled with."""
    return ("take_one" if move == 0 else "take"), {"count": move + 1}


def prompt(view: State, seat: int) -> str:
    """The key of [prompts] that says what this seat is asked to do."""
    return "take" if awaits(view, seat) else "wait"
