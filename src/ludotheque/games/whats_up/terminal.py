"""The table in a terminal. Each colour has its own sign, so that it reads without colours too."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludotheque.engine.words import Words
from ludotheque.games.whats_up.notation import (
    COLOUR_NAMES,
    COLUMN_LETTERS,
    cell_text,
    ending,
    face_text,
)
from ludotheque.games.whats_up.rules import (
    CARDS,
    COLOURS,
    COLUMNS,
    FULL,
    GOAL,
    HOLE,
    NONE,
    State,
    birds_of,
    cards,
    cards_left,
    colour_of,
    complete_rows,
    is_over,
    is_vote_open,
    quiet_limit,
    score,
)

SIGNS = ("●", "▲", "★", "◆")
STYLES = ("bright_red", "green", "yellow", "magenta")


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    return Group(
        _grid(view),
        _last_turn(view, words, names),
        _status(view, words),
        _vote(view, words, names),
        _players(view, viewer, words, names),
    )


# The grid


def _grid(view: State) -> Table:
    table = Table(box=box.ROUNDED, show_lines=True, header_style="dim")
    table.add_column("", style="dim", vertical="middle")
    for letter in COLUMN_LETTERS:
        table.add_column(letter, justify="center", width=7)
    for start in range(0, CARDS, COLUMNS):
        cells = [_cell(view, cell) for cell in range(start, start + COLUMNS)]
        table.add_row(str(start // COLUMNS + 1), *cells)
    return table


def _cell(view: State, cell: int) -> Text:
    """The face that shows, in brackets where a card was turned last, and the one under it."""
    if cell >= view.dealt:
        return Text("")
    text = _birds(view.up[cell]) if view.up[cell] != HOLE else Text("·", style="dim")
    if cell == view.turned:
        text = Text.assemble(("[", "bold"), text, ("]", "bold"))
    if view.down[cell] > HOLE:
        text.append("\n").append_text(_under(view.down[cell]))
    return text


def _birds(face: int) -> Text:
    signs = SIGNS[colour_of(face)] * birds_of(face)
    return Text(" ".join(signs), style=f"bold {STYLES[colour_of(face)]}")


def _under(face: int) -> Text:
    signs = SIGNS[colour_of(face)] * birds_of(face)
    return Text(f"({signs})", style=f"dim {STYLES[colour_of(face)]}")


# What has happened


def _last_turn(view: State, words: Words, names: list[str]) -> Text:
    if view.turned == NONE:
        return Text("")
    face = view.taken if view.taken != HOLE else view.up[view.turned]
    return Text(
        words.board(
            "took" if view.taken != HOLE else "stayed",
            player=names[view.turner],
            cell=cell_text(view.turned),
            face=face_text(face),
        )
    )


def _status(view: State, words: Words) -> Text:
    if is_over(view):
        return Text(words.board(ending(view)), style="bold")
    if view.dealt < CARDS:
        return Text("")
    left = Text(words.board("left", count=cards_left(view)))
    quiet = Text(words.board("quiet", count=view.quiet, limit=quiet_limit(view)), style="dim")
    return Text.assemble(left, "   ", quiet)


def _vote(view: State, words: Words, names: list[str]) -> Text:
    if is_over(view) or not is_vote_open(view):
        return Text("")
    agreed = [names[seat] for seat in range(view.seats) if view.agreed[seat]]
    return Text(words.board("vote", players=", ".join(agreed) or "–"), style="bold cyan")


# The collections


def _players(view: State, viewer: int, words: Words, names: list[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(words.board("player"))
    for sign, style, name in zip(SIGNS, STYLES, COLOUR_NAMES, strict=True):
        table.add_column(Text(f"{sign} {words.named(name)}", style=style), min_width=8)
    for heading in ("complete", "birds", "cards"):
        table.add_column(words.board(heading), justify="right")
    for seat in range(view.seats):
        table.add_row(*_player(view, seat, names), style="bold" if seat == viewer else "")
    return table


def _player(view: State, seat: int, names: list[str]) -> list[Text | str]:
    return [
        f"{'▶' if view.turn == seat else ' '} {names[seat]}",
        *(_row(view.rows[seat][colour], colour) for colour in range(COLOURS)),
        f"{complete_rows(view, seat)} / {GOAL[view.seats]}",
        str(score(view, seat)),
        str(cards(view, seat)),
    ]


def _row(reach: int, colour: int) -> Text:
    """The cards of a row side by side: one bird, two birds, three birds."""
    held = [Text(SIGNS[colour] * birds, STYLES[colour]) for birds in range(1, reach + 1)]
    missing = [Text("·" * birds, "dim") for birds in range(reach + 1, FULL + 1)]
    return Text(" ").join(held + missing)
