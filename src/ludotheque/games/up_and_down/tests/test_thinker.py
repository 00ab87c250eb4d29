"""How the thinker models a trick, tries moves, learns about the others, and gives advice."""

from random import Random
from typing import Any

import numpy as np
import pytest

from ludotheque.engine import kernels
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, load
from ludotheque.engine.match import Match
from ludotheque.engine.words import Words
from ludotheque.games.up_and_down.bot import hire
from ludotheque.games.up_and_down.bot.memory import stream_from
from ludotheque.games.up_and_down.bot.opponents import (
    BEST_RESPONSE,
    EQUILIBRIUM,
    GREEDY,
    learn_utilities,
)
from ludotheque.games.up_and_down.bot.plan_search import compiled
from ludotheque.games.up_and_down.bot.policy import WEIGHTS, keep_utility
from ludotheque.games.up_and_down.bot.thinker import SKILLS, Thinker, odds_ratio
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    MAX_DEALS,
    MAX_PLANNED_DEALS,
    MAX_SEATS,
    OVER,
    PACK,
    SUITS,
    TURN,
    VALUES,
    State,
    setup,
)
from ludotheque.search.deadline import Deadline

GAME = load("up_and_down")
ROSE, FEATHER, MONOCLE, HAT = range(SUITS)
MASTER = SKILLS["master"]
QUICK = MASTER._replace(trials=60, card_tricks=200, change_tricks=50)


def card(suit: int, value: int) -> int:
    return suit * VALUES + value - 2


def table(phase: int, hand: list[int], trump: int = 7, pot: int = 0) -> State:
    """Two seats on UP; the rose points at seat 0, which leads, and the monocle at seat 1."""
    s = State()
    s.seats, s.deals, s.ties, s.values = 2, 1, 1, VALUES
    setup(s)
    s.phase, s.pot = phase, pot
    s.dice[0], s.dice[1] = trump // 2, trump - trump // 2
    s.hands[0] = sum(1 << c for c in hand)
    shown = 15 - len(hand) - pot
    s.tricks[0][0], s.tricks[1][0] = shown // 2, shown - shown // 2
    s.trick[0], s.trick[1] = card(HAT, 6), card(HAT, 8)
    return s


def moves(s: State) -> list[int]:
    return GAME.legal_moves(s, 0)


def thinker(seed: int = 1) -> Thinker:
    return Thinker(GAME, 0, Random(seed), QUICK)


def test_it_lays_what_wins_most_often() -> None:
    s = table(CHOOSING, [card(ROSE, 12), card(FEATHER, 3), card(MONOCLE, 4)], pot=3)
    assert thinker().choose(s, moves(s)) == card(ROSE, 12)


def test_it_turns_its_strong_suit_to_itself() -> None:
    s = table(CHANGING, [card(HAT, 12), card(HAT, 11)], trump=3, pot=3)
    assert thinker().choose(s, moves(s)) == TURN + HAT


@pytest.mark.parametrize("phase", [CHANGING, CHOOSING])
def test_the_same_chance_gives_the_same_choice(phase: int) -> None:
    s = table(phase, [card(suit, 3 * suit + 2) for suit in range(SUITS)])
    compared = [thinker(3).compare(s, moves(s), Deadline()) for _ in range(2)]
    assert compared[0] == compared[1]


@pytest.mark.parametrize("phase", [CHANGING, CHOOSING])
def test_a_deadline_that_has_passed_still_gives_a_legal_move(phase: int) -> None:
    s = table(phase, [card(suit, 3 * suit + 2) for suit in range(SUITS)])
    assert thinker().choose(s, moves(s), Deadline(0.0)) in moves(s)


@pytest.mark.parametrize("kind", [BEST_RESPONSE, EQUILIBRIUM])
def test_utilities_are_the_same_plain_and_compiled(kind: int) -> None:
    s = table(CHOOSING, [card(ROSE, 12), card(FEATHER, 3), card(MONOCLE, 4)])
    record = kernels.blank(GAME, 1, s)[0]
    by_plain, by_compiled = (np.zeros((MAX_SEATS, CARDS)) for _ in range(2))
    with np.errstate(over="ignore"):
        learn_utilities(s, PACK, 20, kind, by_plain, stream_from(Random(5)))
    compiled(GAME)["learn_utilities"](record, PACK, 20, kind, by_compiled, stream_from(Random(5)))
    assert np.allclose(by_plain, by_compiled)


@pytest.mark.parametrize("kind", [BEST_RESPONSE, EQUILIBRIUM])
def test_a_trump_without_an_equal_is_worth_all_that_is_at_stake(kind: int) -> None:
    s = table(CHOOSING, list(range(13)), pot=2)
    utilities, trump = np.zeros((MAX_SEATS, CARDS)), card(HAT, 7)
    lone = PACK & ~sum(1 << card(suit, 7) for suit in (ROSE, FEATHER, MONOCLE))
    record = kernels.blank(GAME, 1, s)[0]
    compiled(GAME)["learn_utilities"](record, lone, 500, kind, utilities, stream_from(Random(1)))
    assert utilities[:2, trump] == pytest.approx(3000 - keep_utility(trump, WEIGHTS))
    assert utilities[0, card(FEATHER, 12)] < 0  # neither trump nor seat 0's suit


def test_it_learns_who_follows_the_policy_and_who_does_not() -> None:
    regular, expert = mean_beliefs("regular"), mean_beliefs("expert")
    assert regular[GREEDY] > MASTER.prior[GREEDY]
    assert regular[GREEDY] > expert[GREEDY] + 0.1


def mean_beliefs(level: str) -> Any:
    """What it believes about two players of this level at the end of a deal, on average."""
    return np.mean([beliefs for seed in range(6) for beliefs in beliefs_after(level, seed)], axis=0)


def beliefs_after(level: str, seed: int) -> list[list[float]]:
    match = Match(GAME, 3, {"deals": 1, "ties": "shared"}, seeds=Seeds(bytes([seed] * 32)))
    watcher = Thinker(GAME, 0, Random(seed), QUICK)
    bots = [watcher, *(hire(level, GAME, seat, Random(seat)) for seat in (1, 2))]
    while not match.is_over:
        for seat, bot in enumerate(bots):
            bot.watch(match.view(seat))
        seat = match.awaited()[0]
        view = match.view(seat)
        match.play(seat, bots[seat].choose(view, GAME.legal_moves(view, seat)))
    return [watcher.beliefs_about(seat) for seat in (1, 2)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_has_words_and_begins_with_the_best_move(language: str) -> None:
    words, rng = Words(GAME, language), Random(4)
    match = Match(GAME, 4, {"deals": 1}, seeds=Seeds(bytes(32)))
    told = set()
    while match.state.deal == 0 and not match.is_over:
        seat = match.awaited()[0]
        view = match.view(seat)
        legal = GAME.legal_moves(view, seat)
        advised = Thinker(GAME, seat, Random(2), QUICK).advise(view, legal)
        assert 1 <= len(advised) <= 3
        assert len({advice.move for advice in advised} & set(legal)) == len(advised)
        for advice in advised:
            assert words.text("hints", advice.reason, **advice.values)
            told.add(advice.reason)
        match.play(seat, rng.choice(legal))
    assert len(told) >= 6


def test_advice_names_the_chance_to_take_the_trick() -> None:
    s = table(CHOOSING, [card(ROSE, 12), card(FEATHER, 3)], pot=3)
    best = thinker().advise(s, moves(s))[0]
    assert (best.move, best.reason, best.values["stake"]) == (card(ROSE, 12), "pot", 4)
    assert 50 <= int(str(best.values["chance"])) <= 100


def test_a_card_out_of_suit_is_thrown_away() -> None:
    s = table(CHOOSING, [card(HAT, 8), card(FEATHER, 4)], trump=7)
    assert {advice.reason for advice in thinker().advise(s, moves(s))} == {"throw_away"}


def test_the_last_card_is_advised_as_the_only_one() -> None:
    s = table(CHOOSING, [card(ROSE, 9)])
    assert [advice.reason for advice in thinker().advise(s, moves(s))] == ["only_card"]


def test_it_may_watch_the_end_of_the_longest_match() -> None:
    s = table(CHOOSING, [card(ROSE, 9), card(HAT, 2), card(HAT, 3)])
    s.seats, s.deals, s.deal = 4, MAX_PLANNED_DEALS, MAX_PLANNED_DEALS
    s.tricks = [[2] * MAX_DEALS for _ in range(MAX_SEATS)]
    s.trick = [card(suit, 10) for suit in range(SUITS)]
    player = thinker()
    player.choose(s, moves(s))
    s.phase, s.deal = OVER, MAX_DEALS
    player.watch(s)
    assert player.beliefs_about(1) == list(QUICK.prior)


@pytest.mark.parametrize("deals", [1, 4, MAX_PLANNED_DEALS])
def test_a_trick_counts_for_more_the_fewer_deals_are_to_come(deals: int) -> None:
    s = State()
    s.seats, s.deals = 2, deals
    ratios = []
    for s.deal in range(deals + 1):  # the extra deal included
        ratios.append(odds_ratio(s))
    assert ratios == sorted(ratios)
    assert ratios[-2:] == [2.0, 2.0]
