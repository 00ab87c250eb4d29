"""The optimiser: against trying everything, by replaying what it claims, and what it can read."""

import json
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.rules import DRAW, PERFECT, PLACE, STOP, State, placement
from ludotheque.games.team_up.solver.optimise import Optimiser
from ludotheque.games.team_up.solver.solve import Problem, Solution, draw, read, solve

GAME = load("team_up")
SOLUTION = parts.solution(parts.DEFAULT_DATA)
CARDS = list(range(1, 37))
AMPLE = 8  # attempts: more than any of these takes to prove that there is nothing better


def puzzle_after(count: int, game: Game = GAME, **options: object) -> State:
    """The puzzle with the first boxes of its solution in place."""
    state: State = game.start(1, {"mode": "puzzle"})
    game.play(state, CHANCE, game.legal_moves(state, CHANCE)[0])
    for p in SOLUTION[:count]:
        draw(game, state, p.card - 1)
        game.play(state, 0, placement(p.shape, p.colour, p.turned, p.x, p.y))
    state.mode = 0
    for name, value in options.items():
        setattr(state, name, value)
    return state


def best_of_all(game: Game, state: State, order: Sequence[int]) -> int:
    """The most points there are, by exhaustive search."""
    best = game.score(state, 0)
    if not order or game.is_over(state):
        return best
    drawn = state.copy()
    draw(game, drawn, order[0])
    if drawn.phase != PLACE:
        return max(best, best_of_all(game, drawn, order[1:]))
    for move in game.legal_moves(drawn, 0):
        after = drawn.copy()
        game.play(after, 0, move)
        best = max(best, best_of_all(game, after, order[1:]))
    return best


def replayed(solution: Solution) -> int:
    """The score of its turns, played by the rules card by card; then the team stops."""
    game, state, order = (
        solution.problem.game,
        solution.problem.state.copy(),
        solution.problem.order,
    )
    for (card, move), expected in zip(solution.turns, order, strict=False):
        assert card == expected
        draw(game, state, card)
        assert (state.phase == PLACE) == (move is not None)
        if move is not None:
            assert game.is_legal(state, state.turn, move)
            game.play(state, state.turn, move)
    if not game.is_over(state):
        game.play(state, state.turn, STOP)
    return game.score(state, 0)


@pytest.mark.parametrize("seed", range(10))
def test_with_few_boxes_it_finds_what_an_exhaustive_search_finds(seed: int) -> None:
    rng = Random(seed)
    state = puzzle_after(23 + seed % 3, clones=seed % 2, ceiling=seed // 2 % 2)
    order = tuple(rng.sample([c for c in range(36) if state.deck >> c & 1], 6))
    solution = solve(Problem(GAME, state, order), attempts=AMPLE)
    assert solution.points == best_of_all(GAME, state, order) == replayed(solution)
    assert solution.proof in ("complete", "bound", "perfect")


def test_it_finishes_a_perfect_pallet_from_its_first_boxes() -> None:
    state = puzzle_after(13)
    solution = solve(Problem(GAME, state, tuple(range(13, 36))), attempts=AMPLE)
    assert (solution.points, solution.proof, replayed(solution)) == (PERFECT, "perfect", PERFECT)


def test_its_scores_for_whole_decks_are_those_of_the_rules() -> None:
    for seed in range(3):
        cards = Random(seed).sample(CARDS, 36)
        solution = solve(read({"cards": cards, "neutral": "n-a1-123"}), attempts=2)
        assert replayed(solution) == solution.points
        assert 10 <= solution.points <= solution.bound == PERFECT


def test_without_time_it_claims_only_the_points_made_so_far() -> None:
    state = puzzle_after(13)
    solution = solve(Problem(GAME, state, tuple(range(13, 36))), seconds=0)
    assert (solution.points, solution.turns, solution.proof) == (GAME.score(state, 0), (), "none")


def test_losses_and_missing_cards_lower_the_bound() -> None:
    state = puzzle_after(24)
    assert Optimiser(GAME, state, tuple(range(24, 36))).bound() == PERFECT
    state.lost = 2
    assert Optimiser(GAME, state, tuple(range(24, 36))).bound() == PERFECT - 2
    assert Optimiser(GAME, state, (24, 25)).bound() < PERFECT - 7


def test_more_cards_never_lower_the_best_score() -> None:
    state = puzzle_after(22)
    points = [
        solve(Problem(GAME, state, tuple(range(22, 22 + count))), attempts=AMPLE).points
        for count in range(1, 6)
    ]
    assert all(fewer <= more for fewer, more in pairwise(points))
    assert points[-1] == PERFECT


# Reading


def test_a_problem_is_cards_and_the_first_placements() -> None:
    problem = read({"cards": [4, 1, 2], "neutral": "n-a1-123", "placed": ["crate.red.b1t"]})
    assert problem.order == (0, 1)
    assert problem.state.placed == 2
    assert problem.state.card == 3


def test_without_a_place_the_neutral_box_stands_as_in_the_puzzle() -> None:
    assert read({"cards": [1], "neutral": None}).state == puzzle_after(0)


def match_of(*moves: str, deal: Sequence[str] = (), **options: object) -> Match:
    match = Match(GAME, 2, options, deal=deal)
    for move in moves:
        seat, text = move.split()
        match.play(int(seat), GAME.parse(int(seat), text))
    return match


BEGUN = ("-1 n-a1-123", "0 draw", "-1 card4", "0 crate.red.b1t", "1 draw", "-1 card1")


def test_the_rest_of_a_match_is_known_from_its_deal() -> None:
    deal = ["n-a1-123", "card4", "card1", "card9", "card2"]
    problem = read(match_of(*BEGUN, deal=deal).to_json())
    assert problem.order == (0, 8, 1)
    assert problem.state.deck >> 0 & 1 == 1
    assert problem.state.placed == 2


def test_the_rest_of_the_puzzle_is_known() -> None:
    match = Match(GAME, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32)))
    match.play(0, DRAW)
    match.play(0, match.legal_moves(0)[0])
    assert read(match.to_json()).order == tuple(range(1, 36))


def test_a_match_that_is_over_is_solved_from_its_beginning() -> None:
    match = match_of(*BEGUN, "1 cube.red.e1", "0 stop", "1 agree")
    problem = read(match.to_json())
    assert problem.order == (3, 0)
    assert problem.state.placed == 1


ERRORS: list[tuple[object, str]] = [
    ([], "the problem is no object, expected one with cards"),
    ({}, "cards: the value is None, expected a list"),
    ({"cards": [1], "deck": 1}, "the problem has 'deck', expected only cards, neutral"),
    ({"cards": [0]}, "cards, entry 1 is 0, expected 1 to 36"),
    ({"cards": [1, 2, 1]}, "cards: 1 comes twice, expected every card once"),
    ({"cards": [1], "neutral": "a1"}, "neutral is 'a1', expected null or one of n-a1-123"),
    ({"cards": [1], "options": 1}, "options is 1, expected an object with clones and ceiling"),
    ({"cards": [1], "placed": [3]}, "placed, entry 1 is 3, expected a placement"),
    ({"cards": [1], "placed": ["cube.red"]}, "'cube.red' is not a move in team_up"),
    (
        {"cards": [1], "placed": ["post.red.c3"]},
        "placed, entry 1 is 'post.red.c3', expected what card1 allows: not ordered",
    ),
    (
        {"cards": [1], "neutral": "n-a1-123", "placed": ["cube.red.b1", "cube.red.b1"]},
        "placed: the list has 2 items, expected 0 to 1",
    ),
    ({"moves": [], "format": 2}, "the format is 2, expected 1"),
]


@pytest.mark.parametrize(("data", "sentence"), ERRORS, ids=[text for _, text in ERRORS])
def test_an_error_says_what_is_wrong_and_what_was_expected(data: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not a move") as caught:
        read(data)
    assert str(caught.value).startswith(sentence)


def test_a_match_of_unknown_cards_cannot_be_solved() -> None:
    match = match_of(*BEGUN, "1 cube.red.e1")
    with pytest.raises(ValueError, match="does not tell the cards to come, expected its deal"):
        read(match.to_json())


def test_every_recorded_match_that_is_over_is_solved_at_least_as_well_as_it_was_played() -> None:
    for path in sorted((GAME.folder / "matches").glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        if data.get("result", {}).get("over") and data.get("parts") is None:
            solution = solve(read(data), attempts=1)
            assert solution.points >= data["result"]["scores"][0]


# Telling


def test_the_answer_in_json_can_be_placed_again() -> None:
    problem = read({"cards": [4, 1, 2], "neutral": "n-a1-123"})
    answer = solve(problem, attempts=AMPLE).to_json()
    placed = [turn["move"] for turn in answer["turns"]]
    again = read({"cards": [4, 1, 2], "neutral": "n-a1-123", "placed": placed})
    assert GAME.score(again.state, 0) == answer["score"]
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_in_words_has_the_score_the_proof_and_a_line_for_each_card(
    language: str,
) -> None:
    solution = solve(Problem(GAME, puzzle_after(25), tuple(range(25, 36))), attempts=AMPLE)
    lines = solution.lines(language)
    assert "25" in lines[0]
    assert len(lines) == 2 + len(solution.turns) == 4
    assert "26" in lines[2]


def test_a_lost_card_is_listed_as_lost() -> None:
    post, beam = 35, 26  # of which only a beam is left
    solution = solve(Problem(GAME, puzzle_after(26), (post, beam)), attempts=AMPLE)
    assert [turn["move"] is None for turn in solution.to_json()["turns"]] == [True, False]
    assert solution.points == PERFECT - 1
