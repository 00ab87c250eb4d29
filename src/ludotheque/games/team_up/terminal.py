"""The pallet in a terminal, seen from above: each top shows how high it is and its colour."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludotheque.engine.bits import numbers
from ludotheque.engine.words import Words
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.pallet import COLUMNS
from ludotheque.games.team_up.parts import COLOUR_CARD, DEPTH, LAYERS, SHAPE_CARD, WIDTH
from ludotheque.games.team_up.rules import NO_CARD, OVER, PLACE, VOTE, State, has_target

GROUND = -1  # what is on top where no box stands
COLOURS = ("white on red3", "white on dodger_blue3", "black on grey93")
MARKS = "●▲○"  # the colours, for eyes or terminals that cannot tell them apart
NEUTRAL = "black on light_goldenrod3"
EMPTY = "grey42"
LINE = "grey50"

# The joint of the lines that go up, down, left and right from it: 1, 2, 4 and 8 added up.
JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    columns = Table.grid(padding=(0, 2))
    columns.add_row(
        Group(_title(words.board("pallet")), _pallet(view)),
        Group(_title(words.board("layers")), _layers(view), Text(""), *_counts(view, words)),
        Group(_title(words.board("boxes", count=sum(map(sum, view.left)))), _boxes(view, words)),
    )
    return Group(_headline(view, words, names), _card(view, words), Text(""), columns)


def _title(text: str) -> Text:
    return Text(text, style="bold")


# The lines above


def _headline(view: State, words: Words, names: list[str]) -> Text:
    score = words.game.score(view, 0)
    text = Text(f"{words.board('score')} {score}", style="bold")
    if has_target(view):
        text.append(f" ({words.board('target', score=view.target)})")
    return text.append(f"   {_who(view, words, names)}", style="cyan")


def _who(view: State, words: Words, names: list[str]) -> str:
    if view.phase == OVER:
        return words.board("over")
    if view.phase == VOTE:
        return words.board(
            "stopping", players=words.listed([names[i] for i in numbers(view.agreed)])
        )
    return words.board("turn", player=names[view.turn])


def _card(view: State, words: Words) -> Text:
    if view.card == NO_CARD:
        return Text(words.board("no_card"), style="dim")
    key = "card_lost" if view.is_lost else "card"
    text = words.board(key, number=view.card + 1, order=_order(view.card, words))
    return Text(text, style="bold yellow" if view.phase == PLACE else "dim")


def _order(card: int, words: Words) -> str:
    kind, first, second = _tables(words).cards[card]
    names = _names(words)
    if kind == COLOUR_CARD:
        return words.board("any_of_colour", colour=names.colours[first])
    if kind == SHAPE_CARD:
        return words.board("any_of_shape", shape=names.shapes[first])
    return words.board("either_shape", first=names.shapes[first], second=names.shapes[second])


def _tables(words: Words) -> parts.Tables:
    return parts.DEFAULT if words.game.parts is None else parts.read(words.game.parts)


def _names(words: Words) -> parts.Names:
    return parts.DEFAULT_NAMES if words.game.parts is None else parts.names(words.game.parts)


# The pallet, row 1 in front


def _pallet(view: State) -> Text:
    tops = _tops(view)
    text = Text()
    for y in reversed(range(DEPTH)):
        text.append("  ").append(_seam(view, tops, y + 1)).append("\n")
        text.append(f"{y + 1} ", style="dim").append(_row(view, tops, y)).append("\n")
    text.append("  ").append(_seam(view, tops, 0)).append("\n")
    return text.append("  " + "".join(f"   {letter} " for letter in "abcdef"), style="dim")


def _tops(view: State) -> list[int]:
    """The box on top of each column, by its number."""
    tops = [GROUND] * COLUMNS
    for b in range(view.placed):
        for y in range(view.box_y[b], view.box_y[b] + view.box_depth[b]):
            for x in range(view.box_x[b], view.box_x[b] + view.box_width[b]):
                tops[y * WIDTH + x] = b
    return tops


def _top(tops: list[int], x: int, y: int) -> int | None:
    """What is on top of a cell, None outside the pallet."""
    return tops[y * WIDTH + x] if 0 <= x < WIDTH and 0 <= y < DEPTH else None


def _is_wall(tops: list[int], x: int, y: int) -> bool:
    """Whether a line stands left of the cell x, y."""
    return _top(tops, x - 1, y) != _top(tops, x, y)


def _is_ledge(tops: list[int], x: int, y: int) -> bool:
    """Whether a line lies in front of the cell x, y."""
    return _top(tops, x, y - 1) != _top(tops, x, y)


def _row(view: State, tops: list[int], y: int) -> Text:
    text = Text()
    for x in range(WIDTH + 1):
        wall = _is_wall(tops, x, y)
        text.append("│" if wall else " ", LINE if wall else _style(view, _top(tops, x, y)))
        if x < WIDTH:
            text.append(_cell(view, tops[y * WIDTH + x]), _style(view, _top(tops, x, y)))
    return text


def _cell(view: State, top: int) -> str:
    if top == GROUND:
        return " ·  "
    height, colour = view.box_level[top] + view.box_height[top], view.box_colour[top]
    return f"{height:>2}{' ' if colour < 0 else MARKS[colour]} "


def _seam(view: State, tops: list[int], y: int) -> Text:
    """The line between the rows y − 1 and y."""
    text = Text()
    for x in range(WIDTH + 1):
        joint = _joint(tops, x, y)
        text.append(joint, LINE if joint != " " else _style(view, _top(tops, x, y)))
        if x < WIDTH:
            ledge = _is_ledge(tops, x, y)
            text.append(
                "─" * 4 if ledge else " " * 4, LINE if ledge else _style(view, _top(tops, x, y))
            )
    return text


def _joint(tops: list[int], x: int, y: int) -> str:
    return JOINTS[
        1 * _is_wall(tops, x, y)
        + 2 * _is_wall(tops, x, y - 1)
        + 4 * _is_ledge(tops, x - 1, y)
        + 8 * _is_ledge(tops, x, y)
    ]


def _style(view: State, top: int | None) -> str:
    if top is None or top == GROUND:
        return EMPTY
    colour = view.box_colour[top]
    return NEUTRAL if colour < 0 else COLOURS[colour]


# What is beside it


def _layers(view: State) -> Text:
    lines = []
    for layer in range(max(LAYERS, *view.heights), 0, -1):
        filled = sum(height >= layer for height in view.heights)
        bar = "█" * (filled // 2) + "▌" * (filled % 2)
        mark = " ✓" if filled == COLUMNS and layer <= LAYERS else ""
        style = "green" if mark else "" if layer <= LAYERS else "red"
        lines.append(Text(f"{layer:>2} {bar:·<12} {filled:>2}/{COLUMNS}{mark}", style=style))
    return Text("\n").join(lines)


def _counts(view: State, words: Words) -> list[Text]:
    return [
        Text(words.board("deck", count=view.deck.bit_count())),
        Text(words.board("lost", count=view.lost), style="red" if view.lost else ""),
    ]


def _boxes(view: State, words: Words) -> Table:
    tables, names = _tables(words), _names(words)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    table.add_column("")
    table.add_column("", style="dim")
    for colour in names.colours:
        table.add_column(str(words.named(colour)), justify="center")
    for shape, size in enumerate(tables.shapes):
        left = [_stock(count, colour) for colour, count in enumerate(view.left[shape])]
        label = str(words.named(names.shapes[shape]))
        table.add_row(label, "×".join(map(str, size)), *left)
    return table


def _stock(count: int, colour: int) -> Text:
    if count == 0:
        return Text(" – ", style="dim")
    return Text(f" {MARKS[colour] * count} ", style=COLOURS[colour])
