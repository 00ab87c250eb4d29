"""The players of Ubongo: all lay cards in the same way, at a child's pace or a champion's."""

from __future__ import annotations

from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.ubongo.bot.player import Master, Player
from ludotheque.games.ubongo.bot.skill import SKILLS


def hire(level: str, game: Game, seat: int, rng: Random) -> Player:
    return (Master if level == "master" else Player)(seat, SKILLS[level], rng)
