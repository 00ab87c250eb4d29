"""The tree search finds what is best, from what was seen and nothing else."""

from random import Random

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.memory import Memory
from ludotheque.games.stupide_vautour.rules import CARDS, POINTS
from ludotheque.games.stupide_vautour.solver.endgame import plan
from ludotheque.search.deadline import Deadline
from ludotheque.search.searcher import Found, Searcher

GAME = load("stupide_vautour")


def endgame(cards: int, seed: int) -> tuple[Match, Memory]:
    """A match of random bids with this many cards left, as seat 0 has seen it."""
    match, memory, rng = (
        Match(GAME, 2, seeds=Seeds(seed.to_bytes(32, "big"))),
        Memory(0),
        Random(seed),
    )
    while match.state.rounds <= CARDS - cards:
        memory.watch(match.view(0))
        for seat in (0, 1):
            match.play(seat, rng.choice(match.legal_moves(seat)))
    memory.watch(match.view(0))
    return match, memory


def found(match: Match, memory: Memory, simulations: int, seed: int = 1) -> Found:
    searcher = Searcher(GAME, 0, simulations, Random(seed), exploration=0.3)
    return searcher.search(match.view(0), match.legal_moves(0), memory)


def test_it_loses_little_against_the_exact_solution() -> None:
    lost = []
    for seed in range(12):
        match, memory = endgame(4, seed)
        hands = [[c for c in range(CARDS + 1) if h >> c & 1] for h in match.state.hands[:2]]
        pile = [POINTS[i] for i in range(CARDS) if match.state.pile >> i & 1]
        exact = plan(hands[0], hands[1], pile, match.state.stake)
        best = found(match, memory, 20_000).best()
        lost.append(exact.value - exact.gains[exact.cards.index(best)])
    assert sum(lost) / len(lost) < 0.5  # points; a random card loses more than two


def test_every_simulation_is_a_visit_of_a_legal_move() -> None:
    match, memory = endgame(6, 1)
    result = found(match, memory, 3_000)
    assert result.moves == match.legal_moves(0)
    assert sum(result.visits) == 3_000
    assert all(0 <= value <= 1 for value in result.values)


def test_the_same_random_stream_finds_the_same() -> None:
    match, memory = endgame(8, 2)
    assert found(match, memory, 2_000, 5) == found(match, memory, 2_000, 5)
    assert found(match, memory, 2_000, 5) != found(match, memory, 2_000, 6)


def test_what_another_has_laid_face_down_makes_no_difference() -> None:
    results = []
    for card in (0, -1):
        match, memory = endgame(6, 3)
        match.play(1, match.legal_moves(1)[card])
        memory.watch(match.view(0))
        results.append(found(match, memory, 2_000))
    assert results[0] == results[1]


def test_it_stops_when_the_thought_ends_and_has_an_answer() -> None:
    match, memory = endgame(9, 4)
    deadline = Deadline()
    deadline.cancel()
    searcher = Searcher(GAME, 0, 10_000, Random(1))
    result = searcher.search(match.view(0), match.legal_moves(0), memory, deadline)
    assert 0 < sum(result.visits) < 1_000


def test_trust_makes_it_expect_what_most_people_do() -> None:
    """For the highest stake most bid high, so who trusts in that saves the good cards."""
    match = Match(GAME, 2, deal=["+10"], seeds=Seeds(bytes(32)))
    memory = Memory(0)
    memory.watch(match.view(0))
    trusting = Searcher(GAME, 0, 20_000, Random(1), 0.3, policy_share=1.0)
    assert trusting.search(match.view(0), match.legal_moves(0), memory).best() < 8
