"""The players of Ubongo: they lay card by card, as people do, and need as long as people need.

A player lays a card that seems to fit beside those already laid. When nothing seems to fit, it
takes the last card back and tries another way. When its time is up, it lays the best layout it has
had once more, and agrees to stop. It knows its own cards and nothing else, and no search shows
it more than a person would see on the table.
"""

from collections import deque
from collections.abc import Sequence
from random import Random

from ludotheque.games.ubongo.bot.hints import advise
from ludotheque.games.ubongo.bot.skill import Skill
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    CALL,
    NOT_CONNECTED,
    READY,
    READYING,
    STOP,
    State,
    assists,
    call_needs,
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
    lay_move,
    place_of,
    placement_at,
    shift_move,
    take_back_move,
)
from ludotheque.games.ubongo.solver.ports import PORTS
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

REACTION_S = 0.4  # from hearing a call to calling too, for the quickest
READY_S = (1.5, 4.0)  # to be ready for a round: the shortest and the longest time
SHIFT_S = 0.3
SLOWEST = 1.5  # a movement of the hand takes up to this multiple of its shortest time
LATE_CARDS = 4  # with too little time to lay these, a player takes none back


class Player:
    def __init__(self, seat: int, skill: Skill, rng: Random) -> None:
        self.seconds = 0.0
        self._seat = seat
        self._skill = skill
        self._rng = rng
        self._round = 0
        self._forget()

    def _forget(self) -> None:
        self._hand: Hand | None = None
        self._order: list[int] = []  # the laid cards, the last one last
        self._tried: deque[frozenset[int]] = deque(maxlen=self._skill.tried_layouts)
        self._best: list[int] = []  # the largest layout it has had and believes to be correct
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
            self.seconds = self._rng.uniform(*READY_S)
            return READY
        if view.callers != 0:
            self._move_hand(max(REACTION_S, self._skill.lay_s / 3))
            return CALL
        if self._hand is None:
            self._hand = hand_of(view.hands[self._seat][: view.cards], side_of(view))
        return self._race(view, self._hand)

    def _race(self, view: State, hand: Hand) -> int:
        group = self._group(view)
        is_calling = len(group) >= call_needs(view)
        if is_calling:
            self._move_hand(self._skill.check_s)
        fault, one, other = verdict(view, self._seat)
        if fault != GOOD and self._notices(view, fault, is_calling):
            return self._repair(group, one, other)
        if is_calling:
            return CALL
        self._best = max(group, self._best, key=len)
        if self._wants_to_stop(view) and not self._is_late(view):
            return self._settle(hand, group)
        shift = direction_to_the_middle(group)
        if shift is not None:
            self._move_hand(SHIFT_S)
            return shift_move(shift)
        return self._continue(view, hand, group)

    def _group(self, view: State) -> list[int]:
        """The placements of the laid cards, in the order in which they were laid."""
        laid = {card_of(own): own for own in group_of(view.places[self._seat])}
        unknown = [card for card in laid if card not in self._order]
        self._order = unknown + [card for card in self._order if card in laid]
        return [laid[card] for card in self._order]

    def _notices(self, view: State, fault: int, is_calling: bool) -> bool:
        """Whether it sees a fault; a card away from the others, or a marked one, is always seen."""
        chance = self._skill.check_rate if is_calling else self._skill.notice_rate
        return fault == NOT_CONNECTED or assists(view) or self._rng.random() < chance

    def _repair(self, group: list[int], one: int, other: int) -> int:
        """Take back a card away from the others, or the later one of two that touch wrongly."""
        wrong = [own for own in group if card_of(own) in (one, other)]
        if len(wrong) > 1 and set(wrong) <= set(self._best):
            self._best = []
        return self._take_back(wrong[-1])

    # Laying and taking back

    def _continue(self, view: State, hand: Hand, group: list[int]) -> int:
        if not group:
            return self._lay(group, self._first(hand))
        found = self._compare(view, hand, group)
        if found:
            return self._lay(group, max(found, key=lambda added: hand.continuations(added, group)))
        if self._is_late(view):
            return STOP
        if self._is_last(view):
            self._gives_up = True
            return self._settle(hand, group)
        return self._take_back(group[-1])

    def _first(self, hand: Hand) -> int:
        """A first card not tried lately: the one with the most matches of a few."""
        firsts = [placement_at(card, MIDDLE) for card in range(hand.size)]
        untried = [first for first in firsts if frozenset((first,)) not in self._tried]
        choices = untried or firsts
        seen = self._rng.sample(choices, min(self._skill.candidates, len(choices)))
        self._spend_comparisons(hand.size)
        return max(seen, key=lambda first: hand.matches[card_of(first)])

    def _compare(self, view: State, hand: Hand, group: list[int]) -> list[int]:
        """Compare cards in hand with open ports until enough are found, or none seems to fit."""
        held = hand.held(group)
        pairs = [(own, port, card) for own in group for port in range(PORTS) for card in held]
        found: list[int] = []
        comparisons = 0
        for own, port, card in self._rng.sample(
            pairs, min(self._skill.max_comparisons, len(pairs))
        ):
            comparisons += 1
            if self._rng.random() < self._skill.miss_rate:
                continue
            fitting = [
                added
                for added in hand.at_port(own, port, card)
                if self._seems_to_fit(view, hand, added, group)
            ]
            found += fitting[:1]
            if len(found) == self._skill.candidates:
                break
        self._spend_comparisons(comparisons)
        return found

    def _seems_to_fit(self, view: State, hand: Hand, added: int, group: list[int]) -> bool:
        if frozenset((*group, added)) in self._tried:
            return False
        return hand.fits(added, group) or (
            self._rng.random() < self._skill.slip_rate
            and objection_to_laying(view, self._seat, card_of(added), place_of(added)) == ALLOWED
        )

    def _lay(self, group: list[int], added: int) -> int:
        self._move_hand(self._skill.lay_s)
        self._tried.append(frozenset((*group, added)))
        self._order.append(card_of(added))
        return lay_move(added)

    def _take_back(self, own: int) -> int:
        self._move_hand(self._skill.lay_s / 2)
        return take_back_move(card_of(own))

    # Stopping

    def _wants_to_stop(self, view: State) -> bool:
        return self._gives_up or view.clock - view.started_at >= 1000 * self._skill.stop_after_s

    def _is_last(self, view: State) -> bool:
        """Whether all the others are out of the round or have agreed to stop."""
        return view.seats > 1 and view.out | view.stoppers | 1 << self._seat == everybody(view)

    def _is_late(self, view: State) -> bool:
        """Whether there is no time to lay again what would be taken back."""
        return time_limit(view) - view.clock < 1000 * LATE_CARDS * self._skill.lay_s

    def _settle(self, hand: Hand, group: list[int]) -> int:
        """Lay the best layout once more, from memory, and stop."""
        extra = [own for own in group if own not in self._best]
        if extra:
            return self._take_back(extra[-1])
        for added in self._best:
            touches = any(hand.touches(own, added) for own in group)
            if added not in group and (touches or not group):
                return self._lay(group, added)
        return STOP

    # Time

    def _spend_comparisons(self, count: int) -> None:
        self.seconds += count / self._skill.comparisons_per_s

    def _move_hand(self, seconds: float) -> None:
        self.seconds += seconds * self._rng.uniform(1.0, SLOWEST)


class Master(Player):
    """The fastest player, who also advises others."""

    def advise(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> list[Advice]:
        return advise(view, self._seat, deadline)
