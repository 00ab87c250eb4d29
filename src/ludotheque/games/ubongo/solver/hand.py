"""A hand as its holder sees it: where a card could lie next, and whether enough will ever lie.

Everything here is plain Python, so that nobody waits for a compiler at a table. A seat is packed as
in ports.py, with the columns and rows of the field moved by MARGIN so that none is negative.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludotheque.games.ubongo.cards import FACES, HEIGHT, WIDTH
from ludotheque.games.ubongo.rules import (
    FIELD,
    FIELD_PLACES,
    IN_HAND,
    SHIFT,
    TAKE_BACK,
    column_of,
    row_of,
    turn_of,
)
from ludotheque.games.ubongo.solver.grow import UNLIMITED, Table, compare, grow, search
from ludotheque.games.ubongo.solver.ports import CLASH, PAIRS, PORTS, STEP, count_bits, link, stand

MARGIN = 64
MIDDLE = (FIELD // 2 - 1) * FIELD + FIELD // 2 - 1  # the place of the first card, not turned
EDGE = 3  # cells between the cards and the edge of the field that leave room for another

Group = Sequence[int]  # the seats of cards that lie


class Found(NamedTuple):
    seats: tuple[int, ...]  # of a group as large as was asked for, or none
    groups: int  # looked at
    is_certain: bool  # if nothing was found, nothing is there


def seat_at(card: int, place: int) -> int:
    """The seat of a card of the hand that lies on a place of the field."""
    y, x = row_of(place) + MARGIN, column_of(place) + MARGIN
    return card << 18 | turn_of(place) << 16 | y << 8 | x


def place_of(seat: int) -> int:
    return ((seat >> 16 & 3) * FIELD + (seat >> 8 & 255) - MARGIN) * FIELD + (seat & 255) - MARGIN


def card_of(seat: int) -> int:
    return seat >> 18


def group_of(places: Sequence[int]) -> list[int]:
    """The seats of the cards that lie, in the order of the hand."""
    return [seat_at(card, place) for card, place in enumerate(places) if place != IN_HAND]


def laying(seat: int) -> int:
    """The move that lays a card so."""
    return card_of(seat) * FIELD_PLACES + place_of(seat)


def taking_back(card: int) -> int:
    return TAKE_BACK + card


def shifting(direction: int) -> int:
    return SHIFT + direction


def is_inside(seat: int) -> bool:
    """Whether a card lies wholly on the field."""
    turn, x, y = seat >> 16 & 3, (seat & 255) - MARGIN, (seat >> 8 & 255) - MARGIN
    return 0 <= x <= FIELD - WIDTH[turn] and 0 <= y <= FIELD - HEIGHT[turn]


def direction_to_the_middle(group: Group) -> int | None:
    """Where all cards should be shifted so that others find room beside them: up, right, … ."""
    places = [place_of(seat) for seat in group]
    if not places:
        return None
    left = min(column_of(place) for place in places)
    top = min(row_of(place) for place in places)
    right = FIELD - max(column_of(place) + WIDTH[turn_of(place)] for place in places)
    bottom = FIELD - max(row_of(place) + HEIGHT[turn_of(place)] for place in places)
    rooms = (top, right, bottom, left)
    for direction in range(4):
        behind = rooms[(direction + 2) % 4]
        if behind < EDGE and rooms[direction] > behind + 1:
            return direction
    return None


class Hand:
    """Some cards, known by their symbols."""

    def __init__(self, faces: Sequence[Sequence[int]]) -> None:
        self.size = size = len(faces)
        self._links = [0] * (size * size)
        link(faces, size, self._links)
        self._table = self._set_table()
        self.matches = self._table.matches
        compare(self._table)

    def _set_table(self) -> Table:
        size = self.size
        room = sum(count_bits(contacts) for contacts in self._links) * (size + 1) + 2
        neighbours, matches, elder, laid, ends = ([0] * (size + 1) for _ in range(5))
        seats, below = [0] * room, [0] * room
        return Table(size, self._links, neighbours, matches, elder, laid, seats, below, ends)

    # One card more

    def seats(self, group: Group) -> list[int]:
        """Where the other cards stand rightly beside those that lie, within the field."""
        held = self.held(group)
        found = {seat for own in group for card in held for seat in self.beside(own, card)}
        return sorted(seat for seat in found if self.fits(seat, group))

    def held(self, group: Group) -> list[int]:
        laid = {card_of(own) for own in group}
        return [card for card in range(self.size) if card not in laid]

    def beside(self, own: int, card: int) -> Iterator[int]:
        """Where a card stands rightly beside this one, others aside."""
        for port in range(PORTS):
            yield from self.at_port(own, port, card)

    def at_port(self, own: int, port: int, card: int) -> Iterator[int]:
        contacts = self._links[card_of(own) * self.size + card] >> PORTS * port
        for other in range(PORTS):
            if contacts >> other & 1:
                step = STEP[(own >> 16 & 3) * PAIRS + PORTS * port + other]
                seat = (card << 18) + (own & 0xFFFF) + step
                if is_inside(seat):
                    yield seat

    def fits(self, seat: int, group: Group) -> bool:
        """Whether it stands rightly to every card that lies: apart, or bordering rightly."""
        return all(stand(self._links, self.size, own, seat) != CLASH for own in group)

    def touch(self, one: int, other: int) -> bool:
        return stand(self._links, self.size, one, other) >= 0

    def is_right(self, group: Group) -> bool:
        """Whether all cards that lie stand rightly, in one group."""
        joined, apart = list(group[:1]), list(group[1:])
        for own in joined:  # grows while it is gone through
            beside = [seat for seat in apart if self.touch(own, seat)]
            apart = [seat for seat in apart if seat not in beside]
            joined += beside
        return not apart and all(self.fits(seat, group[:place]) for place, seat in enumerate(group))

    def ways(self, seat: int, group: Group) -> int:
        """In how many ways the cards still held could go on from this seat."""
        wider = [*group, seat]
        return sum(
            self.fits(beside, group)
            for card in self.held(wider)
            for beside in self.beside(seat, card)
        )

    # Many cards more

    def find(self, need: int, patience: int = UNLIMITED) -> Found:
        """So many cards that can be laid; the search gives up after `patience` groups."""
        found, groups = search(self._table, need, 1, patience)
        return self._found(found, groups, need, patience)

    def complete(self, group: Group, need: int, patience: int) -> Found:
        """Like `find`, around the cards that lie already."""
        if len(group) >= need:
            return Found(tuple(group), 0, True)
        self._table.laid[: len(group)] = group
        free = sum(1 << card for card in self.held(group))
        found, groups = grow(self._table, free, len(group), need, 1, patience)
        return self._found(found, groups, need, patience)

    def _found(self, found: int, groups: int, need: int, patience: int) -> Found:
        return Found(tuple(self._table.laid[: need * found]), groups, groups < patience)


def hand_of(cards: Sequence[int], side: int) -> Hand:
    """Cards of our own deck, seen from one side."""
    return Hand([FACES[card][side] for card in cards])
