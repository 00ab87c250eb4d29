"""Why a move is good, in the words of [hints]."""

from ludotheque.games.up_and_down.bot.plan_search import Tried
from ludotheque.games.up_and_down.bot.policy import WEIGHTS, chance_to_win, fitting
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
STEP_PERCENT = 5  # trials tell a chance no more exactly than this


def advice_on(view: State, seat: int, unshown: int, tried: Tried, is_forced: bool) -> Advice:
    """The reason for a move; `unshown` are the cards not turned up in this deal, as bits."""
    values: dict[str, object] = {"chance": percent(tried.take_chance)}
    if view.phase == CHANGING:
        if TURN <= tried.move < REROLL:
            values["suit"] = SUIT_NAMES[tried.move - TURN]
        return Advice(tried.move, reason_for_change(view, tried), values)
    if is_forced:
        return Advice(tried.move, "only_card", {})
    values |= {"value": value_of(tried.move), "stake": 1 + view.pot}
    return Advice(tried.move, reason(view, seat, unshown & ~view.hands[seat], tried), values)


def reason_for_change(view: State, tried: Tried) -> str:
    if tried.take_chance < SLIM_CHANCE:
        return "clear_out"
    if tried.move == FLIP:
        return "to_lowest" if view.side == UP else "to_highest"
    return "new_trump" if tried.move == REROLL else "new_suit"


def reason(view: State, seat: int, others: int, tried: Tried) -> str:
    """Why to lay a card: what is certain first, then its chance; a pot is worth a word.

    `others` are the cards that the others may lay, as bits.
    """
    if not fitting(view, seat) >> tried.move & 1:
        return "throw_away"
    if chance_to_win(view, seat, tried.move, others, WEIGHTS) == 1:
        return "sure"
    if value_of(tried.move) == trump(view):
        return "trump"
    if tried.take_chance < SLIM_CHANCE:
        return "long_shot"
    if view.pot > 0:
        return "pot"
    return "likely" if tried.take_chance >= LIKELY_CHANCE else "worth_a_try"


def percent(chance: float) -> int:
    """About how likely; what is not certain is called neither certain nor impossible."""
    rounded = STEP_PERCENT * round(100 * chance / STEP_PERCENT)
    return min(max(rounded, STEP_PERCENT), 100 - STEP_PERCENT)
