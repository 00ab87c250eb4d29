"""The largest group that some cards allow, its layout, and the proof that there is no larger one.

A problem is a JSON object, either of cards of the deck or of any faces:

    round, cards   a round from 1 to 6 and cards of its pile, numbered from 0 to 35 as in the
                   notation, or as states number them (36 to 71 in the second pile)
    faces          the cards themselves: lists of six numbers, or texts of six letters, the upper
                   row of three cells and then the lower one

Nine cards are a hand, but it may be any number from 1 to 36. Other keys are ignored.
"""

from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

from ludotheque.engine.game import load
from ludotheque.engine.words import Words
from ludotheque.games.ubongo import parts
from ludotheque.games.ubongo.cards import TURNED, WIDTH
from ludotheque.games.ubongo.layable import SEVEN, SIDES
from ludotheque.games.ubongo.rules import ROUNDS
from ludotheque.games.ubongo.solver.hand import Hand
from ludotheque.games.ubongo.solver.ports import MAX_CARDS, LaidCard, laid_card

MAX_PLAIN_GROUPS = 100_000  # visited, in about two seconds, before it pays to compile the search


class Problem(NamedTuple):
    labels: tuple[str, ...]  # what each card is called
    faces: tuple[tuple[str, ...], ...]  # six symbols each


class Search(NamedTuple):
    """An exhaustive search for a group of this many cards."""

    need: int
    found: bool
    groups: int  # visited


class Solution(NamedTuple):
    problem: Problem
    layout: tuple[LaidCard, ...]  # of the largest group
    searches: tuple[Search, ...]  # for smaller and smaller groups; the last one found its group

    def to_json(self) -> dict[str, Any]:
        return {
            "cards": len(self.problem.faces),
            "most": len(self.layout),
            "seven": len(self.layout) >= SEVEN,
            "layout": [
                {"card": self.problem.labels[card], "place": card, "turn": turn, "x": x, "y": y}
                for card, turn, x, y in self.layout
            ],
            "searches": [search._asdict() for search in self.searches],
        }

    def lines(self, language: str) -> list[str]:
        """The answer in words, and a drawing of the layout."""
        words = Words(load(__package__.split(".")[-2]), language)
        count, most = len(self.problem.faces), len(self.layout)
        lines = [words.text("hints", "solved", most=most, count=count)]
        lines += [
            words.text("hints", "proven", need=search.need, groups=search.groups)
            for search in self.searches
            if not search.found
        ]
        lines += ["", *drawing(self.problem.faces, self.layout), ""]
        for card, turn, x, y in self.layout:
            where = {"column": x, "row": y, "turn": 90 * turn}
            lines.append(words.text("hints", "placed", card=self.problem.labels[card], **where))
        return lines


# Reading


def read(data: object, deck: object = None) -> Problem:
    """A parsed problem file, with cards of our deck or a host's; ValueError says what is wrong."""
    given = parts.keyed(data, "the problem", ())
    if "faces" in given:
        faces = tuple(
            read_face(face, f"face {number}")
            for number, face in enumerate(read_cards(given["faces"], "faces"), 1)
        )
        return Problem(tuple(str(number) for number in range(1, len(faces) + 1)), faces)
    if "round" not in given or "cards" not in given:
        raise ValueError(
            "the problem: expected the keys 'round' and 'cards', or the key 'faces', "
            f"found {', '.join(map(repr, given)) or 'none'}"
        )
    number = whole(given["round"], "round", 1, ROUNDS)
    return read_hand(number, read_cards(given["cards"], "cards"), deck)


def read_cards(data: object, where: str) -> list[object]:
    cards = parts.listed(data, where)
    if not 1 <= len(cards) <= MAX_CARDS:
        raise ValueError(f"{where}: expected 1 to {MAX_CARDS} cards, found {len(cards)}")
    return cards


def read_hand(number: int, cards: list[object], deck: object) -> Problem:
    """Cards of the pile of a round, seen from the side that is played."""
    letters, tables = deck_of(deck)
    pile, side = divmod(number - 1, SIDES)
    first = pile * parts.PILE
    hand: list[int] = []
    for place, entry in enumerate(cards, 1):
        where = f"cards, entry {place}"
        card = whole(entry, where, 0, first + parts.PILE - 1)
        if parts.PILE <= card < first:
            raise ValueError(f"{where}: expected a card of pile {pile + 1}, found {card}")
        if first + card % parts.PILE in hand:
            raise ValueError(f"{where}: expected a card not yet named, found {card} again")
        hand.append(first + card % parts.PILE)
    return Problem(
        tuple(str(card) for card in hand),
        tuple(tuple(letters[symbol] for symbol in tables.faces[card][side]) for card in hand),
    )


def deck_of(deck: object) -> tuple[str, parts.Tables]:
    """The letters and the cards of a deck file, ours if there is none."""
    data: Any = parts.OURS if deck is None else deck
    return parts.read_letters(data["symbols"]), parts.read(data)


def read_face(data: object, where: str) -> tuple[str, ...]:
    if not isinstance(data, str | list):
        raise ValueError(f"{where}: expected six symbols, found {parts.kind(data)}")
    if len(data) != parts.CELLS:
        raise ValueError(f"{where}: expected {parts.CELLS} symbols, found {len(data)}")
    if isinstance(data, str):
        return tuple(data)
    return tuple(
        str(whole(symbol, f"{where}, symbol {place}", 0, 99))
        for place, symbol in enumerate(data, 1)
    )


def whole(data: object, where: str, lowest: int, highest: int) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        found = data if isinstance(data, float) else parts.kind(data)
        raise ValueError(f"{where}: expected a whole number, found {found}")
    if not lowest <= data <= highest:
        raise ValueError(f"{where}: expected a number from {lowest} to {highest}, found {data}")
    return data


# Solving


def solve(problem: Problem, seconds: float = inf) -> Solution:
    """Look for all the cards, then for one fewer, until a group is found.

    Every search runs to its end, whatever the number of seconds: half a proof proves nothing.
    """
    symbols = sorted({symbol for face in problem.faces for symbol in face})
    faces = [[symbols.index(symbol) for symbol in face] for face in problem.faces]
    hand = Hand(faces)
    layout: tuple[LaidCard, ...] = ()
    searches: list[Search] = []
    while not layout:
        need = len(faces) - len(searches)
        layout, groups = search(hand, faces, need)
        searches.append(Search(need, bool(layout), groups))
    return Solution(problem, in_order(layout), tuple(searches))


def search(hand: Hand, faces: list[list[int]], need: int) -> tuple[tuple[LaidCard, ...], int]:
    """In plain Python if that is quick, otherwise compiled; always exhaustive."""
    found = hand.find(need, MAX_PLAIN_GROUPS)
    if found.placements or found.is_exhaustive:
        return tuple(laid_card(placed) for placed in found.placements), found.groups
    from ludotheque.games.ubongo.solver.arrange import find_and_count  # noqa: PLC0415

    return find_and_count(faces, need)


def in_order(layout: tuple[LaidCard, ...]) -> tuple[LaidCard, ...]:
    """The cards in the order of the hand, moved so that columns and rows begin at 0."""
    left, top = min(laid.x for laid in layout), min(laid.y for laid in layout)
    return tuple(laid._replace(x=laid.x - left, y=laid.y - top) for laid in sorted(layout))


# Drawing


def drawing(faces: tuple[tuple[str, ...], ...], layout: tuple[LaidCard, ...]) -> list[str]:
    """The symbols as they lie, with lines around the cards."""
    cells = {
        (x, y): (laid.card, symbol) for laid in layout for x, y, symbol in symbols_of(faces, laid)
    }
    width = 2 + max(len(symbol) for _, symbol in cells.values())
    columns, rows = (1 + max(cell[n] for cell in cells) for n in range(2))
    cards = {cell: card for cell, (card, _) in cells.items()}
    lines = []
    for y in range(rows + 1):
        border = inside = ""
        for x in range(columns + 1):
            here, left, above = (cards.get(at) for at in ((x, y), (x - 1, y), (x, y - 1)))
            is_corner = len({here, left, above, cards.get((x - 1, y - 1))}) > 1
            border += ("+" if is_corner else " ") + ("-" if here != above else " ") * width
            inside += "|" if here != left else " "
            inside += cells[x, y][1].center(width) if (x, y) in cells else " " * width
        lines += [border.rstrip(), inside.rstrip()]
    return lines[:-1]


def symbols_of(
    faces: tuple[tuple[str, ...], ...], laid: LaidCard
) -> Iterator[tuple[int, int, str]]:
    """Column, row and symbol of every cell of a laid card."""
    width = WIDTH[laid.turn]
    for place, cell in enumerate(TURNED[laid.turn]):
        yield laid.x + place % width, laid.y + place // width, faces[laid.card][cell]
