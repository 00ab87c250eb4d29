"""Why a bid is good, in the words of [hints]."""

from itertools import product
from math import prod
from random import Random

from ludotheque.engine.bits import numbers
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import State, best_bidder
from ludotheque.games.stupide_vautour.solver.endgame import Plan
from ludotheque.search.advice import Advice
from ludotheque.search.searcher import Found

MAX_HINTS = 3
MIN_CHANCE = 0.01  # a card that the plan plays more rarely is not worth a hint
MAX_REPLIES = 1000  # of the others, that are looked at to tell how often a card takes the stake
HARDLY = 0.2  # a card that takes it no more often will hardly take it
PROBABLY = 0.5  # and one that takes it as often as this will probably do so


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
    chance = chance_to_take(view, seat, memory, card)
    if view.stake >= 0:
        return _graded(chance, "duck", "try", "fight")
    is_highest = view.hands[seat] >> card + 1 == 0
    return _graded(chance, "dodge", "risk", "stuck" if is_highest else "accept")


def _graded(chance: float, hardly: str, perhaps: str, probably: str) -> str:
    if chance <= HARDLY:
        return hardly
    return probably if chance >= PROBABLY else perhaps


def chance_to_take(view: State, seat: int, memory: Memory, card: int) -> float:
    """How often this card takes the stake if the others lay any card that they may hold."""
    others = [other for other in range(view.seats) if other != seat]
    replies = _replies([numbers(memory.hand(view, other)) for other in others])
    state, taken = view.copy(), 0
    state.bids[seat] = card
    for reply in replies:
        for other, bid in zip(others, reply, strict=True):
            state.bids[other] = bid
        taken += best_bidder(state) == seat
    return taken / len(replies)


def _replies(hands: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All that the others may lay; a sample if that is too much, for all cards the same one."""
    if prod(len(hand) for hand in hands) <= MAX_REPLIES:
        return list(product(*hands))
    rng = Random(0)
    return [tuple(rng.choice(hand) for hand in hands) for _ in range(MAX_REPLIES)]


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
