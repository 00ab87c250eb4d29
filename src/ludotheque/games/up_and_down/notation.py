"""How moves are written, and which of the words tell them.

A card is its suit's initial and its value: `r7`, `h12`. The leader's changes are `flip`, `turn-hat`
(the suit that then points at the leader) and `roll`. Dice are written `3+4`, a toss by the side
that lies up and the suit that points at the first seat: `up-hat`.
"""

from functools import lru_cache
from typing import Literal, TypedDict

from ludotheque.engine.bits import numbers
from ludotheque.engine.game import Game
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    FLIP,
    MAX_SEATS,
    NO_CARD,
    OVER,
    PAIRS,
    REROLL,
    ROLL,
    SUITS,
    TOSS,
    TOSSING,
    TURN,
    UP,
    State,
    hand_size,
    is_cancelled,
    own_suit,
    pack,
    place,
    planned_deals,
    strength_of,
    suit_of,
    total,
    tricks_played,
    trump,
    value_of,
)

SUIT_NAMES = ("rose", "feather", "monocle", "hat")
SIDE_NAMES = ("up", "down")


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


# What a board reads of a card
CARD_SUITS = tuple(suit_of(card) for card in range(CARDS))
CARD_VALUES = tuple(value_of(card) for card in range(CARDS))

Fate = Literal["won", "beaten", "cancelled", "idle"]


class Notes(TypedDict):
    places: list[int]  # by seat: the side of the table, clockwise
    suits: list[int]  # by seat: the suit that points there
    suits_round: list[int]  # the same by side of the table, also where nobody sits
    is_set_up: bool  # this deal has its trump and its leader
    trump: int  # the value that is trump, 0 before the first roll of a deal
    has_trump: bool  # a card of this value is played with
    useful: tuple[tuple[int, ...], ...]  # by suit: what could take a trick for whom it points at
    deals: int  # planned
    hand_size: int  # tricks in a deal
    played: int  # tricks of the deal under way
    lost: list[int]  # by deal that is over: tricks that nobody won
    fates: list[Fate]  # of the last trick, by seat; empty before the first


def notes(game: Game, view: State, viewer: int) -> Notes:
    seats = range(view.seats)
    has_trick = view.verdict > 0
    return {
        "places": [place(view, seat) for seat in seats],
        "suits": [own_suit(view, seat) for seat in seats],
        "suits_round": suits_round(view),
        "is_set_up": is_set_up(view),
        "trump": trump(view),
        "has_trump": has_trump(view),
        "useful": useful_cards(*view.dice),
        "deals": planned_deals(view),
        "hand_size": hand_size(view),
        "played": tricks_played(view) if view.phase != OVER else 0,
        "lost": [lost_tricks(view, deal) for deal in range(view.deal)],
        "fates": [fate(view, seat) for seat in seats] if has_trick else [],
    }


def suits_round(view: State) -> list[int]:
    """With four seats, one of them sits at every side of the table."""
    full = view.copy()
    full.seats = MAX_SEATS
    return [own_suit(full, seat) for seat in range(MAX_SEATS)]


def is_set_up(view: State) -> bool:
    """Whether this deal has its trump and its leader."""
    return trump(view) > 0 and view.phase != TOSSING


def has_trump(view: State) -> bool:
    """Whether the dice show a value that was not left out of the cards."""
    return any(value_of(card) == trump(view) for card in numbers(pack(view)))


@lru_cache
def useful_cards(*dice: int) -> tuple[tuple[int, ...], ...]:
    """For each suit, the cards that could take a trick if it points at their player."""
    alone = State()  # nobody else has laid a card that could cancel this one
    alone.seats, alone.dice = 1, list(dice)
    useful: list[list[int]] = [[] for _ in range(SUITS)]
    for alone.facing in range(SUITS):
        for alone.laid[0] in range(CARDS):
            if strength_of(alone, 0) > 0:
                useful[alone.facing].append(alone.laid[0])
    return tuple(tuple(cards) for cards in useful)


def lost_tricks(view: State, deal: int) -> int:
    """The tricks of a deal that lay in the pot when it ended."""
    return hand_size(view) - sum(row[deal] for row in view.tricks)


def fate(view: State, seat: int) -> Fate:
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


def _toss_names(outcome: int) -> tuple[str, str]:
    side, suit = divmod(outcome - TOSS, SUITS)
    return SIDE_NAMES[side], SUIT_NAMES[suit]
