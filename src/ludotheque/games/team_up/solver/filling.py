"""Whether the spare boxes can fill the pallet, and whether in the order of the cards.

Written as rules are, and compiled beside them. Filling takes boxes in an order of its own, always
for a column that few of them can cover: so it meets each way to fill the pallet once, not once for
every order in which its boxes might come. Few piles can be filled at all, and of those that can,
many also in the order of the cards.
"""

from typing import Any

from ludotheque.games.team_up.parts import COLOUR_CARD, LAYERS, WIDTH
from ludotheque.games.team_up.rules import (
    CARDS,
    COLUMNS,
    PALLET,
    PLAIN,
    State,
    allows,
    stand,
)
from ludotheque.games.team_up.solver.beam import Look
from ludotheque.games.team_up.solver.gaps import (
    UNKNOWN,
    begin,
    give_back,
    list_choices,
    read_box,
    take_next,
)
from ludotheque.games.team_up.solver.pile import beside

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = ("fill", "keep", "is_solution")

ENOUGH = 40  # piles that can be filled: then those that only might are left
MORE_PATIENCE = 25_000  # with a pile that can be filled: then it can be in other ways too
ORDERS = 300  # boxes taken in vain before a filling is given up
NEVER, UNDECIDED, FILLED, SOLVED = range(4)  # what becomes of a pile


def fill(look: Look, first: int, last: int, patience: int) -> bool:
    """Try to finish these piles; a finished one comes to lie first on the other side."""
    for node in range(first, last):
        look.beam.parents[node] = filled(look, node, patience)
        if look.beam.parents[node] == SOLVED:
            return True
    return False


def keep(look: Look, count: int) -> int:
    """Keep the piles that can be filled, or that might if those are few; return how many."""
    beam, side, answers = look.beam, look.side, look.beam.parents
    can_be = 0
    for node in range(count):
        can_be += answers[node] == FILLED
    kept = 0
    for node in range(count):
        if answers[node] == FILLED or (answers[node] == UNDECIDED and can_be < ENOUGH):
            beam.states[side][kept] = beam.states[side][node]
            beam.spares[side][kept] = beam.spares[side][node]
            beam.costs[side][kept] = beam.costs[side][node]
            beam.keys[side][kept] = beam.keys[side][node]
            kept += 1
    return kept


def filled(look: Look, node: int, patience: int) -> int:
    """Try all boxes on a column that few can cover, then on; leave the pile as it was."""
    s, spare = look.beam.states[look.side][node], look.beam.spares[look.side][node]
    gaps, row, answer = look.beam.gaps[0], 0, UNDECIDED
    begin(gaps, s)
    while patience > 0 and row >= 0 and answer != SOLVED:
        if gaps.untried[row] == UNKNOWN:
            gaps.untried[row] = list_choices(gaps, spare, row)
        if gaps.untried[row] > 0:
            patience -= 1
            take_next(gaps, spare, row)
            row += 1
            if gaps.low[row, LAYERS - 1] == 0:
                patience += MORE_PATIENCE if answer == UNDECIDED else 0
                answer = SOLVED if is_solution(look, node, row) else FILLED
        else:
            row -= 1
            if row >= 0:
                give_back(gaps, spare, row)
    for i in range(row):
        give_back(gaps, spare, i)
    return NEVER if row < 0 and answer == UNDECIDED else answer


def is_solution(look: Look, node: int, count: int) -> bool:
    """Whether the boxes that fill the pile can come in the order of the cards."""
    s, gaps, scratch = look.beam.states[look.side][node], look.beam.gaps[0], look.beam.scratch
    first = int(s.placed)
    scratch[0] = s
    for i in range(count):
        shape, wide, deep, high = read_box(gaps, gaps.taken[i] // COLUMNS)
        corner = gaps.taken[i] % COLUMNS
        stand(scratch[0], shape, PLAIN, corner % WIDTH, corner // WIDTH, wide, deep, high)
    if not is_in_order(look, scratch[0], first):
        return False
    stand_in_order(look, node, scratch[0], count)
    return True


def under(s: State, box: int) -> int:
    """The columns on which a box stands."""
    columns = 0
    for j in range(s.box_y[box], s.box_y[box] + s.box_depth[box]):
        columns |= ((1 << s.box_width[box]) - 1) << (j * WIDTH + s.box_x[box])
    return columns


# Whether the boxes of a filling can come in the order of the cards


def is_in_order(look: Look, s: State, first: int) -> bool:
    """Whether the boxes from `first` on can answer the cards to come; `picks` tells how."""
    list_needs(look, s, first)
    picks, order, count = look.beam.picks, look.task.order, int(s.placed) - first
    depth, placed, patience = 0, 0, ORDERS
    picks[0] = -1
    while 0 <= depth < count and patience > 0:
        patience -= 1
        card = order[look.at + depth]
        if picks[depth] >= 0:
            placed ^= 1 << picks[depth]
            settle(s, card, first + picks[depth], 1)
        picks[depth] = next_pick(look, s, first, card, picks[depth] + 1, placed)
        if picks[depth] >= 0:
            placed |= 1 << picks[depth]
            settle(s, card, first + picks[depth], -1)
            depth += 1
            picks[depth] = -1
        else:
            depth -= 1
    for i in range(min(depth + 1, count)):
        if picks[i] >= 0:
            settle(s, order[look.at + i], first + picks[i], 1)
    return depth == count


def list_needs(look: Look, s: State, first: int) -> None:
    """Write which boxes must stand before each one, and the ground that each covers."""
    for i in range(first, s.placed):
        columns, below = under(s, i), 0
        for j in range(first, s.placed):
            if s.box_level[j] + s.box_height[j] == s.box_level[i] and under(s, j) & columns != 0:
                below |= 1 << (j - first)
        look.beam.below[i - first] = below
        look.beam.ground[i - first] = columns if s.box_level[i] == 0 else 0


def settle(s: State, card: int, box: int, change: int) -> None:
    """Only a card that asks for a colour settles it."""
    if CARDS[card][0] == COLOUR_CARD:
        s.left[s.box_shape[box]][CARDS[card][1]] += change


def next_pick(look: Look, s: State, first: int, card: int, pick: int, placed: int) -> int:
    """The first box from `pick` on that the card allows and that may stand now, or −1."""
    below, ground, count = look.beam.below, look.beam.ground, int(s.placed) - first
    while pick < count:
        is_free = placed >> pick & 1 == 0 and below[pick] & ~placed == 0
        is_free = is_free and is_asked(s, card, s.box_shape[first + pick])
        if is_free and is_touching(ground, pick, placed, count):
            return pick
        pick += 1
    return -1


def is_asked(s: State, card: int, shape: int) -> bool:
    kind, one, other = CARDS[card][0], CARDS[card][1], CARDS[card][2]
    if kind == COLOUR_CARD and s.left[shape][one] == 0:
        return False
    return allows(kind, one, other, shape, one)


def is_touching(ground: Any, pick: int, placed: int, count: int) -> bool:
    """Whether a box on the ground has a neighbour; any other touches what it stands on."""
    if ground[pick] == 0:
        return True
    built = PALLET
    for i in range(count):
        if placed >> i & 1 == 0:
            built &= ~ground[i]
    return bool(beside(built) & ground[pick] != 0)


def stand_in_order(look: Look, node: int, s: State, count: int) -> None:
    """Lay the pile, finished in the order of the cards, first on the other side."""
    beam = look.beam
    beam.states[1 - look.side][0] = beam.states[look.side][node]
    finished = beam.states[1 - look.side][0]
    first = int(finished.placed)
    for i in range(count):
        card, box = look.task.order[look.at + i], first + beam.picks[i]
        shape, colour = int(s.box_shape[box]), PLAIN
        if CARDS[card][0] == COLOUR_CARD:
            colour = CARDS[card][1]
            finished.left[shape][colour] -= 1
        x, y, wide, deep = s.box_x[box], s.box_y[box], s.box_width[box], s.box_depth[box]
        stand(finished, shape, colour, x, y, wide, deep, s.box_height[box])
