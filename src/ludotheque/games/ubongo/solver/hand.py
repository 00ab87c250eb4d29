"""A hand as its holder sees it: where a card could lie next, and whether seven can still be laid.

Everything here is plain Python, so that nobody at a table waits for a compiler. A placement is
packed as in ports.py, with the columns and rows of the field moved by MARGIN so that none is
negative.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludotheque.games.ubongo.cards import FACES, HEIGHT, WIDTH
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES, IN_HAND, column_of, row_of, turn_of
from ludotheque.games.ubongo.rules import SHIFT, TAKE_BACK
from ludotheque.games.ubongo.solver.grow import UNLIMITED, Workspace, compare_cards, grow, search
from ludotheque.games.ubongo.solver.ports import (
    CLASH,
    CONTACTS,
    PORTS,
    STEP,
    contact_between,
    count_bits,
    link,
)

MARGIN = 64
MIDDLE = (FIELD // 2 - 1) * FIELD + FIELD // 2 - 1  # the place of the first card, not turned
ROOM_CELLS = 3  # between the cards and the edge of the field: enough for another card

Group = Sequence[int]  # the placements of laid cards


class Found(NamedTuple):
    placements: tuple[int, ...]  # of a group as large as was asked for, or none
    groups: int  # visited
    is_exhaustive: bool  # if nothing was found, there is nothing to find


def placement_at(card: int, place: int) -> int:
    """The placement of a card of the hand on a place of the field."""
    y, x = row_of(place) + MARGIN, column_of(place) + MARGIN
    return card << 18 | turn_of(place) << 16 | y << 8 | x


def place_of(placement: int) -> int:
    x, y = (placement & 255) - MARGIN, (placement >> 8 & 255) - MARGIN
    return ((placement >> 16 & 3) * FIELD + y) * FIELD + x


def card_of(placement: int) -> int:
    return placement >> 18


def group_of(places: Sequence[int]) -> list[int]:
    """The placements of the laid cards, in the order of the hand."""
    return [placement_at(card, place) for card, place in enumerate(places) if place != IN_HAND]


def lay_move(placement: int) -> int:
    return card_of(placement) * FIELD_PLACES + place_of(placement)


def take_back_move(card: int) -> int:
    return TAKE_BACK + card


def shift_move(direction: int) -> int:
    return SHIFT + direction


def is_on_field(placement: int) -> bool:
    turn = placement >> 16 & 3
    x, y = (placement & 255) - MARGIN, (placement >> 8 & 255) - MARGIN
    return 0 <= x <= FIELD - WIDTH[turn] and 0 <= y <= FIELD - HEIGHT[turn]


def direction_to_the_middle(group: Group) -> int | None:
    """Where to shift the cards so that others find room beside them: up, right, down or left."""
    places = [place_of(placement) for placement in group]
    if not places:
        return None
    left = min(column_of(place) for place in places)
    top = min(row_of(place) for place in places)
    right = FIELD - max(column_of(place) + WIDTH[turn_of(place)] for place in places)
    bottom = FIELD - max(row_of(place) + HEIGHT[turn_of(place)] for place in places)
    rooms = (top, right, bottom, left)
    for direction in range(4):
        behind = rooms[(direction + 2) % 4]
        if behind < ROOM_CELLS and rooms[direction] > behind + 1:
            return direction
    return None


class Hand:
    """Some cards, known by their symbols."""

    def __init__(self, faces: Sequence[Sequence[int]]) -> None:
        self.size = size = len(faces)
        self._links = [0] * (size * size)
        link(faces, size, self._links)
        self._work = self._new_workspace()
        self.matches = self._work.matches
        compare_cards(self._work)

    def _new_workspace(self) -> Workspace:
        size = self.size
        room = sum(count_bits(contacts) for contacts in self._links) * (size + 1) + 2
        neighbours, matches, twin, laid, ends = ([0] * (size + 1) for _ in range(5))
        candidates, cards = [0] * room, [0] * room
        return Workspace(
            size, self._links, neighbours, matches, twin, laid, candidates, cards, ends
        )

    # One card more

    def placements(self, group: Group) -> list[int]:
        """Where the cards in hand could be laid correctly beside the group, within the field."""
        held = self.held(group)
        found = {added for own in group for card in held for added in self.beside(own, card)}
        return sorted(added for added in found if self.fits(added, group))

    def held(self, group: Group) -> list[int]:
        laid = {card_of(own) for own in group}
        return [card for card in range(self.size) if card not in laid]

    def beside(self, own: int, card: int) -> Iterator[int]:
        """Where a card touches this one correctly, whatever else is laid."""
        for port in range(PORTS):
            yield from self.at_port(own, port, card)

    def at_port(self, own: int, port: int, card: int) -> Iterator[int]:
        contacts = self._links[card_of(own) * self.size + card] >> PORTS * port
        for other in range(PORTS):
            if contacts >> other & 1:
                step = STEP[(own >> 16 & 3) * CONTACTS + PORTS * port + other]
                added = (card << 18) + (own & 0xFFFF) + step
                if is_on_field(added):
                    yield added

    def fits(self, placement: int, group: Group) -> bool:
        """Whether every card of the group is apart from it or touches it correctly."""
        return all(
            contact_between(self._links, self.size, own, placement) != CLASH for own in group
        )

    def touches(self, one: int, other: int) -> bool:
        """Whether the two touch correctly."""
        return contact_between(self._links, self.size, one, other) >= 0

    def is_correct(self, group: Group) -> bool:
        """Whether all cards are laid correctly, in one group."""
        joined, apart = list(group[:1]), list(group[1:])
        for own in joined:  # grows during the loop
            beside = [placement for placement in apart if self.touches(own, placement)]
            apart = [placement for placement in apart if placement not in beside]
            joined += beside
        return not apart and all(self.fits(own, group[:n]) for n, own in enumerate(group))

    def continuations(self, placement: int, group: Group) -> int:
        """In how many ways the cards left in hand could continue from this placement."""
        wider = [*group, placement]
        return sum(
            self.fits(beside, group)
            for card in self.held(wider)
            for beside in self.beside(placement, card)
        )

    # Many cards more

    def find(self, need: int, max_groups: int = UNLIMITED) -> Found:
        """A layout of this many cards; the search gives up after `max_groups`."""
        found, groups = search(self._work, need, 1, max_groups)
        return self._found(found, groups, need, max_groups)

    def complete(self, group: Group, need: int, max_groups: int) -> Found:
        """Like `find`, around the cards already laid."""
        if len(group) >= need:
            return Found(tuple(group), 0, True)
        self._work.laid[: len(group)] = group
        free = sum(1 << card for card in self.held(group))
        found, groups = grow(self._work, free, len(group), need, 1, max_groups)
        return self._found(found, groups, need, max_groups)

    def _found(self, found: int, groups: int, need: int, max_groups: int) -> Found:
        return Found(tuple(self._work.laid[: need * found]), groups, groups < max_groups)


def hand_of(cards: Sequence[int], side: int) -> Hand:
    """Cards of our own deck, seen from one side."""
    return Hand([FACES[card][side] for card in cards])
