"""The players of Up & Down: two who go by instinct, and two who think."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from numpy import errstate

from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.bot.memory import Memory, dice_from
from ludotheque.games.up_and_down.bot.policy import TASTE, instinct
from ludotheque.games.up_and_down.rules import State
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.warmup import warm_up

if TYPE_CHECKING:
    from ludotheque.games.up_and_down.bot.thinker import Thinker

CHILDLIKE = (1000, 0, 0, 700, 250)  # a taste: wins when it can, keeps nothing for later
FORGETTING = 0.5
SLIPS = 0.2  # how often a novice just plays something


def hire(level: str, game: Game, seat: int, rng: Random) -> Novice | Regular | Thinker:
    """A new player of this level for one seat of one match."""
    match level:
        case "novice":
            return Novice(seat, rng)
        case "regular":
            return Regular(seat, rng)
        case "expert" | "master":
            return hire_thinker(level, game, seat, rng)
    raise ValueError(f"nobody here is called a {level}")


def hire_thinker(level: str, game: Game, seat: int, rng: Random) -> Thinker:
    """One of the two who think; compiled code comes with them, which takes a while to load."""
    from ludotheque.games.up_and_down.bot.hints import Coach  # noqa: PLC0415
    from ludotheque.games.up_and_down.bot.thinker import EXPERT, MASTER, Thinker  # noqa: PLC0415

    if level == "master":
        return Coach(game, seat, rng, MASTER)
    return Thinker(game, seat, rng, EXPERT)


def warm(game: Game) -> None:
    """Compile what the two who think need, or load it from the disk."""
    warm_up(game, hire, 1)


class Regular:
    """Counts the cards of the deal, and plays for the trick at hand."""

    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._memory = Memory(seat)

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        return play_by(TASTE, view, self._seat, self._memory, self._rng)


class Novice:
    """Forgets what was played, falls for whatever may win now, and slips now and then."""

    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._memory = Memory(seat, FORGETTING, rng)

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        if self._rng.random() < SLIPS:
            return self._rng.choice(legal_moves)
        return play_by(CHILDLIKE, view, self._seat, self._memory, self._rng)


def play_by(taste: Sequence[int], view: State, seat: int, memory: Memory, rng: Random) -> int:
    """What instinct says to a player of this taste; it turns the card in its mind, not the view."""
    with errstate(over="ignore"):  # as dice do
        return instinct(view.copy(), seat, memory.unshown(), taste, dice_from(rng))
