"""How moves are written, and which of the words tell them.

A card of the hand is laid as `3:12,15r2`: card 3 with its upper left cell in column 12 and row 15,
after two quarter turns clockwise. `-3` takes it back, `shift-n` moves all by a cell.
"""

from typing import Any

from ludotheque.engine.game import Game
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.field import FIELD_PLACES, column_of, row_of, turn_of
from ludotheque.games.ubongo.layable import HAND
from ludotheque.games.ubongo.rules import (
    CALL,
    CLOSE,
    FAULTS,
    RACING,
    READY,
    READYING,
    SHIFT,
    STOP,
    TAKE_BACK,
    State,
    assists,
    awaits,
    is_over,
)

DIRECTIONS = ("n", "e", "s", "w")
WORDS = {CALL: "call", STOP: "stop", READY: "ready"}


def move_text(move: int) -> str:
    if move in WORDS:
        return WORDS[move]
    if move >= SHIFT:
        return f"shift-{DIRECTIONS[move - SHIFT]}"
    if move >= TAKE_BACK:
        return f"-{move - TAKE_BACK + 1}"
    place = move % FIELD_PLACES
    return f"{move // FIELD_PLACES + 1}:{column_of(place)},{row_of(place)}r{turn_of(place)}"


def outcome_text(outcome: int) -> str:
    return "close" if outcome == CLOSE else f"c{outcome}"


def move_words(move: int) -> tuple[str, dict[str, object]]:
    if move in WORDS:
        return WORDS[move], {}
    if move >= SHIFT:
        return "shift", {"direction": DIRECTIONS[move - SHIFT]}
    if move >= TAKE_BACK:
        return "take_back", {"card": move - TAKE_BACK + 1}
    place = move % FIELD_PLACES
    where = {"column": column_of(place), "row": row_of(place), "turn": 90 * turn_of(place)}
    return "lay", {"card": move // FIELD_PLACES + 1, **where}


def outcome_words(outcome: int) -> tuple[str, dict[str, object]]:
    return ("close", {}) if outcome == CLOSE else ("deal", {"card": outcome})


def prompt(view: State, seat: int) -> str:
    if is_over(view):
        return "over"
    if view.phase == READYING:
        return "ready" if awaits(view, seat) else "wait"
    if view.phase != RACING:
        return "dealing"
    if view.callers:
        return "call" if awaits(view, seat) else "called"
    return "stopped" if view.stoppers >> seat & 1 else "lay"


def notes(game: Game, view: State, viewer: int) -> dict[str, Any]:
    """The faults of the layouts that may be judged: one's own with assistance, all after a round.

    `assists` is whether the table helps those who lay; `faults` lists seat, card, card and the
    fault's name for every wrong contact; `verdicts` gives each judged seat's first fault with its
    cards, or "" for a layout that is right.
    """
    seats = [seat for seat in range(view.seats) if _is_judged(view, seat, viewer)]
    contact, verdict = game.rule("contact"), game.rule("verdict")
    pairs = [(b, a) for a in range(HAND) for b in range(a)]
    faults = [
        [seat, a, b, FAULTS[found]]
        for seat in seats
        for a, b in pairs
        if (found := contact(view, seat, a, b)) > GOOD
    ]
    judged = {seat: verdict(view, seat) for seat in seats}
    return {
        "assists": assists(view),
        "faults": faults,
        "verdicts": {str(seat): [FAULTS[found], a, b] for seat, (found, a, b) in judged.items()},
    }


def _is_judged(view: State, seat: int, viewer: int) -> bool:
    if view.phase == READYING:
        return view.rounds > 0
    return view.phase == RACING and seat == viewer and assists(view)
