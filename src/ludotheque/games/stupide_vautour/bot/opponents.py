"""A model of several opponents: half of them bid as an expert would, the others by the policy.

Among more than two, no bid is right whatever the others do, so it pays to predict them. A short
search, run several times, gives a sample of each opponent's choices. Bids drawn from it are laid
face down in the states in which the model's owner searches for its own bid.
"""

from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import MAX_SEATS, State
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from ludotheque.search.searcher import PerfectInformation, Searcher

SEARCHES_PER_OPPONENT = 12
SIMULATIONS_PER_SEARCH = 800
EXPERT_SHARE = 0.5  # of the opponents


class OpponentModel:
    """A memory whose guesses contain predicted bids."""

    def __init__(
        self, game: Game, seat: int, memory: Memory, rng: Random, exploration: float
    ) -> None:
        self._game = game
        self._seat = seat
        self._memory = memory
        self._searchers = [
            Searcher(game, opponent, SIMULATIONS_PER_SEARCH, rng, exploration, guesses=1)
            for opponent in range(MAX_SEATS)
        ]
        self._bids: dict[int, list[int]] = {}

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def predict(self, view: State, rng: Random, deadline: Deadline = NO_DEADLINE) -> None:
        """Sample what each opponent may bid now."""
        state = self._unsealed(view, rng)
        opponents = [seat for seat in range(view.seats) if seat != self._seat]
        self._bids = {seat: self._sample(state, seat, deadline) for seat in opponents}

    def guess(self, view: State, rng: Random) -> State:
        """A state in which some opponents have made a predicted bid and the others none yet."""
        state = self._unsealed(view, rng)
        for seat, bids in self._bids.items():
            if rng.random() < EXPERT_SHARE:
                self._game.play(state, seat, rng.choice(bids))
        return state

    def _unsealed(self, view: State, rng: Random) -> State:
        state = self._memory.guess(view, rng)
        self._memory.unseal(state)
        return state

    def _sample(self, state: State, seat: int, deadline: Deadline) -> list[int]:
        """The choices of an opponent who knows as much as the model's owner."""
        cards, searcher = self._game.legal_moves(state, seat), self._searchers[seat]
        return [
            searcher.search(state, cards, PerfectInformation(), deadline).best()
            for _ in range(SEARCHES_PER_OPPONENT)
        ]
