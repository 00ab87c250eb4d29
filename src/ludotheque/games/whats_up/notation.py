"""How moves are written, and which of the words tell them.

Turning a card over is its cell, a column a–f and a row 1–5 counted from the top left: `c4`. `agree`
votes for the end. A face is its colour and its birds, `r2`; a card dealt is the face that shows and
the one under it, `r2/g2`; `first0` says that seat 0 begins.
"""

from typing import TypedDict

from ludotheque.engine.game import Game
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.whats_up.rules import (
    AGREE,
    CARDS,
    COLOURS,
    COLUMNS,
    DECK,
    EIGHT_TURNS,
    FULL,
    GOAL,
    NAMING,
    State,
    birds_of,
    calm_turns,
    cards_left,
    colour_of,
    complete_rows,
    face_of,
    has_reached_goal,
    is_over,
    is_vote_open,
    quiet_limit,
    score,
    votes,
    wins,
)

COLOUR_NAMES = ("red", "green", "yellow", "purple")
COLOUR_LETTERS = "rgyp"
COLUMN_LETTERS = "abcdef"


def cell_text(cell: int) -> str:
    return f"{COLUMN_LETTERS[cell % COLUMNS]}{cell // COLUMNS + 1}"


def face_text(face: int) -> str:
    return f"{COLOUR_LETTERS[colour_of(face)]}{birds_of(face)}"


# What a board reads of cells and faces
CELL_NAMES = tuple(cell_text(cell) for cell in range(CARDS))
ROW_FACES = tuple(  # by colour: no face, then the faces of a row
    (0, *(face_of(colour, birds) for birds in range(1, FULL + 1))) for colour in range(COLOURS)
)
FACE_NAMES = tuple(face_text(face) for face in range(ROW_FACES[-1][-1] + 1))
FACE_COLOURS = tuple(colour_of(face) for face in range(len(FACE_NAMES)))
FACE_BIRDS = tuple(birds_of(face) for face in range(len(FACE_NAMES)))


def move_text(move: int) -> str:
    return "agree" if move == AGREE else cell_text(move)


def outcome_text(outcome: int) -> str:
    if outcome >= NAMING:
        return f"first{outcome - NAMING}"
    up, down = dealt_faces(outcome)
    return f"{up}/{down}"


def dealt_faces(outcome: int) -> tuple[str, str]:
    """The face that shows and the one under it."""
    card, side = DECK[outcome // 2], outcome % 2
    return face_text(card[side]), face_text(card[1 - side])


def move_words(move: int) -> tuple[str, dict[str, object]]:
    return ("agree", {}) if move == AGREE else ("turn", {"cell": cell_text(move)})


def outcome_words(outcome: int) -> tuple[str, dict[str, object]]:
    if outcome >= NAMING:
        return "first", {"number": outcome - NAMING + 1}
    up, down = dealt_faces(outcome)
    return "deal", {"up": up, "down": down}


def prompt(view: State, seat: int) -> str:
    if view.turn == CHANCE:
        return "deal"
    if view.turn == NOBODY:
        return "over"
    may_agree = is_vote_open(view) and view.agreed[seat] == 0
    if view.turn == seat:
        return "turn_or_agree" if may_agree else "turn"
    return "agree" if may_agree else "wait"


class Notes(TypedDict):
    goal: int  # complete rows that win
    complete: list[int]  # complete rows of each seat
    left: int  # cards on the table
    calm: int  # turns without a taking that open the vote, 0 where there is none
    quiet_limit: int  # turns without a taking that end the match
    rounds_left: int  # rounds without a taking until then, 0 where turns are counted
    is_vote_open: bool
    ending: str  # how the match ended, a key of [board], or "" before the end


def notes(game: Game, view: State, viewer: int) -> Notes:
    return {
        "goal": GOAL[view.seats],
        "complete": [complete_rows(view, seat) for seat in range(view.seats)],
        "left": cards_left(view),
        "calm": 0 if view.stall == EIGHT_TURNS else calm_turns(view),
        "quiet_limit": quiet_limit(view),
        "rounds_left": quiet_rounds_left(view),
        "is_vote_open": is_vote_open(view) and not is_over(view),
        "ending": ending(view) if is_over(view) else "",
    }


def quiet_rounds_left(view: State) -> int:
    """The rounds, with the one that has begun, until a stall ends the match; 0 if turns count."""
    if view.stall == EIGHT_TURNS:
        return 0
    return -((view.quiet - quiet_limit(view)) // view.seats)


VERDICTS = ("goal", "won", "fewest", "shared")


def verdict(game: Game, view: State) -> str:
    """By what the match is won: the rows, the most birds, or else the fewest cards."""
    winners = [seat for seat in range(view.seats) if wins(view, seat)]
    if len(winners) > 1:
        return "shared"
    if ending(view) == "goal":
        return "goal"
    birds = [score(view, seat) for seat in range(view.seats)]
    return "won" if birds.count(birds[winners[0]]) == 1 else "fewest"


def ending(view: State) -> str:
    """Which of the ends of [Fin du jeu] has come."""
    if any(has_reached_goal(view, seat) for seat in range(view.seats)):
        return "goal"
    if view.quiet == 0:
        return "leftover"
    return "agreement" if votes(view) == view.seats else "stalled"
