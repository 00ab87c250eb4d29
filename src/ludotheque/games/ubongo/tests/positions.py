"""Matches at the moments that tests start from."""

from typing import Any

from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.scope import shared_scope
from ludotheque.engine.seats import CHANCE
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES
from ludotheque.games.ubongo.rules import CLOSE, DEALING, GO, READY, STOP

GAME = load("ubongo")
LETTERS = "abcdef"


def deck(faces: dict[int, str] | None = None) -> dict[str, Any]:
    """A host's deck: all symbols are `a`, but for the white sides given."""
    white = ["aaaaaa"] * 108
    for card, face in (faces or {}).items():
        white[card] = face
    cards = [{"white": face, "black": "aaaaaa"} for face in white]
    return {
        "symbols": [{"letter": letter, "name": letter} for letter in LETTERS],
        "piles": [cards[:36], cards[36:72], cards[72:]],
    }


EASY = Game("ubongo", deck())  # any two cells against two are right


def lay(i: int, x: int, y: int, turn: int = 0) -> int:
    return i * FIELD_PLACES + (turn * FIELD + y) * FIELD + x


def new_match(seats: int, game: Game = EASY, **options: object) -> Match:
    """A match whose races start at once, unless the options say otherwise."""
    return Match(game, seats, {"countdown": 0, **options})


def ready(match: Match) -> None:
    for seat in range(match.seats):
        match.play(seat, READY)


def deal(match: Match) -> None:
    """Deal the first cards of the pile in their order."""
    for card in range(match.state.cards * match.seats):
        match.play(CHANCE, card)


def race(seats: int, game: Game = EASY, **options: object) -> Match:
    """A match at the start of its first race."""
    match = new_match(seats, game, fair_hands=False, **options)
    ready(match)
    deal(match)
    return match


def lay_chain(match: Match, seat: int, count: int, first: int = 0) -> None:
    """Lay cards in a chain, short side against short side: right in an easy deck."""
    for i in range(first, count):
        match.play(seat, lay(i, 3 * i, 10))


def go(match: Match) -> None:
    """Let the countdown run out."""
    match.play(CHANCE, GO, match.now + match.game.alarm(match.state))


def lay_junk(match: Match, seat: int) -> None:
    """Lay seven cards, the last of them away from the others."""
    lay_chain(match, seat, 6)
    match.play(seat, lay(6, 25, 25))


def close(match: Match) -> None:
    """Let time pass until the round is counted."""
    match.game.wait(match.state, match.game.alarm(match.state))
    match.play(CHANCE, CLOSE)


def begin_next(match: Match) -> None:
    ready(match)
    if match.state.phase == DEALING:
        deal(match)


def stop_all(match: Match) -> None:
    for seat in range(match.seats):
        match.play(seat, STOP)


def points(match: Match) -> list[int]:
    """The points of the last round."""
    return [match.state.points[seat][match.state.rounds - 1] for seat in range(match.seats)]


def final(*rows: list[int]) -> Match:
    """A finished match with these points, a row a seat."""
    match = new_match(len(rows))
    match.state.rounds = 6
    match.state.points[: len(rows)] = [list(row) for row in rows]
    return match


def found(first: str, second: str, x: int, y: int, turn: int = 0) -> int:
    """How a card with the second face stands, turned and (x, y) away from one with the first."""
    game = Game("ubongo", deck({0: first, 1: second}))
    state: Any = game.start(1)
    state.rounds = 1
    state.hands[0][:2] = [0, 1]
    state.places[0][:2] = [lay(0, 10, 10), lay(0, 10 + x, 10 + y, turn)]
    result: int = shared_scope(game, lambda function: function)["contact"](state, 0, 0, 1)
    return result


def judge(match: Match, seat: int) -> tuple[int, int, int]:
    """The verdict by the cards of the match."""
    scope = shared_scope(match.game, lambda function: function)
    result: tuple[int, int, int] = scope["verdict"](match.state, seat)
    return result
