"""Whether the spare boxes can fill the pallet, and whether they can come in the order of the cards.

Written as rules are, and compiled beside them. Filling ignores the order of the cards: it always
branches on a column that few boxes can cover. So it finds each way to fill the pallet once, not
once for every order of its boxes. Few piles can be filled at all, and many of these can be filled
in the order of the cards too.
"""

from typing import Any

from ludotheque.games.team_up.pallet import COLUMNS, PALLET, stand
from ludotheque.games.team_up.parts import COLOUR_CARD, LAYERS, WIDTH
from ludotheque.games.team_up.rules import CARDS, PLAIN, State, allows
from ludotheque.games.team_up.solver.beam import Search
from ludotheque.games.team_up.solver.gaps import (
    UNKNOWN,
    give_back,
    list_choices,
    read_box,
    reset,
    take_next,
)
from ludotheque.games.team_up.solver.pile import beside

# The last ones are kernels so that they are compiled once, not inlined at every call.
__kernels__ = ("fill", "keep", "is_solution")

ENOUGH_PILES = 40  # that can be filled: then the undecided ones are dropped
MORE_STEPS = 25_000  # for a pile that can be filled: there are other ways to fill it
MAX_ORDER_STEPS = 300  # boxes picked before a filling is given up
NEVER, UNDECIDED, FILLED, SOLVED = range(4)  # what becomes of a pile


def fill(search: Search, first: int, last: int, max_steps: int) -> bool:
    """Try to finish these piles; a finished one becomes the first of the other row."""
    for node in range(first, last):
        search.beam.parents[node] = filled(search, node, max_steps)
        if search.beam.parents[node] == SOLVED:
            return True
    return False


def keep(search: Search, count: int) -> int:
    """Keep the piles that can be filled, and undecided ones if these are few; return how many."""
    beam, side, answers = search.beam, search.side, search.beam.parents
    fillable = 0
    for node in range(count):
        fillable += answers[node] == FILLED
    kept = 0
    for node in range(count):
        if answers[node] == FILLED or (answers[node] == UNDECIDED and fillable < ENOUGH_PILES):
            beam.states[side][kept] = beam.states[side][node]
            beam.spares[side][kept] = beam.spares[side][node]
            beam.costs[side][kept] = beam.costs[side][node]
            beam.hashes[side][kept] = beam.hashes[side][node]
            kept += 1
    return kept


def filled(search: Search, node: int, max_steps: int) -> int:
    """Search depth first, column by column, and leave the pile as it was."""
    s, spare = search.beam.states[search.side][node], search.beam.spares[search.side][node]
    gaps, row, answer = search.beam.gaps[0], 0, UNDECIDED
    reset(gaps, s)
    while max_steps > 0 and row >= 0 and answer != SOLVED:
        if gaps.untried[row] == UNKNOWN:
            gaps.untried[row] = list_choices(gaps, spare, row)
        if gaps.untried[row] > 0:
            max_steps -= 1
            take_next(gaps, spare, row)
            row += 1
            if gaps.low[row, LAYERS - 1] == 0:
                max_steps += MORE_STEPS if answer == UNDECIDED else 0
                answer = SOLVED if is_solution(search, node, row) else FILLED
        else:
            row -= 1
            if row >= 0:
                give_back(gaps, spare, row)
    for i in range(row):
        give_back(gaps, spare, i)
    return NEVER if row < 0 and answer == UNDECIDED else answer


def is_solution(search: Search, node: int, count: int) -> bool:
    """Whether the boxes that fill the pile can come in the order of the cards."""
    s, gaps, scratch = (
        search.beam.states[search.side][node],
        search.beam.gaps[0],
        search.beam.scratch,
    )
    first = int(s.placed)
    scratch[0] = s
    for i in range(count):
        shape, wide, deep, high = read_box(gaps, gaps.taken[i] // COLUMNS)
        corner = gaps.taken[i] % COLUMNS
        stand(scratch[0], shape, PLAIN, corner % WIDTH, corner // WIDTH, wide, deep, high)
    if not is_in_order(search, scratch[0], first):
        return False
    write_solution(search, node, scratch[0], count)
    return True


def columns_under(s: State, box: int) -> int:
    """The columns on which a box stands."""
    columns = 0
    for j in range(s.box_y[box], s.box_y[box] + s.box_depth[box]):
        columns |= ((1 << s.box_width[box]) - 1) << (j * WIDTH + s.box_x[box])
    return columns


# Whether the boxes of a filling can come in the order of the cards


def is_in_order(search: Search, s: State, first: int) -> bool:
    """Whether the boxes from `first` on can answer the cards to come; `picks` tells how."""
    list_supports(search, s, first)
    picks, order, count = search.beam.picks, search.task.order, int(s.placed) - first
    depth, placed, max_steps = 0, 0, MAX_ORDER_STEPS
    picks[0] = -1
    while 0 <= depth < count and max_steps > 0:
        max_steps -= 1
        card = order[search.at + depth]
        if picks[depth] >= 0:
            placed ^= 1 << picks[depth]
            settle(s, card, first + picks[depth], 1)
        picks[depth] = next_pick(search, s, first, card, picks[depth] + 1, placed)
        if picks[depth] >= 0:
            placed |= 1 << picks[depth]
            settle(s, card, first + picks[depth], -1)
            depth += 1
            picks[depth] = -1
        else:
            depth -= 1
    for i in range(min(depth + 1, count)):
        if picks[i] >= 0:
            settle(s, order[search.at + i], first + picks[i], 1)
    return depth == count


def list_supports(search: Search, s: State, first: int) -> None:
    """Write which boxes must come before each one, and the ground that each covers."""
    for i in range(first, s.placed):
        columns, below = columns_under(s, i), 0
        for j in range(first, s.placed):
            if (
                s.box_level[j] + s.box_height[j] == s.box_level[i]
                and columns_under(s, j) & columns != 0
            ):
                below |= 1 << (j - first)
        search.beam.below[i - first] = below
        search.beam.ground[i - first] = columns if s.box_level[i] == 0 else 0


def settle(s: State, card: int, box: int, change: int) -> None:
    """Settle the colour of a box, or with +1 undo that; only cards that name a colour do."""
    if CARDS[card][0] == COLOUR_CARD:
        s.left[s.box_shape[box]][CARDS[card][1]] += change


def next_pick(search: Search, s: State, first: int, card: int, pick: int, placed: int) -> int:
    """The first box from `pick` on that the card allows and that may be placed now, or −1."""
    below, ground, count = search.beam.below, search.beam.ground, int(s.placed) - first
    while pick < count:
        is_free = placed >> pick & 1 == 0 and below[pick] & ~placed == 0
        is_free = is_free and is_named(s, card, s.box_shape[first + pick])
        if is_free and is_touching(ground, pick, placed, count):
            return pick
        pick += 1
    return -1


def is_named(s: State, card: int, shape: int) -> bool:
    kind, one, other = CARDS[card][0], CARDS[card][1], CARDS[card][2]
    if kind == COLOUR_CARD and s.left[shape][one] == 0:
        return False
    return allows(kind, one, other, shape, one)


def is_touching(ground: Any, pick: int, placed: int, count: int) -> bool:
    """Whether a box on the ground has a neighbour; the others touch what they stand on."""
    if ground[pick] == 0:
        return True
    built = PALLET
    for i in range(count):
        if placed >> i & 1 == 0:
            built &= ~ground[i]
    return bool(beside(built) & ground[pick] != 0)


def write_solution(search: Search, node: int, s: State, count: int) -> None:
    """Write the pile, finished in the order of the cards, as the first of the other row."""
    beam = search.beam
    beam.states[1 - search.side][0] = beam.states[search.side][node]
    finished = beam.states[1 - search.side][0]
    first = int(finished.placed)
    for i in range(count):
        card, box = search.task.order[search.at + i], first + beam.picks[i]
        shape, colour = int(s.box_shape[box]), PLAIN
        if CARDS[card][0] == COLOUR_CARD:
            colour = CARDS[card][1]
            finished.left[shape][colour] -= 1
        x, y, wide, deep = s.box_x[box], s.box_y[box], s.box_width[box], s.box_depth[box]
        stand(finished, shape, colour, x, y, wide, deep, s.box_height[box])
