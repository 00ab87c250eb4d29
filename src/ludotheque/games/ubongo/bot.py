"""The players of Ubongo: they lay card by card, as people do, and need as long as people need.

They lay what stands rightly as far as they see, beside the cards that lie. When nothing seems to
fit they take the last card back and try another way, unless they have had enough. They know their
own nine cards and nothing else, and no search tells them more than a look at the table.
"""

from collections import deque
from collections.abc import Sequence
from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.coach import advise
from ludotheque.games.ubongo.hand import (
    MIDDLE,
    PORTS,
    Hand,
    card_of,
    direction_to_the_middle,
    hand_of,
    place_of,
    seat_at,
)
from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.pace import PACES, Pace
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    CALL,
    FIELD_PLACES,
    FOREVER,
    IN_HAND,
    NOT_CONNECTED,
    READY,
    READYING,
    SHIFT,
    STOP,
    TAKE_BACK,
    State,
    assists,
    deadline,
    objection_to_laying,
    side_of,
    verdict,
)
from ludotheque.search.advice import Advice
from ludotheque.search.thought import UNHURRIED, Thought

REACTION = 0.4  # seconds from hearing a call to calling too, for the quickest
READYING_SECONDS = (1.5, 4.0)
SHIFTING = 0.3  # seconds
SLOWER = 1.5  # a movement of the hand takes up to so many times its shortest time


def hire(level: str, game: Game, seat: int, rng: Random) -> "Player":
    return (Master if level == "master" else Player)(seat, PACES[level], rng)


class Player:
    def __init__(self, seat: int, pace: Pace, rng: Random) -> None:
        self.seconds = 0.0
        self._seat = seat
        self._pace = pace
        self._rng = rng
        self._round = 0
        self._forget()

    def _forget(self) -> None:
        self._hand: Hand | None = None
        self._order: list[int] = []  # the cards laid, the last one last
        self._tried: deque[frozenset[int]] = deque(maxlen=self._pace.memory)  # layouts it had
        self._taken_back = 0
        self._most = 0  # cards laid at once

    def watch(self, view: State) -> None:
        if view.rounds != self._round:
            self._round = view.rounds
            self._forget()

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        self.seconds = 0.0
        if view.phase == READYING:
            self.seconds = self._rng.uniform(*READYING_SECONDS)
            return READY
        if view.callers != 0:
            self._move_hand(max(REACTION, self._pace.placing / 3))
            return CALL
        return self._race(view)

    def _race(self, view: State) -> int:
        group = self._group(view)
        fault, one, other = verdict(view, self._seat)
        is_calling = len(group) >= SEVEN
        if is_calling:
            self._move_hand(self._pace.checking)
        if fault != GOOD and self._notices(view, fault, is_calling):
            return self._take_back(max(one, other, key=self._order.index))
        if is_calling:
            return CALL
        shift = direction_to_the_middle(group)
        if shift is not None:
            self._move_hand(SHIFTING)
            return SHIFT + shift
        return self._go_on(view, group)

    def _group(self, view: State) -> list[int]:
        """The seats of the cards that lie, in the order in which they came."""
        places = view.places[self._seat]
        laid = [i for i in range(HAND) if places[i] != IN_HAND]
        strange = [i for i in laid if i not in self._order]
        self._order = strange + [i for i in self._order if i in laid]
        self._most = max(self._most, len(laid))
        return [seat_at(i, places[i]) for i in self._order]

    def _notices(self, view: State, fault: int, is_calling: bool) -> bool:
        """Whether it sees that a card lies wrongly; what stands away, or is marked, all see."""
        chance = self._pace.checks if is_calling else self._pace.notices
        return fault == NOT_CONNECTED or assists(view) or self._rng.random() < chance

    # Laying and taking back

    def _go_on(self, view: State, group: list[int]) -> int:
        if self._hand is None:
            self._hand = hand_of(view.hands[self._seat], side_of(view))
        if not group:
            return self._lay(group, self._first(self._hand))
        found = self._look(view, self._hand, group)
        if found:
            hand = self._hand
            return self._lay(group, max(found, key=lambda seat: hand.ways(seat, group)))
        if self._gives_up(view, group):
            return STOP
        return self._take_back(self._order[-1])

    def _first(self, hand: Hand) -> int:
        """A card to begin with that was not tried lately: of a few, the one with most matches."""
        seats = [seat_at(card, MIDDLE) for card in range(HAND)]
        fresh = [seat for seat in seats if frozenset((seat,)) not in self._tried]
        seen = self._rng.sample(fresh or seats, min(self._pace.choices, len(fresh or seats)))
        self._glance(HAND)
        return max(seen, key=lambda seat: hand.matches[card_of(seat)])

    def _look(self, view: State, hand: Hand, group: list[int]) -> list[int]:
        """Compare cards in hand with open ports until enough are found, or none seems to fit."""
        held = hand.held(group)
        looks = [(own, port, card) for own in group for port in range(PORTS) for card in held]
        found: list[int] = []
        glances = 0
        for own, port, card in self._rng.sample(looks, min(self._pace.span, len(looks))):
            glances += 1
            if self._rng.random() < self._pace.overlooks:
                continue
            right = [
                seat
                for seat in hand.at_port(own, port, card)
                if self._seems_right(view, hand, seat, group)
            ]
            found += right[:1]
            if len(found) == self._pace.choices:
                break
        self._glance(glances)
        return found

    def _seems_right(self, view: State, hand: Hand, seat: int, group: list[int]) -> bool:
        if frozenset((*group, seat)) in self._tried:
            return False
        return hand.fits(seat, group) or (
            self._rng.random() < self._pace.careless
            and objection_to_laying(view, self._seat, card_of(seat), place_of(seat)) == ALLOWED
        )

    def _lay(self, group: list[int], seat: int) -> int:
        self._move_hand(self._pace.placing)
        self._tried.append(frozenset((*group, seat)))
        self._order.append(card_of(seat))
        return card_of(seat) * FIELD_PLACES + place_of(seat)

    def _take_back(self, card: int) -> int:
        self._move_hand(self._pace.placing / 2)
        self._taken_back += 1
        return TAKE_BACK + card

    def _gives_up(self, view: State, group: list[int]) -> bool:
        """Stuck for long, or the last who has not agreed, or too late to lay cards anew.

        Never with fewer cards than it had, as long as there is time to lay them again.
        """
        others = (1 << view.seats) - 1 & ~(1 << self._seat)
        is_last = others != 0 and view.stoppers & others == others
        left = (deadline(view) - view.clock) / 1000 if deadline(view) != FOREVER else FOREVER
        if left < 4 * self._pace.placing:
            return True
        is_tired = self._taken_back >= self._pace.stamina
        return len(group) == self._most and (is_last or is_tired)

    # Time

    def _glance(self, count: int) -> None:
        self.seconds += count / self._pace.glances

    def _move_hand(self, seconds: float) -> None:
        self.seconds += seconds * self._rng.uniform(1.0, SLOWER)


class Master(Player):
    """The fastest of them, who also tells others what to do."""

    def advise(
        self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED
    ) -> list[Advice]:
        return advise(view, self._seat, thought)
