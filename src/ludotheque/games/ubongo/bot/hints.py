"""What a master advises with these cards: what to lay, to take back, or to call, and why."""

from collections.abc import Iterator

from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.notation import DIRECTIONS
from ludotheque.games.ubongo.rules import (
    CALL,
    FAULTS,
    NOT_CONNECTED,
    READY,
    READYING,
    STOP,
    State,
    call_needs,
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
    lay_move,
    placement_at,
    shift_move,
    take_back_move,
)
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline

MAX_HINTS = 3
MAX_GROUPS = 400  # visited for one question: some milliseconds
PROOF_GROUPS = 1000  # visited before it says that something is impossible


def advise(view: State, seat: int, deadline: Deadline) -> list[Advice]:
    """The best moves for this seat, the best one first."""
    if view.phase == READYING:
        return [Advice(READY, "ready", {})]
    if view.callers != 0:
        return [_late_call(verdict(view, seat)[0])]
    hand = hand_of(view.hands[seat][: view.cards], side_of(view))
    hints = Hints(hand, group_of(view.places[seat]), call_needs(view), deadline)
    found: list[Advice] = []
    for advice in hints.advice(verdict(view, seat)):
        if is_legal(view, seat, advice.move):
            found.append(advice)
        if len(found) == MAX_HINTS or not deadline.is_ahead:
            break
    return found or [hints.without_search()]


def _late_call(fault: int) -> Advice:
    """After another's call: one's own still counts, if the cards are right."""
    if fault == GOOD:
        return Advice(CALL, "call_too", {})
    return Advice(CALL, "call_vain", {"fault": FAULTS[fault]})


class Hints:
    """What there is to say about one layout and the cards in hand."""

    def __init__(self, hand: Hand, group: list[int], need: int, deadline: Deadline) -> None:
        self._hand = hand
        self._group = group
        self._need = need  # cards for a call
        self._deadline = deadline

    def advice(self, judged: tuple[int, int, int]) -> Iterator[Advice]:
        fault, one, other = judged
        if fault == NOT_CONNECTED:
            yield Advice(take_back_move(one), "apart", {"card": one + 1})
        elif fault != GOOD:
            yield from self._repairs(fault, one, other)
        elif len(self._group) >= self._need:
            yield Advice(CALL, "call", {"count": len(self._group)})
        else:
            yield from self._room()
            yield from self._next_cards()

    # What lies wrongly

    def _repairs(self, fault: int, one: int, other: int) -> Iterator[Advice]:
        """Take back one of two cards, first the one without which enough can still be laid."""
        for card in sorted((other, one), key=lambda card: not self._works_without(card)):
            cards: dict[str, object] = {"card": card + 1, "other": one + other - card + 1}
            yield Advice(take_back_move(card), "wrong", cards | {"fault": FAULTS[fault]})

    def _without(self, card: int) -> list[int]:
        return [own for own in self._group if card_of(own) != card]

    def _works_without(self, card: int) -> bool:
        """Whether the other cards are laid correctly in one group that can be completed."""
        rest = self._without(card)
        if not rest:
            return self._largest() == self._need
        is_correct = self._hand.is_correct(rest)
        return is_correct and bool(self._hand.complete(rest, self._need, MAX_GROUPS).placements)

    # What to do next

    def _room(self) -> Iterator[Advice]:
        direction = direction_to_the_middle(self._group)
        if direction is not None:
            yield Advice(shift_move(direction), "room", {"direction": DIRECTIONS[direction]})

    def _next_cards(self) -> Iterator[Advice]:
        if not self._group:
            yield from self._first_cards()
            yield from self._first_card_of_fewer()
            return
        found = self._hand.complete(self._group, self._need, MAX_GROUPS)
        if found.placements or not found.is_exhaustive:
            yield from self._layings(self._need)
        else:
            yield from self._ways_back()

    def _first_cards(self) -> Iterator[Advice]:
        """The cards with the most matches, of those that lie in a group large enough."""
        for card in sorted(range(self._hand.size), key=lambda card: -self._hand.matches[card]):
            if self._hand.complete([placement_at(card, MIDDLE)], self._need, MAX_GROUPS).placements:
                yield self._first_card(card, "begin")

    def _first_card_of_fewer(self) -> Iterator[Advice]:
        """A card of the largest group, if that is too small for a call."""
        most = self._largest()
        for own in self._hand.find(most, PROOF_GROUPS).placements[: most < self._need]:
            values: dict[str, object] = {"card": card_of(own) + 1, "most": most}
            yield Advice(lay_move(placement_at(card_of(own), MIDDLE)), "begin_short", values)

    def _largest(self) -> int:
        """How many cards can be laid, up to a call; fewer only if that is proven."""
        counts = range(self._need, 1, -1)
        searches = ((need, self._hand.find(need, PROOF_GROUPS)) for need in counts)
        return next((n for n, found in searches if found.placements or not found.is_exhaustive), 1)

    def _first_card(self, card: int, reason: str) -> Advice:
        values: dict[str, object] = {"card": card + 1, "matches": self._hand.matches[card]}
        return Advice(lay_move(placement_at(card, MIDDLE)), reason, values)

    def _layings(self, need: int) -> Iterator[Advice]:
        """Cards that lead to a group of `need`, those with the most continuations first."""
        ways = self._continuations()
        for added in sorted(ways, key=lambda added: -ways[added]):
            if not self._deadline.is_ahead:
                return
            if self._hand.complete([*self._group, added], need, MAX_GROUPS).placements:
                missing = need - len(self._group) - 1
                if need < self._need:
                    yield self._laying(added, "point", {"most": need})
                elif missing == 0:
                    yield self._laying(added, "last", {})
                else:
                    yield self._laying(added, "lay", {"ways": ways[added], "missing": missing})

    def _continuations(self) -> dict[int, int]:
        """The correct placements, and in how many ways other cards could follow each."""
        hand, group = self._hand, self._group
        return {added: hand.continuations(added, group) for added in hand.placements(group)}

    def _laying(self, added: int, reason: str, values: dict[str, object]) -> Advice:
        beside = next(own for own in self._group if self._hand.touches(own, added))
        cards: dict[str, object] = {"card": card_of(added) + 1, "other": card_of(beside) + 1}
        return Advice(lay_move(added), reason, cards | values)

    def _ways_back(self) -> Iterator[Advice]:
        """Not enough can be laid around these cards: which of them is in the way?"""
        cards = [card_of(own) for own in self._group]
        culprits = [c for c in cards if self._deadline.is_ahead and self._works_without(c)]
        for card in culprits:
            yield Advice(take_back_move(card), "dead_end", {"card": card + 1})
        if not culprits and self._deadline.is_ahead:
            yield from self._rebuilding(self._largest())

    def _rebuilding(self, most: int) -> Iterator[Advice]:
        """If a call is impossible every card is a point, and it does not help to wait for more."""
        if most <= len(self._group):
            yield Advice(STOP, "stop", {})
            return
        layings = list(self._layings(most)) if most < self._need else []
        yield from layings
        if not layings:
            card = self._outermost()
            if most == self._need:
                yield Advice(take_back_move(card), "rebuild", {"card": card + 1})
            else:
                yield Advice(take_back_move(card), "restart", {"card": card + 1, "most": most})

    def _outermost(self) -> int:
        """A card whose removal leaves one group, with as few matches as possible."""
        cards = [card_of(own) for own in self._group]
        loose = [card for card in cards if self._hand.is_correct(self._without(card))]
        return min(loose or cards, key=lambda card: self._hand.matches[card])

    def without_search(self) -> Advice:
        """What there is to say at once."""
        if not self._group:
            matches = self._hand.matches
            return self._first_card(
                max(range(self._hand.size), key=lambda card: matches[card]), "start"
            )
        ways = self._continuations() if self._hand.is_correct(self._group) else {}
        if ways:
            added = max(ways, key=lambda added: ways[added])
            return self._laying(added, "fits", {"ways": ways[added]})
        card = self._outermost()
        return Advice(take_back_move(card), "stuck", {"card": card + 1})
