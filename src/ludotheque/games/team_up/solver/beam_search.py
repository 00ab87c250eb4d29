"""What can be made of a pile if the order of the cards is known: a beam of piles, card by card.

Written as rules are, and compiled beside them. Of all that the next card makes of the piles the
most promising are kept.

A card that asks for a shape may leave open which of its boxes is taken: only cards that ask for a
colour care, so boxes are counted and their colours dealt out in the end. `spare` counts the boxes
of each shape that are not taken; `left` of the state loses only boxes whose colour is settled. The
colour of the others is PLAIN until then. A card that finds no box in such a pile finds none in any
dealing of its colours, so nothing is overlooked that would have to be placed.
"""

from typing import Any

from ludotheque.engine.playouts import popcount
from ludotheque.games.team_up.parts import COLOUR_CARD, COLOURS, LAYERS
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    CARDS,
    COLUMNS,
    LAYER_POINTS,
    PLACEMENTS,
    PLAIN,
    SHAPES,
    State,
    anchors,
    colour_of,
    complete_layers,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
    placement,
    shape_of,
    stand,
    turned_of,
    x_of,
    y_of,
)
from ludotheque.games.team_up.solver.beam import (
    BEST,
    DROPPED,
    KEPT,
    LOST,
    WINNER,
    Beam,
    Look,
    is_wanted,
    offer,
    total,
)
from ludotheque.games.team_up.solver.pile import area, base, survey, unrest, waste
from ludotheque.games.team_up.solver.threats import bare, is_too_odd, lack, waiting

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = ("advance", "expand", "anchors", "bare")

# The places of the prices of a pile after those of `unrest`.
LEVEL, WASTE, CELL, BASE, LOSS, LACK, STUCK, WAITING = range(3 * LAYERS, 3 * LAYERS + 8)

DEALT_LATER = PLACEMENTS  # added to a placement: its colour is dealt out in the end


def advance(look: Look, count: int) -> None:
    """Let `count` piles take a card; the best of what they become lie on the other side."""
    beam, found = look.beam, look.beam.found
    beam.seen[:] = 0
    found[KEPT], found[DROPPED], found[BEST], found[WINNER] = 0, 0, -1000, -1
    for node in range(count):
        expand(look, node)
    for child in range(found[KEPT]):
        grow(beam, look.side, child)
        points = points_of(beam.states[1 - look.side][child], beam.spares[1 - look.side][child])
        if points > found[BEST]:
            found[BEST], found[WINNER] = points, child


def expand(look: Look, node: int) -> None:
    """Offer all that a pile can become with the card."""
    beam, task = look.beam, look.task
    s, spare = beam.states[look.side][node], beam.spares[look.side][node]
    if total(spare) == 0:
        return
    look_ahead(look, total(spare))
    survey(s, beam.low)
    for k in range(LAYERS):
        beam.unrest[k] = unrest(beam.low[k], k, task.prices)
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    is_lost = True
    for shape in range(len(SHAPES)):
        if is_allowed(s, spare, task.order[look.at], shape):
            places = anchors(s, shape, 0, right, behind, near)
            places |= anchors(s, shape, 1, right, behind, near) << COLUMNS
            if places != 0:
                is_lost = False
                offer_shape(look, node, shape, places)
    if is_lost and not task.is_flawless:
        cost = beam.costs[look.side][node] + task.prices[LOSS]
        threat = task.prices[LACK] * lack(s, spare, beam.need, task.pairs)
        offer(look, node, LOST, cost, cost + threat)


def look_ahead(look: Look, boxes: int) -> None:
    """Count the later cards of every kind that the boxes would have to answer."""
    need, upto = look.beam.need, look.task.upto
    last = min(look.at + boxes, len(look.task.order))
    for kind in range(len(need)):
        need[kind] = upto[last][kind] - upto[look.at + 1][kind]


def is_allowed(s: State, spare: Any, card: int, shape: int) -> bool:
    kind, first, second = CARDS[card][0], CARDS[card][1], CARDS[card][2]
    if kind == COLOUR_CARD:
        return spare[shape] > 0 and s.left[shape][first] > 0
    return spare[shape] > 0 and (shape == first or shape == second)


def offer_shape(look: Look, node: int, shape: int, places: int) -> None:
    """Offer a box of this shape in all its places, in every colour that makes a difference."""
    s, spare = look.beam.states[look.side][node], look.beam.spares[look.side][node]
    card = look.task.order[look.at]
    spare[shape] -= 1
    if CARDS[card][0] == COLOUR_CARD:
        offer_colour(look, node, shape, CARDS[card][1], places)
    elif look.task.is_exact:
        for colour in range(COLOURS):
            if s.left[shape][colour] > 0:
                offer_colour(look, node, shape, colour, places)
    else:
        offer_places(look, node, placement(shape, 0, 0, 0, 0) + DEALT_LATER, places)
    spare[shape] += 1


def offer_colour(look: Look, node: int, shape: int, colour: int, places: int) -> None:
    s = look.beam.states[look.side][node]
    s.left[shape][colour] -= 1
    offer_places(look, node, placement(shape, colour, 0, 0, 0), places)
    s.left[shape][colour] += 1


def offer_places(look: Look, node: int, first: int, places: int) -> None:
    """Offer a box in these places, by its move in the first one; it is counted out already."""
    beam, task, prices = look.beam, look.task, look.task.prices
    s, spare = beam.states[look.side][node], beam.spares[look.side][node]
    lacking = lack(s, spare, beam.need, task.pairs)
    if task.is_flawless and lacking > 0:
        return
    shape = shape_of(first % PLACEMENTS)
    cost = beam.costs[look.side][node] + prices[BASE] * area(shape)
    cost += prices[CELL] * area(shape) * SHAPES[shape][2]
    while places != 0:
        lowest = places & -places
        places ^= lowest
        place = BIT_NUMBER[lowest % 61]
        level = int(s.heights[place % COLUMNS])
        wasted = waste(shape, level)
        if wasted == 0 or not task.is_flawless:
            rest(beam, base(shape, place // COLUMNS) << place % COLUMNS, level, SHAPES[shape][2])
            paid = cost + prices[LEVEL] * level + prices[WASTE] * wasted
            paid += rise(beam, level, min(level + SHAPES[shape][2], LAYERS), prices)
            rank = paid + prices[LACK] * lacking
            if is_wanted(look, rank) and not (task.is_flawless and is_too_odd(beam.after, spare)):
                threat = stuck(beam, spare, prices)
                if threat < prices[STUCK] or not task.is_flawless:
                    offer(look, node, first + place, paid, rank + threat)


def rest(beam: Beam, columns: int, level: int, height: int) -> None:
    """Write how the pile looks with a box on these columns."""
    for k in range(LAYERS):
        is_filled = level <= k < level + height
        beam.after[k] = beam.low[k] & ~columns if is_filled else beam.low[k]


def rise(beam: Beam, level: int, top: int, prices: Any) -> float:
    """By how much the unrest of these layers has changed."""
    more = 0.0
    for k in range(level, top):
        more += unrest(beam.after[k], k, prices) - beam.unrest[k]
    return more


def stuck(beam: Beam, spare: Any, prices: Any) -> float:
    """What the columns cost that no spare box could raise."""
    columns = bare(beam.after, spare)
    if columns == 0:
        return 0.0
    hopeful = popcount(waiting(beam.after, columns))
    return float(prices[WAITING] * hopeful + prices[STUCK] * (popcount(columns) - hopeful))


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
