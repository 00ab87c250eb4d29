"""Why a bid is good, in the words of [hints]."""

from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import State
from ludotheque.games.stupide_vautour.solver.endgame import Plan
from ludotheque.search.advice import Advice
from ludotheque.search.searcher import Found

MAX_HINTS = 3
MIN_CHANCE = 0.01  # a card that the plan plays more rarely is not worth a hint


def advice_on_search(view: State, seat: int, memory: Memory, found: Found) -> list[Advice]:
    """The bids that the search visited most, each with its share of the visits."""
    ranked = sorted(zip(found.visits, found.moves, strict=True), reverse=True)
    shares = ((round(100 * visits / sum(found.visits)), card) for visits, card in ranked)
    return [
        Advice(card, reason(view, seat, memory, card), {"card": card, "share": share})
        for share, card in list(shares)[:MAX_HINTS]
        if share > 0
    ]


def reason(view: State, seat: int, memory: Memory, card: int) -> str:
    others = (other for other in range(view.seats) if other != seat)
    if all(memory.hand(view, other) >> card == 0 for other in others):
        return "sure"
    lower = (view.hands[seat] & (1 << card) - 1).bit_count()
    if lower < view.hands[seat].bit_count() / 3:
        return "duck"
    return "fight" if view.stake >= 0 else "dodge"


def advice_on_plan(plan: Plan) -> list[Advice]:
    """The bids of an exact plan, the likeliest first."""
    ranked = sorted(zip(plan.chances, plan.cards, strict=True), reverse=True)
    value = f"{round(plan.value):+d}".replace("-", "−")
    return [
        Advice(card, "solved", {"card": card, "chance": round(100 * chance), "value": value})
        for chance, card in ranked[:MAX_HINTS]
        if chance >= MIN_CHANCE
    ]
