"""What the policy assumes about cards is what the rules say of them."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludotheque.engine.game import load
from ludotheque.games.up_and_down.bot.memory import stream_from
from ludotheque.games.up_and_down.bot.policy import (
    WAYS,
    WEIGHTS,
    fitting,
    policy_change,
    stopping,
)
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    DOWN,
    HIGHEST,
    LOWEST,
    PACK,
    PAIRS,
    SUITS,
    UP,
    State,
    best_seat,
    setup,
    strength_of,
    total,
    value_of,
)

GAME = load("up_and_down")
TRUMPS = [pair for pair, (low, high) in enumerate(PAIRS) if high == low or high == low + 1]


def table(seats: int, side: int, facing: int, pair: int) -> State:
    s = State()
    s.seats = seats
    setup(s)
    s.phase, s.side, s.facing = CHOOSING, side, facing
    s.dice[0], s.dice[1] = PAIRS[pair]
    return s


@st.composite
def tricks(draw: st.DrawFn) -> State:
    """Any trick under any rules: everyone has laid a card."""
    seats = draw(st.sampled_from(GAME.seats))
    side, facing = draw(st.sampled_from((UP, DOWN))), draw(st.integers(0, SUITS - 1))
    s = table(seats, side, facing, draw(st.sampled_from(TRUMPS)))
    cards = st.integers(0, CARDS - 1)
    s.laid[:seats] = draw(st.lists(cards, min_size=seats, max_size=seats, unique=True))
    return s


def test_there_is_a_pair_of_dice_here_for_every_trump() -> None:
    assert sorted(total(pair) for pair in TRUMPS) == list(range(LOWEST, HIGHEST + 1))


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_cards_that_fit_are_those_that_would_win_alone(seats: int) -> None:
    for side, facing, pair in product((UP, DOWN), range(SUITS), TRUMPS):
        s = table(seats, side, facing, pair)
        for seat in range(seats):
            strong = [card for card in range(CARDS) if strength_alone(s, seat, card) > 0]
            assert fitting(s, seat) == sum(1 << card for card in strong)


def strength_alone(s: State, seat: int, card: int) -> int:
    """How strong a card is if nobody has laid its equal."""
    s.laid[: s.seats] = [(card + 1) % CARDS] * s.seats
    s.laid[seat] = card
    return strength_of(s, seat)


@given(tricks())
def test_a_card_that_fits_wins_unless_another_seat_stops_it(s: State) -> None:
    """Others may also stop each other with equal cards; the policy ignores that."""
    for seat in range(s.seats):
        card, others = s.laid[seat], [other for other in range(s.seats) if other != seat]
        if len({value_of(s.laid[other]) for other in others}) == len(others):
            fits = fitting(s, seat) >> card & 1 == 1
            stopped = any(stopping(s, other, card) >> s.laid[other] & 1 for other in others)
            assert (best_seat(s) == seat) == (fits and not stopped)


def test_ways_counts_how_two_dice_give_each_sum() -> None:
    faces = range(1, 7)
    sums = [low + high for low in faces for high in faces]
    assert list(WAYS) == [sums.count(value) for value in range(HIGHEST + 1)]


@pytest.mark.parametrize("seats", GAME.seats)
def test_choosing_a_change_leaves_the_table_as_it_is(seats: int) -> None:
    for leader, facing in product(range(seats), range(SUITS)):
        s = table(seats, DOWN, facing, TRUMPS[0])
        s.phase, s.leader, s.hands[leader] = CHANGING, leader, 0b1011
        before = s.copy()
        with np.errstate(over="ignore"):  # the stream counts modulo 2⁶⁴
            move = policy_change(s, PACK & ~0b1011, WEIGHTS, stream_from(Random(facing)))
        assert s == before
        assert GAME.is_legal(s, leader, move)
