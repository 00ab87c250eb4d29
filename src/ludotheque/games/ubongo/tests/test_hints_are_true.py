"""Every sentence of a hint, held against the rules and an exhaustive search on many positions."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from ludotheque.engine.game import load
from ludotheque.games.ubongo.bot.hints import Hints, advise
from ludotheque.games.ubongo.cards import GOOD, touch
from ludotheque.games.ubongo.field import FIELD, FIELD_PLACES, IN_HAND, is_at_edge
from ludotheque.games.ubongo.layable import BESIDE, BORDERS, HAND, SEVEN, SIDES
from ludotheque.games.ubongo.notation import DIRECTIONS
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    CALL,
    FAULTS,
    READY,
    ROUNDS,
    SHIFT,
    STOP,
    TAKE_BACK,
    State,
    contact,
    count_laid,
    is_legal,
    play,
    side_of,
    verdict,
)
from ludotheque.games.ubongo.solver.grow import UNLIMITED
from ludotheque.games.ubongo.solver.hand import (
    MIDDLE,
    ROOM_CELLS,
    card_of,
    group_of,
    hand_of,
    place_of,
    placement_at,
)
from ludotheque.games.ubongo.solver.solve import read, solve
from ludotheque.games.ubongo.tests.test_hand import before_the_match, hands, race
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import NO_DEADLINE, Deadline

OF_THE_SOLVER = {"solved", "proven", "placed"}  # what `ludotheque solve` says
Claim = Callable[[State, Advice], None]


# What a sentence says


def after(s: State, advice: Advice) -> State:
    played = s.copy()
    play(played, 0, advice.move)
    return played


def number(advice: Advice, key: str) -> int:
    return int(str(advice.values[key]))


def named(advice: Advice, key: str = "card") -> int:
    """The card of the hand that a sentence names."""
    return number(advice, key) - 1


def can_reach(s: State, need: int) -> bool:
    """Whether this many cards can be laid around those that lie there."""
    hand = hand_of(s.hands[0], side_of(s))
    group = group_of(s.places[0])
    found = hand.complete(group, need, UNLIMITED) if group else hand.find(need)
    return bool(found.placements)


@cache
def most_of(rounds: int, cards: tuple[int, ...]) -> int:
    """How many of these cards can be laid at once."""
    return len(solve(read({"round": rounds, "cards": list(cards)})).layout)


def most(s: State) -> int:
    return most_of(s.rounds, tuple(s.hands[0]))


def matches(s: State, card: int) -> int:
    """In how many ways another card of the hand can touch this one."""
    return sum(
        touch(s.hands[0][card], other, side_of(s), BESIDE[way][0]) == GOOD
        for other in s.hands[0]
        if other != s.hands[0][card]
        for way in range(BORDERS)
    )


def ways_on(s: State, card: int) -> int:
    """In how many ways the cards in hand can be laid correctly beside this one."""
    return sum(
        fits(s, other, place) and card in neighbours(s, other, place)
        for other in range(HAND)
        if s.places[0][other] == IN_HAND
        for place in places_near(s.places[0][card])
    )


def places_near(place: int) -> list[int]:
    """Every place whose card may touch one that lies here."""
    x, y = place % FIELD, place // FIELD % FIELD
    return [
        (turn * FIELD + row) * FIELD + column
        for turn in range(4)
        for row in range(max(0, y - 3), min(FIELD, y + 4))
        for column in range(max(0, x - 3), min(FIELD, x + 4))
    ]


def fits(s: State, card: int, place: int) -> bool:
    """Whether the rules let a card lie here, and find no fault between it and another."""
    if not is_legal(s, 0, card * FIELD_PLACES + place):
        return False
    tried = s.copy()
    tried.places[0][card] = place
    return all(contact(tried, 0, card, other) <= GOOD for other in range(HAND) if other != card)


def neighbours(s: State, card: int, place: int) -> list[int]:
    tried = s.copy()
    tried.places[0][card] = place
    return [i for i in range(HAND) if i != card and contact(tried, 0, card, i) == GOOD]


# Every sentence


def is_ready(s: State, advice: Advice) -> None:
    assert advice.move == READY


def calls(s: State, advice: Advice) -> None:
    assert advice.move == CALL
    assert (verdict(s, 0)[0], count_laid(s, 0)) == (GOOD, number(advice, "count"))
    assert count_laid(s, 0) >= SEVEN


def calls_too(s: State, advice: Advice) -> None:
    assert advice.move == CALL
    assert verdict(s, 0)[0] == GOOD


def calls_in_vain(s: State, advice: Advice) -> None:
    assert advice.move == CALL
    assert FAULTS[verdict(s, 0)[0]] == advice.values["fault"]


def takes_back(s: State, advice: Advice) -> None:
    assert advice.move == TAKE_BACK + named(advice)


def is_wrong(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    found = contact(s, 0, named(advice), named(advice, "other"))
    assert FAULTS[found] == advice.values["fault"]
    assert found > GOOD


def is_apart(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    card = named(advice)
    joined: set[int] = set()
    grown = {next(i for i in range(HAND) if s.places[0][i] != IN_HAND and i != card)}
    while grown != joined:
        joined = grown
        grown = joined | {
            i for i in range(HAND) if any(contact(s, 0, i, other) == GOOD for other in joined)
        }
    assert card not in joined


def makes_room(s: State, advice: Advice) -> None:
    direction = DIRECTIONS.index(str(advice.values["direction"]))
    assert advice.move == SHIFT + direction
    pushed, behind = s.copy(), (direction + 2) % 4
    for _ in range(ROOM_CELLS):
        if any(is_at_edge(place, behind) for place in pushed.places[0] if place != IN_HAND):
            return
        play(pushed, 0, SHIFT + behind)
    pytest.fail("the edge of the mat is not near")


def lays(s: State, advice: Advice) -> None:
    """The card that is named is laid correctly beside the other."""
    card = named(advice)
    assert advice.move // FIELD_PLACES == card
    place = advice.move % FIELD_PLACES
    assert fits(s, card, place)
    assert "other" not in advice.values or named(advice, "other") in neighbours(s, card, place)


def begins(s: State, advice: Advice) -> None:
    lays(s, advice)
    assert number(advice, "matches") == matches(s, named(advice))
    assert can_reach(after(s, advice), SEVEN)


def begins_short(s: State, advice: Advice) -> None:
    lays(s, advice)
    assert number(advice, "most") == most(s) < SEVEN
    assert can_reach(after(s, advice), most(s))


def starts(s: State, advice: Advice) -> None:
    lays(s, advice)
    counts = [matches(s, card) for card in range(HAND)]
    assert number(advice, "matches") == counts[named(advice)] == max(counts)


def fits_beside(s: State, advice: Advice) -> None:
    lays(s, advice)
    assert number(advice, "ways") == ways_on(after(s, advice), named(advice))


def leads_to_seven(s: State, advice: Advice) -> None:
    fits_beside(s, advice)
    assert number(advice, "missing") == SEVEN - count_laid(s, 0) - 1
    assert can_reach(after(s, advice), SEVEN)


def is_the_seventh(s: State, advice: Advice) -> None:
    lays(s, advice)
    laid = after(s, advice)
    assert (count_laid(laid, 0), verdict(laid, 0)[0]) == (SEVEN, GOOD)
    assert is_legal(laid, 0, CALL)


def is_a_point(s: State, advice: Advice) -> None:
    lays(s, advice)
    assert number(advice, "most") == most(s) < SEVEN
    assert can_reach(after(s, advice), most(s))


def is_a_dead_end(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    assert not can_reach(s, SEVEN)
    assert can_reach(after(s, advice), SEVEN)


def is_to_rebuild(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    assert not can_reach(s, SEVEN)


def is_to_restart(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    assert number(advice, "most") == most(s) < SEVEN


def is_stuck(s: State, advice: Advice) -> None:
    takes_back(s, advice)
    laid = [card for card in range(HAND) if s.places[0][card] != IN_HAND]
    assert [ways_on(s, card) for card in laid] == [0] * len(laid)


def stops(s: State, advice: Advice) -> None:
    assert advice.move == STOP
    assert count_laid(s, 0) == most(s)


CLAIMS: dict[str, Claim] = {
    "ready": is_ready,
    "call": calls,
    "call_too": calls_too,
    "call_vain": calls_in_vain,
    "wrong": is_wrong,
    "apart": is_apart,
    "room": makes_room,
    "begin": begins,
    "begin_short": begins_short,
    "start": starts,
    "lay": leads_to_seven,
    "last": is_the_seventh,
    "fits": fits_beside,
    "point": is_a_point,
    "dead_end": is_a_dead_end,
    "rebuild": is_to_rebuild,
    "restart": is_to_restart,
    "stuck": is_stuck,
    "stop": stops,
}


# Positions


def dealt(rng: Random, rounds: int) -> list[int]:
    first = (rounds - 1) // SIDES * PILE
    return rng.sample(range(first, first + PILE), HAND)


def correct(rng: Random, cards: list[int], rounds: int) -> State:
    """A correct layout of some cards, grown from one of them."""
    s = race(cards, number=rounds)
    hand, group = hand_of(cards, side_of(s)), [placement_at(rng.randrange(HAND), MIDDLE)]
    for _ in range(rng.randrange(SEVEN)):
        group += rng.sample(placements, 1) if (placements := hand.placements(group)) else []
    for own in group:
        s.places[0][card_of(own)] = place_of(own)
    return s


def careless(rng: Random, cards: list[int], rounds: int) -> State:
    """A correct layout to which cards were added wherever there was room, or that was shifted."""
    s = correct(rng, cards, rounds)
    for _ in range(rng.randrange(4)):
        held = [card for card in range(HAND) if s.places[0][card] == IN_HAND]
        near = rng.choice([place for place in s.places[0] if place != IN_HAND])
        moves = [card * FIELD_PLACES + place for card in held for place in places_near(near)]
        legal = [move for move in moves if is_legal(s, 0, move)]
        play(s, 0, rng.choice(legal))
    direction = SHIFT + rng.randrange(4)
    while rng.random() < 0.9 and is_legal(s, 0, direction):
        play(s, 0, direction)
    return s


def sampled(seed: int) -> list[State]:
    """Positions of one hand: before a card lies, correct, careless, and after another's call."""
    rng = Random(seed)
    rounds = 1 + seed % ROUNDS
    cards = dealt(rng, rounds) if seed % 3 else hands(False, 1 + seed // 3, ROUNDS)[seed // 3]
    rounds = rounds if seed % 3 else ROUNDS
    found = [race(cards, number=rounds), before_the_match(2)]
    found += [correct(rng, cards, rounds) for _ in range(6)]
    found += [careless(rng, cards, rounds) for _ in range(4)]
    for s in [s.copy() for s in found if count_laid(s, 0) >= SEVEN]:
        s.seats, s.callers = 2, 2
        found.append(s)
    return found


def all_advice(s: State) -> list[Advice]:
    """With time to think and without, and what is said when no search has found anything."""
    given = [*advise(s, 0, NO_DEADLINE), *advise(s, 0, Deadline(0))]
    if s.rounds > 0 and s.callers == 0 and verdict(s, 0)[0] == GOOD:
        hand = hand_of(s.hands[0], side_of(s))
        given.append(Hints(hand, group_of(s.places[0]), SEVEN, NO_DEADLINE).without_search())
    return given


def seen_reasons(seed: int) -> set[str]:
    """Hold all hints of these positions against what they say; which reasons there were."""
    reasons = set()
    for s in sampled(seed):
        for advice in all_advice(s):
            assert is_legal(s, 0, advice.move), f"{advice} in {s}"
            CLAIMS[advice.reason](s, advice)
            reasons.add(advice.reason)
    return reasons


def test_what_a_hint_says_is_true() -> None:
    reasons = set().union(*(seen_reasons(seed) for seed in range(40)))
    words = load("ubongo").words["en"]["hints"]
    assert reasons == set(CLAIMS) == set(words) - OF_THE_SOLVER
