"""What a master tells somebody with these cards: what to lay, to take back, or to call, and why."""

from collections.abc import Iterator

from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.notation import DIRECTIONS
from ludotheque.games.ubongo.rules import (
    CALL,
    FAULTS,
    NOT_CONNECTED,
    READY,
    READYING,
    STOP,
    State,
    is_legal,
    side_of,
    verdict,
)
from ludotheque.games.ubongo.solver.hand import (
    MIDDLE,
    Hand,
    card_of,
    direction_to_the_middle,
    group_of,
    hand_of,
    laying,
    seat_at,
    shifting,
    taking_back,
)
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline

ADVICE = 3  # moves at most
MAX_GROUPS = 400  # looked at for one question: some milliseconds
PROOF_GROUPS = 1000  # looked at before it says that something is impossible


def advise(view: State, seat: int, deadline: Deadline) -> list[Advice]:
    """The best moves for this seat, the best one first."""
    if view.phase == READYING:
        return [Advice(READY, "ready", {})]
    if view.callers != 0:
        return [Advice(CALL, "call_too", {})]
    hand = hand_of(view.hands[seat], side_of(view))
    coach = Coach(hand, group_of(view.places[seat]), deadline)
    found: list[Advice] = []
    for advice in coach.advice(verdict(view, seat)):
        if is_legal(view, seat, advice.move):
            found.append(advice)
        if len(found) == ADVICE or not deadline.is_ahead:
            break
    return found or [coach.first_thought()]


class Coach:
    """Looks at one layout and the cards in hand."""

    def __init__(self, hand: Hand, group: list[int], deadline: Deadline) -> None:
        self._hand = hand
        self._group = group
        self._deadline = deadline

    def advice(self, judged: tuple[int, int, int]) -> Iterator[Advice]:
        fault, one, other = judged
        if fault == NOT_CONNECTED:
            yield Advice(taking_back(one), "apart", {"card": one + 1})
        elif fault != GOOD:
            yield from self._repairs(fault, one, other)
        elif len(self._group) >= SEVEN:
            yield Advice(CALL, "call", {"count": len(self._group)})
        else:
            yield from self._room()
            yield from self._plans()

    # What lies wrongly

    def _repairs(self, fault: int, one: int, other: int) -> Iterator[Advice]:
        """Take back one of two cards, rather the one without which seven can still be laid."""
        for card in sorted((other, one), key=lambda card: not self._works_without(card)):
            cards: dict[str, object] = {"card": card + 1, "other": one + other - card + 1}
            yield Advice(taking_back(card), "wrong", cards | {"fault": FAULTS[fault]})

    def _without(self, card: int) -> list[int]:
        return [own for own in self._group if card_of(own) != card]

    def _works_without(self, card: int) -> bool:
        """Whether the other cards stand rightly in one group that can be completed."""
        rest = self._without(card)
        if not rest:
            return self._most() == SEVEN
        is_right = self._hand.is_right(rest)
        return is_right and bool(self._hand.complete(rest, SEVEN, MAX_GROUPS).seats)

    # What to do next

    def _room(self) -> Iterator[Advice]:
        direction = direction_to_the_middle(self._group)
        if direction is not None:
            yield Advice(shifting(direction), "room", {"direction": DIRECTIONS[direction]})

    def _plans(self) -> Iterator[Advice]:
        if not self._group:
            yield from self._beginnings()
            yield from self._short_beginning()
            return
        plan = self._hand.complete(self._group, SEVEN, MAX_GROUPS)
        if plan.seats or not plan.is_certain:
            yield from self._layings(SEVEN)
        else:
            yield from self._ways_back()

    def _beginnings(self) -> Iterator[Advice]:
        """The cards with most matches, of those that lie in some group of seven."""
        for card in sorted(range(HAND), key=lambda card: -self._hand.matches[card]):
            if self._hand.complete([seat_at(card, MIDDLE)], SEVEN, MAX_GROUPS).seats:
                yield self._beginning(card, "begin")

    def _short_beginning(self) -> Iterator[Advice]:
        """A card of a group as large as can be, if it cannot be seven."""
        most = self._most()
        for seat in self._hand.find(most, PROOF_GROUPS).seats[: most < SEVEN]:
            values: dict[str, object] = {"card": card_of(seat) + 1, "most": most}
            yield Advice(laying(seat_at(card_of(seat), MIDDLE)), "begin_short", values)

    def _most(self) -> int:
        """How many cards can be laid, up to seven; fewer only if that is proven."""
        counts = range(SEVEN, 1, -1)
        found = ((need, self._hand.find(need, PROOF_GROUPS)) for need in counts)
        return next((need for need, plan in found if plan.seats or not plan.is_certain), 1)

    def _beginning(self, card: int, reason: str) -> Advice:
        values: dict[str, object] = {"card": card + 1, "matches": self._hand.matches[card]}
        return Advice(laying(seat_at(card, MIDDLE)), reason, values)

    def _layings(self, need: int) -> Iterator[Advice]:
        """The cards after which most others could follow, of those that lead to so many."""
        ways = self._ways()
        for seat in sorted(ways, key=lambda seat: -ways[seat]):
            if not self._deadline.is_ahead:
                return
            if self._hand.complete([*self._group, seat], need, MAX_GROUPS).seats:
                missing = need - len(self._group) - 1
                if need < SEVEN:
                    yield self._laying(seat, "point", {"most": need})
                elif missing == 0:
                    yield self._laying(seat, "last", {})
                else:
                    yield self._laying(seat, "lay", {"ways": ways[seat], "missing": missing})

    def _ways(self) -> dict[int, int]:
        """The seats where a card stands rightly, and in how many ways others could follow it."""
        hand, group = self._hand, self._group
        return {seat: hand.ways(seat, group) for seat in hand.seats(group)}

    def _laying(self, seat: int, reason: str, values: dict[str, object]) -> Advice:
        beside = next(own for own in self._group if self._hand.touch(own, seat))
        cards: dict[str, object] = {"card": card_of(seat) + 1, "other": card_of(beside) + 1}
        return Advice(laying(seat), reason, cards | values)

    def _ways_back(self) -> Iterator[Advice]:
        """No seven can be laid around these cards: which of them is in the way?"""
        cards = [card_of(own) for own in self._group]
        culprits = [c for c in cards if self._deadline.is_ahead and self._works_without(c)]
        for card in culprits:
            yield Advice(taking_back(card), "dead_end", {"card": card + 1})
        if not culprits:
            yield from self._rebuilding(self._most())

    def _rebuilding(self, most: int) -> Iterator[Advice]:
        """If seven cannot be laid every card is a point, and nobody should wait for more."""
        if most <= len(self._group):
            yield Advice(STOP, "stop", {})
            return
        layings = list(self._layings(most)) if most < SEVEN else []
        yield from layings
        if not layings:
            card = self._outermost()
            if most == SEVEN:
                yield Advice(taking_back(card), "rebuild", {"card": card + 1})
            else:
                yield Advice(taking_back(card), "restart", {"card": card + 1, "most": most})

    def _outermost(self) -> int:
        """A card that can be taken away from the others, with as few matches as can be."""
        cards = [card_of(own) for own in self._group]
        loose = [card for card in cards if self._hand.is_right(self._without(card))]
        return min(loose or cards, key=lambda card: self._hand.matches[card])

    def first_thought(self) -> Advice:
        """What there is to say without a plan."""
        if not self._group:
            matches = self._hand.matches
            return self._beginning(max(range(HAND), key=lambda card: matches[card]), "start")
        ways = self._ways() if self._hand.is_right(self._group) else {}
        if ways:
            seat = max(ways, key=lambda seat: ways[seat])
            return self._laying(seat, "fits", {"ways": ways[seat]})
        card = self._outermost()
        return Advice(taking_back(card), "stuck", {"card": card + 1})
