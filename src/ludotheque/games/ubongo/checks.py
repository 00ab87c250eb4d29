"""What stays true of every state, and what each viewer may not know."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from ludotheque.engine.bits import numbers
from ludotheque.games.ubongo.cards import GOOD, OVERLAP
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES, IN_HAND
from ludotheque.games.ubongo.layable import CARD, HAND, KEPT, TURN, X, Y, lay_enough
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    CALL,
    CALLER_IS_OUT,
    DEALING,
    NO_CARD,
    RACING,
    READYING,
    SEATS,
    STARTING,
    TAKE_BACK,
    TEN,
    State,
    call_needs,
    contact,
    count_laid,
    is_legal,
    is_out,
)


def faults(s: State) -> Iterator[str]:
    yield from _faults_of_cards(s)
    yield from _faults_of_time(s)
    yield from _faults_of_points(s)


def _faults_of_cards(s: State) -> Iterator[str]:
    """Every card is held once, comes from the pile of the round, and covers no other."""
    held = [card for hand in s.hands for card in hand if card != NO_CARD]
    if len(held) != len(set(held)):
        yield "a card is held twice"
    if len(held) != s.dealt:
        yield "cards were made or lost"
    if {card // PILE for card in held} - {(s.rounds - 1) // 2}:
        yield "a card is not from the pile of the round"
    if s.phase in (STARTING, RACING) and s.dealt != s.cards * s.seats:
        yield "a race began before everyone held a hand"
    for seat in range(SEATS[-1]):
        laid = [i for i in range(HAND) if s.places[seat][i] != IN_HAND]
        if laid and (s.phase in (DEALING, STARTING) or seat >= s.seats):
            yield f"seat {seat} has laid cards without a race"
        if any(contact(s, seat, a, b) == OVERLAP for a, b in combinations(laid, 2)):
            yield f"cards of seat {seat} lie on each other"
        if (s.callers | s.out) >> seat & 1 and len(laid) < call_needs(s):
            yield f"seat {seat} has called with too few cards"
        if is_out(s, seat) and (s.wrong_call != CALLER_IS_OUT or s.verdicts[seat][0] <= GOOD):
            yield f"seat {seat} is out without a wrong call"


def _faults_of_time(s: State) -> Iterator[str]:
    if (s.started_at > s.clock and s.phase != STARTING) or s.called_at > s.clock:
        yield "something happened later than now"
    if s.callers and s.called_at < s.started_at:
        yield "a call came before the race began"
    if s.callers and s.called_at != min(s.calls[seat] for seat in numbers(s.callers)):
        yield "the first call is not the earliest one"
    if s.time_limit and max(s.times) > s.time_limit * 1000:
        yield "a race took longer than its limit"
    if s.phase == RACING and s.stoppers == (1 << s.seats) - 1:
        yield "all agreed to stop, and the race goes on"


def _faults_of_points(s: State) -> Iterator[str]:
    for seat in range(SEATS[-1]):
        if any(s.points[seat][s.rounds - (s.phase != READYING) :]):
            yield f"seat {seat} has points for a round that is not over"
        last = s.points[seat][s.rounds - 1]
        called = s.callers >> seat & 1 == 1
        possible = (0,) if is_out(s, seat) else (0, TEN) if called else range(TEN)
        if s.phase == READYING and s.rounds and last not in possible:
            yield f"seat {seat} has {last} points for the round"


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Before the count, others may hold any cards of the pile, laid anywhere."""
    if s.phase == READYING:
        return
    own = set(s.hands[viewer]) if viewer >= 0 else set()
    first = (s.rounds - 1) // 2 * PILE
    free = [card for card in range(first, first + PILE) if card not in own]
    rng.shuffle(free)
    for seat in range(s.seats):
        if seat != viewer:
            s.hands[seat] = [card if card == NO_CARD else free.pop() for card in s.hands[seat]]
            s.places[seat] = _scattered(s, count_laid(s, seat), rng)


def _scattered(s: State, count: int, rng: Random) -> list[int]:
    """Places for any `count` cards of a hand, each in a square of three cells of its own."""
    squares = rng.sample([(x, y) for x in range(0, 30, 3) for y in range(0, 30, 3)], count)
    places = [(rng.randrange(4) * FIELD + y) * FIELD + x for x, y in squares]
    places += [IN_HAND] * (s.cards - count)
    rng.shuffle(places)
    return places + [IN_HAND] * (HAND - s.cards)


def interesting_move(s: State, seat: int, rng: Random) -> int | None:
    """A call, or the next card of a correct layout."""
    if seat < 0 or s.phase != RACING:
        return None
    goal = layout(s, seat)
    wrong = [i for i in range(HAND) if s.places[seat][i] != goal[i]]
    moves = [TAKE_BACK + i if goal[i] == IN_HAND else i * FIELD_PLACES + goal[i] for i in wrong]
    if not moves or rng.random() < 0.05:
        moves = [CALL]
    moves = [move for move in moves if is_legal(s, seat, move)]
    return rng.choice(moves) if moves else None


def layout(s: State, seat: int) -> list[int]:
    """The places of cards laid correctly, enough for a call or as many as the search has found."""
    laid = [0] * (call_needs(s) * KEPT)
    lay_enough(s.hands[seat], s.cards, (s.rounds - 1) % 2, laid)
    cards = [laid[n : n + KEPT] for n in range(0, len(laid), KEPT)]
    left, top = min(card[X] for card in cards), min(card[Y] for card in cards)
    places = [IN_HAND] * HAND
    for card in cards:
        x, y = card[X] - left + 4, card[Y] - top + 4
        places[card[CARD]] = (card[TURN] * FIELD + y) * FIELD + x
    return places
