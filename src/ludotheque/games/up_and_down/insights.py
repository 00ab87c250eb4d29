"""How good a card is: by its value, the side of the UP & DOWN card, and whether it is a trump."""

from collections.abc import Iterator

from ludotheque.engine.insight import Observation, Question
from ludotheque.engine.match import Match
from ludotheque.games.up_and_down.rules import (
    CHOOSING,
    UP,
    State,
    own_suit,
    still_choosing,
    suit_of,
    trump,
    value_of,
)

WINS = 0
QUESTIONS = (Question("Which cards win tricks?", "value of the card", "share of tricks won", True),)


def observations(match: Match) -> Iterator[Observation]:
    for state, entry in match.steps():
        if state.phase == CHOOSING and still_choosing(state) == 1:
            after = state.copy()
            match.game.play(after, entry.seat, entry.move)
            for seat in range(match.seats):
                card, won = after.trick[seat], after.taker == seat
                if series := _series(state, seat, card):
                    yield Observation(WINS, series, str(value_of(card)), float(won))


def _series(state: State, seat: int, card: int) -> str:
    """The side, and why the card may win; "" if it cannot."""
    side = "UP" if state.side == UP else "DOWN"
    if value_of(card) == trump(state):
        return f"{side}, trump"
    return f"{side}, own suit" if suit_of(card) == own_suit(state, seat) else ""
