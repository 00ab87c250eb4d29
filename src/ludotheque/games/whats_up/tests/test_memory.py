"""What a seat remembers, and that it guesses evenly among all deals that fit."""

from collections import Counter
from itertools import permutations, product
from random import Random
from statistics import mean

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.whats_up.bot.layouts import TABLES_SHAPE, count_layouts
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.checks import faults
from ludotheque.games.whats_up.rules import CARDS, DECK, UNKNOWN, State, face_of, fits

GAME = load("whats_up")
DRAWS = 2000


def begun(seed: int, seats: int = 2) -> Match:
    return Match(GAME, seats, {"first": 0}, seeds=Seeds(seed.to_bytes(32, "big")))


def turn(match: Match, cell: int, *watching: Memory) -> None:
    match.play(match.state.turn, cell)
    for memory in watching:
        memory.watch(match.view(memory.seat))


def staying(match: Match) -> list[int]:
    """Cards that nobody takes while all rows are empty."""
    return [c for c in range(CARDS) if not fits(match.state, 0, match.state.down[c])]


def nearly_known(*unknown: str) -> tuple[Match, Memory]:
    """A match for four, and a seat that knows what lies under all cards but these, the first."""
    match, memory = Match(GAME, 4, {"first": 0}), Memory(3)
    for text in unknown:
        match.play(CHANCE, GAME.parse(CHANCE, text))
    while match.state.dealt < CARDS:
        match.play(CHANCE, match.legal_moves(CHANCE)[0])
    memory.watch(match.view(3))
    for cell in range(len(unknown), CARDS):
        memory.under[cell] = match.state.down[cell]
    return match, memory


def test_layouts_are_counted_as_trying_every_direction_of_the_cards_counts_them() -> None:
    rng = Random(1)
    tables = [[0] * TABLES_SHAPE[1] for _ in range(TABLES_SHAPE[0])]
    for _ in range(5):
        unplaced = rng.sample(range(CARDS), 9)
        shows = [0] * 16
        for card in unplaced:
            shows[rng.choice(DECK[card])] += 1
        tried = Counter(
            tuple(sorted(DECK[card][side] for card, side in zip(unplaced, sides, strict=True)))
            for sides in product((0, 1), repeat=len(unplaced))
        )
        shown = tuple(face for face, count in enumerate(shows) for _ in range(count))
        assert count_layouts(sum(1 << c for c in unplaced), shows, tables) == tried[shown]


def test_few_layouts_of_a_whole_deal_agree_with_what_shows() -> None:
    """Of the 2³⁰ directions of all cards some hundreds do, on average over many deals."""
    counts = [layouts_of_deal(seed) for seed in range(30)]
    assert min(counts) >= 1
    assert 100 < mean(counts) < 1_000


def layouts_of_deal(seed: int) -> int:
    memory, match = Memory(0), begun(seed)
    memory.watch(match.view(0))
    tables = [[0] * TABLES_SHAPE[1] for _ in range(TABLES_SHAPE[0])]
    return count_layouts(memory.unplaced, memory.shows(match.view(0)), tables)


def test_every_guess_looks_like_the_view_and_keeps_what_was_seen() -> None:
    rng = Random(2)
    for seats, options in ((2, {}), (3, {"open_memory": True}), (4, {"stall": "eight turns"})):
        match = Match(GAME, seats, options, seeds=Seeds(bytes(32)))
        always, forgetful, late = Memory(1), Memory(1, 0.2, Random(3)), Memory(1)
        while not match.is_over:
            watching = [always, forgetful] + [late] * (len(match.log) > 40)
            for memory in watching:
                memory.watch(match.view(1))
            if len(match.log) % 10 == 0:
                for memory in (*watching, Memory(1)):
                    check_guess(memory, match, rng)
            match.play(match.state.turn, rng.choice(match.legal_moves(match.state.turn)))


def check_guess(memory: Memory, match: Match, rng: Random) -> None:
    view = match.view(memory.seat)
    guess = memory.guess(view, rng)
    assert GAME.view(guess, memory.seat) == view
    assert list(faults(guess)) == []
    known = [c for c in range(CARDS) if memory.under[c] != UNKNOWN]
    assert [guess.down[c] for c in known] == [match.state.down[c] for c in known]


def test_guesses_are_even_over_all_layouts_of_the_unknown_cards() -> None:
    """Three backs lie under two red birds in any order; a triangle of purple cards has two ways."""
    match, memory = nearly_known("r2/g2", "r2/y2", "r2/p2", "p1/p2", "p2/p3", "p3/p1")
    cells = list(range(6))
    expected = even_chances(match.state, cells, [], memory.unplaced)
    assert list(expected.values()) == [1 / 12] * 12
    assert_drawn_as(memory, match.view(3), cells, expected)


def test_guesses_are_even_over_all_deals_if_it_has_missed_takings() -> None:
    """A card whose place it does not know may also have been taken, for a face of a collection."""
    match, memory = nearly_known("r2/r1", "g2/g1", "g1/g3", "g1/r1", "r1/y1", "y1/g1")
    turn(match, 0)
    turn(match, 1)
    assert [rows[:2] for rows in match.state.rows] == [[1, 0], [0, 1], [0, 0], [0, 0]]
    turn(match, next(cell for cell in staying(match) if cell > 5), memory)
    cells = [2, 3, 4, 5]
    expected = even_chances(match.state, cells, [face_of(0, 1), face_of(1, 1)], memory.unplaced)
    assert list(expected.values()) == [1 / 24] * 24
    assert_drawn_as(memory, match.view(3), cells, expected)


def even_chances(
    s: State, cells: list[int], taken: list[int], unplaced: int
) -> dict[tuple[int, ...], float]:
    """The chance of every row of under faces, by going through all orders of the cards."""
    shown = [s.up[cell] for cell in cells] + taken
    cards = [DECK[card] for card in range(CARDS) if unplaced >> card & 1]
    found: Counter[tuple[int, ...]] = Counter()
    for order in permutations(cards):
        if all(face in card for face, card in zip(shown, order, strict=True)):
            backs = [sum(card) - face for face, card in zip(shown, order, strict=True)]
            found[tuple(backs[: len(cells)])] += 1
    return {backs: count / found.total() for backs, count in found.items()}


def assert_drawn_as(
    memory: Memory, view: State, cells: list[int], expected: dict[tuple[int, ...], float]
) -> None:
    rng = Random(4)
    guesses = [memory.guess(view, rng) for _ in range(DRAWS)]
    drawn = Counter(tuple(guess.down[cell] for cell in cells) for guess in guesses)
    assert set(drawn) == set(expected)
    for backs, chance in expected.items():
        spread = (DRAWS * chance * (1 - chance)) ** 0.5
        assert abs(drawn[backs] - DRAWS * chance) < 4.5 * spread


@pytest.mark.parametrize("forgetting", [0.0, 0.05, 0.3])
def test_every_turn_may_forget_every_card_but_the_one_turned(forgetting: float) -> None:
    """A card turned n turns ago is known with a chance of (1 − forgetting)ⁿ."""
    known, expected, variance = 0, 0.0, 0.0
    for seed in range(30):
        match, memory = begun(seed, seats=4), Memory(1, forgetting, Random(seed))
        memory.watch(match.view(1))
        for ago, cell in reversed(list(enumerate(reversed(staying(match))))):
            turn(match, cell, memory)
            chance = (1 - forgetting) ** ago
            expected += chance
            variance += chance * (1 - chance)
        known += sum(face != UNKNOWN for face in memory.under)
    assert abs(known - expected) <= 4.5 * variance**0.5


def test_looking_twice_at_the_same_table_forgets_nothing() -> None:
    match, memory = begun(3), Memory(1, 0.5, Random(5))
    memory.watch(match.view(1))
    turn(match, staying(match)[0], memory)
    known = list(memory.under)
    for _ in range(50):
        memory.watch(match.view(1))
    assert memory.under == known != [UNKNOWN] * CARDS
