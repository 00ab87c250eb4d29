"""The field of one seat: where its cards lie, and where another one may be laid.

A place is a turn, a row and a column of the field: (turn * FIELD + y) * FIELD + x. `places` are
those of one seat, by card of the hand: IN_HAND, or SOMEWHERE in a view, for a card without one.
"""

from collections.abc import MutableSequence, Sequence

from ludotheque.games.ubongo.cards import HEIGHT, OVERLAP, RELATIONS, TURNS, WIDTH, relation_index

FIELD = 32  # columns, and rows
FIELD_PLACES = TURNS * FIELD * FIELD
SHIFTS = (-FIELD, 1, FIELD, -1)  # what a place changes by, a cell up, right, down, left
IN_HAND = -1  # the place of a card that is not laid
SOMEWHERE = -2  # the place of a card that another seat has laid, as it is seen before the count


def column_of(place: int) -> int:
    return place % FIELD


def row_of(place: int) -> int:
    return place // FIELD % FIELD


def turn_of(place: int) -> int:
    return place // (FIELD * FIELD)


def relation_of(place: int, other: int) -> int:
    """The index in RELATIONS of two cards that lie on these places."""
    return relation_index(
        turn_of(place),
        column_of(place),
        row_of(place),
        turn_of(other),
        column_of(other),
        row_of(other),
    )


def is_inside(place: int) -> bool:
    turn = turn_of(place)
    return column_of(place) + WIDTH[turn] <= FIELD and row_of(place) + HEIGHT[turn] <= FIELD


def is_at_edge(place: int, direction: int) -> bool:
    """Whether a card would leave the field if it were shifted up, right, down or left."""
    if direction == 0:
        return row_of(place) == 0
    if direction == 1:
        return column_of(place) + WIDTH[turn_of(place)] == FIELD
    if direction == 2:
        return row_of(place) + HEIGHT[turn_of(place)] == FIELD
    return column_of(place) == 0


def is_covered(places: Sequence[int], i: int, place: int) -> bool:
    """Whether card i would overlap another one on this place."""
    for other in range(len(places)):
        at = places[other]
        if other != i and at >= 0 and RELATIONS[relation_of(place, at)][0] == OVERLAP:
            return True
    return False


# Every free place at once; the conformance suite compares the answers with `is_legal`.


def list_free_places(places: Sequence[int], i: int, moves: MutableSequence[int], count: int) -> int:
    """Write every way to lay card i after the `count` moves already there, row by row."""
    before = count
    for turn in range(TURNS // 2):
        columns = FIELD + 1 - WIDTH[turn]
        covered = covered_columns(places, i, turn)
        for y in range(FIELD + 1 - HEIGHT[turn]):
            first = i * FIELD_PLACES + (turn * FIELD + y) * FIELD
            if covered[y] == 0:
                for x in range(columns):
                    moves[count + x] = first + x
                count += columns
            else:
                for x in range(columns):
                    moves[count] = first + x
                    count += covered[y] >> x & 1 == 0
    written = count - before
    for n in range(before, count):  # a card after a half turn covers the same cells
        moves[n + written] = moves[n] + TURNS // 2 * FIELD * FIELD
    return count + written


def covered_columns(places: Sequence[int], i: int, turn: int) -> list[int]:
    """By row: the columns, as bits, where card i in this turn would overlap another one."""
    covered = [0] * FIELD
    for other in range(len(places)):
        place = places[other]
        if other == i or place < 0:
            continue
        width = WIDTH[turn] + WIDTH[turn_of(place)] - 1
        columns = ((1 << width) - 1) << column_of(place) >> (WIDTH[turn] - 1)
        top = max(0, row_of(place) - HEIGHT[turn] + 1)
        for y in range(top, row_of(place) + HEIGHT[turn_of(place)]):
            covered[y] |= columns
    return covered
