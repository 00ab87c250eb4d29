"""The players of Ubongo: they lay card by card, as people do, and need as long as people need.

They lay what stands rightly as far as they see, beside the cards that lie. When nothing seems to
fit they take the last card back and try another way. When they have had enough they lay again the
best that they had, and agree to stop. They know their own nine cards and nothing else, and no
search tells them more than a look at the table.
"""

from collections import deque
from collections.abc import Sequence
from random import Random

from ludotheque.games.ubongo.bot.hints import advise
from ludotheque.games.ubongo.bot.pace import Pace
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    CALL,
    NOT_CONNECTED,
    READY,
    READYING,
    STOP,
    State,
    assists,
    everybody,
    objection_to_laying,
    side_of,
    time_limit,
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
    place_of,
    seat_at,
    shifting,
    taking_back,
)
from ludotheque.games.ubongo.solver.ports import PORTS
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

REACTION = 0.4  # seconds from hearing a call to calling too, for the quickest
READYING_SECONDS = (1.5, 4.0)
SHIFTING = 0.3  # seconds
SLOWER = 1.5  # a movement of the hand takes up to so many times its shortest time
TOO_LATE = 4  # cards: whoever has no time to lay so many takes none back


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
        self._best: list[int] = []  # the seats of as many cards as ever lay rightly, as it thinks
        self._gives_up = False

    def watch(self, view: State) -> None:
        if view.rounds != self._round:
            self._round = view.rounds
            self._forget()

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self.watch(view)
        self.seconds = 0.0
        if view.phase == READYING:
            self.seconds = self._rng.uniform(*READYING_SECONDS)
            return READY
        if view.callers != 0:
            self._move_hand(max(REACTION, self._pace.placing / 3))
            return CALL
        if self._hand is None:
            self._hand = hand_of(view.hands[self._seat], side_of(view))
        return self._race(view, self._hand)

    def _race(self, view: State, hand: Hand) -> int:
        group = self._group(view)
        is_calling = len(group) >= SEVEN
        if is_calling:
            self._move_hand(self._pace.checking)
        fault, one, other = verdict(view, self._seat)
        if fault != GOOD and self._notices(view, fault, is_calling):
            return self._mend(group, one, other)
        if is_calling:
            return CALL
        self._best = max(group, self._best, key=len)
        if self._has_had_enough(view) and not self._is_late(view):
            return self._settle(hand, group)
        shift = direction_to_the_middle(group)
        if shift is not None:
            self._move_hand(SHIFTING)
            return shifting(shift)
        return self._go_on(view, hand, group)

    def _group(self, view: State) -> list[int]:
        """The seats of the cards that lie, in the order in which they came."""
        seats = {card_of(seat): seat for seat in group_of(view.places[self._seat])}
        strange = [card for card in seats if card not in self._order]
        self._order = strange + [card for card in self._order if card in seats]
        return [seats[card] for card in self._order]

    def _notices(self, view: State, fault: int, is_calling: bool) -> bool:
        """Whether it sees that a card lies wrongly; what stands away, or is marked, all see."""
        chance = self._pace.checks if is_calling else self._pace.notices
        return fault == NOT_CONNECTED or assists(view) or self._rng.random() < chance

    def _mend(self, group: list[int], one: int, other: int) -> int:
        """Take back a card that stands away, or the later one of two that touch wrongly."""
        wrong = [seat for seat in group if card_of(seat) in (one, other)]
        if len(wrong) > 1 and set(wrong) <= set(self._best):
            self._best = []
        return self._take_back(wrong[-1])

    # Laying and taking back

    def _go_on(self, view: State, hand: Hand, group: list[int]) -> int:
        if not group:
            return self._lay(group, self._first(hand))
        found = self._look(view, hand, group)
        if found:
            return self._lay(group, max(found, key=lambda seat: hand.ways(seat, group)))
        if self._is_late(view):
            return STOP
        if self._is_last(view):
            self._gives_up = True
            return self._settle(hand, group)
        return self._take_back(group[-1])

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
        return laying(seat)

    def _take_back(self, seat: int) -> int:
        self._move_hand(self._pace.placing / 2)
        return taking_back(card_of(seat))

    # Stopping

    def _has_had_enough(self, view: State) -> bool:
        return self._gives_up or view.clock - view.started_at >= 1000 * self._pace.patience

    def _is_last(self, view: State) -> bool:
        """Whether all the others have agreed to stop."""
        return view.seats > 1 and view.stoppers | 1 << self._seat == everybody(view)

    def _is_late(self, view: State) -> bool:
        """Whether there is no time to lay again what would be taken back."""
        return time_limit(view) - view.clock < 1000 * TOO_LATE * self._pace.placing

    def _settle(self, hand: Hand, group: list[int]) -> int:
        """Lay again the most cards that it had, from memory, and stop."""
        strange = [seat for seat in group if seat not in self._best]
        if strange:
            return self._take_back(strange[-1])
        for seat in self._best:
            touches = any(hand.touch(own, seat) for own in group)
            if seat not in group and (touches or not group):
                return self._lay(group, seat)
        return STOP

    # Time

    def _glance(self, count: int) -> None:
        self.seconds += count / self._pace.glances

    def _move_hand(self, seconds: float) -> None:
        self.seconds += seconds * self._rng.uniform(1.0, SLOWER)


class Master(Player):
    """The fastest of them, who also tells others what to do."""

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        return advise(view, self._seat, deadline)
