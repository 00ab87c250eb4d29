"""What can be made of a pile if the order of the cards is known: a beam of piles, card by card.

Written as rules are, and compiled beside them. Piles that have taken the same cards lie side by
side; of all that the next card makes of them the most promising are kept.

A card that asks for a shape may leave open which of its boxes is taken: only cards that ask for a
colour care, so boxes are counted and their colours dealt out in the end. `spare` counts the boxes
of each shape that are not taken; `left` of the state loses only boxes whose colour is settled. The
colour of the others is PLAIN until then. A card that finds no box in such a pile finds none in any
dealing of its colours, so nothing is overlooked that would have to be placed.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import blend, mix, popcount
from ludotheque.games.team_up.parts import COLOUR_CARD, COLOURS, LAYERS, MAX_SHAPES, WIDTH
from ludotheque.games.team_up.pile import (
    INNER_BACK,
    INNER_LEFT,
    INNER_RIGHT,
    area,
    base,
    beside,
    steps,
    survey,
    waste,
)
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    CARDS,
    COLUMNS,
    LAYER_POINTS,
    PALLET,
    PLACEMENTS,
    PLAIN,
    SHAPES,
    TOUCHES_NOTHING,
    State,
    anchors,
    colour_of,
    columns_up_to,
    complete_layers,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
    place_objection,
    placement,
    shape_of,
    stand,
    turned_of,
    x_of,
    y_of,
)

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = ("advance", "sieve", "expand", "stuck", "anchors", "place_objection", "is_hopeless")

# The places of the prices of a pile; those that end in S are one for each layer.
LEVEL, WASTE, CELL, BASE, LOSS, LACK, STUCK, WAITING = range(8)
STEPS, ALONE, LANES = 8, 8 + LAYERS, 8 + 2 * LAYERS

LOST = -1  # in place of a move: the card found no box
DEALT_LATER = PLACEMENTS  # added to a placement: its colour is dealt out in the end
FEW_BOXES = 12  # with so few to come it counts how a pile is built, not only how it looks
ENOUGH = 40  # piles that can be filled: then those that only might are left
NEVER, UNDECIDED, FILLED = range(3)  # whether a pile can be filled
PROBES = 16  # places in the table of keys that are looked at
KEPT, DROPPED, BEST, WINNER = range(4)  # what `advance` reports


class Beam(NamedTuple):
    """The piles, in two rows: one is read while the other is written."""

    states: Any  # [2, n]
    spares: Any  # [2, n, shapes]
    costs: Any  # [2, n]: what their placements have cost
    keys: Any  # [2, n]: the same for the same boxes in the same places
    heap: Any  # the children kept, by number, the dearest on top
    ranks: Any  # of each child: its cost and what it threatens to cost …
    paid: Any  # … its cost …
    traces: Any  # … its key …
    parents: Any
    moves: Any
    seen: Any  # a table of keys, its size a power of 2
    low: Any
    after: Any
    unrest: Any
    need: Any
    tries: Any


class Task(NamedTuple):
    """What is asked of the beam."""

    order: Any  # the cards to come
    upto: Any  # [card, kind]: how many cards of each kind come before
    pairs: Any  # the shapes on cards that name two
    prices: Any
    is_flawless: bool  # no card may be lost and no cell wasted
    is_exact: bool  # colours are settled at once, and only piles built the same are the same


def advance(beam: Beam, task: Task, side: int, count: int, at: int, width: int, found: Any) -> None:
    """Let `count` piles take the card `at`; the best `width` come to lie on the other side."""
    beam.seen[:] = 0
    found[KEPT], found[DROPPED], found[BEST], found[WINNER] = 0, 0, -1000, -1
    for node in range(count):
        expand(beam, task, side, node, at, width, found)
    for child in range(found[KEPT]):
        grow(beam, side, child)
        points = points_of(beam.states[1 - side][child], beam.spares[1 - side][child])
        if points > found[BEST]:
            found[BEST], found[WINNER] = points, child


def expand(beam: Beam, task: Task, side: int, node: int, at: int, width: int, found: Any) -> None:
    """Offer all that a pile can become with a card."""
    s, spare = beam.states[side][node], beam.spares[side][node]
    if total(spare) == 0:
        return
    look_ahead(beam, task, at, total(spare))
    survey(s, beam.low)
    for k in range(LAYERS):
        beam.unrest[k] = unrest(beam.low[k], k, task.prices)
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    is_lost = True
    for shape in range(len(SHAPES)):
        if is_allowed(s, spare, task.order[at], shape):
            places = anchors(s, shape, 0, right, behind, near)
            places |= anchors(s, shape, 1, right, behind, near) << COLUMNS
            if places != 0:
                is_lost = False
                offer_shape(beam, task, side, node, at, shape, places, width, found)
    if is_lost and not task.is_flawless:
        cost = beam.costs[side][node] + task.prices[LOSS]
        threat = task.prices[LACK] * lack(s, spare, beam.need, task.pairs)
        trace = int(beam.keys[side][node])
        offer(beam, node, LOST, cost, cost + threat, trace, trace, width, found)


def look_ahead(beam: Beam, task: Task, at: int, boxes: int) -> None:
    """Count the cards of every kind after `at` that the boxes would have to answer."""
    last = min(at + boxes, len(task.order))
    for kind in range(len(beam.need)):
        beam.need[kind] = task.upto[last][kind] - task.upto[at + 1][kind]


def is_allowed(s: State, spare: Any, card: int, shape: int) -> bool:
    kind, first, second = CARDS[card][0], CARDS[card][1], CARDS[card][2]
    if kind == COLOUR_CARD:
        return spare[shape] > 0 and s.left[shape][first] > 0
    return spare[shape] > 0 and (shape == first or shape == second)


def offer_shape(
    beam: Beam,
    task: Task,
    side: int,
    node: int,
    at: int,
    shape: int,
    places: int,
    width: int,
    found: Any,
) -> None:
    """Offer a box of this shape in all its places, in every colour that makes a difference."""
    s, spare = beam.states[side][node], beam.spares[side][node]
    card = task.order[at]
    spare[shape] -= 1
    if CARDS[card][0] == COLOUR_CARD:
        offer_colour(beam, task, side, node, shape, CARDS[card][1], places, width, found)
    elif task.is_exact:
        for colour in range(COLOURS):
            if s.left[shape][colour] > 0:
                offer_colour(beam, task, side, node, shape, colour, places, width, found)
    else:
        offer_places(beam, task, side, node, shape, DEALT_LATER, places, width, found)
    spare[shape] += 1


def offer_colour(
    beam: Beam,
    task: Task,
    side: int,
    node: int,
    shape: int,
    colour: int,
    places: int,
    width: int,
    found: Any,
) -> None:
    s = beam.states[side][node]
    s.left[shape][colour] -= 1
    first = placement(0, colour, 0, 0, 0)
    offer_places(beam, task, side, node, shape, first, places, width, found)
    s.left[shape][colour] += 1


def offer_places(
    beam: Beam,
    task: Task,
    side: int,
    node: int,
    shape: int,
    first: int,
    places: int,
    width: int,
    found: Any,
) -> None:
    """Offer a box in these places; it is counted out already."""
    s, spare, prices = beam.states[side][node], beam.spares[side][node], task.prices
    lacking = lack(s, spare, beam.need, task.pairs)
    if task.is_flawless and lacking > 0:
        return
    cost = beam.costs[side][node] + prices[BASE] * area(shape)
    cost += prices[CELL] * area(shape) * SHAPES[shape][2]
    while places != 0:
        lowest = places & -places
        places ^= lowest
        place = BIT_NUMBER[lowest % 61]
        column, level = place % COLUMNS, int(s.heights[place % COLUMNS])
        wasted = waste(shape, level)
        if wasted == 0 or not task.is_flawless:
            columns = base(shape, place // COLUMNS) << column
            paid = cost + prices[LEVEL] * level + prices[WASTE] * wasted
            paid += rise(beam, columns, level, level + SHAPES[shape][2], prices)
            rank = paid + prices[LACK] * lacking
            if is_wanted(beam, rank, width, found):
                threat = stuck(beam, columns, level, level + SHAPES[shape][2], spare, prices)
                if threat < prices[STUCK] or not task.is_flawless:
                    move = placement(shape, 0, 0, 0, 0) + first + place
                    trace = int(beam.keys[side][node] ^ mix(move * 64 + level + 1))
                    key = trace
                    if not task.is_exact and total(spare) > FEW_BOXES:
                        key = pile_key(beam, spare)
                    offer(beam, node, move, paid, rank + threat, trace, key, width, found)


def is_wanted(beam: Beam, rank: float, width: int, found: Any) -> bool:
    """Whether a child of this rank would be kept; if not, the search is no longer complete."""
    if found[KEPT] < width or rank < beam.ranks[beam.heap[0]]:
        return True
    found[DROPPED] = 1
    return False


def offer(
    beam: Beam,
    node: int,
    move: int,
    paid: float,
    rank: float,
    trace: int,
    key: int,
    width: int,
    found: Any,
) -> None:
    """Keep this child unless there are better ones, or one with this key."""
    if not is_wanted(beam, rank, width, found) or not is_new(key, beam.seen):
        return
    child = found[KEPT]
    if child == width:
        child = beam.heap[0]
        found[DROPPED] = 1
    beam.ranks[child], beam.paid[child], beam.traces[child] = rank, paid, trace
    beam.parents[child], beam.moves[child] = node, move
    if found[KEPT] == width:
        sink(beam, width)
    else:
        beam.heap[child] = child
        found[KEPT] += 1
        rise_in_heap(beam, child)


def rise_in_heap(beam: Beam, i: int) -> None:
    heap, ranks = beam.heap, beam.ranks
    while i > 0 and ranks[heap[i]] > ranks[heap[(i - 1) // 2]]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2


def sink(beam: Beam, count: int) -> None:
    """Let the child on top of the heap sink to its place."""
    heap, ranks = beam.heap, beam.ranks
    i = 0
    while True:
        dearest = i
        for j in range(2 * i + 1, min(2 * i + 3, count)):
            if ranks[heap[j]] > ranks[heap[dearest]]:
                dearest = j
        if dearest == i:
            return
        heap[i], heap[dearest] = heap[dearest], heap[i]
        i = dearest


def is_new(key: int, seen: Any) -> bool:
    """Whether no child had this key; if the table is crowded, it may say so of one that had."""
    i = key & (len(seen) - 1)
    for _ in range(PROBES):
        if seen[i] == key:
            return False
        if seen[i] == 0:
            seen[i] = key
            return True
        i = (i + 1) & (len(seen) - 1)
    return True


def pile_key(beam: Beam, spare: Any) -> int:
    """The same for piles that look the same from above and have the same boxes to come."""
    key = 0
    for shape in range(len(SHAPES)):
        key = key << 4 | spare[shape]
    for k in range(LAYERS):
        key = blend(key, beam.after[k])
    return int(key)


def grow(beam: Beam, side: int, child: int) -> None:
    """Lay a child on the other side."""
    node, move = beam.parents[child], beam.moves[child]
    beam.states[1 - side][child] = beam.states[side][node]
    beam.spares[1 - side][child] = beam.spares[side][node]
    beam.costs[1 - side][child] = beam.paid[child]
    beam.keys[1 - side][child] = beam.traces[child]
    s = beam.states[1 - side][child]
    if move == LOST:
        s.lost += 1
        return
    colour = PLAIN
    if move >= DEALT_LATER:
        move -= DEALT_LATER
    else:
        colour = colour_of(move)
        s.left[shape_of(move)][colour] -= 1
    shape, turned = shape_of(move), turned_of(move)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    beam.spares[1 - side][child][shape] -= 1
    stand(s, shape, colour, x_of(move), y_of(move), width, depth, height)


def points_of(s: State, spare: Any) -> int:
    return LAYER_POINTS * complete_layers(s) - total(spare) - int(s.lost)


def total(spare: Any) -> int:
    boxes = 0
    for shape in range(len(SHAPES)):
        boxes += spare[shape]
    return boxes


# What a pile threatens to cost


def lack(s: State, spare: Any, need: Any, pairs: Any) -> int:
    """The cards to come, at least, for which there will be no box."""
    missing = 0
    for shape in range(len(SHAPES)):
        missing += max(0, need[shape] - spare[shape])
    for pair in range(len(pairs)):
        one, other = pairs[pair][0], pairs[pair][1]
        free = max(0, spare[one] - need[one]) + max(0, spare[other] - need[other])
        missing += max(0, need[MAX_SHAPES + COLOURS + pair] - free)
    for colour in range(COLOURS):
        boxes = 0
        for shape in range(len(SHAPES)):
            boxes += min(s.left[shape][colour], spare[shape])
        missing += max(0, need[MAX_SHAPES + colour] - boxes)
    return missing


def unrest(columns: int, k: int, prices: Any) -> float:
    """What the gaps of a layer cost: steps, cells alone, and cells in lanes one cell wide."""
    across = (columns << 1 & INNER_LEFT) | (columns >> 1 & INNER_RIGHT)
    along = (columns << WIDTH | columns >> WIDTH) & PALLET
    alone = popcount(columns & ~(across | along))
    lanes = popcount(columns & (across ^ along))
    cost = prices[STEPS + k] * steps(columns) + prices[ALONE + k] * alone
    return float(cost + prices[LANES + k] * lanes)


def rise(beam: Beam, columns: int, level: int, top: int, prices: Any) -> float:
    """By how much a box on these columns changes the unrest of the layers it fills."""
    more = 0.0
    for k in range(level, min(top, LAYERS)):
        more += unrest(beam.low[k] & ~columns, k, prices) - beam.unrest[k]
    return more


def stuck(beam: Beam, columns: int, level: int, top: int, spare: Any, prices: Any) -> float:
    """What those columns cost that no spare box could raise after this one; clones aside.

    While a lower column is near, its rise may help; otherwise they are stuck for good.
    """
    right, behind, lower = INNER_RIGHT, INNER_BACK, 0
    for k in range(LAYERS):
        gaps = beam.low[k]
        if level <= k < top:
            gaps &= ~columns
        beam.after[k] = gaps
        right &= ~(gaps ^ gaps >> 1)
        behind &= ~(gaps ^ gaps >> WIDTH)
        lower |= beside(gaps) & ~gaps
    bare = beam.after[LAYERS - 1]
    for shape in range(len(SHAPES)):
        if spare[shape] > 0:
            width, depth = SHAPES[shape][0], SHAPES[shape][1]
            fitting = beam.after[LAYERS - SHAPES[shape][2]]
            bare &= ~covered(fitting & even_bases(right, behind, width, depth), width, depth)
            bare &= ~covered(fitting & even_bases(right, behind, depth, width), depth, width)
    if bare == 0:
        return 0.0
    waiting = popcount(bare & within_reach(lower, right, behind))
    return float(prices[WAITING] * waiting + prices[STUCK] * (popcount(bare) - waiting))


def within_reach(columns: int, right: int, behind: int) -> int:
    """These columns, and those that lie level with one of them as far as any box is long."""
    for _ in range(WIDTH):
        columns |= (columns & right) << 1 | (columns >> 1 & right)
        columns |= (columns & behind) << WIDTH | (columns >> WIDTH & behind)
    return columns


def even_bases(right: int, behind: int, width: int, depth: int) -> int:
    """The columns where a base of this size would be level."""
    even = PALLET
    for j in range(depth):
        for i in range(width - 1):
            even &= right >> (j * WIDTH + i)
        if j + 1 < depth:
            even &= behind >> (j * WIDTH)
    return even


def covered(corners: int, width: int, depth: int) -> int:
    """The columns under bases of this size that begin at these."""
    rows = corners
    for i in range(1, width):
        rows |= corners << i
    found = rows
    for j in range(1, depth):
        found |= rows << (j * WIDTH)
    return found


# Whether the spare boxes can fill the pallet at all, in whatever order


def sieve(beam: Beam, side: int, count: int, patience: int) -> int:
    """Keep the piles that can become perfect, or that might if those are few; return how many."""
    filled = 0
    for node in range(count):
        answer = filling(beam.states[side][node], beam.spares[side][node], beam.tries, patience)
        beam.parents[node] = answer
        filled += answer == FILLED
    kept = 0
    for node in range(count):
        if beam.parents[node] == FILLED or (beam.parents[node] == UNDECIDED and filled < ENOUGH):
            beam.states[side][kept] = beam.states[side][node]
            beam.spares[side][kept] = beam.spares[side][node]
            beam.costs[side][kept] = beam.costs[side][node]
            beam.keys[side][kept] = beam.keys[side][node]
            kept += 1
    return kept


def filling(s: State, spare: Any, tries: Any, patience: int) -> int:
    """Try all boxes on the first of the lowest columns, then on; leave the pile as it was."""
    depth, answer = 0, UNDECIDED
    tries[0] = 0
    while patience > 0 and answer == UNDECIDED:
        patience -= 1
        if s.heights[lowest_column(s)] == LAYERS:
            answer = FILLED
        elif not is_hopeless(s, spare) and place_next(s, spare, tries, depth):
            depth += 1
            tries[depth] = 0
        elif depth == 0:
            answer = NEVER
        else:
            depth -= 1
            lift(s, spare)
    for _ in range(depth):
        lift(s, spare)
    return answer


def is_hopeless(s: State, spare: Any) -> bool:
    """Whether no spare box can ever stand on one of the columns; clones are seen."""
    right, behind = even_to_the_right(s), even_to_the_back(s)
    bare, lower = columns_up_to(s, LAYERS - 1), 0
    for shape in range(len(SHAPES)):
        if spare[shape] > 0 and bare != 0:
            fitting = columns_up_to(s, LAYERS - SHAPES[shape][2])
            for turned in range(2):
                width, depth = SHAPES[shape][turned], SHAPES[shape][1 - turned]
                corners = fitting & anchors(s, shape, turned, right, behind, PALLET)
                bare &= ~covered(corners, width, depth)
    if bare == 0:
        return False
    for k in range(LAYERS):
        gaps = columns_up_to(s, k)
        lower |= beside(gaps) & ~gaps
    return bare & ~within_reach(lower, right, behind) != 0


def place_next(s: State, spare: Any, tries: Any, depth: int) -> bool:
    """Stand the next box that fits on the first of the lowest columns: that is its corner."""
    while tries[depth] < 2 * len(SHAPES):
        shape, turned = len(SHAPES) - 1 - tries[depth] // 2, tries[depth] % 2
        tries[depth] += 1
        if spare[shape] > 0 and fits_lowest(s, shape, turned):
            column = lowest_column(s)
            sides = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
            x, y = column % WIDTH, column // WIDTH
            stand(s, shape, PLAIN, x, y, sides[0], sides[1], sides[2])
            spare[shape] -= 1
            return True
    return False


def fits_lowest(s: State, shape: int, turned: int) -> bool:
    """Whether a box may stand there; in another order it may touch a box that comes later."""
    column = lowest_column(s)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    if s.heights[column] + height > LAYERS or (turned == 1 and width == depth):
        return False
    reason = place_objection(s, shape, column % WIDTH, column // WIDTH, width, depth, height)
    return reason == 0 or reason == TOUCHES_NOTHING


def lift(s: State, spare: Any) -> None:
    """Take away the box that was placed last."""
    s.placed -= 1
    box = s.placed
    spare[s.box_shape[box]] += 1
    for j in range(s.box_y[box], s.box_y[box] + s.box_depth[box]):
        for i in range(s.box_x[box], s.box_x[box] + s.box_width[box]):
            s.heights[j * WIDTH + i] = s.box_level[box]


def lowest_column(s: State) -> int:
    found = 0
    for column in range(COLUMNS):
        if s.heights[column] < s.heights[found]:
            found = column
    return found
