"""What the others may bid: half of the time as an expert would, otherwise as people do.

Among more than two, no bid is right whatever the others do, and whoever knows how they think has an
edge. Each rival's choice is searched for several times with little effort; such choices are laid
face down in the states in which one's own bid is searched for.
"""

from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import MAX_SEATS, State
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.searcher import PerfectInformation, Searcher

TIMES = 12  # that a rival's choice is searched for …
EFFORT = 800  # … with so many simulations
EXPERTS = 0.5  # the part of all rivals who are thought to think so far


class Rivals:
    """A memory that foresees bids too: in what it guesses, rivals who think have bid already."""

    def __init__(
        self, game: Game, seat: int, memory: Memory, rng: Random, exploration: float
    ) -> None:
        self._game = game
        self._seat = seat
        self._memory = memory
        self._searchers = [
            Searcher(game, rival, EFFORT, rng, exploration, guesses=1) for rival in range(MAX_SEATS)
        ]
        self._bids: dict[int, list[int]] = {}

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def foresee(self, view: State, rng: Random, deadline: Deadline = NO_DEADLINE) -> None:
        """Find what each of the others may bid now."""
        state = self._unsealed(view, rng)
        rivals = [seat for seat in range(view.seats) if seat != self._seat]
        self._bids = {seat: self._choices(state, seat, deadline) for seat in rivals}

    def guess(self, view: State, rng: Random) -> State:
        """A state in which some have bid as foreseen, and the others have still to bid."""
        state = self._unsealed(view, rng)
        for seat, bids in self._bids.items():
            if rng.random() < EXPERTS:
                self._game.play(state, seat, rng.choice(bids))
        return state

    def _unsealed(self, view: State, rng: Random) -> State:
        state = self._memory.guess(view, rng)
        self._memory.unseal(state)
        return state

    def _choices(self, state: State, seat: int, deadline: Deadline) -> list[int]:
        """What a rival may choose who sees all that one knows oneself."""
        cards, searcher = self._game.legal_moves(state, seat), self._searchers[seat]
        return [
            searcher.search(state, cards, PerfectInformation(), deadline).best()
            for _ in range(TIMES)
        ]
