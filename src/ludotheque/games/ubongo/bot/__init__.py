"""The players of Ubongo, from a child's pace to a champion's."""

from __future__ import annotations

from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.ubongo.bot.pace import PACES
from ludotheque.games.ubongo.bot.player import Master, Player


def hire(level: str, game: Game, seat: int, rng: Random) -> Player:
    return (Master if level == "master" else Player)(seat, PACES[level], rng)
