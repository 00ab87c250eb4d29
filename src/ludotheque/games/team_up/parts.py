"""The parts of Team UP: reads and checks a set of boxes and order cards, ours or a host's own.

A set is one JSON object:

    pallet    {"width": 6, "depth": 4, "layers": 5}, the same in every set
    colours   three names
    shapes    {"name", "width", "depth", "height", "boxes"}: the footprint and the height with the
              coloured face up, then how many boxes there are in each colour
    neutral   {"width", "depth", "height"} of the box without a colour
    cards     {"colour": name}, {"shape": name} or {"shapes": [name, name]}, in puzzle order
    puzzle    optional: {"neutral": where that box stands, "solution": placements}

Columns x run from 0 to 5, rows y from 0 to 3, levels from 0 to 4; a box is placed by its lowest
column and row. A puzzle may come without its solution. Only the form is checked here; whether a
solution obeys the rules shows when it is replayed.
"""

import json
from collections import Counter
from collections.abc import Sequence
from math import prod
from operator import eq
from pathlib import Path
from reprlib import repr as brief
from typing import NamedTuple, TypeVar

WIDTH, DEPTH, LAYERS = 6, 4, 5
COLOURS = 3
MAX_SHAPES = 12
MAX_CARDS = 36
MAX_ALIKE = 3  # boxes of one shape and colour
MAX_BOXES = 40
MAX_NAME = 24  # characters
COLOUR_CARD, SHAPE_CARD, TWO_SHAPES_CARD = 0, 1, 2

SIZE = ("width", "depth", "height")
SET_FILE = Path(__file__).parent / "data" / "set.json"

Row = tuple[int, ...]
T = TypeVar("T")


class Tables(NamedTuple):
    """A set in numbers: every table is rectangular, so it may become an array."""

    shapes: tuple[Row, ...]  # per shape: width, depth, height
    boxes: tuple[Row, ...]  # per shape: how many boxes in each colour
    cards: tuple[Row, ...]  # per card: kind, first, second; both the same unless two shapes
    neutral: Row  # width, depth, height; it fits the pallet on any side
    has_puzzle: int  # 1 if the order of the cards is known to allow a perfect pallet
    puzzle_neutral: Row  # x, y, width, depth, height in the puzzle; zeros without one
    similar: tuple[tuple[Row, ...], ...]  # per width, depth and height of a box: see `similar_ways`


class Names(NamedTuple):
    shapes: tuple[str, ...]
    colours: tuple[str, ...]


class Placement(NamedTuple):
    card: int  # from 1, as printed
    shape: int
    colour: int
    x: int
    y: int
    turned: int  # 1 if width and depth change places
    level: int


def read(data: object) -> Tables:
    """The tables of a set; ValueError says what is wrong, where, and what was expected."""
    top = top_fields(data)
    check_pallet(top["pallet"])
    named = names(data)
    shapes, boxes = read_shapes(top["shapes"])
    neutral = read_neutral(top["neutral"])
    cards = tuple(
        read_card(card, f"card {number}", named)
        for number, card in enumerate(read_list(top["cards"], "cards", 1, MAX_CARDS), 1)
    )
    tables = Tables(shapes, boxes, cards, neutral, 0, (0, 0, 0, 0, 0), similar_ways(shapes))
    if "puzzle" not in top:
        return tables
    check_perfect_totals(tables)
    puzzle = read_fields(top["puzzle"], "puzzle", ("neutral",), ("solution",))
    if "solution" in puzzle:
        check_solution(read_solution(puzzle["solution"], named), tables, named)
    return tables._replace(
        has_puzzle=1, puzzle_neutral=read_puzzle_neutral(puzzle["neutral"], neutral)
    )


def names(data: object) -> Names:
    top = top_fields(data)
    colours = read_list(top["colours"], "colours", COLOURS, COLOURS)
    shapes = read_list(top["shapes"], "shapes", 1, MAX_SHAPES)
    return Names(
        distinct(
            [read_name(shape_fields(s, i)["name"], f"shape {i}: name") for i, s in counted(shapes)],
            "shapes",
        ),
        distinct([read_name(name, f"colour {i}") for i, name in counted(colours)], "colours"),
    )


def solution(data: object) -> tuple[Placement, ...]:
    """The placements of the puzzle's perfect pallet, empty if the set has none."""
    read(data)
    puzzle = read_fields(top_fields(data).get("puzzle", {}), "puzzle", (), ("neutral", "solution"))
    return read_solution(puzzle.get("solution", []), names(data))


def read_shapes(value: object) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    shapes = [shape_fields(s, i) for i, s in counted(read_list(value, "shapes", 1, MAX_SHAPES))]
    sizes = tuple(read_size(shape, f"shape {i}") for i, shape in counted(shapes))
    boxes = tuple(read_boxes(shape["boxes"], f"shape {i}: boxes") for i, shape in counted(shapes))
    total = sum(map(sum, boxes))
    if not 1 <= total <= MAX_BOXES:
        raise ValueError(f"shapes: there are {total} boxes in all, expected 1 to {MAX_BOXES}")
    return sizes, boxes


def read_size(shape: dict[str, object], where: str) -> Row:
    width = read_int(shape["width"], f"{where}: width", 1, WIDTH)
    depth = read_int(shape["depth"], f"{where}: depth", 1, WIDTH)
    height = read_int(shape["height"], f"{where}: height", 1, LAYERS)
    if min(width, depth) > DEPTH:
        raise ValueError(
            f"{where}: the footprint is {width} by {depth}, expected one that fits the pallet"
            f" of {WIDTH} by {DEPTH}"
        )
    return width, depth, height


def read_boxes(value: object, where: str) -> Row:
    counts = read_list(value, where, COLOURS, COLOURS)
    return tuple(read_int(n, f"{where} in colour {i}", 0, MAX_ALIKE) for i, n in counted(counts))


def similar_ways(shapes: Sequence[Row]) -> tuple[tuple[Row, ...], ...]:
    """For every size of a box the ways to lie that share two sides with it, as bits.

    Two boxes can be clones only if they share two sides. Bit 2 × shape + turned is a way to lie; a
    shape with a square base is never turned.
    """
    ways = [
        (2 * shape + turned, (sides[turned], sides[1 - turned], sides[2]))
        for shape, sides in enumerate(shapes)
        for turned in range(1 if sides[0] == sides[1] else 2)
    ]

    def similar(*size: int) -> int:
        return sum(1 << way for way, sides in ways if sum(map(eq, size, sides)) >= 2)

    return tuple(
        tuple(
            tuple(similar(width, depth, height) for height in range(LAYERS + 1))
            for depth in range(WIDTH + 1)
        )
        for width in range(WIDTH + 1)
    )


def read_neutral(value: object) -> Row:
    sides = read_fields(value, "neutral", SIZE)
    # It may lie on any side in any corner, so no side is longer than the pallet is deep.
    return tuple(read_int(sides[side], f"neutral: {side}", 1, DEPTH) for side in SIZE)


def read_card(value: object, where: str, named: Names) -> Row:
    card = read_fields(value, where, (), ("colour", "shape", "shapes"))
    if len(card) != 1:
        raise ValueError(
            f"{where} has {len(card)} orders, expected exactly one of colour, shape, shapes"
        )
    if "colour" in card:
        colour = read_choice(card["colour"], f"{where}: colour", named.colours)
        return COLOUR_CARD, colour, colour
    if "shape" in card:
        shape = read_choice(card["shape"], f"{where}: shape", named.shapes)
        return SHAPE_CARD, shape, shape
    pair = read_list(card["shapes"], f"{where}: shapes", 2, 2)
    first, second = (read_choice(name, f"{where}: shapes", named.shapes) for name in pair)
    if first == second:
        raise ValueError(f"{where}: shapes are both {brief(pair[0])}, expected two different ones")
    return TWO_SHAPES_CARD, first, second


def read_puzzle_neutral(value: object, neutral: Row) -> Row:
    where = "puzzle: neutral"
    box = read_fields(value, where, ("x", "y", *SIZE))
    width, depth, height = (read_int(box[side], f"{where}: {side}", 1, DEPTH) for side in SIZE)
    if sorted((width, depth, height)) != sorted(neutral):
        raise ValueError(
            f"{where} measures {width} by {depth} by {height},"
            f" expected the sides {', '.join(map(str, sorted(neutral)))} in any order"
        )
    x = read_int(box["x"], f"{where}: x", 0, WIDTH - 1)
    y = read_int(box["y"], f"{where}: y", 0, DEPTH - 1)
    if x not in (0, WIDTH - width) or y not in (0, DEPTH - depth):
        raise ValueError(
            f"{where} is at x {x}, y {y}, expected a corner:"
            f" x 0 or {WIDTH - width}, y 0 or {DEPTH - depth}"
        )
    return x, y, width, depth, height


def read_solution(value: object, named: Names) -> tuple[Placement, ...]:
    placements = read_list(value, "puzzle: solution", 0, MAX_BOXES)
    return tuple(read_placement(p, i, named) for i, p in counted(placements))


def read_placement(value: object, number: int, named: Names) -> Placement:
    where = f"puzzle: placement {number}"
    fields = read_fields(value, where, Placement._fields)
    if not isinstance(fields["turned"], bool):
        raise ValueError(f"{where}: turned is {brief(fields['turned'])}, expected true or false")
    return Placement(
        # A perfect pallet leaves no card face down, so every card so far has placed its box.
        card=read_int(fields["card"], f"{where}: card", number, number),
        shape=read_choice(fields["shape"], f"{where}: shape", named.shapes),
        colour=read_choice(fields["colour"], f"{where}: colour", named.colours),
        x=read_int(fields["x"], f"{where}: x", 0, WIDTH - 1),
        y=read_int(fields["y"], f"{where}: y", 0, DEPTH - 1),
        turned=int(fields["turned"]),
        level=read_int(fields["level"], f"{where}: level", 0, LAYERS - 1),
    )


def check_pallet(value: object) -> None:
    pallet = read_fields(value, "pallet", ("width", "depth", "layers"))
    for side, length in (("width", WIDTH), ("depth", DEPTH), ("layers", LAYERS)):
        read_int(pallet[side], f"pallet: {side}", length, length)


def check_perfect_totals(tables: Tables) -> None:
    boxes = sum(map(sum, tables.boxes))
    if len(tables.cards) < boxes:
        raise ValueError(
            f"puzzle: there are {len(tables.cards)} cards for {boxes} boxes,"
            " expected at least one card for each box"
        )
    cells = volume(tables)
    if cells != WIDTH * DEPTH * LAYERS:
        raise ValueError(
            f"puzzle: the boxes and the neutral box fill {cells} cells,"
            f" expected the {WIDTH * DEPTH * LAYERS} of a perfect pallet"
        )


def check_solution(placements: Sequence[Placement], tables: Tables, named: Names) -> None:
    total = sum(map(sum, tables.boxes))
    if len(placements) != total:
        raise ValueError(
            f"puzzle: solution places {len(placements)} boxes, expected all {total} of them"
        )
    for (shape, colour), used in Counter((p.shape, p.colour) for p in placements).items():
        if used > tables.boxes[shape][colour]:
            raise ValueError(
                f"puzzle: solution places {used} times {named.shapes[shape]} in"
                f" {named.colours[colour]}, expected {tables.boxes[shape][colour]}"
            )
    for p in placements:
        check_inside(p, tables.shapes[p.shape])


def check_inside(p: Placement, size: Row) -> None:
    width, depth = (size[1], size[0]) if p.turned else (size[0], size[1])
    if p.x + width > WIDTH or p.y + depth > DEPTH or p.level + size[2] > LAYERS:
        raise ValueError(
            f"puzzle: placement {p.card} reaches x {p.x + width}, y {p.y + depth},"
            f" level {p.level + size[2]}, expected at most {WIDTH}, {DEPTH}, {LAYERS}"
        )


def volume(tables: Tables) -> int:
    """Cells of all boxes, the neutral one included."""
    sizes = zip(tables.shapes, tables.boxes, strict=True)
    return prod(tables.neutral) + sum(prod(size) * sum(counts) for size, counts in sizes)


def top_fields(data: object) -> dict[str, object]:
    keys = ("pallet", "colours", "shapes", "neutral", "cards")
    return read_fields(data, "the set", keys, ("puzzle",))


def shape_fields(value: object, number: int) -> dict[str, object]:
    return read_fields(value, f"shape {number}", ("name", *SIZE, "boxes"))


def read_fields(
    value: object, where: str, keys: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, object]:
    expected = f"expected an object with {', '.join((*keys, *optional))}"
    if not isinstance(value, dict):
        raise ValueError(f"{where} is {brief(value)}, {expected}")
    for key in keys:
        if key not in value:
            raise ValueError(f"{where} has no {key!r}, {expected}")
    for key in value:
        # A misspelt optional key would otherwise be dropped in silence.
        if key not in keys and key not in optional:
            raise ValueError(f"{where} has an unknown {brief(key)}, {expected}")
    return value


def read_list(value: object, where: str, low: int, high: int) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{where}: the value is {brief(value)}, expected a list")
    if not low <= len(value) <= high:
        raise ValueError(f"{where}: the list has {len(value)} items, expected {spread(low, high)}")
    return value


def read_int(value: object, where: str, low: int, high: int) -> int:
    # JSON's true is an int to Python, never a length.
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{where} is {brief(value)}, expected {spread(low, high)}")
    return value


def read_name(value: object, where: str) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise ValueError(
            f"{where} is {brief(value)}, expected a name of 1 to {MAX_NAME} characters"
            " without spaces around it"
        )
    return value


def is_name(text: str) -> bool:
    return 1 <= len(text) <= MAX_NAME and text.isprintable() and text == text.strip()


def read_choice(value: object, where: str, choices: tuple[str, ...]) -> int:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{where} is {brief(value)}, expected one of {', '.join(choices)}")
    return choices.index(value)


def distinct(words: list[str], where: str) -> tuple[str, ...]:
    for word, times in Counter(words).items():
        if times > 1:
            raise ValueError(f"{where}: {word!r} is there {times} times, expected once")
    return tuple(words)


def spread(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def counted(values: Sequence[T]) -> enumerate[T]:
    """Numbered from 1, as people count cards."""
    return enumerate(values, 1)


DEFAULT_DATA: object = json.loads(SET_FILE.read_text(encoding="utf-8"))
DEFAULT = read(DEFAULT_DATA)
DEFAULT_NAMES = names(DEFAULT_DATA)
