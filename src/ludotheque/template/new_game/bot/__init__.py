"""The players. A game may have up to four levels: novice, regular, expert and master."""

from collections.abc import Sequence
from random import Random

from ludotheque.engine.game import Game
from ludotheque.search.deadline import NO_DEADLINE, Deadline

from ..rules import MOST, State

LEVELS = ("regular",)  # those that there are, the weakest first


def hire(level: str, game: Game, seat: int, rng: Random) -> "Regular":
    return Regular(rng)


class Regular:
    """Leaves a number of stones from which the next one cannot finish, if it can."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def watch(self, view: State) -> None:
        """Called with the view of its seat after every change; nothing has to be remembered."""

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        best = view.stones % (MOST + 1) - 1
        return best if best in legal_moves else self._rng.choice(legal_moves)
