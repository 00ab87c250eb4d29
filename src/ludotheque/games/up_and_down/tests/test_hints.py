"""What a hint says of a card is so, whatever the others lay; a deep search finds its chance."""

from collections.abc import Iterator
from itertools import islice, permutations
from random import Random
from statistics import mean

import pytest

from ludotheque.engine.bits import numbers
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.up_and_down.bot.hints import percent, reason, reason_for_change
from ludotheque.games.up_and_down.bot.memory import Memory
from ludotheque.games.up_and_down.bot.plan_search import Tried
from ludotheque.games.up_and_down.bot.thinker import SKILLS, Skill, Thinker
from ludotheque.games.up_and_down.rules import (
    CHOOSING,
    DOWN,
    FLIP,
    HAND_SIZE,
    PACK,
    REROLL,
    TURN,
    UP,
    State,
    best_seat,
    setup,
    tricks_played,
    trump,
    value_of,
)
from ludotheque.search.deadline import Deadline

GAME = load("up_and_down")
MASTER = SKILLS["master"]
DEEP = MASTER._replace(trials=6_000, card_tricks=8_000, change_tricks=4_000)
ROSE_9 = 7
MEAN_ERROR_PERCENT = 5  # a hint is rounded to steps as large …
MAX_ERROR_PERCENT = 25  # … and once in a while a master misjudges the others


def decisions(seats: int, seed: int) -> Iterator[list[State]]:
    """All that seat 0 decides in a deal played at random: each time what it has seen until then."""
    match, rng = Match(GAME, seats, {"deals": 1}, seeds=Seeds(seed.to_bytes(32))), Random(seed)
    seen = []
    while match.state.deal == 0:
        seen.append(match.view(0))
        seat = match.awaited()[0]
        if seat == 0:
            yield seen
        match.play(seat, rng.choice(match.legal_moves(seat)))


def last_choices(seats: int) -> Iterator[tuple[State, int]]:
    """Views with two or three cards in the hand, and the cards that the others may lay, as bits."""
    for seed in range(60):
        for seen in decisions(seats, seed):
            view, memory = seen[-1], Memory(0)
            left = HAND_SIZE[seats] - tricks_played(view)
            if view.phase == CHOOSING and 1 < left < 4:
                for earlier in seen:
                    memory.watch(earlier)
                yield view, memory.unshown() & ~view.hands[0]


def tricks(view: State, others: int, card: int) -> Iterator[tuple[set[int], int]]:
    """The values that the others may lay if seat 0 lays this card, and who takes the trick."""
    for cards in permutations(numbers(others), view.seats - 1):
        view.laid[: view.seats] = [card, *cards]
        yield {value_of(other) for other in cards}, best_seat(view)


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_is_said_of_a_card_holds_whatever_the_others_lay(seats: int) -> None:
    told = set()
    for view, others in last_choices(seats):
        for card in numbers(view.hands[0]):
            why = reason(view, 0, others, Tried(card, 0.0, 0.5))
            told.add(why)
            found = list(tricks(view, others, card))
            takers = {taker for _, taker in found}
            assert (why == "sure") == (takers == {0})
            if why == "throw_away":
                assert 0 not in takers
            if why == "trump":
                assert {trump(view) not in values for values, _ in found} == {True, False}
                assert all((taker == 0) == (trump(view) not in values) for values, taker in found)
    assert told == {"throw_away", "sure", "trump", "pot", "likely"}


@pytest.mark.parametrize(
    ("pot", "chance", "why"),
    [
        (0, 0.1, "long_shot"),
        (0, 0.2, "worth_a_try"),
        (0, 0.6, "likely"),
        (2, 0.1, "long_shot"),
        (2, 0.2, "pot"),
        (2, 0.6, "pot"),
    ],
)
def test_the_chance_and_the_pot_choose_the_words(pot: int, chance: float, why: str) -> None:
    view = State()
    view.seats = 2
    setup(view)
    view.phase, view.pot, view.dice = CHOOSING, pot, [3, 4]
    assert reason(view, 0, PACK & ~(1 << ROSE_9), Tried(ROSE_9, 0.0, chance)) == why


@pytest.mark.parametrize(
    ("move", "side", "chance", "why"),
    [
        (FLIP, UP, 0.6, "to_lowest"),
        (FLIP, DOWN, 0.6, "to_highest"),
        (TURN + 2, UP, 0.6, "new_suit"),
        (REROLL, UP, 0.6, "new_trump"),
        (FLIP, UP, 0.1, "clear_out"),
        (REROLL, UP, 0.1, "clear_out"),
    ],
)
def test_a_change_is_for_this_trick_or_for_later(
    move: int, side: int, chance: float, why: str
) -> None:
    view = State()
    view.side = side
    assert reason_for_change(view, Tried(move, 0.0, chance)) == why


@pytest.mark.parametrize(
    ("chance", "told"),
    [(0.0, 5), (0.01, 5), (0.074, 5), (0.63, 65), (0.9, 90), (0.98, 95), (1.0, 95)],
)
def test_a_chance_is_told_in_steps_and_never_as_certain(chance: float, told: int) -> None:
    assert percent(chance) == told


def test_the_chance_of_the_best_move_is_what_a_deep_search_finds() -> None:
    """One decision in five is enough to meet changes and cards, early and late."""
    errors = []
    for seats in GAME.seats:
        for seen in islice(decisions(seats, 7), 0, None, 5):
            view, legal = seen[-1], GAME.legal_moves(seen[-1], 0)
            best = adviser(seen, MASTER).advise(view, legal)[0]
            if "chance" in best.values:
                found = adviser(seen, DEEP, seed=2).compare(view, legal, Deadline())
                deep = next(tried.take_chance for tried in found if tried.move == best.move)
                errors.append(abs(int(str(best.values["chance"])) - 100 * deep))
    assert len(errors) > 10
    assert mean(errors) < MEAN_ERROR_PERCENT
    assert max(errors) < MAX_ERROR_PERCENT


def adviser(seen: list[State], skill: Skill, seed: int = 1) -> Thinker:
    thinker = Thinker(GAME, 0, Random(seed), skill)
    for view in seen:
        thinker.watch(view)
    return thinker
