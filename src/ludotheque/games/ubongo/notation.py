"""How moves are written, and which of the words tell them.

A card of the hand is laid as `3:12,15r2`: card 3 with its upper left cell in column 12 and row 15,
after two quarter turns clockwise. `-3` takes it back, `shift-n` moves all by a cell.
"""

from typing import TypedDict

from ludotheque.engine.game import Game
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.field import FIELD_PLACES, column_of, row_of, turn_of
from ludotheque.games.ubongo.layable import HAND
from ludotheque.games.ubongo.rules import (
    ALLOWED,
    CALL,
    CLOSE,
    FAULTS,
    GO,
    RACING,
    READY,
    READYING,
    ROUNDS,
    SHIFT,
    STARTING,
    STOP,
    TAKE_BACK,
    State,
    assists,
    awaits,
    call_needs,
    count_laid,
    is_out,
    is_over,
    objection_to_any,
    side_of,
)

DIRECTIONS = ("n", "e", "s", "w")
WORDS = {CALL: "call", STOP: "stop", READY: "ready"}
OUTCOME_WORDS = {CLOSE: "close", GO: "go"}


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
    return OUTCOME_WORDS.get(outcome, f"c{outcome}")


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
    if outcome in OUTCOME_WORDS:
        return OUTCOME_WORDS[outcome], {}
    return "deal", {"card": outcome}


def prompt(view: State, seat: int) -> str:
    if is_over(view):
        return "over"
    if view.phase == READYING:
        key = "ready" if awaits(view, seat) else "wait"
        return key if view.rounds else f"first_{key}"
    if view.phase != RACING:
        return "starting" if view.phase == STARTING else "dealing"
    if is_out(view, seat):
        return "out"
    if view.callers:
        return "call" if awaits(view, seat) else "called"
    if view.stoppers >> seat & 1:
        return "stopped"
    return "lay" if view.cards == HAND else "lay_few"


def side_name(rounds: int) -> str:
    """The side of the cards that a round is played with."""
    state = State()
    state.rounds = rounds
    return ("white", "black")[side_of(state)]


ROUND_SIDES = tuple(side_name(rounds) for rounds in range(1, ROUNDS + 1))


class Notes(TypedDict):
    """Layouts that may be judged: one's own with assistance or when out, all after a round."""

    assists: bool  # whether the table helps those who lay
    may_lay: bool  # whether the viewer may lay cards now
    call_needs: int  # cards that must lie on one's field before a call
    laid: list[int]  # by seat: cards on the field
    counted: int  # rounds whose points are known
    faults: list[tuple[int, int, int, str]]  # seat, card, card, the fault's name
    # by judged seat: its first fault and two cards (one card twice: it stands alone), "" if none
    verdicts: dict[str, tuple[str, int, int]]


def notes(game: Game, view: State, viewer: int) -> Notes:
    seats = [seat for seat in range(view.seats) if _is_judged(view, seat, viewer)]
    contact, verdict = game.rule("contact"), game.rule("verdict")
    pairs = [(b, a) for a in range(view.cards) for b in range(a)]
    faults = [
        (seat, a, b, FAULTS[found])
        for seat in seats
        for a, b in pairs
        if (found := contact(view, seat, a, b)) > GOOD
    ]
    judged = {seat: verdict(view, seat) for seat in seats}
    return {
        "assists": assists(view),
        "may_lay": viewer >= 0 and objection_to_any(view, viewer) == ALLOWED,
        "call_needs": call_needs(view),
        "laid": [count_laid(view, seat) for seat in range(view.seats)],
        "counted": view.rounds - (view.phase != READYING),
        "faults": faults,
        "verdicts": {str(seat): (FAULTS[found], a, b) for seat, (found, a, b) in judged.items()},
    }


def _is_judged(view: State, seat: int, viewer: int) -> bool:
    if view.phase == READYING:
        return view.rounds > 0
    return view.phase == RACING and seat == viewer and (assists(view) or is_out(view, seat))
