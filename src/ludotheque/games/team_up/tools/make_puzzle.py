"""Finds the puzzle of Team UP: an order of the cards whose boxes make a perfect pallet.

    python -m ludotheque.games.team_up.tools.make_puzzle [--set FILE] [--seed N] [--tries N]

First the pallet is packed: an exact cover of its cells by all boxes, without clones. In a full
pallet every base rests on tops of one height, so any order from the bottom up in which each box
touches another can be played. Then the cards are matched to such an order. Last the match is played
by the rules, and only a perfect score is written. The rules decide what a clone is, where a box may
stand and what a card allows. The same seed gives the same file.

If boxes or cards of the set change, remove the puzzle from the file before making the next one.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, permutations
from pathlib import Path
from typing import Any, NamedTuple

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.pallet import is_clone, stand
from ludotheque.games.team_up.parts import DEPTH, LAYERS, WIDTH, Placement, Row, Tables
from ludotheque.games.team_up.rules import (
    DRAW,
    PERFECT,
    PLAIN,
    State,
    allows,
    objection_to_place,
    placement,
)

CELLS = WIDTH * DEPTH * LAYERS
MAX_NODES = 2000  # of one search before it restarts: the first boxes decide
MAX_ORDERS = 5000  # of the boxes of one packing
ONLY_SEEDS = Seeds(bytes(32))  # any seeds: in the puzzle chance has no choice

Say = Callable[[str], None]


class Box(NamedTuple):
    """A box on the pallet, by its lowest column, row and level."""

    shape: int
    x: int
    y: int
    level: int
    width: int
    depth: int
    height: int

    def cells(self) -> list[int]:
        return [
            (level * DEPTH + y) * WIDTH + x
            for level in range(self.level, self.level + self.height)
            for y in range(self.y, self.y + self.depth)
            for x in range(self.x, self.x + self.width)
        ]

    def stand_in(self, s: State) -> None:
        stand(s, self.shape, 0, self.x, self.y, self.width, self.depth, self.height)

    def may_stand_in(self, s: State) -> bool:
        """Whether it may come next, with everything under it in place."""
        size = self.width, self.depth, self.height
        return (
            s.heights[self.y * WIDTH + self.x] == self.level
            and objection_to_place(s, self.shape, self.x, self.y, *size) == 0
        )


def places(shape: int, size: Row) -> Iterator[Box]:
    """Every place of a shape on the pallet, turned and not."""
    width, depth, height = size
    for w, d in sorted({(width, depth), (depth, width)}):
        for level in range(LAYERS - height + 1):
            for y in range(DEPTH - d + 1):
                for x in range(WIDTH - w + 1):
                    yield Box(shape, x, y, level, w, d, height)


def neutral_places(neutral: Row) -> list[Box]:
    return [
        Box(PLAIN, x, y, 0, w, d, h)
        for w, d, h in sorted(set(permutations(neutral)))
        for x in sorted({0, WIDTH - w})
        for y in sorted({0, DEPTH - d})
    ]


class Packing:
    """Fills the pallet with all boxes, without clones. A set of places is the bits of a number."""

    def __init__(self, tables: Tables) -> None:
        self.boxes = [box for i, size in enumerate(tables.shapes) for box in places(i, size)]
        self.stock = [sum(counts) for counts in tables.boxes]
        self.of_shape = [
            as_bits(i for i, box in enumerate(self.boxes) if box.shape == shape)
            for shape in range(len(self.stock))
        ]
        self.filling = [0] * CELLS  # the places that fill each cell
        for i, box in enumerate(self.boxes):
            for cell in box.cells():
                self.filling[cell] |= 1 << i
        self.excluded = [self.exclusions(box) for box in self.boxes]
        for i, excluded in enumerate(self.excluded):
            for other in from_bits(excluded):
                self.excluded[other] |= 1 << i

    def exclusions(self, box: Box) -> int:
        """The places that this box excludes: they overlap it or clone it."""
        excluded = 0
        for cell in box.cells():
            excluded |= self.filling[cell]
        s = State()
        box.stand_in(s)
        s.box_level[0] = box.level
        return excluded | as_bits(i for i, other in enumerate(self.boxes) if is_clone(s, 0, *other))

    def search(self, neutral: Box, rng: random.Random) -> list[Box] | None:
        """A packing around the neutral box, or None if the nodes run out."""
        self.nodes = 0
        self.rng = rng
        self.left = list(self.stock)
        self.path: list[Box] = []
        full = neutral.cells()
        open_places = as_bits(
            i for i, box in enumerate(self.boxes) if self.stock[box.shape]
        ) & ~self.exclusions(neutral)
        found = self.fill([cell for cell in range(CELLS) if cell not in full], open_places)
        return self.path if found else None

    def fill(self, empty: list[int], open_places: int) -> bool:
        if not empty:
            return True
        self.nodes += 1
        choices = min((self.filling[cell] & open_places for cell in empty), key=int.bit_count)
        for i in self.large_first(choices):
            if self.nodes > MAX_NODES:
                return False
            if self.fill_with(i, empty, open_places):
                return True
        return False

    def fill_with(self, i: int, empty: list[int], open_places: int) -> bool:
        box = self.boxes[i]
        self.left[box.shape] -= 1
        self.path.append(box)
        open_places &= ~self.excluded[i]
        if self.left[box.shape] == 0:
            open_places &= ~self.of_shape[box.shape]
        full = box.cells()
        if self.fill([cell for cell in empty if cell not in full], open_places):
            return True
        self.path.pop()
        self.left[box.shape] += 1
        return False

    def large_first(self, choices: int) -> list[int]:
        """Small boxes are kept for the gaps; some noise makes every restart different."""
        return sorted(
            from_bits(choices),
            key=lambda i: self.rng.random() * 6 - len(self.boxes[i].cells()),
        )


def as_bits(places: Iterable[int]) -> int:
    return sum(1 << i for i in places)


def from_bits(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def playing_order(boxes: Sequence[Box], neutral: Box, rng: random.Random) -> list[Box]:
    """A random order in which the boxes can be placed."""
    s = State()
    neutral.stand_in(s)
    order: list[Box] = []
    waiting = list(boxes)
    while waiting:
        box = rng.choice([box for box in waiting if box.may_stand_in(s)])
        box.stand_in(s)
        waiting.remove(box)
        order.append(box)
    return order


def paint(order: Sequence[Box], tables: Tables, rng: random.Random) -> list[int]:
    """A colour for each box, of those in which its shape exists."""
    colours = [
        [colour for colour, count in enumerate(counts) for _ in range(count)]
        for counts in tables.boxes
    ]
    for left in colours:
        rng.shuffle(left)
    return [colours[box.shape].pop() for box in order]


def match_cards(
    order: Sequence[Box], colours: Sequence[int], cards: Sequence[Row], rng: random.Random
) -> list[int] | None:
    """An order of the cards that allows each box in turn, or None; found by augmenting paths.

    The cards left over come last.
    """
    shuffled = rng.sample(range(len(cards)), len(cards))
    holder: dict[int, int] = {}  # by card: the box that it allows

    def assign(box: int, seen: set[int]) -> bool:
        for card in shuffled:
            kind, first, second = cards[card]
            if card not in seen and allows(kind, first, second, order[box].shape, colours[box]):
                seen.add(card)
                if card not in holder or assign(holder[card], seen):
                    holder[card] = box
                    return True
        return False

    if not all(assign(box, set()) for box in range(len(order))):
        return None
    rest = [card for card in shuffled if card not in holder]
    return sorted(holder, key=holder.__getitem__) + rest


def is_mixed(cards: Sequence[Row]) -> bool:
    """Whether there are never three cards of one kind in a row, which would be too easy."""
    return all(len(list(run)) <= 2 for _, run in groupby(cards, key=lambda card: card[0]))


def find_packing(
    tables: Tables, neutral: Box, rng: random.Random, tries: int, say: Say
) -> list[Box]:
    packing = Packing(tables)
    for number in range(1, tries + 1):
        boxes = packing.search(neutral, rng)
        if boxes:
            say(f"try {number}: packed all {len(boxes)} boxes")
            return boxes
        say(f"try {number}: no packing in {MAX_NODES} nodes")
    raise ValueError(f"no perfect pallet found in {tries} tries")


def find_order(
    tables: Tables, neutral: Box, boxes: Sequence[Box], rng: random.Random, say: Say
) -> tuple[list[int], list[Placement]]:
    """An order of the cards and the placements that answer it."""
    for number in range(1, MAX_ORDERS + 1):
        order = playing_order(boxes, neutral, rng)
        colours = paint(order, tables, rng)
        dealt = match_cards(order, colours, tables.cards, rng)
        if dealt and is_mixed([tables.cards[card] for card in dealt[: len(order)]]):
            say(f"order {number}: a mixed order of the cards")
            return dealt, [
                place(i, box, colour, tables.shapes[box.shape])
                for i, (box, colour) in enumerate(zip(order, colours, strict=True), 1)
            ]
    raise ValueError(f"no mixed order of the cards found in {MAX_ORDERS} orders of the boxes")


def place(card: int, box: Box, colour: int, size: Row) -> Placement:
    turned = int((box.width, box.depth) != size[:2])
    return Placement(card, box.shape, colour, box.x, box.y, turned, box.level)


def make(data: object, seed: int, tries: int, say: Say) -> dict[str, Any]:
    """The set `data` with its cards in puzzle order and a proven solution."""
    rng = random.Random(seed)
    complete: dict[str, Any] = dict(parts.top_fields(data))
    complete.pop("puzzle", None)
    parts.read(complete)
    # The order of the cards in the file does not matter.
    complete["cards"] = sorted(complete["cards"], key=json.dumps)
    tables = parts.read(complete)
    parts.check_perfect_totals(tables)
    neutral = rng.choice(neutral_places(tables.neutral))
    boxes = find_packing(tables, neutral, rng, tries, say)
    dealt, solution = find_order(tables, neutral, boxes, rng, say)
    puzzle = {
        **complete,
        "cards": [complete["cards"][card] for card in dealt],
        "puzzle": {
            "neutral": {side: getattr(neutral, side) for side in ("x", "y", *parts.SIZE)},
            "solution": [in_words(placement, parts.names(complete)) for placement in solution],
        },
    }
    say(f"replayed: {prove(puzzle)} points")
    return puzzle


def in_words(placement: Placement, names: parts.Names) -> dict[str, Any]:
    return {
        **placement._asdict(),
        "shape": names.shapes[placement.shape],
        "colour": names.colours[placement.colour],
        "turned": bool(placement.turned),
    }


def prove(data: object) -> int:
    """Play the puzzle of a set; ValueError unless it is perfect."""
    match = Match(
        Game("team_up", data), 1, {"mode": "puzzle", "ceiling": "five layers"}, seeds=ONLY_SEEDS
    )
    for p in parts.solution(data):
        try:
            match.play(0, DRAW)
            match.play(0, placement(p.shape, p.colour, p.turned, p.x, p.y))
        except Refused as error:
            raise ValueError(f"placement {p.card}: {error}") from None
        level = match.state.box_level[match.state.placed - 1]
        if level != p.level:
            raise ValueError(f"placement {p.card} stands on level {level}, not {p.level}")
    if match.scores != [PERFECT]:
        raise ValueError(f"the solution scores {match.scores[0]} points, not {PERFECT}")
    return PERFECT


def as_text(value: object, indent: str = "") -> str:
    """JSON with one item per line, so that a diff shows what has changed."""
    inner = indent + "  "
    if isinstance(value, dict) and any(isinstance(v, dict | list) for v in value.values()):
        items = [f"{json.dumps(k)}: {as_text(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        items = [json.dumps(item, ensure_ascii=False) for item in value]
        return "[\n" + ",\n".join(inner + item for item in items) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Find a puzzle of Team UP and write it to a set.")
    parser.add_argument("--set", type=Path, default=parts.SET_FILE, help="the file to complete")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=1000, help="searches for a packing")
    options = parser.parse_args()
    data = json.loads(options.set.read_text(encoding="utf-8"))
    try:
        puzzle = make(data, options.seed, options.tries, partial(print, flush=True))
    except ValueError as error:
        raise SystemExit(f"{options.set}: {error}") from error
    options.set.write_text(as_text(puzzle) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
