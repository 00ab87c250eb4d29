"""What a hint says of a card is so on every layout that fits what the seat has seen."""

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from statistics import mean

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.whats_up.bot.hints import Turning, percent, reason
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.bot.tree_search import TreeSearch
from ludotheque.games.whats_up.rules import (
    AGREE,
    COLOURS,
    FULL,
    HOLE,
    UNKNOWN,
    State,
    birds_of,
    colour_of,
    complete_rows,
    fits,
    is_over,
    turn_over,
    wins,
)
from ludotheque.search.deadline import Deadline

GAME = load("whats_up")
LAYOUTS = 100  # drawn of those that are possible
SIMULATIONS = 10_000  # a master's
MEAN_ERROR_PERCENT = 5  # a hint is rounded to steps as large …
MAX_ERROR_PERCENT = 15  # … and the simulations of a master leave something to chance

TAKES = {"win", "complete", "take", "deduce", "sure"}
HOPES = {"hope", "hope_keep", "hope_risk"}
STAYS = {"deny", "prepare", "wait", "give"}


def turns(seats: int, seed: int) -> Iterator[tuple[State, Memory]]:
    """The turns of seat 0, with what it remembers, in a match in which cards are often turned."""
    match, rng = Match(GAME, seats, {"first": 0}, seeds=Seeds(seed.to_bytes(32))), Random(seed)
    memory = Memory(0)
    while not match.is_over:
        memory.watch(match.view(0))
        if match.state.turn == 0:
            yield match.view(0), memory
        cells = [move for move in match.legal_moves(match.state.turn) if move != AGREE]
        match.play(match.state.turn, rng.choice(cells))


def reasons(view: State, memory: Memory) -> Iterator[tuple[Turning, str]]:
    search = TreeSearch(GAME, 1, Random(0))
    for cell in (move for move in GAME.legal_moves(view, 0) if move != AGREE):
        backs, is_seen = search.backs(view, memory, cell), memory.under[cell] != UNKNOWN
        card = Turning(view, 0, cell, backs, is_seen)
        yield card, reason(card)[0]


def turned(state: State, cell: int) -> State:
    after = state.copy()
    turn_over(after, 0, cell)
    return after


def test_what_is_said_of_a_card_holds_however_the_cards_lie() -> None:
    told = set()
    for seats, seed in product(GAME.seats, range(3)):
        for view, memory in islice(turns(seats, seed), seed, None, 6):
            layouts = [memory.guess(view, Random(number)) for number in range(LAYOUTS)]
            for card, why in reasons(view, memory):
                told.add(why)
                check(card, why, [turned(layout, card.cell) for layout in layouts])
    assert told | {"win"} == TAKES | HOPES | STAYS  # to win at random is rare


@pytest.mark.parametrize("is_seen", [True, False])
def test_the_card_that_wins_is_told_to_win_whether_it_was_seen_or_deduced(is_seen: bool) -> None:
    view, _ = next(turns(4, 0))
    last = next(face for face in view.up if birds_of(face) == FULL)
    other = (colour_of(last) + 1) % COLOURS
    view.rows[0][colour_of(last)], view.rows[0][other] = FULL - 1, FULL
    assert reason(Turning(view, 0, 0, {last: 1.0}, is_seen)) == ("win", last)


def check(card: Turning, why: str, ends: list[State]) -> None:
    taken = sum(after.taken != HOLE for after in ends) / LAYOUTS
    left = [after for after in ends if after.taken == HOLE and not is_over(after)]
    assert (why in TAKES, why in STAYS) == (taken == 1 == card.chance, taken == 0 == card.chance)
    assert taken == pytest.approx(card.chance, abs=0.2)
    for after in ends:
        gained = complete_rows(after, 0) - complete_rows(card.view, 0)
        assert (why == "win") <= (is_over(after) and wins(after, 0))
        assert (why == "complete") <= (gained == 1)
    for after in left:
        under = after.down[card.cell]
        assert fits(after, 1, under) == (why in ("hope_risk", "give"))
        assert (why in ("hope_keep", "prepare")) <= fits(after, 0, under)
        assert (why == "deny") <= fits(after, 1, after.up[card.cell])


def test_the_chance_to_win_is_what_a_deep_search_finds() -> None:
    errors = []
    for seats in GAME.seats:
        for view, memory in islice(turns(seats, 5), 2, None, 10):
            told, found = (
                TreeSearch(GAME, count, Random(count)).compare(view, memory, Deadline())[0]
                for count in (SIMULATIONS, 4 * SIMULATIONS)
            )
            errors.append(abs(percent(told.win_chance, 5) - 100 * found.win_chance))
    assert len(errors) > 5
    assert mean(errors) < MEAN_ERROR_PERCENT
    assert max(errors) < MAX_ERROR_PERCENT


@pytest.mark.parametrize(
    ("share", "step", "told"),
    [(0.0, 1, 1), (0.004, 1, 1), (0.43, 1, 43), (1.0, 1, 99), (0.02, 5, 5), (0.63, 5, 65)],
)
def test_a_chance_is_never_told_as_certain(share: float, step: int, told: int) -> None:
    assert percent(share, step) == told
