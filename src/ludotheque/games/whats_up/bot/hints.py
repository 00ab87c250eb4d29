"""Why a move is good, in the words of [hints]."""

from typing import NamedTuple

from ludotheque.games.whats_up.bot.tree_search import Tried
from ludotheque.games.whats_up.notation import cell_text, face_text
from ludotheque.games.whats_up.rules import (
    AGREE,
    FULL,
    GOAL,
    State,
    birds_of,
    complete_rows,
    fits,
)
from ludotheque.search.advice import Advice


class Turning(NamedTuple):
    """A card that a seat may turn, as the seat sees it."""

    view: State
    seat: int
    cell: int
    backs: dict[int, float]  # the faces that may lie under it, with their chances
    is_seen: bool  # the seat remembers the face under it

    @property
    def up(self) -> int:
        return self.view.up[self.cell]

    @property
    def back(self) -> int | None:
        """The face under it, if it can be only one."""
        return next(iter(self.backs)) if len(self.backs) == 1 else None

    @property
    def chance(self) -> float:
        """That the seat takes the card."""
        return sum(chance for back, chance in self.backs.items() if self.suits(back))

    def suits(self, face: int) -> bool:
        return fits(self.view, self.seat, face)

    def suits_next(self, face: int) -> bool:
        return fits(self.view, (self.seat + 1) % self.view.seats, face)


def advice_on_vote(share: float) -> Advice:
    return Advice(AGREE, "agree" if share == 1.0 else "agree_shared", {"win": percent(share)})


def advice_on_turn(card: Turning, tried: Tried) -> Advice:
    """The reason that says most about this card, with the chance to win after turning it."""
    values: dict[str, object] = {"cell": cell_text(card.cell), "win": percent(tried.win_chance)}
    if card.back is not None and card.suits(card.back):
        return Advice(card.cell, taking(card), values | {"face": face_text(card.back)})
    if card.chance > 0:
        values |= {"chance": percent(card.chance), "up": face_text(card.up)}
        return Advice(card.cell, hoping(card), values)
    if card.back is not None and card.suits_next(card.back):
        return Advice(card.cell, "deny", values | {"face": face_text(card.back)})
    return Advice(card.cell, leaving(card), values | {"up": face_text(card.up)})


def taking(card: Turning) -> str:
    """The seat knows what lies there, and takes it."""
    if not card.is_seen:
        return "deduce"
    if card.back is None or birds_of(card.back) < FULL:
        return "take"
    complete = complete_rows(card.view, card.seat) + 1
    return "win" if complete == GOAL[card.view.seats] else "complete"


def hoping(card: Turning) -> str:
    """The seat may take it; if not, everybody knows that the face that shows now lies under it."""
    if all(card.suits(back) for back in card.backs):
        return "sure"
    if card.suits_next(card.up):
        return "hope_risk"
    return "hope_keep" if card.suits(card.up) else "hope"


def leaving(card: Turning) -> str:
    """The card will stay, and the face that shows now will lie under it."""
    if card.suits_next(card.up):
        return "give"
    return "prepare" if card.suits(card.up) else "wait"


def percent(share: float) -> int:
    return round(100 * share)
