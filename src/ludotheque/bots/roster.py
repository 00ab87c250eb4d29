"""The bots there are: each game's own players, of up to four levels, and one that plays anything.

A game's `bot/__init__.py` hires its players. If it does not have all four levels, it names
those that it has in `LEVELS`, the weakest first. A game without the file has none.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from random import Random

from ludotheque.bots.bot import Bot
from ludotheque.bots.chaotic import Chaotic
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused
from ludotheque.search.warmup import Step

NOVICE, REGULAR, EXPERT, MASTER = LEVELS = ("novice", "regular", "expert", "master")
CHAOTIC = "chaotic"
KINDS = (*LEVELS, CHAOTIC)

THINK_S = {NOVICE: 0.1, REGULAR: 0.1, EXPERT: 0.4, MASTER: 1.0, CHAOTIC: 0.1}  # at most, for a move
_pace = Random()


def levels(game: Game) -> tuple[str, ...]:
    """The levels of the game's own players, the weakest first."""
    if not has_players(game):
        return ()
    own: tuple[str, ...] = getattr(game.module("bot"), "LEVELS", LEVELS)
    return own


def kinds(game: Game) -> tuple[str, ...]:
    """Every bot that can play the game."""
    return (*levels(game), CHAOTIC)


def nearest(game: Game, level: str) -> str:
    """The bot that plays where this level is asked for.

    If the game does not have that level, it is the next weaker one, or the weakest. A level that
    no longer exists is a regular.
    """
    wanted = KINDS.index(level if level in KINDS else REGULAR)
    if level == CHAOTIC or not levels(game):
        return CHAOTIC
    weaker = [own for own in levels(game) if KINDS.index(own) <= wanted]
    return weaker[-1] if weaker else levels(game)[0]


def usual(game: Game) -> str:
    """The bot that takes a seat where nobody has chosen one."""
    return nearest(game, REGULAR)


def adviser(game: Game) -> str:
    """The level that gives hints: the strongest."""
    return levels(game)[-1] if levels(game) else CHAOTIC


def hire(kind: str, game: Game, seat: int, seed: int | str | None = None) -> Bot:
    """A new bot of this kind for one seat of one match.

    A game's own bots know the cards and boxes of our own box; with a host's they play anything.
    A bot from elsewhere is named as module:function; that is called as a game's own `hire` is.
    """
    if ":" in kind:
        return _from_elsewhere(kind)(kind, game, seat, Random(seed))
    if kind not in kinds(game):
        raise Refused(
            f"{game.slug}: there is no bot {kind!r}; the bots are: {', '.join(kinds(game))}"
        )
    if kind == CHAOTIC or game.parts is not None:
        return Chaotic(seed)
    bot: Bot = game.module("bot").hire(kind, game, seat, Random(seed))
    return bot


def _from_elsewhere(kind: str) -> Callable[[str, Game, int, Random], Bot]:
    module, _, name = kind.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Refused(f"bot {kind!r} cannot be hired: {error}") from None
    if not callable(found):
        raise Refused(f"bot {kind!r} cannot be hired: {name} is not a function")
    hire_it: Callable[[str, Game, int, Random], Bot] = found
    return hire_it


def pause(game: Game, kind: str, seconds: float | None) -> float:
    """Seconds that a move takes at a table; they do not tell how hard the choice was.

    A racer knows the `seconds` that its move takes. Others may need their limit, and never answer
    before it.
    """
    return THINK_S[kind] + _pace.uniform(0.4, 1.1) if seconds is None else seconds


def pause_alone(game: Game) -> float:
    """Seconds between the moves of bots where no person plays, so that the page keeps up.

    Where what a bot shows has to be remembered, the page shows it for a while, and a game says in
    `PAUSE_S` for how long. With a person among the players the bots wait for them anyway.
    """
    least: float = getattr(game.module("bot"), "PAUSE_S", 0.0) if has_players(game) else 0.0
    return least


def has_players(game: Game) -> bool:
    """Whether the game has players of its own."""
    return (game.folder / "bot" / "__init__.py").exists()


def is_compiled(game: Game) -> bool:
    """Whether some of the game's players think with what has to be compiled."""
    return has_players(game) and hasattr(game.module("bot"), "warm_steps")


def warm_steps(game: Game) -> Sequence[Step]:
    """What compiles all that the game's players think with, or loads it from the disk."""
    steps: Sequence[Step] = game.module("bot").warm_steps(game) if is_compiled(game) else ()
    return steps


def warm(game: Game, tell: Callable[[int, int], object] = lambda done, total: None) -> None:
    """Take all steps, and tell before and after each how many are done, and of how many."""
    steps = warm_steps(game)
    tell(0, len(steps))
    for done, step in enumerate(steps, 1):
        step()
        tell(done, len(steps))
