"""Matches tried out to their end: what a move is worth if the team then plays in haste.

Written as rules are, and compiled beside them. The order of the cards is drawn anew for each trial
and is the same for all placements compared, so that luck does not decide between them.
"""

from typing import Any

from ludotheque.engine.playouts import popcount, roll
from ludotheque.games.team_up.bot.policy import Desk, cheapest, place_quickly
from ludotheque.games.team_up.bot.prospects import is_short_of_target, progress
from ludotheque.games.team_up.parts import COLOURS, MAX_SHAPES
from ludotheque.games.team_up.rules import (
    BIT_NUMBER,
    DRAW,
    LAYER_POINTS,
    OVER,
    PLACE,
    SHAPES,
    State,
    anchors,
    boxes_left,
    draw_card,
    even_to_the_back,
    even_to_the_right,
    is_puzzle,
    near_boxes,
    place_box,
    score,
    wins,
)
from ludotheque.games.team_up.solver.pile import survey

# The last ones are here so that they are compiled once, not at every call of them.
__kernels__ = (
    "rank",
    "try_out",
    "finish",
    "cheapest",
    "anchors",
    "choice_objection",
)

FIRST_CARDS = 14  # while more boxes are left, a team goes on
LITTLE_TO_LOSE = -6  # at less than this score, too
WORTH_A_CARD = 0.38  # the points that the next card must promise


def rank(states: Any, desk: Desk) -> int:
    """Write all placements that states[0] allows, the cheapest first; return how many."""
    survey(states[0], desk.low)
    return cheapest(states[0], len(desk.moves), True, desk)


def try_out(states: Any, moves: Any, count: int, trials: int, found: Any, desk: Desk) -> None:
    """Add up the points and the wins that follow each of these moves in states[0]."""
    for _ in range(trials):
        deal_rest(states[0], desk)
        for i in range(count):
            states[1] = states[0]
            drawn = begin_with(states[1], moves[i], desk)
            finish(states[1], drawn, desk)
            found[i][0] += score(states[1], 0)
            found[i][1] += wins(states[1], 0)


def begin_with(s: State, move: int, desk: Desk) -> int:
    """Draw a card or make a placement; return how many cards were drawn."""
    if move == DRAW:
        draw_card(s, desk.order[0])
        return 1
    place_box(s, move)
    return 0


def deal_rest(s: State, desk: Desk) -> None:
    count, deck = 0, int(s.deck)
    while deck != 0:
        lowest = deck & -deck
        desk.order[count] = BIT_NUMBER[lowest % 61]
        deck ^= lowest
        count += 1
    if not is_puzzle(s):
        for i in range(count - 1, 0, -1):
            j = roll(desk.dice, i + 1)
            desk.order[i], desk.order[j] = desk.order[j], desk.order[i]


def finish(s: State, drawn: int, desk: Desk) -> None:
    """Play to the end; `drawn` cards of the order are drawn already."""
    survey(s, desk.low)
    while s.phase != OVER:
        if s.phase == PLACE:
            place_quickly(s, desk)
        elif goes_on(s, desk):
            draw_card(s, desk.order[drawn])
            drawn += 1
        else:
            return


def goes_on(s: State, desk: Desk) -> bool:
    if boxes_left(s) > FIRST_CARDS or score(s, 0) < LITTLE_TO_LOSE:
        return True
    if is_short_of_target(s, score(s, 0)):
        return True
    worth = 2 + LAYER_POINTS * progress(s)  # of a card that is usable, above that of another
    return are_usable(s, (1 + WORTH_A_CARD) * popcount(s.deck) / worth, desk)


def are_usable(s: State, few: float, desk: Desk) -> bool:
    """Whether more than a few of the cards to come would find a box and a place now."""
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    found = 0
    for shape in range(len(SHAPES)):
        cards = answered(s, shape, desk)
        if cards & ~found != 0:
            places = anchors(s, shape, 0, right, behind, near)
            if places != 0 or anchors(s, shape, 1, right, behind, near) != 0:
                found |= cards
                if popcount(found) > few:  # to look at all shapes takes long
                    return True
    return False


def answered(s: State, shape: int, desk: Desk) -> int:
    """The cards to come that one of the boxes of this shape would answer."""
    cards = 0
    for colour in range(COLOURS):
        if s.left[shape][colour] > 0:
            cards |= desk.naming[shape] | desk.naming[MAX_SHAPES + colour]
    return int(cards & s.deck)
