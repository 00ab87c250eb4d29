"""The table in a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludotheque.engine.bits import numbers
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.words import Words
from ludotheque.games.stupide_vautour.rules import (
    FACE_DOWN,
    POINTS,
    UNKNOWN,
    State,
)


def draw(view: State, viewer: int, words: Words, names: list[str]) -> RenderableType:
    return Group(_stake(view, words), _players(view, words, names), _hand(view, viewer, words))


def _stake(view: State, words: Words) -> Text:
    cards = [f"{POINTS[card]:+d}" for card in numbers(view.table)]
    colour = "green" if view.stake >= 0 else "red"
    text = Text(words.board("round", number=view.rounds, total=view.cards), style="bold")
    return text.append(
        f"   {words.board('stake')} {' '.join(cards) or '–'}", style=f"bold {colour}"
    )


def _players(view: State, words: Words, names: list[str]) -> Table:
    table = Table(caption=_last_award(view, words, names), caption_justify="left")
    for heading in ("", words.board("score"), words.board("last"), words.board("bid")):
        table.add_column(heading, justify="right")
    for seat in range(view.seats):
        score = "?" if view.scores[seat] == UNKNOWN else str(view.scores[seat])
        table.add_row(names[seat], score, str(view.tops[seat] or "–"), _bid(view, seat, words))
    return table


def _bid(view: State, seat: int, words: Words) -> str:
    if view.bids[seat] == FACE_DOWN:
        return words.board("sealed")
    return str(view.bids[seat] or "–")


def _last_award(view: State, words: Words, names: list[str]) -> str:
    if view.rounds <= 1:
        return ""
    if view.taker == NOBODY:
        return words.board("carried")
    return words.board("taker", player=names[view.taker])


def _hand(view: State, viewer: int, words: Words) -> Text:
    if viewer < 0:
        return Text("")
    held = " ".join(map(str, numbers(view.hands[viewer])))
    return Text(f"{words.board('hand')}  {held}", style="cyan")
