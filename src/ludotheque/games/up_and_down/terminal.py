"""The table in a terminal: the card in the middle, everyone round it, the viewer at the bottom."""

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludotheque.engine.words import Words
from ludotheque.games.up_and_down.notation import (
    SIDE_NAMES,
    SUIT_NAMES,
    card_text,
    fate,
    has_trump,
    is_set_up,
    lost_tricks,
)
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHOOSING,
    NO_CARD,
    OVER,
    SUITS,
    UP,
    State,
    hand_size,
    own_suit,
    place,
    planned_deals,
    score,
    suit_of,
    tricks_played,
    trump,
    value_of,
)

COLOURS = ("bright_magenta", "bright_cyan", "bright_yellow", "bright_green")  # by suit
BACKGROUNDS = ("blue", "dark_green")  # of the card's sides, as printed
DICE = " ⚀⚁⚂⚃⚄⚅"
SIDE_WIDTH = 15  # of the columns left and right of the card
CARD_WIDTH = 30


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    middle = Group(_rules(view, words), Text(), _round_the_card(view, viewer, words, names))
    table.add_row(middle, Group(Text("\n"), _score_sheet(view, words, names)))
    return Group(
        _heading(view, words),
        table,
        _last_trick(view, words, names),
        _hand(view, viewer, words),
    )


def _heading(view: State, words: Words) -> Text:
    if view.phase == OVER:
        return Text(words.board("over"), style="bold")
    count = planned_deals(view)
    heading = words.board("deal", number=view.deal + 1, count=count)
    if view.deal == count:
        heading = words.board("extra_deal")
    if not is_set_up(view):
        return Text(f"{heading} · {words.board('setting_up')}", style="bold")
    trick = words.board("trick", number=tricks_played(view) + 1, count=hand_size(view))
    return Text(f"{heading} · {trick}", style="bold")


# The rules of the trick


def _rules(view: State, words: Words) -> Text:
    low, high = view.dice
    text = Text()
    if trump(view) > 0:
        key = "trump" if has_trump(view) else "no_trump"
        text.append(f"{DICE[low]} {DICE[high]}  {words.board(key, value=trump(view))}", "bold")
    if view.pot > 0 and view.phase != OVER:
        text.append(f"    {words.board('pot', count=view.pot)}", "bold red")
    return text


def _round_the_card(view: State, viewer: int, words: Words, names: list[str]) -> Table:
    near = place(view, viewer) if viewer >= 0 else 0
    # clockwise from the viewer: the left, the far side, the right
    bottom, left, top, right = (
        _player(view, (near + steps) % SUITS, words, names) for steps in range(SUITS)
    )
    table = Table.grid()
    for width in (SIDE_WIDTH, CARD_WIDTH, SIDE_WIDTH):
        table.add_column(width=width, vertical="middle", justify="center")
    table.add_row("", Align.center(top), "")
    table.add_row(left, _card(view, near, words), right)
    table.add_row("", Align.center(bottom), "")
    return table


def _card(view: State, near: int, words: Words) -> RenderableType:
    if not is_set_up(view):
        return Panel(Align.center(Text(f"\n\n{words.name}\n\n\n")))
    bottom, left, top, right = (
        str(words.named(SUIT_NAMES[(view.facing + near + steps) % SUITS])) for steps in range(SUITS)
    )
    across = Table.grid(expand=True)
    across.add_column(justify="left", ratio=1)
    across.add_column(justify="center", ratio=1)
    across.add_column(justify="right", ratio=1)
    across.add_row(left, str(words.named(SIDE_NAMES[view.side])), right)
    wanted = words.board("highest" if view.side == UP else "lowest")
    return Panel(
        Group(Align.center(top), "", across, Align.center(wanted), "", Align.center(bottom)),
        style=f"bold bright_white on {BACKGROUNDS[view.side]}",
    )


def _player(view: State, at: int, words: Words, names: list[str]) -> Text:
    """Who sits at this side of the table, with the suit that points there."""
    seats = [seat for seat in range(view.seats) if place(view, seat) == at]
    if not seats:
        return Text(words.board("empty_place"), style="dim", justify="center")
    seat = seats[0]
    text = Text(names[seat], style="bold", justify="center")
    if not is_set_up(view) or view.phase == OVER:
        return text
    suit = own_suit(view, seat)
    text.append(f"\n{words.named(SUIT_NAMES[suit])}", style=COLOURS[suit])
    if seat == view.leader:
        text.append(f"\n◆ {words.board('leader')}", style="not bold")
    if view.phase == CHOOSING:
        text.append_text(_laid(view, seat, words))
    return text


def _laid(view: State, seat: int, words: Words) -> Text:
    card = view.laid[seat]
    if card == NO_CARD:
        return Text(f"\n… {words.board('choosing')}", style="not bold dim")
    if card < 0:
        return Text(f"\n▮ {words.board('laid')}", style="not bold")
    return Text("\n▮ ").append_text(_card_text(card))


def _card_text(card: int, style: str = "") -> Text:
    return Text(card_text(card), style=f"{COLOURS[suit_of(card)]} {style}")


# What was


def _score_sheet(view: State, words: Words, names: list[str]) -> Table:
    deals = view.deal if view.phase == OVER else view.deal + 1
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    table.add_column(words.board("tricks"))
    for deal in range(max(deals, planned_deals(view))):
        table.add_column(str(deal + 1), justify="right")
    table.add_column(words.board("total"), justify="right", style="bold")
    for seat in range(view.seats):
        cells = _cells(view.tricks[seat][:deals], table)
        table.add_row(Text(names[seat]), *cells, str(score(view, seat)))
    lost = [lost_tricks(view, deal) for deal in range(view.deal)]
    if any(lost):
        table.add_row(words.board("lost"), *_cells(lost, table), str(sum(lost)), style="dim")
    return table


def _cells(counts: list[int], table: Table) -> list[str]:
    """A number for each deal begun, and nothing for those to come."""
    return [*map(str, counts), *[""] * (len(table.columns) - 2 - len(counts))]


def _last_trick(view: State, words: Words, names: list[str]) -> Text:
    if view.verdict == 0:
        return Text()
    text = Text(f"{words.board('last')}  ", style="bold")
    for seat in range(view.seats):
        card = view.trick[seat]
        text.append(f"{names[seat]} ", style="not bold")
        is_cancelled = fate(view, seat) == "cancelled"
        text.append_text(_card_text(card, "strike dim not bold" if is_cancelled else "bold"))
        text.append("   ")
    return text


# What the viewer holds


def _hand(view: State, viewer: int, words: Words) -> RenderableType:
    """A line a suit, the viewer's own marked, trumps in reverse."""
    if viewer < 0 or view.phase == OVER:
        return Text()
    table = Table.grid(padding=(0, 1))
    own = own_suit(view, viewer) if is_set_up(view) else None
    for suit in range(SUITS):
        mark = "▸" if suit == own else " "
        style = COLOURS[suit] if own is None or suit == own else f"{COLOURS[suit]} dim"
        name = Text(f"{mark} {words.named(SUIT_NAMES[suit])}", style=style)
        table.add_row(name, _held(view, viewer, suit))
    return Group(Text(f"\n{words.board('hand')}", style="bold"), table)


def _held(view: State, viewer: int, suit: int) -> Text:
    text = Text()
    for card in range(CARDS):
        if view.hands[viewer] >> card & 1 and suit_of(card) == suit:
            is_trump = value_of(card) == trump(view)
            text.append_text(_card_text(card, "reverse" if is_trump else "")).append("  ")
    return text
