"""A game whose adviser is compiled only as far as a test lets it."""

from __future__ import annotations

import fcntl
from pathlib import Path

from ludotheque.template import write_game

ADVISER = """
import fcntl
from functools import partial
from pathlib import Path

from ludotheque.search.advice import Advice

LEVELS = ("regular", "master")


class Master(Regular):
    def advise(self, view, legal_moves, deadline=NO_DEADLINE):
        return [Advice(self.choose(view, legal_moves), "best", {})]


def hire(level, game, seat, rng):
    return Master(rng) if level == "master" else Regular(rng)


def warm_steps(game):
    return [partial(pass_gate, gate) for gate in sorted(Path(__file__).parent.glob("*.gate"))]


def pass_gate(gate):
    with gate.open() as entrance:
        fcntl.flock(entrance, fcntl.LOCK_SH)
"""
WORDS = """
[{language}.hints]
best = "{reason}"

[{language}.bots.master]
name = "Flint"
character = "{reason}"
"""
REASONS = {"fr": "Il gagne", "en": "It wins", "de": "Er gewinnt"}


class Gate:
    """A step of compiling that does not end before the test opens it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def open(self) -> None:
        self._file.close()


def write_slow_game(slug: str, folder: Path, steps: int) -> list[Gate]:
    """Write the small game, with an adviser that takes this many steps to compile."""
    game = write_game(slug, folder)
    with (game / "bot" / "__init__.py").open("a", encoding="utf-8") as bot:
        bot.write(ADVISER)
    with (game / "words.toml").open("a", encoding="utf-8") as words:
        for language, reason in REASONS.items():
            words.write(WORDS.format(language=language, reason=reason))
    return [Gate(game / "bot" / f"{step}.gate") for step in range(steps)]
