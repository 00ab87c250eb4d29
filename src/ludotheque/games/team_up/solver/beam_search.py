"""Beam search for a known order of the cards: card by card, the most promising piles are kept.

Written as rules are, and compiled beside them.

Only cards that name a colour depend on the colours of the boxes taken before. So a card that names
a shape leaves the colour of its box open: PLAIN until the end, when the colours left are shared
out. `spare` counts the boxes of each shape that are not taken; `left` of the state counts down only
when a colour is settled. A card that finds no box in such a pile finds none however the colours are
shared out, so no placement that the rules demand is skipped.
"""

from typing import Any

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.pallet import (
    BIT_NUMBER,
    COLUMNS,
    SHAPES,
    anchors,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
    stand,
)
from ludotheque.games.team_up.parts import COLOUR_CARD, COLOURS, LAYERS
from ludotheque.games.team_up.rules import (
    CARDS,
    LAYER_POINTS,
    PLACEMENTS,
    PLAIN,
    State,
    colour_of,
    complete_layers,
    placement,
    shape_of,
    turned_of,
    x_of,
    y_of,
)
from ludotheque.games.team_up.solver.beam import (
    BEST,
    KEPT,
    LOST,
    PRUNED,
    WINNER,
    Beam,
    Search,
    add_child,
    count_boxes,
    is_kept,
)
from ludotheque.games.team_up.solver.bounds import (
    blocked_columns,
    is_too_odd,
    unanswered_cards,
    waiting_columns,
)
from ludotheque.games.team_up.solver.pile import area, base, roughness, survey, waste

# The last ones are kernels so that they are compiled once, not inlined at every call.
__kernels__ = ("advance", "expand", "anchors", "blocked_columns")

# The indices of the weights after those of `roughness`.
LEVEL, WASTE, CELL, BASE, LOSS, LACK, STUCK, WAITING = range(3 * LAYERS, 3 * LAYERS + 8)

OPEN_COLOUR = PLACEMENTS  # added to a placement whose colour is settled in the end


def advance(search: Search, count: int) -> None:
    """Let `count` piles take a card; the best children become the other row of the beam."""
    beam, found = search.beam, search.beam.found
    beam.seen[:] = 0
    found[KEPT], found[PRUNED], found[BEST], found[WINNER] = 0, 0, -1000, -1
    for node in range(count):
        expand(search, node)
    for child in range(found[KEPT]):
        make_child(beam, search.side, child)
        points = points_of(beam.states[1 - search.side][child], beam.spares[1 - search.side][child])
        if points > found[BEST]:
            found[BEST], found[WINNER] = points, child


def expand(search: Search, node: int) -> None:
    """Add all children of a pile."""
    beam, task = search.beam, search.task
    s, spare = beam.states[search.side][node], beam.spares[search.side][node]
    if count_boxes(spare) == 0:
        return
    count_needs(search, count_boxes(spare))
    survey(s, beam.low)
    for k in range(LAYERS):
        beam.roughness[k] = roughness(beam.low[k], k, task.weights)
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    is_lost = True
    for shape in range(len(SHAPES)):
        if is_allowed(s, spare, task.order[search.at], shape):
            places = anchors(s, shape, 0, right, behind, near)
            places |= anchors(s, shape, 1, right, behind, near) << COLUMNS
            if places != 0:
                is_lost = False
                expand_shape(search, node, shape, places)
    if is_lost and not task.is_flawless:
        cost = beam.costs[search.side][node] + task.weights[LOSS]
        threat = task.weights[LACK] * unanswered_cards(s, spare, beam.need, task.pairs)
        add_child(search, node, LOST, cost, cost + threat)


def count_needs(search: Search, boxes: int) -> None:
    """Count the later cards of every kind that the boxes would have to answer."""
    need, upto = search.beam.need, search.task.upto
    last = min(search.at + boxes, len(search.task.order))
    for kind in range(len(need)):
        need[kind] = upto[last][kind] - upto[search.at + 1][kind]


def is_allowed(s: State, spare: Any, card: int, shape: int) -> bool:
    kind, first, second = CARDS[card][0], CARDS[card][1], CARDS[card][2]
    if kind == COLOUR_CARD:
        return spare[shape] > 0 and s.left[shape][first] > 0
    return spare[shape] > 0 and (shape == first or shape == second)


def expand_shape(search: Search, node: int, shape: int, places: int) -> None:
    """Add a box of this shape on all its places, in every colour that makes a difference."""
    s, spare = search.beam.states[search.side][node], search.beam.spares[search.side][node]
    card = search.task.order[search.at]
    spare[shape] -= 1
    if CARDS[card][0] == COLOUR_CARD:
        expand_colour(search, node, shape, CARDS[card][1], places)
    elif search.task.is_exact:
        for colour in range(COLOURS):
            if s.left[shape][colour] > 0:
                expand_colour(search, node, shape, colour, places)
    else:
        expand_places(search, node, placement(shape, 0, 0, 0, 0) + OPEN_COLOUR, places)
    spare[shape] += 1


def expand_colour(search: Search, node: int, shape: int, colour: int, places: int) -> None:
    s = search.beam.states[search.side][node]
    s.left[shape][colour] -= 1
    expand_places(search, node, placement(shape, colour, 0, 0, 0), places)
    s.left[shape][colour] += 1


def expand_places(search: Search, node: int, first: int, places: int) -> None:
    """Add a box on these places, given its move on the first one; it is already counted out."""
    beam, task, weights = search.beam, search.task, search.task.weights
    s, spare = beam.states[search.side][node], beam.spares[search.side][node]
    lacking = unanswered_cards(s, spare, beam.need, task.pairs)
    if task.is_flawless and lacking > 0:
        return
    shape = shape_of(first % PLACEMENTS)
    cost = beam.costs[search.side][node] + weights[BASE] * area(shape)
    cost += weights[CELL] * area(shape) * SHAPES[shape][2]
    while places != 0:
        lowest = places & -places
        places ^= lowest
        place = BIT_NUMBER[lowest % 61]
        level = int(s.heights[place % COLUMNS])
        wasted = waste(shape, level)
        if wasted == 0 or not task.is_flawless:
            cover(beam, base(shape, place // COLUMNS) << place % COLUMNS, level, SHAPES[shape][2])
            paid = cost + weights[LEVEL] * level + weights[WASTE] * wasted
            paid += added_roughness(beam, level, min(level + SHAPES[shape][2], LAYERS), weights)
            rank = paid + weights[LACK] * lacking
            if is_kept(search, rank) and not (task.is_flawless and is_too_odd(beam.after, spare)):
                threat = stuck_cost(beam, spare, weights)
                if threat < weights[STUCK] or not task.is_flawless:
                    add_child(search, node, first + place, paid, rank + threat)


def cover(beam: Beam, columns: int, level: int, height: int) -> None:
    """Write the layers of the pile with a box on these columns."""
    for k in range(LAYERS):
        is_filled = level <= k < level + height
        beam.after[k] = beam.low[k] & ~columns if is_filled else beam.low[k]


def added_roughness(beam: Beam, level: int, top: int, weights: Any) -> float:
    """By how much the roughness of these layers has grown."""
    more = 0.0
    for k in range(level, top):
        more += roughness(beam.after[k], k, weights) - beam.roughness[k]
    return more


def stuck_cost(beam: Beam, spare: Any, weights: Any) -> float:
    """The cost of the columns that no spare box could raise."""
    columns = blocked_columns(beam.after, spare)
    if columns == 0:
        return 0.0
    waiting = popcount(waiting_columns(beam.after, columns))
    return float(weights[WAITING] * waiting + weights[STUCK] * (popcount(columns) - waiting))


def make_child(beam: Beam, side: int, child: int) -> None:
    """Write a child into the other row of the beam."""
    node, move = beam.parents[child], beam.moves[child]
    beam.states[1 - side][child] = beam.states[side][node]
    beam.spares[1 - side][child] = beam.spares[side][node]
    beam.costs[1 - side][child] = beam.paid[child]
    beam.hashes[1 - side][child] = beam.child_hashes[child]
    s = beam.states[1 - side][child]
    if move == LOST:
        s.lost += 1
        return
    colour = PLAIN
    if move >= OPEN_COLOUR:
        move -= OPEN_COLOUR
    else:
        colour = colour_of(move)
        s.left[shape_of(move)][colour] -= 1
    shape, turned = shape_of(move), turned_of(move)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    beam.spares[1 - side][child][shape] -= 1
    stand(s, shape, colour, x_of(move), y_of(move), width, depth, height)


def points_of(s: State, spare: Any) -> int:
    return LAYER_POINTS * complete_layers(s) - count_boxes(spare) - int(s.lost)
