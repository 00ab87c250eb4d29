"""What point cards are worth to bid on, and what the cards of a hand bring in."""

from collections.abc import Iterator

from ludotheque.engine import CHANCE, NOBODY
from ludotheque.engine.insight import Observation, Question
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.rules import POINTS

BID, TAKEN, WORTH = range(3)
QUESTIONS = (
    Question("What is bid for each point card?", "point card", "mean bid of a seat"),
    Question(
        "How often does a point card find its taker at once?", "point card", "share of rounds", True
    ),
    Question("What does each card of a hand bring in?", "card", "points taken by its bid"),
)


def observations(match: Match) -> Iterator[Observation]:
    shown, bids = "", [0] * match.seats
    for state, entry in match.steps():
        if entry.seat == CHANCE:
            shown = f"{POINTS[entry.move]:+}"
            continue
        bids[entry.seat] = entry.move
        yield Observation(BID, "", shown, entry.move)
        if state.waiting == 1:
            after = state.copy()
            match.game.play(after, entry.seat, entry.move)
            yield Observation(TAKEN, "", shown, float(after.taker != NOBODY))
            for seat, card in enumerate(bids):
                gain = after.scores[seat] - state.scores[seat]
                yield Observation(WORTH, "", str(card), gain)
