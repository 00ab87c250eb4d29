"""The search behind every answer about a hand: grow a group of cards, seat by seat.

Connected groups are enumerated as polyominoes are: a seat beside the group is either taken or
excluded for good, so every arrangement is met exactly once, however it is moved or turned as a
whole. Seats that a new card spoils leave the list at once, and a group is given up when the cards
that the list can still lead to are too few. A search that turns out hard first lays the cards that
fit in fewest ways.

Written like rules: plain Python on integers and lists that Numba compiles too (arrange.py does).
"""

from ludotheque.games.ubongo.ports import (
    BIT,
    CLASH,
    FREE,
    MIDDLE,
    MOST,
    PAIRS,
    STEP,
    Ints,
    count_bits,
    join,
    stand,
)

FOREVER = 1 << 62
EASY = 64  # groups after which a search is no longer easy, and looks for scarce cards

# Growing a group


def offer(
    links: Ints, size: int, laid: Ints, last: int, free: int, seats: Ints, below: Ints, end: int
) -> int:
    """Add the seats beside laid[last] to the list that ends here; return its new end.

    A seat that touches an older card too was offered when that card was laid. below[i] holds the
    cards of the seats from the beginning of the list to i.
    """
    card, turn, place = laid[last] >> 18, laid[last] >> 16 & 3, laid[last] & 0xFFFF
    cards = below[end]
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
                seats[end], below[end] = seat, cards
                end += 1
    below[end] = cards
    return end


def keep(
    links: Ints, size: int, taken: int, seats: Ints, below: Ints, begin: int, end: int, to: int
) -> int:
    """Copy the seats of a list that stand beside a card laid now; return the end of the copy."""
    cards = 0
    for i in range(begin, end):
        seat = seats[i]
        if seat >> 18 != taken >> 18 and stand(links, size, taken, seat) != CLASH:
            cards |= 1 << (seat >> 18)
            seats[to], below[to] = seat, cards
            to += 1
    below[to] = cards
    return to


def offer_all(
    links: Ints, size: int, laid: Ints, lying: int, free: int, seats: Ints, below: Ints
) -> int:
    """List the seats beside the cards that lie already; return the end of the list."""
    end = below[0] = 0
    for last in range(lying):
        end = keep(links, size, laid[last], seats, below, 0, end, 0)
        end = offer(links, size, laid, last, free, seats, below, end)
    return end


def scarcest(
    links: Ints, size: int, elder: Ints, free: int, seats: Ints, begin: int, end: int
) -> int:
    """The card that can be laid in fewest ways, now or later."""
    scarce, fewest = 0, FOREVER
    for card in range(size):
        if free >> card & 1 == 0 or elder[card] & free != 0:
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


def put_last(card: int, seats: Ints, below: Ints, begin: int, end: int) -> None:
    """Let the seats of a card be tried first: the list is tried from its end."""
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
    links: Ints,
    size: int,
    neighbours: Ints,
    elder: Ints,
    free: int,
    lying: int,
    need: int,
    limit: int,
    patience: int,
    laid: Ints,
    seats: Ints,
    below: Ints,
    ends: Ints,
) -> tuple[int, int]:
    """Count, up to `limit`, the groups of `need` cards that grow around laid[0 … lying − 1].

    Also tells how many groups were looked at, `patience` at most. `laid` keeps the last group
    found. A card waits for its `elder`, a free card of equal symbols: which of them lies where is
    all the same.
    """
    found = nodes = begin = 0
    end = offer_all(links, size, laid, lying, free, seats, below)
    last = lying - 1
    ends[last] = 0
    while True:
        nodes += 1
        if nodes > EASY and end > begin:
            card = scarcest(links, size, elder, free, seats, begin, end)
            put_last(card, seats, below, begin, end)
        missing = need - last - 1
        while True:  # find a seat to take, here or further up
            cards = below[end - 1] if end > begin else 0
            if count_bits(join(neighbours, cards, free)) < missing:
                if last == lying - 1:
                    return found, nodes
                free |= 1 << (laid[last] >> 18)
                end, last, missing = begin, last - 1, missing + 1
                begin = ends[last]
                continue
            end -= 1
            taken = seats[end]
            if elder[taken >> 18] & free != 0:
                continue
            laid[last + 1] = taken
            if missing > 1:
                break
            found += 1
            if found == limit:
                return found, nodes
        if nodes >= patience:
            return found, nodes
        last += 1
        free ^= 1 << (taken >> 18)
        ends[last] = end
        begin, end = end, keep(links, size, taken, seats, below, begin, end, end)
        end = offer(links, size, laid, last, free, seats, below, end)


# Where to begin


def is_essential(neighbours: Ints, card: int, free: int, need: int) -> bool:
    """Whether without this card too few of the free ones hang together."""
    left = rest = free & ~(1 << card)
    while left:
        group = join(neighbours, left & -left, rest)
        if count_bits(group) >= need:
            return False
        left &= ~group
    return True


def best_root(neighbours: Ints, size: int, matches: Ints, free: int, need: int) -> int:
    """The card to begin with: an essential one, if there is any, and one with few matches."""
    root, fewest = 0, FOREVER
    for card in range(size):
        if free >> card & 1 == 1:
            cost = matches[card]
            if not is_essential(neighbours, card, free, need):
                cost += MOST * MOST * PAIRS
            if cost <= fewest:  # the last of equal cards is the eldest
                root, fewest = card, cost
    return root


def are_equal(links: Ints, size: int, one: int, other: int) -> bool:
    """Whether two cards may change places in every group."""
    if links[one * size + other] != links[other * size + one]:
        return False
    for third in range(size):
        differs = links[one * size + third] != links[other * size + third]
        if differs and third != one and third != other:
            return False
    return True


def compare(links: Ints, size: int, neighbours: Ints, matches: Ints, elder: Ints) -> None:
    """Write down whom each card matches, in how many ways, and the next card equal to it."""
    for card in range(size):
        neighbours[card] = matches[card] = elder[card] = 0
        for other in range(size):
            bits = links[card * size + other]
            if bits != 0:
                neighbours[card] |= 1 << other
                matches[card] += count_bits(bits)
    for card in range(size):
        for other in range(size - 1, card, -1):
            if matches[card] == matches[other] and are_equal(links, size, card, other):
                elder[card] = 1 << other


def search(
    links: Ints,
    size: int,
    need: int,
    limit: int,
    patience: int,
    neighbours: Ints,
    matches: Ints,
    elder: Ints,
    laid: Ints,
    seats: Ints,
    below: Ints,
    ends: Ints,
) -> tuple[int, int]:
    """Count, up to `limit`, the arrangements of `need` cards, and the groups looked at for it.

    One card after the other is the root, at turn 0, and is then left out: every arrangement has one
    root. Without an essential card no arrangement is left.
    """
    if need <= 1:
        laid[0] = MIDDLE
        return min(size, limit), 1
    compare(links, size, neighbours, matches, elder)
    if limit > 1:
        for card in range(size):
            elder[card] = 0
    free = (1 << size) - 1
    found = nodes = 0
    while count_bits(free) >= need and found < limit and nodes < patience:
        root = best_root(neighbours, size, matches, free, need)
        was_essential = is_essential(neighbours, root, free, need)
        laid[0] = root << 18 | MIDDLE
        free ^= 1 << root
        more, looked = grow(
            links,
            size,
            neighbours,
            elder,
            free,
            1,
            need,
            limit - found,
            patience - nodes,
            laid,
            seats,
            below,
            ends,
        )
        found += more
        nodes += looked
        if was_essential:
            break
        if limit == 1:
            for card in range(size):  # those equal to the root would have done in its place
                if free >> card & 1 == 1 and are_equal(links, size, root, card):
                    free ^= 1 << card
    return found, nodes
