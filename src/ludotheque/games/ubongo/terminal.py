"""The table in a terminal: a symbol is a letter in its colour, a card a box with its number."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludotheque.engine.game import Game
from ludotheque.engine.words import Words
from ludotheque.games.ubongo.cards import GOOD, TURNED, WIDTH
from ludotheque.games.ubongo.field import FIELD, IN_HAND, column_of, row_of, turn_of
from ludotheque.games.ubongo.parts import OURS
from ludotheque.games.ubongo.rules import (
    FAULTS,
    NO_CARD,
    NOT_CONNECTED,
    RACING,
    READYING,
    ROUNDS,
    State,
    assists,
    count_laid,
    is_out,
    score,
    side_of,
    tens,
)

STYLES = (
    "bright_blue",
    "yellow",
    "bright_red",
    "cyan",
    "green",
    "magenta",
    "red",
    "bright_yellow",
    "bright_green",
    "white",
    "bright_magenta",
    "blue",
)
NUMBERS = "¹²³⁴⁵⁶⁷⁸⁹"
# A crossing of lines, by the lines that leave it: 1 up, 2 to the right, 4 down, 8 to the left.
CROSSINGS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
MARGIN = 3  # free cells drawn around a layout that may grow
CELL, NARROW = 4, 3  # characters from one cell to the next; narrow where many columns show
WIDE = 23  # columns
IN_A_ROW = 5  # cards of the hand


class Cell(NamedTuple):
    card: int  # its place in the hand
    symbol: int
    letter: str
    mark: str  # the number of the card in its first cell, a blank in the others


Cells = dict[tuple[int, int], Cell]  # by column and row
IsFaulty = Callable[[int, int], bool]  # of two cards of a hand


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    parts: list[RenderableType] = [_heading(view, words)]
    if view.phase == READYING:
        parts += [_layout(view, seat, words, names) for seat in range(view.seats) if view.rounds]
    elif viewer >= 0:
        parts += [
            _field(view, viewer, words),
            _hand(view, viewer, words),
            _legend(view, viewer, words),
        ]
    return Group(*parts, _players(view, words, names))


def _heading(view: State, words: Words) -> Text:
    if view.rounds == 0:
        return Text(words.board("start"), style="bold")
    side = ("white", "black")[side_of(view)]
    heading = Text(words.board("round", number=view.rounds, side=side), style="bold")
    if view.phase == RACING:
        spent = view.clock - view.started_at
        heading.append("   " + words.board("time", time=_minutes(spent)), style="cyan")
        if view.time_limit:
            left = max(0, view.time_limit * 1000 - spent)
            heading.append("   " + words.board("left", time=_minutes(left)), style="yellow")
    elif view.phase == READYING:
        spent = view.times[view.rounds - 1]
        heading.append("   " + words.board("time", time=_minutes(spent)), style="cyan")
        total = words.board("total_time", time=_minutes(sum(view.times)))
        heading.append("   " + total, style="dim")
    return heading


def _minutes(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 60}:{seconds % 60:02d}.{rest // 100}"


# Cards


def _symbols(game: Game) -> list[dict[str, str]]:
    """The letter and the name of each symbol."""
    deck: Any = OURS if game.parts is None else game.parts
    return list(deck["symbols"])


def _cells(view: State, seat: int, i: int, place: int, game: Game) -> Cells:
    """The cells of a card of the hand as they would lie in this place."""
    face = game.rule("FACES")[view.hands[seat][i]][side_of(view)]
    letters = [symbol["letter"] for symbol in _symbols(game)]
    turn = turn_of(place)
    return {
        (column_of(place) + n % WIDTH[turn], row_of(place) + n // WIDTH[turn]): Cell(
            i, face[cell], letters[face[cell]], NUMBERS[i] if n == 0 else " "
        )
        for n, cell in enumerate(TURNED[turn])
    }


def _field(view: State, seat: int, words: Words) -> Text:
    """A layout with as much of the field around it as the next card needs."""
    cells: Cells = {}
    for i in range(view.cards):
        if view.places[seat][i] != IN_HAND:
            cells |= _cells(view, seat, i, view.places[seat][i], words.game)
    if not cells:
        return _grid(cells, range(12, 20), range(13, 18), _never)
    margin = MARGIN if view.phase == RACING else 0
    columns = _around([x for x, _ in cells], margin)
    rows = _around([y for _, y in cells], margin)
    if not (assists(view) or is_out(view, seat)) and view.phase != READYING:
        return _grid(cells, columns, rows, _never)
    contact = words.game.rule("contact")
    return _grid(cells, columns, rows, lambda a, b: contact(view, seat, a, b) > GOOD)


def _never(a: int, b: int) -> bool:
    return False


def _around(places: list[int], margin: int) -> range:
    return range(max(0, min(places) - margin), min(FIELD, max(places) + margin + 1))


def _grid(cells: Cells, columns: range, rows: range, is_faulty: IsFaulty) -> Text:
    """A piece of the field with its columns and rows numbered."""
    width = CELL if len(columns) <= WIDE else NARROW
    numbers = "".join(f"{x:^{width}}" for x in columns)
    text = Text(f"    {numbers}\n", style="dim", no_wrap=True)
    for n, line in enumerate(_lines(cells, columns, rows, is_faulty, width, "·")):
        number = f"{rows[n // 2]:>3}" if n % 2 else "   "
        text.append(number, style="dim").append_text(line).append("\n")
    return text


def _lines(
    cells: Cells, columns: range, rows: range, is_faulty: IsFaulty, width: int, free: str
) -> list[Text]:
    """The cells with a line wherever two of them belong to different cards."""
    lines = []
    for y in range(rows.start, rows.stop + 1):
        border, inside = Text(), Text()
        for x in range(columns.start, columns.stop + 1):
            here, left, above = cells.get((x, y)), cells.get((x - 1, y)), cells.get((x, y - 1))
            corner = cells.get((x - 1, y - 1))
            meeting = (
                _parted(corner, above)
                | _parted(above, here) << 1
                | _parted(left, here) << 2
                | _parted(corner, left) << 3
            )
            border.append(CROSSINGS[meeting], style="bright_white")
            inside.append_text(_line(left, here, is_faulty, " │┃"))
            if x < columns.stop:
                border.append_text(_line(above, here, is_faulty, " ─━", width - 1))
                inside.append_text(_inside(here, free, width - 1))
        lines += [border, inside]
    return lines[:-1]


def _parted(one: Cell | None, other: Cell | None) -> bool:
    return (one and one.card) != (other and other.card)


def _line(
    one: Cell | None, other: Cell | None, is_faulty: IsFaulty, strokes: str, length: int = 1
) -> Text:
    """Nothing within a card, a line between two, a heavy one where they touch wrongly."""
    if not _parted(one, other):
        return Text(strokes[0] * length)
    if one and other and is_faulty(one.card, other.card):
        return Text(strokes[2] * length, style="bold red")
    return Text(strokes[1] * length, style="bright_white")


def _inside(cell: Cell | None, free: str, width: int) -> Text:
    if cell is None:
        return Text(f" {free}".ljust(width), style="dim")
    style = f"bold {STYLES[cell.symbol]}"
    return Text(cell.mark, style="dim").append(cell.letter.ljust(width - 1), style=style)


def _hand(view: State, seat: int, words: Words) -> Text:
    """The cards that are not laid, as they lie unturned."""
    hand, places = view.hands[seat], view.places[seat]
    held = [i for i in range(view.cards) if hand[i] != NO_CARD and places[i] == IN_HAND]
    cells: Cells = {}
    for n, i in enumerate(held):
        place = n // IN_A_ROW * 3 * FIELD + n % IN_A_ROW * 4
        cells |= _cells(view, seat, i, place, words.game)
    text = Text(words.board("hand") + "\n", style="bold")
    if cells:
        columns, rows = (range(1 + max(cell[n] for cell in cells)) for n in range(2))
        text.append_text(Text("\n").join(_lines(cells, columns, rows, _never, CELL, " ")))
    return text


def _legend(view: State, seat: int, words: Words) -> Text:
    """The names of the symbols in the hand."""
    faces = words.game.rule("FACES")
    dealt = [card for card in view.hands[seat] if card != NO_CARD]
    shown = sorted({symbol for card in dealt for symbol in faces[card][side_of(view)]})
    text = Text(words.board("symbols"), style="bold")
    for number in shown:
        symbol = _symbols(words.game)[number]
        text.append(f"   {symbol['letter']}", style=f"bold {STYLES[number]}")
        text.append(f" {words.named(symbol['name'])}", style="dim")
    return text.append("\n")


# Players


def _layout(view: State, seat: int, words: Words, names: list[str]) -> RenderableType:
    """What a player has laid in the round that was just counted, and what was wrong with it."""
    title = Text(words.board("others", player=names[seat]), style="bold")
    title.append("   " + words.board("points") + f" {view.points[seat][view.rounds - 1]}   ")
    if count_laid(view, seat) == 0:
        return title.append(words.board("no_cards"), style="dim")
    fault, a, b = words.game.rule("verdict")(view, seat)
    if fault == GOOD:
        title.append(words.board("right"), style="green")
    else:
        key = "alone" if fault == NOT_CONNECTED else "fault"
        title.append(words.board(key, a=a + 1, b=b + 1, fault=FAULTS[fault]), style="red")
    return Group(title, _field(view, seat, words))


def _players(view: State, words: Words, names: list[str]) -> Table:
    table = Table()
    table.add_column("")
    for heading in (*range(1, ROUNDS + 1), *(words.board(k) for k in ("points", "tens", "laid"))):
        table.add_column(str(heading), justify="right")
    table.add_column(words.board("state"))
    for seat in range(view.seats):
        over = view.rounds - (view.phase != READYING)  # rounds that have been counted
        points = [str(view.points[seat][n]) if n < over else "–" for n in range(ROUNDS)]
        numbers = (score(view, seat), tens(view, seat), count_laid(view, seat))
        state = _state(view, seat, words)
        table.add_row(names[seat], *points, *(str(number) for number in numbers), state)
    return table


def _state(view: State, seat: int, words: Words) -> str:
    said = {"called": view.callers, "out": view.out, "agreed": view.stoppers, "ready": view.ready}
    return ", ".join(words.board(key) for key, seats in said.items() if seats >> seat & 1)
