"""A bot that lays card by card, as people do.

It begins with the card that matches most others and lays only what stands rightly, each time a
card from which many others could go on. When none fits it takes the last card back and
tries another way; it never lays the same cards in the same places twice. It knows its own nine
cards and nothing else.
"""

from collections.abc import Iterator, Sequence
from random import Random

from ludotheque.games.ubongo.cards import GOOD, HEIGHT, WIDTH, stand_of, touch
from ludotheque.games.ubongo.layable import BESIDE, BORDERS, HAND, SEVEN
from ludotheque.games.ubongo.rules import (
    CALL,
    FIELD,
    FIELD_PLACES,
    IN_HAND,
    READY,
    READYING,
    STOP,
    TAKE_BACK,
    State,
    column_of,
    row_of,
    side_of,
    turn_of,
    verdict,
)
from ludotheque.search.thought import UNHURRIED, Thought

MIDDLE = (FIELD // 2 - 1) * FIELD + FIELD // 2 - 1  # the place of the first card, not turned
STAMINA = 30  # cards taken back before it would rather stop
GLANCES = 2  # spots that it compares before it lays a card: people do not see all of them either

Spot = tuple[int, int]  # a card of the hand and a place


class Greedy:
    def __init__(self, seat: int, rng: Random) -> None:
        self._seat = seat
        self._rng = rng
        self._round = 0
        self._forget()

    def _forget(self) -> None:
        self._order: list[int] = []  # the cards laid, the last one last
        self._tried: set[frozenset[Spot]] = set()  # layouts that it has had before
        self._taken_back = 0
        self._most = 0  # cards laid at once

    def watch(self, view: State) -> None:
        if view.rounds != self._round:
            self._round = view.rounds
            self._forget()

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        if view.phase == READYING:
            return READY
        if view.callers != 0 or len(legal_moves) == 1:
            return legal_moves[0]
        group = self._group(view)
        fault, _, wrong = verdict(view, self._seat)
        if fault != GOOD:  # somebody else has laid it, and left the seat
            return self._take_back(wrong)
        return CALL if len(group) >= SEVEN else self._go_on(view, group)

    def _group(self, view: State) -> list[Spot]:
        """The cards that lie, in the order in which they came."""
        places = view.places[self._seat]
        laid = [i for i in range(HAND) if places[i] != IN_HAND]
        self._order = [i for i in laid if i not in self._order] + [
            i for i in self._order if i in laid
        ]
        self._most = max(self._most, len(laid))
        return [(i, places[i]) for i in self._order]

    def _go_on(self, view: State, group: list[Spot]) -> int:
        hand = Hand(view.hands[self._seat], side_of(view))
        spots = [s for s in hand.spots(group) if frozenset((*group, s)) not in self._tried]
        if spots:
            seen = self._rng.sample(spots, min(GLANCES, len(spots)))
            laid = set(self._order)
            return self._lay(group, max(seen, key=lambda spot: hand.ways(spot, laid)))
        if self._gives_up(view, group):
            return STOP
        return self._take_back(self._order[-1]) if group else self._start_again(hand)

    def _lay(self, group: list[Spot], spot: Spot) -> int:
        self._tried.add(frozenset((*group, spot)))
        self._order.append(spot[0])
        return spot[0] * FIELD_PLACES + spot[1]

    def _take_back(self, card: int) -> int:
        self._taken_back += 1
        return TAKE_BACK + card

    def _start_again(self, hand: "Hand") -> int:
        """Every way was tried: now only as many cards count as can be laid."""
        self._tried.clear()
        self._taken_back = STAMINA
        return self._lay([], hand.first_spots()[0])

    def _gives_up(self, view: State, group: list[Spot]) -> bool:
        """Stuck for long, or the last who has not agreed; never with fewer cards than it had."""
        others = (1 << view.seats) - 1 & ~(1 << self._seat)
        is_last = others != 0 and view.stoppers == others
        return len(group) == self._most and (is_last or self._taken_back >= STAMINA)


class Hand:
    """Nine cards, seen from one side."""

    def __init__(self, cards: list[int], side: int) -> None:
        self._cards = cards
        self._side = side

    def spots(self, group: list[Spot]) -> list[Spot]:
        """Where the cards in hand stand rightly beside those that lie."""
        if not group:
            return self.first_spots()
        laid = {i for i, _ in group}
        found = {spot for own in group for spot in self._beside(own, laid)}
        return sorted(spot for spot in found if self._fits(spot, group))

    def first_spots(self) -> list[Spot]:
        """A card that matches most others, in the middle."""
        ways = [self.ways((i, MIDDLE), set()) for i in range(HAND)]
        return [(i, MIDDLE) for i in range(HAND) if ways[i] == max(ways)]

    def ways(self, spot: Spot, laid: set[int]) -> int:
        """In how many ways the cards in hand could go on from this spot, others aside."""
        return sum(1 for _ in self._beside(spot, laid | {spot[0]}))

    def _beside(self, own: Spot, laid: set[int]) -> Iterator[Spot]:
        """The spots of other cards that border this one rightly."""
        card, place = self._cards[own[0]], own[1]
        turn, x, y = turn_of(place), column_of(place), row_of(place)
        for stands, other_turn, dx, dy in BESIDE[turn * BORDERS : (turn + 1) * BORDERS]:
            if is_inside(other_turn, x + dx, y + dy):
                for i in range(HAND):
                    if i not in laid and touch(card, self._cards[i], self._side, stands) == GOOD:
                        yield i, (other_turn * FIELD + y + dy) * FIELD + x + dx

    def _fits(self, spot: Spot, group: list[Spot]) -> bool:
        return all(self._agree(spot, own) for own in group)

    def _agree(self, spot: Spot, other: Spot) -> bool:
        """Whether two cards may lie in these places: apart, or bordering rightly."""
        one, two = spot[1], other[1]
        stands = stand_of(
            turn_of(one), column_of(one), row_of(one), turn_of(two), column_of(two), row_of(two)
        )
        return touch(self._cards[spot[0]], self._cards[other[0]], self._side, stands) <= GOOD


def is_inside(turn: int, x: int, y: int) -> bool:
    """Whether a card lies wholly on the field."""
    return 0 <= x <= FIELD - WIDTH[turn] and 0 <= y <= FIELD - HEIGHT[turn]
