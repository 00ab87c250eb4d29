"""The solver: what it finds is laid correctly, and what it calls impossible is impossible."""

import copy
import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.engine.game import LANGUAGES
from ludotheque.games.ubongo.layable import HAND, SEVEN, can_lay
from ludotheque.games.ubongo.parts import DEFAULT, OURS, PILE
from ludotheque.games.ubongo.rules import ROUNDS
from ludotheque.games.ubongo.solver import arrange
from ludotheque.games.ubongo.solver.hand import Hand
from ludotheque.games.ubongo.solver.ports import LaidCard
from ludotheque.games.ubongo.solver.solve import Problem, Solution, read, solve

Face = tuple[str, ...] | tuple[int, ...]
Cells = dict[tuple[int, int], tuple[int, str | int]]  # (x, y): card, symbol
BESIDE = ((1, 0), (0, 1), (-1, 0), (0, -1))


# The rules of laying, cell by cell, without ports, tables or bits


@cache
def turned(face: Face, turn: int) -> dict[tuple[int, int], str | int]:
    """The cells of a face after quarter turns clockwise: (x, y) goes to (height - 1 - y, x)."""
    at: dict[tuple[int, int], str | int] = {(i % 3, i // 3): face[i] for i in range(len(face))}
    for _ in range(turn):
        height = 1 + max(y for _, y in at)
        at = {(height - 1 - y, x): symbol for (x, y), symbol in at.items()}
    return at


def cells_of(face: Face, laid: LaidCard) -> Cells:
    at = turned(face, laid.turn)
    return {(x + laid.x, y + laid.y): (laid.card, symbol) for (x, y), symbol in at.items()}


def fits(table: Cells, card: Cells) -> bool:
    """Whether a card borders those on the table, each by two cells and with equal symbols."""
    borders: Counter[int] = Counter()
    for (x, y), (_, symbol) in card.items():
        if (x, y) in table:
            return False
        for dx, dy in BESIDE:
            other, facing = table.get((x + dx, y + dy), (-1, symbol))
            if facing != symbol:
                return False
            borders[other] += 1
    del borders[-1]
    return set(borders.values()) == {2}


def is_correct(problem: Problem, layout: tuple[LaidCard, ...]) -> bool:
    """Whether the cards can be laid so one after the other, each beside the ones before."""
    waiting = [cells_of(problem.faces[laid.card], laid) for laid in layout]
    table = waiting.pop(0)
    while waiting:
        fitting = [cells for cells in waiting if fits(table, cells)]
        if not fitting:
            return False
        table = table | fitting[0]
        waiting.remove(fitting[0])
    return True


def most_by_trying(faces: tuple[Face, ...], enough: int) -> int:
    """How many cards can be laid, `enough` at most: every group grows around its first card."""
    groups = {frozenset([LaidCard(card, 0, 0, 0)]) for card in range(len(faces))}
    for size in range(1, enough):
        groups = {wider for group in groups for wider in extensions(faces, group)}
        if not groups:
            return size
    return enough


def extensions(faces: tuple[Face, ...], group: frozenset[LaidCard]) -> list[frozenset[LaidCard]]:
    table: Cells = {}
    for laid in group:
        table |= cells_of(faces[laid.card], laid)
    used = {laid.card for laid in group}
    near = {(x + dx, y + dy) for x, y in table for dx in range(-3, 2) for dy in range(-3, 2)}
    return [
        group | {laid}
        for card in range(min(used) + 1, len(faces))
        if card not in used
        for turn in range(4)
        for x, y in near
        if fits(table, cells_of(faces[card], laid := LaidCard(card, turn, x, y)))
    ]


# Problems


def drawn_hand(number: int, rng: Random) -> dict[str, object]:
    return {"round": number, "cards": rng.sample(range(PILE), 9)}


def solved(data: object) -> Solution:
    return solve(read(data))


def numbers_of(problem: Problem) -> list[list[int]]:
    return [[ord(symbol) for symbol in face] for face in problem.faces]


FACES = st.lists(st.text("abcd", min_size=6, max_size=6), min_size=1, max_size=4)


@settings(max_examples=15)
@given(FACES)
def test_as_many_cards_are_laid_as_an_exhaustive_search_finds(faces: list[str]) -> None:
    solution = solved({"faces": faces})
    assert len(solution.layout) == most_by_trying(solution.problem.faces, len(faces))
    assert is_correct(solution.problem, solution.layout)


@settings(max_examples=80)
@given(st.lists(st.text("abcd", min_size=6, max_size=6), min_size=1, max_size=9), st.randoms())
def test_the_order_of_the_cards_and_their_turn_in_the_file_do_not_matter(
    faces: list[str], rng: Random
) -> None:
    turned = [rng.choice((face, face[::-1])) for face in faces]
    rng.shuffle(turned)
    assert len(solved({"faces": faces}).layout) == len(solved({"faces": turned}).layout)


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_what_is_found_is_laid_correctly(number: int) -> None:
    rng = Random(number)
    for _ in range(25):
        solution = solved(drawn_hand(number, rng))
        assert is_correct(solution.problem, solution.layout)
        assert min(laid.x for laid in solution.layout) == 0
        assert min(laid.y for laid in solution.layout) == 0


def test_seven_of_nine_are_found_exactly_where_the_search_of_the_rules_finds_them() -> None:
    rng = Random(2)
    answers = set()
    for _ in range(300):
        hand = rng.sample(range(2 * PILE, 3 * PILE), 9)
        answer = len(solved({"round": 6, "cards": hand}).layout) >= SEVEN
        answers.add(answer)
        assert answer == can_lay(hand, HAND, 1)
    assert answers == {True, False}


def test_an_exhaustive_search_does_not_find_what_is_proven_impossible() -> None:
    proven = 0
    rng = Random(3)
    while proven < 2:
        solution = solved(drawn_hand(6, rng))
        if len(solution.layout) < SEVEN and has_few_matches(solution.problem):
            faces = solution.problem.faces
            assert most_by_trying(faces, SEVEN) == len(solution.layout)
            proven += 1


def has_few_matches(problem: Problem) -> bool:
    """So that an exhaustive search does not take long."""
    return sum(Hand(numbers_of(problem)).matches) <= 22


def test_the_searches_list_what_was_ruled_out_before_the_answer() -> None:
    rng = Random(4)
    for _ in range(60):
        solution = solved(drawn_hand(6, rng))
        sizes = [search.need for search in solution.searches]
        assert sizes == list(range(9, len(solution.layout) - 1, -1))
        assert [search.found for search in solution.searches] == [False] * (len(sizes) - 1) + [True]
        assert all(search.groups > 0 for search in solution.searches)


@pytest.mark.parametrize("number", [1, 4, 6])
def test_the_compiled_search_visits_the_same_groups_as_the_plain_one(number: int) -> None:
    rng = Random(number)
    for _ in range(30):
        solution = solved(drawn_hand(number, rng))
        for search in solution.searches:
            found, groups = arrange.find_and_count(numbers_of(solution.problem), search.need)
            assert (bool(found), groups) == (search.found, search.groups)


def test_a_long_search_is_finished_by_the_compiled_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = drawn_hand(6, Random(8))
    expected = solved(cards)
    monkeypatch.setattr("ludotheque.games.ubongo.solver.solve.MAX_PLAIN_GROUPS", 1)
    assert solved(cards) == expected


HARD = "301210 311223 010100 222222 001100 201632 222212 212222 222022"


def test_a_hard_hand_is_decided() -> None:
    faces = [[int(symbol) for symbol in face] for face in HARD.split()]
    assert arrange.find(faces) == ()
    assert len(arrange.largest(faces)) < SEVEN


def test_equal_cards_do_not_multiply_the_work() -> None:
    rich, other = "aaaaaa", "bcdbcd"
    searches = solved({"faces": [rich] * 6 + [other] * 3}).searches
    assert [search.need for search in searches if search.found] == [6]
    assert sum(search.groups for search in searches) < 20


def test_of_cards_that_match_no_other_only_one_is_laid() -> None:
    assert len(solved({"faces": ["abcdef", "ghijkl"]}).layout) == 1


def test_all_cards_of_a_pile_can_be_laid() -> None:
    solution = solved({"round": 1, "cards": list(range(PILE))})
    assert len(solution.layout) == PILE
    assert is_correct(solution.problem, solution.layout)


# Files


def test_cards_are_numbered_as_in_the_notation_or_as_in_states() -> None:
    pile = read({"round": 4, "cards": [0, 5, 35]})
    assert pile == read({"round": 4, "cards": [36, 41, 71]})
    letters = "abcdefhklmsw"
    assert pile.faces[1] == tuple(letters[symbol] for symbol in DEFAULT.faces[41][1])


def test_a_hosts_own_cards_replace_ours() -> None:
    deck = copy.deepcopy(OURS)
    deck["piles"][0][7]["white"] = "wwwwww"
    assert read({"round": 1, "cards": [7]}, deck).faces == (("w",) * 6,)


def test_faces_are_texts_or_lists_of_numbers() -> None:
    lists = solved({"faces": [[0, 1, 2, 3, 4, 10], [10, 4, 3, 2, 1, 0]]})
    texts = solved({"faces": ["abcdef", "fedcba"]})
    assert lists.layout == texts.layout


def test_the_examples_of_the_documentation_are_solved() -> None:
    page = Path(__file__).parents[5] / "docs" / "solve-ubongo.md"
    examples = re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert [len(solved(json.loads(example)).layout) for example in examples] == [8, 3]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the problem: expected an object, found a list"),
        (
            {"round": 1},
            "the problem: expected the keys 'round' and 'cards', or the key 'faces', found 'round'",
        ),
        (
            {},
            "the problem: expected the keys 'round' and 'cards', or the key 'faces', found none",
        ),
        ({"round": 7, "cards": [1]}, "round: expected a number from 1 to 6, found 7"),
        ({"round": "1", "cards": [1]}, "round: expected a whole number, found a text"),
        ({"round": True, "cards": [1]}, "round: expected a whole number, found true or false"),
        ({"round": 1.5, "cards": [1]}, "round: expected a whole number, found 1.5"),
        ({"round": 1, "cards": 9}, "cards: expected a list, found a number"),
        ({"round": 1, "cards": []}, "cards: expected 1 to 36 cards, found 0"),
        (
            {"round": 1, "cards": [3, 36]},
            "cards, entry 2: expected a number from 0 to 35, found 36",
        ),
        (
            {"round": 5, "cards": [40]},
            "cards, entry 1: expected a card of pile 3, found 40",
        ),
        (
            {"round": 3, "cards": [4, 40]},
            "cards, entry 2: expected a card not yet named, found 40 again",
        ),
        ({"faces": {}}, "faces: expected a list, found an object"),
        ({"faces": ["abcde"]}, "face 1: expected 6 symbols, found 5"),
        ({"faces": ["abcdef", 3]}, "face 2: expected six symbols, found a number"),
        (
            {"faces": [[1, 2, 3, 4, 5, "a"]]},
            "face 1, symbol 6: expected a whole number, found a text",
        ),
        (
            {"faces": [[1, 2, 3, 4, 5, -6]]},
            "face 1, symbol 6: expected a number from 0 to 99, found -6",
        ),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(data: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read(data)


# Answers


def test_the_answer_as_json() -> None:
    answer = solved({"faces": ["aaaaaa", "aaaaaa", "xyzxyz"]}).to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert [entry["card"] for entry in answer.pop("layout")] == ["1", "2"]
    assert answer == {
        "cards": 3,
        "most": 2,
        "seven": False,
        "searches": [
            {"need": 3, "found": False, "groups": answer["searches"][0]["groups"]},
            {"need": 2, "found": True, "groups": 1},
        ],
    }


def test_the_answer_as_text_draws_the_cards() -> None:
    solution = Solution(
        Problem(("1", "2"), (tuple("abcdef"), tuple("bcadea"))),
        (LaidCard(0, 0, 0, 0), LaidCard(1, 1, 3, 0)),
        (),
    )
    assert solution.lines("en")[2:-3] == [
        "+---+---+---+---+---+",
        "| a   b   c | d   b |",
        "+           +       +",
        "| d   e   f | e   c |",
        "+---+---+---+       +",
        "            | a   a |",
        "            +---+---+",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_told_in_every_language(language: str) -> None:
    lines = solved({"faces": ["aaaaaa", "aaaaaa", "xyzxyz"]}).lines(language)
    assert re.search(r"\b2\b.*\b3\b", lines[0])
    assert lines[1].startswith("3 ")
    assert len(lines) == 2 + 1 + sum("+" in a or "+" in b for a, b in pairwise(lines)) + 2


def test_a_symbol_of_two_digits_keeps_the_columns_straight() -> None:
    lines = solved({"faces": [[10, 1, 1, 1, 1, 1]]}).lines("en")
    drawn = [line for line in lines if line.startswith(("|", "+"))]
    assert len({len(line) for line in drawn}) == 1
