"""Why a bid is good, in the words of [hints]."""

from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import State
from ludotheque.games.stupide_vautour.solver.endgame import Plan
from ludotheque.search.advice import Advice
from ludotheque.search.searcher import Found

MAX_HINTS = 3
MIN_CHANCE = 0.01  # a card that the plan plays more rarely is not worth a hint


def advice_on_search(view: State, seat: int, memory: Memory, found: Found) -> list[Advice]:
    """The bids that the search visited most, and why they may be good."""
    ranked = sorted(zip(found.visits, found.moves, strict=True), reverse=True)
    return [
        Advice(card, reason(view, seat, memory, card), {"card": card})
        for visits, card in ranked[:MAX_HINTS]
        if visits >= MIN_CHANCE * sum(found.visits)
    ]


def reason(view: State, seat: int, memory: Memory, card: int) -> str:
    if is_unbeatable(view, seat, memory, card):
        return "sure" if view.stake >= 0 else "safe"
    lower = (view.hands[seat] & (1 << card) - 1).bit_count()
    is_low = lower < view.hands[seat].bit_count() / 3
    if view.stake >= 0:
        return "duck" if is_low else "fight"
    return "accept" if is_low else "dodge"


def is_unbeatable(view: State, seat: int, memory: Memory, card: int) -> bool:
    """Whether this card takes a stake for sure, or surely leaves a vulture to somebody else.

    A vulture may come back to the highest card of three or more, when the lower ones are equal.
    """
    others = [other for other in range(view.seats) if other != seat]
    is_highest = all(memory.hand(view, other) >> card == 0 for other in others)
    return is_highest and (view.stake >= 0 or len(others) == 1)


def advice_on_plan(plan: Plan) -> list[Advice]:
    """The bids of an exact plan, the likeliest first."""
    ranked = sorted(zip(plan.chances, plan.cards, strict=True), reverse=True)
    value = f"{round(plan.value):+d}".replace("-", "−")
    return [
        Advice(card, "solved", {"card": card, "chance": round(100 * chance), "value": value})
        for chance, card in ranked[:MAX_HINTS]
        if chance >= MIN_CHANCE
    ]
