"""A player who plays many matches to the end in its mind.

They are played on layouts drawn from all that agree with what it remembers, and everybody in them
knows what it knows itself.
"""

from collections.abc import Sequence

from ludotheque.games.whats_up.bot.hints import Turning, why_agree, why_turn
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.bot.tree_search import Prospect, TreeSearch
from ludotheque.games.whats_up.bot.vote import share_if_ended
from ludotheque.games.whats_up.rules import AGREE, UNKNOWN, State
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

ADVICE = 3  # moves that a master tells
CERTAIN = 1.0


class Thinker:
    """Turns the card that wins most often in its mind."""

    def __init__(self, seat: int, memory: Memory, search: TreeSearch) -> None:
        self._seat = seat
        self._memory = memory
        self._foresight = search

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        return self._prospects(view, legal_moves, deadline)[0].move

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        prospects = self._prospects(view, legal_moves, deadline)[:ADVICE]
        return [self._explained(view, p) for p in prospects if p.tries > 0]

    def _explained(self, view: State, prospect: Prospect) -> Advice:
        move, chance = prospect.move, prospect.chance
        if move == AGREE:
            return why_agree(chance)
        backs = self._foresight.backs(view, self._memory, move)
        is_seen = self._memory.under[move] != UNKNOWN
        return why_turn(Turning(view, self._seat, move, backs, is_seen), chance)

    def _prospects(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline
    ) -> list[Prospect]:
        """What its moves promise, the best first; a vote comes first or not at all."""
        self.watch(view)
        share = share_if_ended(view, self._seat)
        end = [Prospect(AGREE, 1, share)] if AGREE in legal_moves else []
        if len(end) == len(legal_moves) or (end and share == CERTAIN):
            return end
        turns = self._foresight.prospects(view, self._memory, deadline)
        return end + turns if end and share > turns[0].chance else turns
