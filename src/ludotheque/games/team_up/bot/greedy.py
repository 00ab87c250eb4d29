"""A bot that keeps the pile flat and low.

It looks at the pile after each placement, first roughly at all of them, then closely at the best: a
good pile has few steps and no pits, and has a place for as many of the cards still to come as can
be. It goes on while a card is expected to bring more than it costs.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.team_up.bot.prospects import is_short_of_target, progress
from ludotheque.games.team_up.parts import COLOURS, DEPTH, LAYERS, WIDTH
from ludotheque.games.team_up.rules import (
    AGREE,
    CARDS,
    COLUMNS,
    DRAW,
    LAYER_POINTS,
    MOVES,
    PLACE,
    REFUSE,
    SHAPES,
    STOP,
    VOTE,
    State,
    allows,
    anchors,
    colour_of,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
    place_box,
    placement,
    score,
    shape_of,
    turned_of,
    x_of,
    y_of,
)
from ludotheque.games.team_up.rules import (
    legal_moves as rules_moves,
)
from ludotheque.search.deadline import NO_DEADLINE, Deadline

CLOSE_LOOKS = 24  # placements that are looked at closely
STEP = 1.0  # cost of a cell by which neighbouring columns differ
PIT = 1.5  # cost of a cell of depth of a column among higher ones: only the thinnest boxes fit
WASTE = 4.0  # cost of a cell above the last layer
HEIGHT_COST = 0.5  # cost of a cell under the base
SUPPLY = 80.0  # worth of a place for all the cards to come
CHOICE = 0.4  # worth of each place for a box that is left …
ENOUGH = 5  # … up to so many
WHIM = 0.01  # decides between places that cost the same
NEIGHBOURS = tuple(
    tuple(
        y * WIDTH + x
        for x, y in ((i + 1, j), (i, j + 1), (i - 1, j), (i, j - 1))
        if 0 <= x < WIDTH and 0 <= y < DEPTH
    )
    for j in range(DEPTH)
    for i in range(WIDTH)
)


class Greedy:
    """`looks` are the placements it looks at closely; it overlooks others by this chance."""

    def __init__(
        self, seat: int, rng: Random, looks: int = CLOSE_LOOKS, overlooks: float = 0.0
    ) -> None:
        self._seat = seat
        self._rng = rng
        self._looks = looks
        self._overlooks = overlooks

    def watch(self, view: State) -> None:
        """Everything lies open: there is nothing to remember."""

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if view.phase != PLACE:
            return self._word(view)
        if not knows_boxes(view, self._seat, legal_moves):
            return self._rng.choice(legal_moves)
        return self._best(view, legal_moves)

    def _word(self, view: State) -> int:
        goes_on = is_short_of_target(view, score(view, 0)) or prospect(view) > 0
        if view.phase == VOTE:
            return REFUSE if goes_on else AGREE
        return DRAW if goes_on else STOP

    def _best(self, view: State, placements: Sequence[int]) -> int:
        colours = by_place(self._noticed(placements))
        cost = {place: roughly(view, moves[0]) for place, moves in colours.items()}
        best = sorted(cost, key=lambda place: cost[place] + self._rng.random() * WHIM)
        prize: dict[int, float] = {}
        for place in best[: self._looks]:
            for move, gain in closely(view, colours[place]).items():
                prize[move] = gain - cost[place]
        return max(prize, key=lambda move: prize[move])

    def _noticed(self, placements: Sequence[int]) -> Sequence[int]:
        if self._overlooks == 0:
            return placements
        noticed = [move for move in placements if self._rng.random() >= self._overlooks]
        return noticed or [self._rng.choice(placements)]


def by_place(placements: Sequence[int]) -> dict[int, list[int]]:
    """The placements that differ by colour alone, by the one in the first colour."""
    colours: dict[int, list[int]] = {}
    for move in placements:
        first = move - placement(0, colour_of(move), 0, 0, 0)
        colours.setdefault(first, []).append(move)
    return colours


def knows_boxes(view: State, seat: int, placements: Sequence[int]) -> bool:
    """Whether the boxes are those of our set: a host's own may have any measures."""
    moves = [0] * MOVES
    return moves[: rules_moves(view, seat, moves)] == list(placements)


# Where to place


def roughly(view: State, move: int) -> float:
    """The cost of the pile after this placement, by the heights of its columns alone."""
    shape, turned, x, y = shape_of(move), turned_of(move), x_of(move), y_of(move)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    heights = list(view.heights)
    level = heights[y * WIDTH + x]
    for j in range(y, y + depth):
        for i in range(x, x + width):
            heights[j * WIDTH + i] = level + height
    return pile_cost(heights) + HEIGHT_COST * level


def pile_cost(heights: list[int]) -> float:
    cost = 0.0
    for column in range(COLUMNS):
        own, lowest = heights[column], 99
        for neighbour in NEIGHBOURS[column]:
            other = heights[neighbour]
            lowest = min(lowest, other)
            cost += STEP / 2 * abs(own - other)
        cost += PIT * max(0, lowest - own) + WASTE * max(0, own - LAYERS)
    return cost


def closely(view: State, moves: list[int]) -> dict[int, float]:
    """What the pile can still take after each of these placements in one place."""
    gains: dict[int, float] = {}
    places: list[int] = []
    for move in moves:
        after = view.copy()
        place_box(after, move)
        places = places or places_by_shape(after)  # they do not depend on the colour
        gains[move] = SUPPLY * supply(after, places) + CHOICE * room(after, places)
    return gains


def room(view: State, places: list[int]) -> int:
    """The places for all the boxes that are left."""
    return sum(
        min(count, ENOUGH) * sum(left) for count, left in zip(places, view.left, strict=False)
    )


def places_by_shape(view: State) -> list[int]:
    """In how many places each shape could stand, whether such a box is left or not."""
    right, behind, near = even_to_the_right(view), even_to_the_back(view), near_boxes(view)
    return [
        sum(anchors(view, shape, turned, right, behind, near).bit_count() for turned in (0, 1))
        for shape in range(len(SHAPES))
    ]


def supply(view: State, places: list[int]) -> float:
    """The share of the cards to come that would find a box and a place."""
    coming = cards_to_come(view)
    return sum(is_usable(view, card, places) for card in coming) / max(len(coming), 1)


def cards_to_come(view: State) -> list[int]:
    return [card for card in range(len(CARDS)) if view.deck >> card & 1]


def is_usable(view: State, card: int, places: list[int]) -> bool:
    kind, first, second = CARDS[card]
    return any(
        places[shape] > 0 and view.left[shape][colour] > 0
        for shape in range(len(SHAPES))
        for colour in range(COLOURS)
        if allows(kind, first, second, shape, colour)
    )


# Whether to go on


def prospect(view: State) -> float:
    """The points that the next card is expected to bring: a usable one leaves a box less."""
    usable = supply(view, places_by_shape(view))
    return usable * (1 + LAYER_POINTS * progress(view)) - (1 - usable)
