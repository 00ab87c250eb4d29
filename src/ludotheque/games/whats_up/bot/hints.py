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

WIN_STEP_PERCENT = 5  # a search tells the chance to win no more exactly than this


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
    """What an end now would bring: the victory, a share of it, or none."""
    if share == 0.0:
        return Advice(AGREE, "agree_behind", {})
    return Advice(AGREE, "agree" if share == 1.0 else "agree_shared", {})


def advice_on_turn(card: Turning, tried: Tried) -> Advice:
    """The reason that says most about this card, with the chance to win after turning it."""
    why, face = reason(card)
    values: dict[str, object] = {"cell": cell_text(card.cell), "face": face_text(face)}
    if why != "win":
        values["win"] = percent(tried.win_chance, WIN_STEP_PERCENT)
    if card.chance < 1:
        values["chance"] = percent(card.chance)
    return Advice(card.cell, why, values)


def reason(card: Turning) -> tuple[str, int]:
    """Why to turn this card, and the face that it is about."""
    if card.back is not None and card.suits(card.back):
        return taking(card), card.back
    if card.chance > 0:
        return hoping(card), card.up
    if card.back is not None and card.suits_next(card.back) and not card.suits_next(card.up):
        return "deny", card.back
    return leaving(card), card.up


def taking(card: Turning) -> str:
    """The seat knows what lies there, and takes it."""
    is_complete = card.back is not None and birds_of(card.back) == FULL
    if is_complete and complete_rows(card.view, card.seat) + 1 == GOAL[card.view.seats]:
        return "win"
    if not card.is_seen:
        return "deduce"
    return "complete" if is_complete else "take"


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


def percent(share: float, step: int = 1) -> int:
    """In steps; what is not certain is called neither certain nor impossible."""
    return min(max(step * round(100 * share / step), step), 100 - step)
