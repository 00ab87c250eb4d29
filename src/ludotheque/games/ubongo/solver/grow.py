"""The search behind every answer about a hand: grow a group of cards, seat by seat.

Connected groups are enumerated as polyominoes are: a seat beside the group is either taken or
excluded for good, so every arrangement is met exactly once, however it is moved or turned as a
whole. Seats that a new card spoils leave the list at once, and a group is given up when the cards
that the list can still lead to are too few. A search that turns out hard first lays the cards that
fit in fewest ways.

Written like rules: plain Python on integers and lists that Numba compiles too (arrange.py does).
"""

from typing import NamedTuple

from ludotheque.games.ubongo.solver.ports import (
    BIT,
    CLASH,
    FREE,
    MOST,
    ORIGIN,
    PAIRS,
    STEP,
    Ints,
    count_bits,
    join,
    stand,
)

UNLIMITED = 1 << 62
EASY = 64  # groups after which a search is no longer easy, and looks for scarce cards


class Table(NamedTuple):
    """The cards of a search, known by how they can touch, and room for what it lays."""

    size: int  # cards
    links: Ints  # links[card * size + other]: the contacts that the two allow
    neighbours: Ints  # by card: those that it matches, as bits
    matches: Ints  # by card: in how many ways it matches others
    elder: Ints  # by card: the next one equal to it, as a bit
    laid: Ints  # the seats of the group
    seats: Ints  # beside the group, in lists one behind the other, the last card's list last
    below: Ints  # below[i]: the cards of the seats from the beginning of their list to i
    ends: Ints  # by card laid: the end of the list when its seat was taken from it


# Growing a group


def offer(table: Table, last: int, free: int, end: int) -> int:
    """Add the seats beside laid[last] to the list that ends here; return its new end.

    A seat that touches an older card too was offered when that card was laid.
    """
    size, links, laid = table.size, table.links, table.laid
    card, turn, place = laid[last] >> 18, laid[last] >> 16 & 3, laid[last] & 0xFFFF
    cards = table.below[end]
    while free:
        lowest = free & -free
        free ^= lowest
        other = BIT[lowest % 37]
        contacts = links[card * size + other]
        while contacts:
            contact = BIT[(contacts & -contacts) % 37]
            contacts &= contacts - 1
            seat = (other << 18) + place + STEP[turn * PAIRS + contact]
            older = 0
            while older < last and stand(links, size, laid[older], seat) == FREE:
                older += 1
            if older == last:
                cards |= lowest
                table.seats[end], table.below[end] = seat, cards
                end += 1
    table.below[end] = cards
    return end


def keep(table: Table, taken: int, begin: int, end: int, to: int) -> int:
    """Copy the seats of a list that stand beside a card laid now; return the end of the copy."""
    size, links, seats, below = table.size, table.links, table.seats, table.below
    cards = 0
    for i in range(begin, end):
        seat = seats[i]
        if seat >> 18 != taken >> 18 and stand(links, size, taken, seat) != CLASH:
            cards |= 1 << (seat >> 18)
            seats[to], below[to] = seat, cards
            to += 1
    below[to] = cards
    return to


def offer_all(table: Table, lying: int, free: int) -> int:
    """List the seats beside the cards that lie already; return the end of the list."""
    end = table.below[0] = 0
    for last in range(lying):
        end = keep(table, table.laid[last], 0, end, 0)
        end = offer(table, last, free, end)
    return end


def scarcest(table: Table, free: int, begin: int, end: int) -> int:
    """The card that can be laid in fewest ways, now or later."""
    size, links, seats = table.size, table.links, table.seats
    scarce, fewest = 0, UNLIMITED
    for card in range(size):
        if free >> card & 1 == 0 or table.elder[card] & free != 0:
            continue
        ways = 0
        for i in range(begin, end):
            ways += seats[i] >> 18 == card
        if ways > 0:
            for other in range(size):
                if free >> other & 1 == 1:
                    ways += count_bits(links[card * size + other])
            if ways <= fewest:
                scarce, fewest = card, ways
    return scarce


def put_last(table: Table, card: int, begin: int, end: int) -> None:
    """Let the seats of a card be tried first: the list is tried from its end."""
    seats, below = table.seats, table.below
    kept, cards = begin, 0
    spare = end + 1  # what lies behind the list is free until the next card is laid
    for i in range(begin, end):
        seat = seats[i]
        if seat >> 18 == card:
            seats[spare] = seat
            spare += 1
        else:
            cards |= 1 << (seat >> 18)
            seats[kept], below[kept] = seat, cards
            kept += 1
    for i in range(end + 1, spare):
        cards |= 1 << card
        seats[kept], below[kept] = seats[i], cards
        kept += 1


def grow(
    table: Table, free: int, lying: int, need: int, limit: int, patience: int
) -> tuple[int, int]:
    """Count, up to `limit`, the groups of `need` cards that grow around laid[0 … lying − 1].

    Also tells how many groups were looked at, `patience` at most. `laid` keeps the last group
    found. A card waits for its `elder`, a free card of equal symbols: which of them lies where is
    all the same.
    """
    laid, seats, below, ends = table.laid, table.seats, table.below, table.ends
    found, groups, last = 0, 1, lying - 1
    begin, end = 0, offer_all(table, lying, free)
    ends[last] = 0
    while found < limit:
        cards = below[end - 1] if end > begin else 0
        if count_bits(join(table.neighbours, cards, free)) < need - last - 1:
            if last == lying - 1:
                break
            free |= 1 << (laid[last] >> 18)
            end, last = begin, last - 1
            begin = ends[last]
            continue
        end -= 1
        taken = seats[end]
        if table.elder[taken >> 18] & free != 0:
            continue
        laid[last + 1] = taken
        if last + 2 == need:
            found += 1
            continue
        if groups >= patience:
            break
        groups, last = groups + 1, last + 1
        free ^= 1 << (taken >> 18)
        ends[last] = end
        begin, end = end, offer(table, last, free, keep(table, taken, begin, end, end))
        if groups > EASY and end > begin:
            put_last(table, scarcest(table, free, begin, end), begin, end)
    return found, groups


# Where to begin


def is_essential(table: Table, card: int, free: int, need: int) -> bool:
    """Whether without this card too few of the free ones hang together."""
    left = rest = free & ~(1 << card)
    while left:
        group = join(table.neighbours, left & -left, rest)
        if count_bits(group) >= need:
            return False
        left &= ~group
    return True


def best_root(table: Table, free: int, need: int) -> int:
    """The card to begin with: an essential one, if there is any, and one with few matches."""
    root, fewest = 0, UNLIMITED
    for card in range(table.size):
        if free >> card & 1 == 1:
            cost = table.matches[card]
            if not is_essential(table, card, free, need):
                cost += MOST * MOST * PAIRS
            if cost <= fewest:  # the last of equal cards is the eldest
                root, fewest = card, cost
    return root


def are_equal(table: Table, one: int, other: int) -> bool:
    """Whether two cards may change places in every group."""
    size, links = table.size, table.links
    if links[one * size + other] != links[other * size + one]:
        return False
    for third in range(size):
        differs = links[one * size + third] != links[other * size + third]
        if differs and third != one and third != other:
            return False
    return True


def compare(table: Table) -> None:
    """Write down whom each card matches, in how many ways, and the next card equal to it."""
    size, matches = table.size, table.matches
    for card in range(size):
        table.neighbours[card] = matches[card] = table.elder[card] = 0
        for other in range(size):
            bits = table.links[card * size + other]
            if bits != 0:
                table.neighbours[card] |= 1 << other
                matches[card] += count_bits(bits)
    for card in range(size):
        for other in range(size - 1, card, -1):
            if matches[card] == matches[other] and are_equal(table, card, other):
                table.elder[card] = 1 << other


def equal_cards(table: Table, root: int, free: int) -> int:
    """The free cards that are equal to this one, as bits."""
    equal = 0
    for card in range(table.size):
        if free >> card & 1 == 1 and are_equal(table, root, card):
            equal |= 1 << card
    return equal


def search(table: Table, need: int, limit: int, patience: int) -> tuple[int, int]:
    """Count, up to `limit`, the arrangements of `need` cards, and the groups looked at for it.

    One card after the other is the root, at turn 0, and is then left out: every arrangement has one
    root. Without an essential card no arrangement is left.
    """
    if need <= 1:
        table.laid[0] = ORIGIN
        return min(table.size, limit), 1
    if limit > 1:  # which of equal cards lies where is told apart
        for card in range(table.size):
            table.elder[card] = 0
    free = (1 << table.size) - 1
    found = groups = 0
    while count_bits(free) >= need and found < limit and groups < patience:
        root = best_root(table, free, need)
        was_essential = is_essential(table, root, free, need)
        table.laid[0] = root << 18 | ORIGIN
        free ^= 1 << root
        more, looked = grow(table, free, 1, need, limit - found, patience - groups)
        found += more
        groups += looked
        if was_essential:
            break
        if limit == 1:  # those equal to the root would have done in its place
            free ^= equal_cards(table, root, free)
    return found, groups
