"""The cards: our own deck, or one that a host supplies.

A deck is a JSON object:

    symbols  one to twelve {"letter": "a", "name": "anchor"}
    piles    three piles of 36 cards {"white": "abcabc", "black": "defdef"}

The first pile serves rounds 1 and 2, the second 3 and 4, the third 5 and 6; a face is six letters,
its upper row of three cells and then its lower row, with the long side of the card down. Other keys
are ignored.
"""

import json
from pathlib import Path
from typing import NamedTuple

PILES = 3
PILE = 36  # cards in a pile
CELLS = 6  # on a face
SIDES = ("white", "black")
MAX_SYMBOLS = 12


class Tables(NamedTuple):
    # faces[card][side]: six symbols, by their place in the deck's list; card // 36 is the pile
    faces: tuple[tuple[tuple[int, ...], ...], ...]


def read(data: object) -> Tables:
    """The cards of a parsed deck file; ValueError says what is wrong with it, and where."""
    deck = keyed(data, "the deck", ("symbols", "piles"))
    letters = read_letters(deck["symbols"])
    piles = listed(deck["piles"], "piles")
    if len(piles) != PILES:
        raise ValueError(f"piles: expected {PILES} piles, found {len(piles)}")
    return Tables(
        tuple(
            card
            for number, pile in enumerate(piles, 1)
            for card in read_pile(pile, number, letters)
        )
    )


def read_letters(data: object) -> str:
    symbols = listed(data, "symbols")
    if not 1 <= len(symbols) <= MAX_SYMBOLS:
        raise ValueError(f"symbols: expected 1 to {MAX_SYMBOLS} symbols, found {len(symbols)}")
    letters = ""
    for number, symbol in enumerate(symbols, 1):
        where = f"symbol {number}"
        entry = keyed(symbol, where, ("letter", "name"))
        letter = text(entry["letter"], f"{where}, letter")
        if len(letter) != 1:
            raise ValueError(f"{where}, letter: expected a single character, found {letter!r}")
        if letter in letters:
            raise ValueError(f"{where}, letter: expected one not yet taken, found {letter!r} again")
        if not text(entry["name"], f"{where}, name"):
            raise ValueError(f"{where}, name: expected a word, found an empty text")
        letters += letter
    return letters


def read_pile(data: object, pile: int, letters: str) -> list[tuple[tuple[int, ...], ...]]:
    cards = listed(data, f"pile {pile}")
    if len(cards) != PILE:
        raise ValueError(f"pile {pile}: expected {PILE} cards, found {len(cards)}")
    return [
        read_card(card, f"pile {pile}, card {number}", letters)
        for number, card in enumerate(cards, 1)
    ]


def read_card(data: object, where: str, letters: str) -> tuple[tuple[int, ...], ...]:
    card = keyed(data, where, SIDES)
    return tuple(read_face(card[side], f"{where}, {side}", letters) for side in SIDES)


def read_face(data: object, where: str, letters: str) -> tuple[int, ...]:
    face = text(data, where)
    if len(face) != CELLS:
        raise ValueError(f"{where}: expected {CELLS} letters, found {len(face)} in {face!r}")
    for letter in face:
        if letter not in letters:
            raise ValueError(
                f"{where}: expected letters among {letters!r}, found {letter!r} in {face!r}"
            )
    return tuple(letters.index(letter) for letter in face)


def keyed(data: object, where: str, keys: tuple[str, ...]) -> dict[str, object]:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object, found {kind(data)}")
    for key in keys:
        if key not in data:
            raise ValueError(f"{where}: expected the key {key!r}, found none")
    return data


def listed(data: object, where: str) -> list[object]:
    if not isinstance(data, list):
        raise ValueError(f"{where}: expected a list, found {kind(data)}")
    return data


def text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise ValueError(f"{where}: expected a text, found {kind(data)}")
    return data


def kind(data: object) -> str:
    """What a JSON value is, in the words of the format."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(data), "nothing" if data is None else "a number")


OURS = json.loads((Path(__file__).parent / "data" / "deck.json").read_text("utf-8"))
DEFAULT = read(OURS)
