"""How moves are written, and which of the words tell them.

A card is its suit's initial and its value: `r7`, `h12`. The leader's changes are `flip`, `turn-hat`
(the suit that then points at the leader) and `roll`. Dice are written `3+4`, a toss by the side
that lies up and the suit that points at the first seat: `up-hat`.
"""

from typing import Any

from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.rules import (
    BY_HIGHEST,
    BY_LOWEST,
    BY_TRUMP,
    CHANGING,
    CHOOSING,
    FLIP,
    HAND_SIZE,
    NO_CARD,
    NONE_FITS,
    PAIRS,
    REROLL,
    ROLL,
    SUITS,
    TOSS,
    TURN,
    UP,
    State,
    is_cancelled,
    own_suit,
    place,
    planned_deals,
    suit_of,
    total,
    trump,
    value_of,
)

SUIT_NAMES = ("rose", "feather", "monocle", "hat")
SIDE_NAMES = ("up", "down")
VERDICT_KEYS = {BY_TRUMP: "by_trump", BY_HIGHEST: "by_highest", BY_LOWEST: "by_lowest"}


def card_text(card: int) -> str:
    return f"{SUIT_NAMES[suit_of(card)][0]}{value_of(card)}"


def move_text(move: int) -> str:
    if move < FLIP:
        return card_text(move)
    if move == FLIP:
        return "flip"
    return "roll" if move == REROLL else f"turn-{SUIT_NAMES[move - TURN]}"


def outcome_text(outcome: int) -> str:
    if outcome < ROLL:
        return card_text(outcome)
    if outcome < TOSS:
        low, high = PAIRS[outcome - ROLL]
        return f"{low}+{high}"
    return "-".join(_toss_names(outcome))


def move_words(move: int) -> tuple[str, dict[str, object]]:
    if move < FLIP:
        return "lay", card_words(move)
    if move == FLIP:
        return "flip", {}
    return ("roll", {}) if move == REROLL else ("turn", {"suit": SUIT_NAMES[move - TURN]})


def outcome_words(outcome: int) -> tuple[str, dict[str, object]]:
    if outcome < ROLL:
        return "dealt", card_words(outcome)
    if outcome < TOSS:
        low, high = PAIRS[outcome - ROLL]
        return "rolled", {"low": low, "high": high, "trump": total(outcome - ROLL)}
    side, suit = _toss_names(outcome)
    return "tossed", {"side": side, "suit": suit}


def prompt(view: State, seat: int) -> str:
    if view.phase == CHANGING:
        return "change" if seat == view.leader else "wait_for_leader"
    if view.phase != CHOOSING or view.laid[seat] != NO_CARD:
        return "wait"
    return "lay_high" if view.side == UP else "lay_low"


def notes(game: Game, view: State, viewer: int) -> dict[str, Any]:
    """Where everyone sits, what wins now, how long the match is, and how the last trick went.

    `places`, `suits` and `fates` have an entry a seat; `verdict` is a key of [board] with its
    values, as `verdict_words` tells it. Before the first trick there are neither fates nor verdict.
    """
    seats = range(view.seats)
    has_trick = view.verdict > 0
    return {
        "places": [place(view, seat) for seat in seats],
        "suits": [own_suit(view, seat) for seat in seats],
        "trump": trump(view),
        "deals": planned_deals(view),
        "hand_size": HAND_SIZE[view.seats],
        "fates": [fate(view, seat) for seat in seats] if has_trick else [],
        "verdict": verdict_words(view) if has_trick else None,
    }


def fate(view: State, seat: int) -> str:
    """How a seat's card of the last trick fared: won, beaten, cancelled or idle."""
    if seat == view.taker:
        return "won"
    if view.able >> seat & 1:
        return "beaten"
    again = view.copy()
    again.laid = view.trick
    return "cancelled" if is_cancelled(again, seat) else "idle"


def card_words(card: int) -> dict[str, object]:
    return {"suit": SUIT_NAMES[suit_of(card)], "value": value_of(card)}


def verdict_words(view: State) -> tuple[str, dict[str, object]]:
    """Which words of [board] tell why the last trick went where it went."""
    if view.verdict in VERDICT_KEYS:
        return VERDICT_KEYS[view.verdict], card_words(view.trick[view.taker])
    return ("none_fits" if view.verdict == NONE_FITS else "all_cancelled"), {}


def _toss_names(outcome: int) -> tuple[str, str]:
    side, suit = divmod(outcome - TOSS, SUITS)
    return SIDE_NAMES[side], SUIT_NAMES[suit]
