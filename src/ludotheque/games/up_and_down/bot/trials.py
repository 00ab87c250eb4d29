"""Playouts that compare plans: all of them on the same guessed hands, to the end of the deal.

The players of the current trick are of the kinds in `opponents`, drawn from the beliefs about them.
Later tricks follow the policy. Written as rules are: plain functions, compiled beside them.
"""

from typing import Any, NamedTuple

from ludotheque.engine.playouts import random_below, stream_start
from ludotheque.games.up_and_down.bot.memory import deal_unseen
from ludotheque.games.up_and_down.bot.opponents import KINDS, NO_NOISE, best_card, model_card
from ludotheque.games.up_and_down.bot.policy import WEIGHTS, policy_card, policy_change
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


class Workspace(NamedTuple):
    """The data and arrays for the trials of one decision."""

    viewer: int  # the seat that decides
    unshown: int  # the cards that were not turned up in this deal, as bits
    seed: int  # of the randomness of all trials
    odds_ratio: float  # one trick more multiplies the odds of winning the match by this
    states: Any  # the view, a guess at what it hides, and the state of a trial
    beliefs: Any  # by seat and kind: probability of that kind, in thousandths
    kinds: Any  # by seat: the kind drawn for this trial
    utilities: Any  # by case, kind, seat and card, as `opponents` learns them
    laid: Any  # by kind, seat and card: how often it was laid while the rules stood
    stream: Any


class Tally(NamedTuple):
    """The results of some plans, summed over trials."""

    plans: Any  # by plan: a move, and the card to lay after it, or NO_CARD to lay the best one
    wins: Any  # by plan: sum of the probabilities of winning the match
    takes: Any  # by plan: how often it took the current trick


def try_plans(work: Any, tally: Any, first: int, count: int) -> None:
    """Run trials first … first + count − 1 of every plan, each trial with the same randomness."""
    for number in range(first, first + count):
        work.stream[0] = stream_start(work.seed, number)
        guess_hidden(work)
        stream_after_guess = work.stream[0]
        for i in range(len(tally.plans)):
            work.stream[0] = stream_after_guess
            taker = try_plan(work, tally.plans[i, 0], tally.plans[i, 1])
            tally.takes[i] += taker == work.viewer
            tally.wins[i] += win_probability(work.states[2], work.viewer, work.odds_ratio)


def guess_hidden(work: Any) -> None:
    """Draw hands and kinds for the others; once the rules stand, let them lay their cards."""
    work.states[1] = work.states[0]
    s = work.states[1]
    deal_unseen(s, work.viewer, work.unshown, work.stream)
    unseal(s, work.viewer)
    for seat in range(s.seats):
        work.kinds[seat] = sample_kind(work.beliefs[seat], work.stream)
    if s.phase == CHOOSING:
        for seat in range(s.seats):
            if seat != work.viewer:
                card = opponent_card(work, s, seat, AS_IT_LIES)
                work.laid[work.kinds[seat], seat, card] += 1
                lay(s, seat, card)


def unseal(s: State, viewer: int) -> None:
    """Give the others their face-down cards back: which ones a guess has laid tells nothing."""
    for seat in range(s.seats):
        if seat != viewer and s.laid[seat] != NO_CARD:
            s.hands[seat] |= 1 << s.laid[seat]
            s.laid[seat] = NO_CARD


def sample_kind(beliefs: Any, stream: Any) -> int:
    ticket, kind = random_below(stream, 1000), 0
    while kind < KINDS - 1 and ticket >= beliefs[kind]:
        ticket -= beliefs[kind]
        kind += 1
    return kind


def opponent_card(work: Any, s: State, seat: int, case: int) -> int:
    """The card that another seat lays, by the kind drawn for it."""
    kind = work.kinds[seat]
    return model_card(s, seat, work.unshown, kind, work.utilities[case, kind, seat], work.stream)


def try_plan(work: Any, move: int, card: int) -> int:
    """Play from the guess to the end of the deal; return who took the current trick."""
    work.states[2] = work.states[1]
    s = work.states[2]
    play(s, work.viewer, move)
    if s.phase == ROLLING:
        roll_again(s, work.stream)
    if s.phase == CHOOSING:
        lay_all(work, s, card)
    taker = int(s.taker)
    finish_deal(work, s)
    return taker


def lay_all(work: Any, s: State, card: int) -> None:
    """Let everyone lay a card: the viewer this one or its best, the others by their kinds."""
    case, viewer = case_of(work.states[1], s), work.viewer
    for seat in range(s.seats):
        if seat != viewer:
            lay(s, seat, opponent_card(work, s, seat, case))
        elif card != NO_CARD:
            lay(s, seat, card)
        else:
            utilities = work.utilities[case, work.kinds[seat], seat]
            lay(s, seat, best_card(s.hands[seat], utilities, NO_NOISE, work.stream))


def case_of(before: State, s: State) -> int:
    """Which change of the rules leads from `before` to `s`."""
    if trump(s) != trump(before):
        return ROLLED + trump(s)
    if s.side != before.side:
        return FLIPPED
    if s.facing != before.facing:
        return TURNED + own_suit(s, s.leader)
    return AS_IT_LIES


def finish_deal(work: Any, s: State) -> None:
    """Let everyone follow the policy to the end of the deal, unless it has ended already."""
    unshown = work.unshown
    while s.deal == work.states[1].deal:
        for seat in range(s.seats):
            unshown &= ~(1 << s.trick[seat])
        theirs = unshown & ~s.hands[s.leader]
        change(s, policy_change(s, theirs, WEIGHTS, work.stream))
        if s.phase == ROLLING:
            roll_again(s, work.stream)
        for seat in range(s.seats):
            theirs = unshown & ~s.hands[seat]
            lay(s, seat, policy_card(s, seat, theirs, WEIGHTS, work.stream))


def roll_again(s: State, stream: Any) -> None:
    """Roll the dice as chance does, by rejection: a double is half as likely as another pair."""
    outcome = ROLL + random_below(stream, len(PAIRS))
    while not is_possible(s, outcome) or weight(s, outcome) <= random_below(stream, MAX_WEIGHT):
        outcome = ROLL + random_below(stream, len(PAIRS))
    roll_dice(s, outcome - ROLL)


def win_probability(s: State, seat: int, odds_ratio: float) -> float:
    """That a seat wins the match, if one trick more multiplies its odds by `odds_ratio`."""
    total_odds = 0.0
    for other in range(s.seats):
        total_odds += odds_ratio ** (score(s, other) - score(s, seat))
    return 1 / total_odds
