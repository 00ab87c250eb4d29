"""Moves tried out: all of them on the same guessed hands, to the end of the deal.

The trick at hand is played by players of the kinds that `forecast` knows; who is of which kind,
one can learn by watching them. The tricks after it go by instinct.
Written as rules are: plain functions, compiled beside them.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import roll, stream_start
from ludotheque.games.up_and_down.bot.forecast import (
    KINDS,
    NO_DOUBT,
    card_of_kind,
    habitual_card,
)
from ludotheque.games.up_and_down.bot.memory import deal_unseen
from ludotheque.games.up_and_down.bot.policy import TASTE, instinctive_card, instinctive_change
from ludotheque.games.up_and_down.rules import (
    CHOOSING,
    HIGHEST,
    MAX_WEIGHT,
    NO_CARD,
    PAIRS,
    ROLL,
    ROLLING,
    SUITS,
    State,
    change,
    is_possible,
    lay,
    own_suit,
    play,
    roll_dice,
    score,
    trump,
    weight,
)

__kernels__ = ("try_plans",)

# The rules that a trick may have: as they lie, or after a flip, a turn, a roll of the dice
AS_IT_LIES = 0
FLIPPED = 1
TURNED = 2  # + the leader's new suit
ROLLED = TURNED + SUITS  # + the new trump
CASES = ROLLED + HIGHEST + 1


class Bench(NamedTuple):
    """What the trials of one decision work with."""

    viewer: int  # the seat that decides
    unshown: int  # the cards that were not turned up in this deal, as bits
    seed: int  # of the luck of all trials
    ratio: float  # by which a trick more multiplies the odds to win the match
    states: Any  # the view, a guess at all that it hides, a trial
    odds: Any  # by seat and kind: how many of 1000 such players are of that kind
    kinds: Any  # by seat: the kind drawn for this trial
    habits: Any  # by case, kind, seat and card: what `forecast` says
    laid: Any  # by kind, seat and card: how often it was laid to a trick whose rules stand
    dice: Any


class Tally(NamedTuple):
    """What has come of some plans, added up over trials."""

    plans: Any  # by plan: a move, and the card to lay after it or NO_CARD for whatever suits
    values: Any  # by plan: the hope to win the match
    takes: Any  # by plan: how often it took the trick at hand


def try_plans(bench: Any, tally: Any, first: int, count: int) -> None:
    """Try every plan in trials first … first + count − 1."""
    for number in range(first, first + count):
        bench.dice[0] = stream_start(bench.seed, number)
        guess(bench)
        luck = bench.dice[0]
        for i in range(len(tally.plans)):
            bench.dice[0] = luck
            taker = try_plan(bench, tally.plans[i, 0], tally.plans[i, 1])
            tally.takes[i] += taker == bench.viewer
            tally.values[i] += standing(bench.states[2], bench.viewer, bench.ratio)


def guess(bench: Any) -> None:
    """Draw hands and kinds for the others; where the rules stand, they lay their cards."""
    bench.states[1] = bench.states[0]
    s = bench.states[1]
    deal_unseen(s, bench.viewer, bench.unshown, bench.dice)
    take_back(s, bench.viewer)
    for seat in range(s.seats):
        bench.kinds[seat] = drawn_kind(bench.odds[seat], bench.dice)
    if s.phase == CHOOSING:
        for seat in range(s.seats):
            if seat != bench.viewer:
                card = expected_card(bench, s, seat, AS_IT_LIES)
                bench.laid[bench.kinds[seat], seat, card] += 1
                lay(s, seat, card)


def take_back(s: State, viewer: int) -> None:
    """Let the others choose again: what a guess has laid for them tells nothing."""
    for seat in range(s.seats):
        if seat != viewer and s.laid[seat] != NO_CARD:
            s.hands[seat] |= 1 << s.laid[seat]
            s.laid[seat] = NO_CARD


def drawn_kind(odds: Any, dice: Any) -> int:
    ticket, kind = roll(dice, 1000), 0
    while kind < KINDS - 1 and ticket >= odds[kind]:
        ticket -= odds[kind]
        kind += 1
    return kind


def expected_card(bench: Any, s: State, seat: int, case: int) -> int:
    """The card that another player lays, being of the kind drawn for this seat."""
    kind = bench.kinds[seat]
    return card_of_kind(s, seat, bench.unshown, kind, bench.habits[case, kind, seat], bench.dice)


def try_plan(bench: Any, move: int, card: int) -> int:
    """Play on from the guess until the deal is over; return who took the trick at hand."""
    bench.states[2] = bench.states[1]
    s = bench.states[2]
    play(s, bench.viewer, move)
    if s.phase == ROLLING:
        roll_again(s, bench.dice)
    if s.phase == CHOOSING:
        lay_all(bench, s, card)
    taker = int(s.taker)
    finish_deal(bench, s)
    return taker


def lay_all(bench: Any, s: State, card: int) -> None:
    """Everyone lays a card: the viewer this one or what suits, the others one of their kind."""
    case, viewer = case_of(bench.states[1], s), bench.viewer
    for seat in range(s.seats):
        if seat != viewer:
            lay(s, seat, expected_card(bench, s, seat, case))
        elif card != NO_CARD:
            lay(s, seat, card)
        else:
            habits = bench.habits[case, bench.kinds[seat], seat]
            lay(s, seat, habitual_card(s.hands[seat], habits, NO_DOUBT, bench.dice))


def case_of(before: State, s: State) -> int:
    """How the rules have been changed."""
    if trump(s) != trump(before):
        return ROLLED + trump(s)
    if s.side != before.side:
        return FLIPPED
    if s.facing != before.facing:
        return TURNED + own_suit(s, s.leader)
    return AS_IT_LIES


def finish_deal(bench: Any, s: State) -> None:
    """Let all play by instinct to the end of the deal, if it has not ended yet."""
    unshown = bench.unshown
    while s.deal == bench.states[1].deal:
        for seat in range(s.seats):
            unshown &= ~(1 << s.trick[seat])
        theirs = unshown & ~s.hands[s.leader]
        change(s, instinctive_change(s, theirs, TASTE, bench.dice))
        if s.phase == ROLLING:
            roll_again(s, bench.dice)
        for seat in range(s.seats):
            theirs = unshown & ~s.hands[seat]
            lay(s, seat, instinctive_card(s, seat, theirs, TASTE, bench.dice))


def roll_again(s: State, dice: Any) -> None:
    """Roll the dice as chance does: what is less likely than other rolls is refused more often."""
    outcome = ROLL + roll(dice, len(PAIRS))
    while not is_possible(s, outcome) or weight(s, outcome) <= roll(dice, MAX_WEIGHT):
        outcome = ROLL + roll(dice, len(PAIRS))
    roll_dice(s, outcome - ROLL)


def standing(s: State, seat: int, ratio: float) -> float:
    """A seat's share of the hope to win the match: a trick more multiplies the odds by `ratio`."""
    others = 0.0
    for other in range(s.seats):
        others += ratio ** (score(s, other) - score(s, seat))
    return 1 / others
