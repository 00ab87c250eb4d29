"""How the player who follows the policy leads, lays and remembers."""

from random import Random

from ludotheque.games.up_and_down.bot.greedy import Greedy
from ludotheque.games.up_and_down.rules import (
    CARDS,
    CHANGING,
    CHOOSING,
    DOWN,
    FLIP,
    NO_CARD,
    SUITS,
    TURN,
    UP,
    VALUES,
    State,
    list_cards,
    setup,
)

ROSE, FEATHER, MONOCLE, HAT = range(SUITS)
SEEDS = range(20)


def card(suit: int, value: int) -> int:
    return suit * VALUES + value - 2


def table(phase: int, hand: list[int], side: int = UP, trump: int = 7, pot: int = 0) -> State:
    """Two seats; the rose points at seat 0, which leads, and the monocle at seat 1."""
    s = State()
    s.seats, s.values = 2, VALUES
    setup(s)
    s.phase, s.side, s.pot = phase, side, pot
    s.dice[0], s.dice[1] = trump // 2, trump - trump // 2
    s.hands[0] = sum(1 << c for c in hand)
    s.tricks[1][0] = 1
    s.trick[0], s.trick[1] = card(HAT, 6), card(HAT, 8)
    return s


def laid(s: State, *watched: State) -> set[int]:
    """The cards that bots with any noise lay here, after they have watched these tables."""
    moves = [0] * CARDS
    hand = moves[: list_cards(s.hands[0], moves)]
    return {chosen(s, hand, seed, watched) for seed in SEEDS}


def led(s: State) -> set[int]:
    changes = [FLIP, *(TURN + suit for suit in (FEATHER, MONOCLE, HAT)), TURN + SUITS]
    return {chosen(s, changes, seed, ()) for seed in SEEDS}


def chosen(s: State, moves: list[int], seed: int, watched: tuple[State, ...]) -> int:
    bot = Greedy(0, Random(seed))
    for earlier in watched:
        bot.watch(earlier)
    return bot.choose(s, moves)


def test_it_flips_the_card_when_its_own_suit_is_low() -> None:
    assert led(table(CHANGING, [card(ROSE, 2), card(ROSE, 3)])) == {FLIP}


def test_it_turns_its_strong_suit_to_itself() -> None:
    assert led(table(CHANGING, [card(HAT, 12), card(HAT, 11)])) == {TURN + HAT}


def test_it_lays_the_card_that_can_win() -> None:
    hand = [card(ROSE, 12), card(FEATHER, 12), card(MONOCLE, 2)]
    assert laid(table(CHOOSING, hand)) == {card(ROSE, 12)}
    hand = [card(ROSE, 2), card(ROSE, 12), card(MONOCLE, 3)]
    assert laid(table(CHOOSING, hand, side=DOWN)) == {card(ROSE, 2)}


def test_it_wins_with_a_trump_of_any_suit() -> None:
    assert laid(table(CHOOSING, [card(HAT, 9), card(FEATHER, 12)], trump=9)) == {card(HAT, 9)}


def test_it_throws_away_what_is_least_useful_if_nothing_can_win() -> None:
    hand = [card(FEATHER, 12), card(HAT, 7), card(MONOCLE, 2)]
    assert laid(table(CHOOSING, hand, trump=4)) == {card(HAT, 7)}


def test_it_remembers_the_cards_that_are_gone() -> None:
    s = table(CHOOSING, [card(ROSE, 11), card(ROSE, 12)], pot=2)
    assert laid(s) == {card(ROSE, 12)}
    gone = [(card(MONOCLE, 12), card(MONOCLE, 11)), (card(FEATHER, 11), card(HAT, 11))]
    assert laid(s, *tricks(s, gone)) == {card(ROSE, 11)}


def test_a_new_deal_brings_all_cards_back() -> None:
    s = table(CHOOSING, [card(ROSE, 11), card(ROSE, 12)], pot=2)
    gone = [(card(MONOCLE, 12), card(MONOCLE, 11)), (card(FEATHER, 11), card(HAT, 11))]
    watched = tricks(s, gone)
    s.deal = 1
    assert laid(s, *watched) == {card(ROSE, 12)}


def tricks(s: State, shown: list[tuple[int, int]]) -> list[State]:
    """The table as it stood after each of these tricks."""
    tables = []
    for cards in shown:
        before = s.copy()
        before.phase = CHANGING
        before.trick = [*cards, NO_CARD, NO_CARD]
        tables.append(before)
    return tables
