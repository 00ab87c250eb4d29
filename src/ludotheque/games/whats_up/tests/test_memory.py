"""What a seat remembers, and that its guesses are drawn evenly from all that may be."""

from collections import Counter
from itertools import permutations, product
from random import Random

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.whats_up.bot.layouts import TABLES_SHAPE, count_layouts
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.checks import faults
from ludotheque.games.whats_up.rules import CARDS, DECK, HOLE, UNKNOWN, State, fits

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


def nearly_known(seed: int) -> tuple[Match, Memory, list[int]]:
    """A match in which a seat has watched all cards being turned but a few, which are returned."""
    match, memory = begun(seed, seats=4), Memory(1)
    memory.watch(match.view(1))
    known = staying(match)
    hidden = [c for c in range(CARDS) if c not in known]
    for cell in known + hidden[6:]:
        turn(match, cell, memory)
    return match, memory, hidden[:6]


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


def test_all_layouts_of_a_whole_deal_are_few() -> None:
    """What shows tells a lot: of the 2³⁰ directions of all cards few agree with it."""
    memory, match = Memory(0), begun(1)
    memory.watch(match.view(0))
    tables = [[0] * TABLES_SHAPE[1] for _ in range(TABLES_SHAPE[0])]
    assert 1 <= count_layouts(memory.unplaced, memory.shows(match.view(0)), tables) < 10_000


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


def test_guesses_are_even_over_all_layouts_of_the_cards_not_met() -> None:
    match, memory, hidden = nearly_known(seed=2)
    expected = even_chances(match.state, hidden, [], memory.unplaced)
    assert len(expected) > 3
    assert len(set(expected.values())) == 1
    assert_drawn_as(memory, match.view(1), hidden, expected)


def test_guesses_are_even_over_all_deals_if_it_has_missed_takings() -> None:
    """A card that it cannot place may also have been taken, for a face of a collection."""
    match, memory, hidden = nearly_known(seed=3)
    missed = []
    for cell in hidden[:2]:
        turn(match, cell)
        missed.append(match.state.taken)
    assert HOLE not in missed
    turn(match, next(c for c in staying(match) if match.state.up[c] != HOLE), memory)
    expected = even_chances(match.state, hidden[2:], missed, memory.unplaced)
    assert len(expected) > 3
    assert_drawn_as(memory, match.view(1), hidden[2:], expected)


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


def remembered(forgetting: float) -> int:
    match, memory = begun(3, seats=4), Memory(1, forgetting, Random(5))
    memory.watch(match.view(1))
    for cell in staying(match):
        turn(match, cell, memory)
    return sum(face != UNKNOWN for face in memory.under)


def test_the_more_one_forgets_the_less_one_knows() -> None:
    assert remembered(0.0) == len(staying(begun(3)))
    assert remembered(0.0) > remembered(0.05) > remembered(0.3) >= 1


def test_looking_twice_at_the_same_table_forgets_nothing() -> None:
    match, memory = begun(3), Memory(1, 0.5, Random(5))
    memory.watch(match.view(1))
    turn(match, staying(match)[0], memory)
    known = list(memory.under)
    for _ in range(50):
        memory.watch(match.view(1))
    assert memory.under == known != [UNKNOWN] * CARDS
