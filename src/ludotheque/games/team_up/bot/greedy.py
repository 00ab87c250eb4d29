"""A player that keeps the pile flat and low.

It evaluates the pile after each placement, all of them by the heights alone, then the best by what
the pile can still take. A good pile has few steps and no pits, and has places for as many as
possible of the cards to come. It draws while a card is expected to bring more than it costs.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.games.team_up import rules
from ludotheque.games.team_up.bot.goals import is_short_of_target, progress
from ludotheque.games.team_up.pallet import (
    COLUMNS,
    SHAPES,
    anchors,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
)
from ludotheque.games.team_up.parts import COLOURS, DEPTH, LAYERS, WIDTH
from ludotheque.games.team_up.rules import (
    AGREE,
    CARDS,
    DRAW,
    LAYER_POINTS,
    MOVES,
    PLACE,
    REFUSE,
    STOP,
    VOTE,
    State,
    allows,
    colour_of,
    place_box,
    placement,
    score,
    shape_of,
    turned_of,
    x_of,
    y_of,
)
from ludotheque.search.deadline import NO_DEADLINE, Deadline

CANDIDATES = 24  # placements that are evaluated in full
STEP_COST = 1.0  # of a cell by which neighbouring columns differ
PIT_COST = 1.5  # of a cell of depth of a column among higher ones: only the thinnest boxes fit
WASTE_COST = 4.0  # of a cell above the last layer
LEVEL_COST = 0.5  # of a cell under the base
USABLE_GAIN = 80.0  # of places for all the cards to come
PLACE_GAIN = 0.4  # of each place for a box that is left …
ENOUGH_PLACES = 5  # … up to this many
NOISE = 0.01  # decides between places that cost the same
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
    """It evaluates `candidates` in full, and misses each placement with this probability."""

    def __init__(
        self, seat: int, rng: Random, candidates: int = CANDIDATES, miss_rate: float = 0.0
    ) -> None:
        self._seat = seat
        self._rng = rng
        self._candidates = candidates
        self._miss_rate = miss_rate

    def watch(self, view: State) -> None:
        """Everything lies open: there is nothing to remember."""

    def choose(
        self, view: State, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        if view.phase != PLACE:
            return decision(view, self._draws(view))
        if not knows_boxes(view, self._seat, legal_moves):
            return self._rng.choice(legal_moves)
        return self._best(view, legal_moves)

    def _draws(self, view: State) -> bool:
        return is_short_of_target(view, score(view, 0)) or expected_gain(view) > 0

    def _best(self, view: State, placements: Sequence[int]) -> int:
        colours = by_place(self._noticed(placements))
        cost = {place: cost_of(view, moves[0]) for place, moves in colours.items()}
        cheapest = sorted(cost, key=lambda place: cost[place] + self._rng.random() * NOISE)
        value: dict[int, float] = {}
        for place in cheapest[: self._candidates]:
            for move, gain in gains(view, colours[place]).items():
                value[move] = gain - cost[place]
        return max(value, key=lambda move: value[move])

    def _noticed(self, placements: Sequence[int]) -> Sequence[int]:
        if self._miss_rate == 0:
            return placements
        noticed = [move for move in placements if self._rng.random() >= self._miss_rate]
        return noticed or [self._rng.choice(placements)]


def by_place(placements: Sequence[int]) -> dict[int, list[int]]:
    """The placements that differ only in colour, by the one in the first colour."""
    colours: dict[int, list[int]] = {}
    for move in placements:
        first = move - placement(0, colour_of(move), 0, 0, 0)
        colours.setdefault(first, []).append(move)
    return colours


def knows_boxes(view: State, seat: int, placements: Sequence[int]) -> bool:
    """Whether the boxes are those of our set; a host's may have other sizes."""
    moves = [0] * MOVES
    return moves[: rules.legal_moves(view, seat, moves)] == list(placements)


# Where to place


def cost_of(view: State, move: int) -> float:
    """The cost of the pile after this placement, by the heights of its columns alone."""
    shape, turned, x, y = shape_of(move), turned_of(move), x_of(move), y_of(move)
    width, depth, height = SHAPES[shape][turned], SHAPES[shape][1 - turned], SHAPES[shape][2]
    heights = list(view.heights)
    level = heights[y * WIDTH + x]
    for j in range(y, y + depth):
        for i in range(x, x + width):
            heights[j * WIDTH + i] = level + height
    return pile_cost(heights) + LEVEL_COST * level


def pile_cost(heights: list[int]) -> float:
    cost = 0.0
    for column in range(COLUMNS):
        own, lowest = heights[column], 99
        for neighbour in NEIGHBOURS[column]:
            other = heights[neighbour]
            lowest = min(lowest, other)
            cost += STEP_COST / 2 * abs(own - other)
        cost += PIT_COST * max(0, lowest - own) + WASTE_COST * max(0, own - LAYERS)
    return cost


def gains(view: State, moves: list[int]) -> dict[int, float]:
    """What the pile can still take after each of these placements on one place."""
    found: dict[int, float] = {}
    places: list[int] = []
    for move in moves:
        after = view.copy()
        place_box(after, move)
        places = places or places_by_shape(after)  # they do not depend on the colour
        usable = USABLE_GAIN * usable_share(after, places)
        found[move] = usable + PLACE_GAIN * count_places(after, places)
    return found


def count_places(view: State, places: list[int]) -> int:
    """The places for all the boxes that are left."""
    return sum(
        min(count, ENOUGH_PLACES) * sum(left)
        for count, left in zip(places, view.left, strict=False)
    )


def places_by_shape(view: State) -> list[int]:
    """The number of places for each shape, whether such a box is left or not."""
    right, behind, near = even_to_the_right(view), even_to_the_back(view), near_boxes(view)
    return [
        sum(anchors(view, shape, turned, right, behind, near).bit_count() for turned in (0, 1))
        for shape in range(len(SHAPES))
    ]


def usable_share(view: State, places: list[int]) -> float:
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


# Whether to draw


def expected_gain(view: State) -> float:
    """The points to expect of the next card: a usable one leaves one box less."""
    usable = usable_share(view, places_by_shape(view))
    return usable * (1 + LAYER_POINTS * progress(view)) - (1 - usable)


def decision(view: State, draws: bool) -> int:
    """The move that draws the next card, or the one that stops before it."""
    if view.phase == VOTE:
        return REFUSE if draws else AGREE
    return DRAW if draws else STOP
