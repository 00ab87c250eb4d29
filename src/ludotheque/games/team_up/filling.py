"""Whether the spare boxes can fill the pallet, and whether in the order of the cards.

Written as rules are, and compiled beside them. Filling takes boxes in an order of its own, always
on the first of the lowest columns: so it meets each way to fill the pallet once, not once for every
order in which its boxes might come. Few piles can be filled at all, and of those that can, many
also in the order of the cards.
"""

from typing import Any

from ludotheque.games.team_up.beam import Look, total
from ludotheque.games.team_up.parts import COLOUR_CARD, LAYERS, WIDTH
from ludotheque.games.team_up.pile import base, beside, survey
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    CARDS,
    PALLET,
    PLAIN,
    SHAPES,
    State,
    allows,
    is_clone,
    stand,
)
from ludotheque.games.team_up.threats import bare, waiting

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = ("fill", "keep", "bare", "is_any_clone")

ENOUGH = 40  # piles that can be filled: then those that only might are left
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
    """Try all boxes on the first of the lowest columns, then on; leave the pile as it was."""
    s, spare = look.beam.states[look.side][node], look.beam.spares[look.side][node]
    low, tries, first = look.beam.low, look.beam.tries, int(s.placed)
    depth, answer = 0, UNDECIDED
    tries[0] = 0
    survey(s, low)
    while patience > 0 and depth >= 0 and answer != SOLVED:
        patience -= 1
        if low[LAYERS - 1] == 0:
            answer = SOLVED if is_in_order(look, s, first) else FILLED
        if is_promising(low, spare, tries[depth]) and place_next(s, spare, low, tries, depth):
            depth += 1
            tries[depth] = 0
        elif answer != SOLVED:
            depth -= 1
            if depth >= 0:
                lift(s, spare, low)
    for _ in range(depth):
        lift(s, spare, low)
    if answer == SOLVED:
        stand_in_order(look, node, first)
    return NEVER if depth < 0 and answer == UNDECIDED else answer


def is_promising(low: Any, spare: Any, tried: int) -> bool:
    """Whether a pile has gaps and none that must remain; asked once, when nothing is tried yet."""
    if tried > 0 or low[LAYERS - 1] == 0:
        return bool(low[LAYERS - 1] != 0)
    columns = bare(low, spare)
    return columns == waiting(low, columns)


def place_next(s: State, spare: Any, low: Any, tries: Any, depth: int) -> bool:
    """Stand the next box that fits on the first of the lowest columns: that is its corner."""
    level = 0
    while low[level] == 0:
        level += 1
    column = BIT_NUMBER[(low[level] & -low[level]) % 61]
    while tries[depth] < 2 * len(SHAPES):
        shape, turned = len(SHAPES) - 1 - tries[depth] // 2, tries[depth] % 2
        tries[depth] += 1
        if spare[shape] > 0 and fits(s, low[level], shape, turned, column, level):
            columns = base(shape, turned) << column
            for k in range(level, level + SHAPES[shape][2]):
                low[k] &= ~columns
            wide, deep = SHAPES[shape][turned], SHAPES[shape][1 - turned]
            stand(s, shape, PLAIN, column % WIDTH, column // WIDTH, wide, deep, SHAPES[shape][2])
            spare[shape] -= 1
            return True
    return False


def fits(s: State, gaps: int, shape: int, turned: int, column: int, level: int) -> bool:
    """Whether a box may stand in the gaps of the lowest layer; what it touches may come later."""
    wide, deep, high = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    if column % WIDTH + wide > WIDTH or level + high > LAYERS or (turned == 1 and wide == deep):
        return False
    if base(shape, turned) << column & ~gaps != 0:
        return False
    return not is_any_clone(s, shape, turned, column, level)


def is_any_clone(s: State, shape: int, turned: int, column: int, level: int) -> bool:
    wide, deep, high = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    for box in range(s.placed):
        if is_clone(s, box, shape, column % WIDTH, column // WIDTH, level, wide, deep, high):
            return True
    return False


def lift(s: State, spare: Any, low: Any) -> None:
    """Take away the box that was placed last."""
    s.placed -= 1
    box = s.placed
    spare[s.box_shape[box]] += 1
    columns = under(s, box)
    for k in range(s.box_level[box], s.box_level[box] + s.box_height[box]):
        low[k] |= columns
    for j in range(s.box_y[box], s.box_y[box] + s.box_depth[box]):
        for i in range(s.box_x[box], s.box_x[box] + s.box_width[box]):
            s.heights[j * WIDTH + i] = s.box_level[box]


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


def stand_in_order(look: Look, node: int, first: int) -> None:
    """Lay the pile, finished in the order of the cards, first on the other side."""
    beam, s = look.beam, look.beam.states[look.side][node]
    beam.states[1 - look.side][0] = s
    finished = beam.states[1 - look.side][0]
    for i in range(total(beam.spares[look.side][node])):
        card, box = look.task.order[look.at + i], first + beam.picks[i]
        shape, colour = int(s.box_shape[box]), PLAIN
        if CARDS[card][0] == COLOUR_CARD:
            colour = CARDS[card][1]
            finished.left[shape][colour] -= 1
        x, y, wide, deep = s.box_x[box], s.box_y[box], s.box_width[box], s.box_depth[box]
        stand(finished, shape, colour, x, y, wide, deep, s.box_height[box])
