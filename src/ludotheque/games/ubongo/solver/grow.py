"""The search behind every answer about a hand: grow a group of cards, placement by placement.

Connected groups are enumerated as polyominoes are: a candidate beside the group is either taken or
excluded for good, so every arrangement is met exactly once, however it is moved or turned as a
whole. Candidates that a new card rules out leave the list at once. A group is pruned when the cards
that its candidates can still lead to are too few. A search that turns out hard first lays the cards
that fit in the fewest ways.

Written as rules are: plain Python on integers and lists that Numba compiles too (arrange.py does).
"""

from typing import NamedTuple

from ludotheque.games.ubongo.solver.ports import (
    BIT_NUMBER,
    CLASH,
    CONTACTS,
    MAX_CARDS,
    NO_CONTACT,
    ORIGIN,
    STEP,
    Ints,
    connected,
    contact_between,
    count_bits,
)

UNLIMITED = 1 << 62
EASY_GROUPS = 64  # beyond this a search is hard, and lays scarce cards first


class Workspace(NamedTuple):
    """The cards of a search, known by how they can touch, and memory for what it lays."""

    size: int  # cards
    links: Ints  # links[card * size + other]: the contacts that the two allow
    neighbours: Ints  # by card: those that it matches, as bits
    matches: Ints  # by card: in how many ways it matches others
    twin: Ints  # by card: the next one equal to it, as a bit
    laid: Ints  # the placements of the group
    candidates: Ints  # placements beside it, in lists one after the other, the last card's last
    cards_upto: Ints  # cards_upto[i]: the cards of the candidates from the start of their list to i
    ends: Ints  # by laid card: the end of the list when its placement was taken from it


# Growing a group


def grow(
    work: Workspace, free: int, fixed: int, need: int, limit: int, max_groups: int
) -> tuple[int, int]:
    """Count, up to `limit`, the groups of `need` cards that grow around laid[0 … fixed − 1].

    Also returns how many groups were visited, `max_groups` at most. `laid` keeps the last group
    found. A card is laid after its `twin`, as long as that is free: swapping the two changes
    nothing.
    """
    laid, ends = work.laid, work.ends
    found, groups, last = 0, 1, fixed - 1
    begin, end = 0, first_candidates(work, fixed, free)
    ends[last] = 0
    while found < limit:
        if is_pruned(work, free, begin, end, need - last - 1):
            if last == fixed - 1:
                break
            free |= 1 << (laid[last] >> 18)
            begin, end, last = ends[last - 1], begin, last - 1
            continue
        end -= 1
        taken = work.candidates[end]
        if work.twin[taken >> 18] & free != 0:
            continue
        laid[last + 1] = taken
        if last + 2 == need:
            found += 1
            continue
        if groups >= max_groups:
            break
        groups, last = groups + 1, last + 1
        free ^= 1 << (taken >> 18)
        ends[last] = end
        is_hard = groups > EASY_GROUPS
        begin, end = end, next_candidates(work, last, free, begin, end, is_hard)
    return found, groups


def is_pruned(work: Workspace, free: int, begin: int, end: int, missing: int) -> bool:
    """Whether the cards that this list of candidates can still lead to are too few."""
    cards = work.cards_upto[end - 1] if end > begin else 0
    return count_bits(connected(work.neighbours, cards, free)) < missing


def first_candidates(work: Workspace, fixed: int, free: int) -> int:
    """List the candidates beside the cards laid before the search; return the end of the list."""
    end = work.cards_upto[0] = 0
    for last in range(fixed):
        end = keep_candidates(work, work.laid[last], 0, end, 0)
        end = add_candidates(work, last, free, end)
    return end


def next_candidates(
    work: Workspace, last: int, free: int, begin: int, end: int, is_hard: bool
) -> int:
    """List the candidates after laid[last] behind those before it; return the end of the list."""
    to = keep_candidates(work, work.laid[last], begin, end, end)
    to = add_candidates(work, last, free, to)
    if is_hard and to > end:
        put_last(work, scarcest_card(work, free, end, to), end, to)
    return to


def add_candidates(work: Workspace, last: int, free: int, end: int) -> int:
    """Add the placements beside laid[last] to the list that ends here; return its new end.

    A placement that touches an older card too was added when that card was laid.
    """
    size, links, laid = work.size, work.links, work.laid
    card, turn, cell = laid[last] >> 18, laid[last] >> 16 & 3, laid[last] & 0xFFFF
    cards = work.cards_upto[end]
    while free:
        lowest = free & -free
        free ^= lowest
        other = BIT_NUMBER[lowest % 37]
        contacts = links[card * size + other]
        while contacts:
            contact = BIT_NUMBER[(contacts & -contacts) % 37]
            contacts &= contacts - 1
            added = (other << 18) + cell + STEP[turn * CONTACTS + contact]
            older = 0
            while older < last and contact_between(links, size, laid[older], added) == NO_CONTACT:
                older += 1
            if older == last:
                cards |= lowest
                work.candidates[end], work.cards_upto[end] = added, cards
                end += 1
    work.cards_upto[end] = cards
    return end


def keep_candidates(work: Workspace, taken: int, begin: int, end: int, to: int) -> int:
    """Copy the candidates that a card laid now leaves possible; return the end of the copy."""
    size, links, candidates, cards_upto = work.size, work.links, work.candidates, work.cards_upto
    cards = 0
    for i in range(begin, end):
        kept = candidates[i]
        if kept >> 18 != taken >> 18 and contact_between(links, size, taken, kept) != CLASH:
            cards |= 1 << (kept >> 18)
            candidates[to], cards_upto[to] = kept, cards
            to += 1
    cards_upto[to] = cards
    return to


def scarcest_card(work: Workspace, free: int, begin: int, end: int) -> int:
    """The card that can be laid in the fewest ways, now or later."""
    size, links, candidates = work.size, work.links, work.candidates
    scarce, fewest = 0, UNLIMITED
    for card in range(size):
        if free >> card & 1 == 0 or work.twin[card] & free != 0:
            continue
        ways = 0
        for i in range(begin, end):
            ways += candidates[i] >> 18 == card
        if ways > 0:
            for other in range(size):
                if free >> other & 1 == 1:
                    ways += count_bits(links[card * size + other])
            if ways <= fewest:
                scarce, fewest = card, ways
    return scarce


def put_last(work: Workspace, card: int, begin: int, end: int) -> None:
    """Move the candidates of a card to the end of the list, where the search takes from."""
    candidates, cards_upto = work.candidates, work.cards_upto
    kept, cards = begin, 0
    spare = end + 1  # what lies behind the list is free until the next card is laid
    for i in range(begin, end):
        moved = candidates[i]
        if moved >> 18 == card:
            candidates[spare] = moved
            spare += 1
        else:
            cards |= 1 << (moved >> 18)
            candidates[kept], cards_upto[kept] = moved, cards
            kept += 1
    for i in range(end + 1, spare):
        cards |= 1 << card
        candidates[kept], cards_upto[kept] = candidates[i], cards
        kept += 1


# Where to begin


def search(work: Workspace, need: int, limit: int, max_groups: int) -> tuple[int, int]:
    """Count, up to `limit`, the arrangements of `need` cards, and the groups visited for it.

    One card after the other is the root, at turn 0, and is then excluded: every arrangement has one
    root. Without an essential card no arrangement is left.
    """
    if need <= 1:
        work.laid[0] = ORIGIN
        return min(work.size, limit), 1
    if limit > 1:  # swapping equal cards makes another arrangement
        for card in range(work.size):
            work.twin[card] = 0
    free = (1 << work.size) - 1
    found = groups = 0
    while count_bits(free) >= need and found < limit and groups < max_groups:
        root = best_root(work, free, need)
        was_essential = is_essential(work, root, free, need)
        work.laid[0] = root << 18 | ORIGIN
        free ^= 1 << root
        more, visited = grow(work, free, 1, need, limit - found, max_groups - groups)
        found += more
        groups += visited
        if was_essential:
            break
        if limit == 1:  # a card equal to the root would not do better
            free ^= equal_cards(work, root, free)
    return found, groups


def best_root(work: Workspace, free: int, need: int) -> int:
    """The card to begin with: an essential one, if there is any, and one with few matches."""
    root, fewest = 0, UNLIMITED
    for card in range(work.size):
        if free >> card & 1 == 1:
            cost = work.matches[card]
            if not is_essential(work, card, free, need):
                cost += MAX_CARDS * MAX_CARDS * CONTACTS
            if cost <= fewest:  # of equal cards the last one, which waits for no twin
                root, fewest = card, cost
    return root


def is_essential(work: Workspace, card: int, free: int, need: int) -> bool:
    """Whether too few of the other free cards are connected by matches."""
    left = rest = free & ~(1 << card)
    while left:
        group = connected(work.neighbours, left & -left, rest)
        if count_bits(group) >= need:
            return False
        left &= ~group
    return True


def equal_cards(work: Workspace, root: int, free: int) -> int:
    """The free cards that are equal to this one, as bits."""
    equal = 0
    for card in range(work.size):
        if free >> card & 1 == 1 and are_equal(work, root, card):
            equal |= 1 << card
    return equal


def are_equal(work: Workspace, one: int, other: int) -> bool:
    """Whether two cards may change places in every group."""
    size, links = work.size, work.links
    if links[one * size + other] != links[other * size + one]:
        return False
    for third in range(size):
        differs = links[one * size + third] != links[other * size + third]
        if differs and third != one and third != other:
            return False
    return True


def compare_cards(work: Workspace) -> None:
    """Write the neighbours, the matches and the twin of every card."""
    size, matches = work.size, work.matches
    for card in range(size):
        work.neighbours[card] = matches[card] = work.twin[card] = 0
        for other in range(size):
            bits = work.links[card * size + other]
            if bits != 0:
                work.neighbours[card] |= 1 << other
                matches[card] += count_bits(bits)
    for card in range(size):
        for other in range(size - 1, card, -1):
            if matches[card] == matches[other] and are_equal(work, card, other):
                work.twin[card] = 1 << other
