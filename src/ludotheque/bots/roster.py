"""The bots there are: four levels of each game's own players, and one that plays anything."""

from __future__ import annotations

from random import Random

from ludotheque.bots.bot import Bot
from ludotheque.bots.chaotic import Chaotic
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused

NOVICE, REGULAR, EXPERT, MASTER = LEVELS = ("novice", "regular", "expert", "master")
CHAOTIC = "chaotic"
KINDS = (*LEVELS, CHAOTIC)

SECONDS = {NOVICE: 0.1, REGULAR: 0.1, EXPERT: 0.4, MASTER: 1.0, CHAOTIC: 0.1}  # to decide in
_pace = Random()


def hire(kind: str, game: Game, seat: int, seed: int | str | None = None) -> Bot:
    """A new bot of this kind for one seat of one match.

    A game's own bots know the cards and boxes of our own box; with a host's they play anything.
    """
    if kind not in KINDS:
        raise Refused(f"there is no bot {kind!r}; the bots are: {', '.join(KINDS)}")
    if kind == CHAOTIC or game.parts is not None:
        return Chaotic(seed)
    module = game.module("bot")
    if not hasattr(module, "hire"):
        greedy: Bot = module.Greedy(seat, Random(seed))
        return greedy
    bot: Bot = module.hire(kind, game, seat, Random(seed))
    return bot


def pause(game: Game) -> float:
    """Seconds a bot seems to think: drawn without regard to what it thinks about."""
    return _pace.uniform(4.0, 9.0) if game.timed else _pace.uniform(0.5, 1.2)
