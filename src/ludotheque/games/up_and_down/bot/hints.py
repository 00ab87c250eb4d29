"""The best of the players also tells what it would do in a seat, and why."""

from __future__ import annotations

from collections.abc import Sequence

from ludotheque.games.up_and_down.bot.policy import fitting
from ludotheque.games.up_and_down.bot.thinker import Thinker, Tried
from ludotheque.games.up_and_down.notation import SUIT_NAMES
from ludotheque.games.up_and_down.rules import (
    CHANGING,
    FLIP,
    REROLL,
    TURN,
    UP,
    State,
    trump,
    value_of,
)
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

MOST = 3  # moves to advise
LIKELY = 0.5
HARDLY = 0.15


class Coach(Thinker):
    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        """The best moves, the best one first, each with its chance to take the trick."""
        tried = self.compare(view, legal_moves, deadline)[:MOST]
        return [advice_on(view, self.seat, move, len(legal_moves) == 1) for move in tried]


def advice_on(view: State, seat: int, tried: Tried, is_forced: bool) -> Advice:
    stake = 1 + view.pot
    values: dict[str, object] = {"chance": round(100 * tried.chance)}
    if view.phase == CHANGING:
        return Advice(tried.move, *_on_change(view, tried.move, values))
    if is_forced:
        return Advice(tried.move, "only_card", values)
    return Advice(tried.move, *_on_card(view, seat, tried, values | {"stake": stake}))


def _on_change(view: State, move: int, values: dict[str, object]) -> tuple[str, dict[str, object]]:
    if move == FLIP:
        return ("to_lowest" if view.side == UP else "to_highest"), values
    if move == REROLL:
        return "new_trump", values
    return "new_suit", values | {"suit": SUIT_NAMES[move - TURN]}


def _on_card(
    view: State, seat: int, tried: Tried, values: dict[str, object]
) -> tuple[str, dict[str, object]]:
    """Trumps first, then by how likely the card wins; a stake is named if there is a pot."""
    if value_of(tried.move) == trump(view):
        return "trump", values | {"value": value_of(tried.move)}
    if not fitting(view, seat) >> tried.move & 1:
        return "throw_away", {}
    if tried.chance < HARDLY:
        return "long_shot", values
    if view.pot > 0:
        return "pot", values
    return ("likely" if tried.chance >= LIKELY else "worth_a_try"), values
