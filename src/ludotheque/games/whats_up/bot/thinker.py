"""A player who searches a tree of simulated matches.

The simulations start from layouts drawn from all that agree with what it remembers, and every seat
in them knows what it knows itself.
"""

from collections.abc import Sequence

from ludotheque.games.whats_up.bot.hints import Turning, advice_on_turn, advice_on_vote
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.bot.tree_search import TreeSearch, Tried
from ludotheque.games.whats_up.bot.vote import share_if_ended
from ludotheque.games.whats_up.rules import AGREE, UNKNOWN, State
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

MAX_HINTS = 3
SOLE_WIN = 1.0  # the share of the victory


class Thinker:
    def __init__(self, seat: int, memory: Memory, search: TreeSearch) -> None:
        self._seat = seat
        self._memory = memory
        self._search = search

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        return self._compare(view, legal_moves, deadline)[0].move

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        compared = self._compare(view, legal_moves, deadline)[:MAX_HINTS]
        return [self._advice_on(view, tried) for tried in compared if tried.visits > 0]

    def _advice_on(self, view: State, tried: Tried) -> Advice:
        if tried.move == AGREE:
            return advice_on_vote(tried.win_chance)
        backs = self._search.backs(view, self._memory, tried.move)
        is_seen = self._memory.under[tried.move] != UNKNOWN
        return advice_on_turn(Turning(view, self._seat, tried.move, backs, is_seen), tried)

    def _compare(self, view: State, legal_moves: Sequence[int], deadline: Deadline) -> list[Tried]:
        """The moves, the best first; a vote comes first or not at all."""
        self.watch(view)
        share = share_if_ended(view, self._seat)
        vote = [Tried(AGREE, 1, share)] if AGREE in legal_moves else []
        if len(vote) == len(legal_moves) or (vote and share == SOLE_WIN):
            return vote
        turns = self._search.compare(view, self._memory, deadline)
        return vote + turns if vote and share > turns[0].win_chance else turns
