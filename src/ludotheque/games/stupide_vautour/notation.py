"""How moves are written, and which of the words tell them.

A bid is its value, a revealed card its points with a sign.
"""

from functools import lru_cache
from typing import TypedDict

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour.rules import (
    POINTS,
    State,
    is_over,
    wins,
)


def move_text(move: int) -> str:
    return str(move)


def outcome_text(outcome: int) -> str:
    return f"{POINTS[outcome]:+d}"


def move_words(move: int) -> tuple[str, dict[str, object]]:
    return "bid", {"value": move}


def outcome_words(outcome: int) -> tuple[str, dict[str, object]]:
    kind = "meerkat" if POINTS[outcome] > 0 else "vulture"
    return kind, {"points": signed(POINTS[outcome])}


def signed(points: int) -> str:
    """Points as they are printed: with a sign, and a minus rather than a hyphen."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def prompt(view: State, seat: int) -> str:
    if view.waiting == 0 or view.bids[seat] != 0:
        return "wait"
    return "bid_high" if view.stake >= 0 else "bid_low"


class Notes(TypedDict):
    stakes: tuple[int, ...]  # the points that are played for
    left: tuple[int, ...]  # those still face down, if scores are open
    struck: tuple[int, ...]  # the seats whose last card a tie knocked out
    tied: list[int]  # at the end: the seats with more points than a winner, but not alone
    settled: int  # rounds that are over


def notes(game: Game, view: State, viewer: int) -> Notes:
    return {
        "stakes": points_of(view.table),
        "left": points_of(view.pile),
        "struck": numbers(view.struck),
        "tied": tied_seats(view) if is_over(view) else [],
        "settled": view.rounds - (view.waiting > 0),
    }


VERDICTS = ("won", "alone", "shared")


def verdict(game: Game, view: State) -> str:
    """[Fin de la manche] whether the winner is first, or second behind players who are tied."""
    if tied_seats(view):
        return "alone"
    winners = sum(wins(view, seat) for seat in range(view.seats))
    return "won" if winners == 1 else "shared"


def tied_seats(view: State) -> list[int]:
    """Seats with more points than a winner: they share their score, so they do not win."""
    seats = range(view.seats)
    winning = min(view.scores[seat] for seat in seats if wins(view, seat))
    return [seat for seat in seats if view.scores[seat] > winning]


@lru_cache(4096)
def points_of(cards: int) -> tuple[int, ...]:
    """The points of the cards whose bits are set."""
    return tuple(POINTS[card] for card in numbers(cards))
