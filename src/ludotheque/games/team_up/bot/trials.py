"""Playouts: what the team scores after a move if it goes on by the policy.

Written as rules are, and compiled beside them. Each trial draws a new order of the cards, which is
the same for all the moves compared, so that luck does not decide between them.
"""

from typing import Any

from ludotheque.engine.playouts import popcount, random_below
from ludotheque.games.team_up.bot.goals import is_short_of_target, progress
from ludotheque.games.team_up.bot.policy import Workspace, cheapest, make_playout_move
from ludotheque.games.team_up.pallet import (
    BIT_NUMBER,
    SHAPES,
    anchors,
    even_to_the_back,
    even_to_the_right,
    near_boxes,
)
from ludotheque.games.team_up.parts import COLOURS, MAX_SHAPES
from ludotheque.games.team_up.rules import (
    DRAW,
    LAYER_POINTS,
    OVER,
    PLACE,
    State,
    boxes_left,
    draw_card,
    is_puzzle,
    place_box,
    score,
    wins,
)
from ludotheque.games.team_up.solver.pile import survey

# The last ones are kernels so that they are compiled once, not inlined at every call.
__kernels__ = (
    "rank_placements",
    "run_trials",
    "finish",
    "cheapest",
    "anchors",
    "objection_to_placement",
)

MANY_BOXES = 14  # with more of them left a team draws
LOW_SCORE = -6  # with fewer points too
MIN_GAIN = 0.38  # points that the next card must promise otherwise


def rank_placements(states: Any, work: Workspace) -> int:
    """Write all legal placements of states[0], the cheapest first; return how many there are."""
    survey(states[0], work.low)
    return cheapest(states[0], len(work.moves), True, work)


def run_trials(
    states: Any, moves: Any, count: int, trials: int, found: Any, work: Workspace
) -> None:
    """Add up the points and the wins that follow each of these moves from states[0]."""
    for _ in range(trials):
        deal_rest(states[0], work)
        for i in range(count):
            states[1] = states[0]
            drawn = play_first(states[1], moves[i], work)
            finish(states[1], drawn, work)
            found[i][0] += score(states[1], 0)
            found[i][1] += wins(states[1], 0)


def play_first(s: State, move: int, work: Workspace) -> int:
    """Draw a card or make a placement; return how many cards were drawn."""
    if move == DRAW:
        draw_card(s, work.order[0])
        return 1
    place_box(s, move)
    return 0


def deal_rest(s: State, work: Workspace) -> None:
    count, deck = 0, int(s.deck)
    while deck != 0:
        lowest = deck & -deck
        work.order[count] = BIT_NUMBER[lowest % 61]
        deck ^= lowest
        count += 1
    if not is_puzzle(s):
        for i in range(count - 1, 0, -1):
            j = random_below(work.stream, i + 1)
            work.order[i], work.order[j] = work.order[j], work.order[i]


def finish(s: State, drawn: int, work: Workspace) -> None:
    """Play to the end; `drawn` cards of the order are drawn already."""
    survey(s, work.low)
    while s.phase != OVER:
        if s.phase == PLACE:
            make_playout_move(s, work)
        elif draws_on(s, work):
            draw_card(s, work.order[drawn])
            drawn += 1
        else:
            return


def draws_on(s: State, work: Workspace) -> bool:
    if boxes_left(s) > MANY_BOXES or score(s, 0) < LOW_SCORE:
        return True
    if is_short_of_target(s, score(s, 0)):
        return True
    gain = 2 + LAYER_POINTS * progress(s)  # of a usable card over one that is lost
    return are_usable(s, (1 + MIN_GAIN) * popcount(s.deck) / gain, work)


def are_usable(s: State, few: float, work: Workspace) -> bool:
    """Whether more than `few` of the cards to come would find a box and a place now."""
    right, behind, near = even_to_the_right(s), even_to_the_back(s), near_boxes(s)
    found = 0
    for shape in range(len(SHAPES)):
        cards = answered(s, shape, work)
        if cards & ~found != 0:
            places = anchors(s, shape, 0, right, behind, near)
            if places != 0 or anchors(s, shape, 1, right, behind, near) != 0:
                found |= cards
                if popcount(found) > few:  # the other shapes would take time
                    return True
    return False


def answered(s: State, shape: int, work: Workspace) -> int:
    """The cards to come that a box of this shape would answer."""
    cards = 0
    for colour in range(COLOURS):
        if s.left[shape][colour] > 0:
            cards |= work.naming[shape] | work.naming[MAX_SHAPES + colour]
    return int(cards & s.deck)
