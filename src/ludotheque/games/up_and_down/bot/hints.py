"""Why a move is good, in the words of [hints]."""

from ludotheque.games.up_and_down.bot.plan_search import Tried
from ludotheque.games.up_and_down.bot.policy import fitting
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

LIKELY_CHANCE = 0.5
SLIM_CHANCE = 0.15


def advice_on(view: State, seat: int, tried: Tried, is_forced: bool) -> Advice:
    """The reason for a move, with its chance to take the trick."""
    values: dict[str, object] = {"chance": round(100 * tried.take_chance)}
    if view.phase == CHANGING:
        return Advice(tried.move, *_on_change(view, tried.move, values))
    if is_forced:
        return Advice(tried.move, "only_card", values)
    return Advice(tried.move, *_on_card(view, seat, tried, values | {"stake": 1 + view.pot}))


def _on_change(view: State, move: int, values: dict[str, object]) -> tuple[str, dict[str, object]]:
    if move == FLIP:
        return ("to_lowest" if view.side == UP else "to_highest"), values
    if move == REROLL:
        return "new_trump", values
    return "new_suit", values | {"suit": SUIT_NAMES[move - TURN]}


def _on_card(
    view: State, seat: int, tried: Tried, values: dict[str, object]
) -> tuple[str, dict[str, object]]:
    """Trumps first, then by the chance of the card; the stake is named if there is a pot."""
    if value_of(tried.move) == trump(view):
        return "trump", values | {"value": value_of(tried.move)}
    if not fitting(view, seat) >> tried.move & 1:
        return "throw_away", {}
    if tried.take_chance < SLIM_CHANCE:
        return "long_shot", values
    if view.pot > 0:
        return "pot", values
    return ("likely" if tried.take_chance >= LIKELY_CHANCE else "worth_a_try"), values
