"""The deck, the format of decks, and the solver behind the deck's census."""

import copy
import math
import re
from collections import Counter
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

from ludotheque.games.ubongo import parts
from ludotheque.games.ubongo.solver import arrange
from ludotheque.games.ubongo.tests.test_solve import Cells, cells_of
from ludotheque.games.ubongo.tools import make_deck

DECK = parts.OURS
ROUNDS = range(1, 7)

Face = tuple[int, ...]
Group = frozenset[arrange.LaidCard]


def faces_of(number: int) -> list[Face]:
    """The side that a round is played with."""
    pile, side = divmod(number - 1, 2)
    return [card[side] for card in parts.DEFAULT.faces[36 * pile : 36 * (pile + 1)]]


def hands_of(number: int, count: int) -> list[list[Face]]:
    rng = np.random.default_rng(number)
    faces = faces_of(number)
    return [[faces[i] for i in rng.choice(36, 9, replace=False)] for _ in range(count)]


# The rules of laying, cell by cell, slow and plain


def is_correct(faces: list[Face], group: Group) -> bool:
    """Whether no cards overlap, every contact is correct, and all form one group."""
    table: Cells = {}
    for laid in group:
        table |= cells_of(faces[laid.card], laid)
    if len(table) != 6 * len(group):
        return False
    borders: Counter[tuple[int, int]] = Counter()
    for (x, y), (card, symbol) in table.items():
        for beside in ((x + 1, y), (x, y + 1)):
            other, facing = table.get(beside, (card, symbol))
            if symbol != facing:
                if other != card:
                    return False
            elif other != card:
                borders[min(card, other), max(card, other)] += 1
    return set(borders.values()) <= {2} and are_connected(group, set(borders))


def are_connected(group: Group, borders: set[tuple[int, int]]) -> bool:
    cards = {laid.card for laid in group}
    joined = {min(cards)}
    for _ in cards:
        joined |= {card for pair in borders if joined & set(pair) for card in pair}
    return joined == cards


def groups(faces: list[Face], need: int) -> set[Group]:
    """All arrangements, each with its lowest card at turn 0 on (0, 0)."""
    found: set[Group] = set()
    for root in range(len(faces)):
        grown = {frozenset([arrange.LaidCard(root, 0, 0, 0)])}
        for _ in range(need - 1):
            grown = {wider for group in grown for wider in extensions(faces, group, root)}
        found |= grown
    return found


def extensions(faces: list[Face], group: Group, root: int) -> list[Group]:
    """The group with one card more, which must lie within three cells of a card of it."""
    used = {laid.card for laid in group}
    near = {
        (laid.x + dx, laid.y + dy) for laid in group for dx, dy in product(range(-3, 4), repeat=2)
    }
    wider = [
        group | {arrange.LaidCard(card, turn, x, y)}
        for card in range(root + 1, len(faces))
        if card not in used
        for turn in range(4)
        for x, y in near
    ]
    return [candidate for candidate in wider if is_correct(faces, candidate)]


# The solver


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("need", [2, 3])
def test_the_solver_counts_what_brute_force_counts(seed: int, need: int) -> None:
    faces = [tuple(face) for face in make_deck.random_faces(np.random.default_rng(seed), 4)[:4]]
    assert arrange.count(faces, need) == len(groups(faces, need))


def test_four_of_five_cards_are_counted_as_brute_force_counts_them() -> None:
    faces = [tuple(face) for face in make_deck.random_faces(np.random.default_rng(7), 6)[:5]]
    expected = len(groups(faces, 4))
    assert expected > 0
    assert arrange.count(faces, 4) == expected


@pytest.mark.parametrize("number", ROUNDS)
def test_what_the_solver_lays_is_correct(number: int) -> None:
    for hand in hands_of(number, 50):
        for group in (arrange.find(hand), arrange.largest(hand)):
            assert not group or is_correct(hand, frozenset(group))


def test_the_largest_group_is_the_last_that_can_be_laid() -> None:
    sizes = set()
    for hand in hands_of(6, 50):
        size = len(arrange.largest(hand))
        sizes.add(size)
        assert [arrange.can_lay(hand, need) for need in range(1, 10)] == [
            need <= size for need in range(1, 10)
        ]
    assert len(sizes) > 1


def test_of_cards_without_a_match_only_one_is_laid() -> None:
    faces = [(0, 1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11)]
    assert arrange.largest(faces) == (arrange.LaidCard(0, 0, 0, 0),)
    assert arrange.count(faces, 2) == 0


def test_no_cards_make_no_group() -> None:
    assert arrange.largest([]) == ()


def test_the_census_agrees_with_deciding_hand_by_hand() -> None:
    faces = np.array(faces_of(6)[:12])
    unlayable = [hand for hand in combinations(faces.tolist(), 9) if not arrange.can_lay(hand)]
    assert 0 < len(unlayable) < 220
    assert make_deck.count_unlayable(faces) == len(unlayable)


# The deck


def test_the_deck_has_108_cards_of_two_faces_of_six_symbols() -> None:
    shapes = Counter(tuple(len(face) for face in card) for card in parts.DEFAULT.faces)
    assert shapes == {(6, 6): 108}


def test_no_symbol_comes_more_than_twice_on_a_face() -> None:
    for card in parts.DEFAULT.faces:
        for face in card:
            assert max(Counter(face).values()) <= 2


@pytest.mark.parametrize("number", ROUNDS)
def test_no_two_faces_of_a_side_are_alike_even_turned(number: int) -> None:
    faces = faces_of(number)
    assert len({min(face, face[::-1]) for face in faces}) == 36


@pytest.mark.parametrize("number", ROUNDS)
def test_the_census_tells_the_symbols_and_matches_of_a_round(number: int) -> None:
    faces = faces_of(number)
    census = DECK["census"][number - 1]
    matches = make_deck.mean_matches(arrange.link(np.array(faces)))
    assert census["round"] == number
    assert census["symbols"] == len({symbol for face in faces for symbol in face})
    assert census["matches"] == pytest.approx(matches, abs=0.005)


@pytest.mark.parametrize("number", ROUNDS)
def test_a_sample_of_hands_is_unlayable_as_often_as_the_census_says(number: int) -> None:
    hands = hands_of(number, 3000)
    expected = len(hands) * DECK["census"][number - 1]["unlayable"] / math.comb(36, 9)
    unlayable = sum(not arrange.can_lay(hand) for hand in hands)
    assert abs(unlayable - expected) <= 4 * math.sqrt(expected + 1)


@pytest.mark.parametrize("number", ROUNDS)
def test_a_sample_of_hands_has_about_the_median_of_arrangements(number: int) -> None:
    median = np.median([arrange.count(hand) for hand in hands_of(number, 101)])
    assert 0.6 < median / DECK["census"][number - 1]["arrangements"] < 1.6


def test_rounds_grow_harder() -> None:
    census = DECK["census"]
    for easier, harder in pairwise(census):
        assert easier["matches"] > harder["matches"]
        assert easier["arrangements"] > harder["arrangements"]
        assert easier["unlayable"] <= harder["unlayable"]


def test_hands_that_cannot_be_laid_are_rare() -> None:
    bounds = (0, 36, 5131, 27273, 967810, 2558755)
    for figures, bound in zip(DECK["census"], bounds, strict=True):
        assert figures["unlayable"] <= bound


def test_the_generator_repeats_itself_for_a_seed() -> None:
    plan = make_deck.Plan(symbols=9, matches=20.0, set_size=8, tuning_steps=50)
    effort = make_deck.Effort(shapes=1, shaping_steps=2000, sets=50)
    one, same, other = (
        make_deck.make_faces(np.random.default_rng(seed), plan, effort).tolist()
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


# The format


def test_a_host_deck_needs_only_symbols_and_piles() -> None:
    assert parts.read({key: DECK[key] for key in ("symbols", "piles")}) == parts.DEFAULT


def test_a_face_is_read_row_by_row_as_indices_into_the_symbols() -> None:
    deck = copy.deepcopy(DECK)
    deck["piles"][1][0] = {"white": "abcdef", "black": "wwwwww"}
    assert parts.read(deck).faces[36] == ((0, 1, 2, 3, 4, 5), (11, 11, 11, 11, 11, 11))


def broken(*path: str | int, value: object) -> dict[str, Any]:
    """Our deck with one value replaced."""
    deck: dict[str, Any] = copy.deepcopy(DECK)
    *parents, last = path
    place: Any = deck
    for key in parents:
        place = place[key]
    place[last] = value
    return deck


CARD = {"white": "abcdef", "black": "abcdef"}
SYMBOL = {"letter": "a", "name": "anchor"}


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ([], "the deck: expected an object, found a list"),
        (None, "the deck: expected an object, found nothing"),
        ({"symbols": []}, "the deck: expected the key 'piles', found none"),
        ({"piles": []}, "the deck: expected the key 'symbols', found none"),
        (broken("symbols", value="abc"), "symbols: expected a list, found a text"),
        (broken("symbols", value=[]), "symbols: expected 1 to 12 symbols, found 0"),
        (
            broken("symbols", value=[SYMBOL] * 13),
            "symbols: expected 1 to 12 symbols, found 13",
        ),
        (broken("symbols", 2, value="c"), "symbol 3: expected an object, found a text"),
        (
            broken("symbols", 2, value={"letter": "c"}),
            "symbol 3: expected the key 'name', found none",
        ),
        (
            broken("symbols", 2, "letter", value=3),
            "symbol 3, letter: expected a text, found a number",
        ),
        (
            broken("symbols", 2, "letter", value="ch"),
            "symbol 3, letter: expected a single character, found 'ch'",
        ),
        (
            broken("symbols", 2, "letter", value="a"),
            "symbol 3, letter: expected one not yet taken, found 'a' again",
        ),
        (
            broken("symbols", 2, "name", value=""),
            "symbol 3, name: expected a word, found an empty text",
        ),
        (
            broken("symbols", 2, "name", value=True),
            "symbol 3, name: expected a text, found true or false",
        ),
        (broken("piles", value={}), "piles: expected a list, found an object"),
        (broken("piles", value=[[]] * 2), "piles: expected 3 piles, found 2"),
        (broken("piles", 1, value="abcdef"), "pile 2: expected a list, found a text"),
        (broken("piles", 1, value=[CARD] * 35), "pile 2: expected 36 cards, found 35"),
        (broken("piles", 2, 6, value=[]), "pile 3, card 7: expected an object, found a list"),
        (
            broken("piles", 2, 6, value={"white": "abcdef"}),
            "pile 3, card 7: expected the key 'black', found none",
        ),
        (
            broken("piles", 2, 6, "white", value=1.5),
            "pile 3, card 7, white: expected a text, found a number",
        ),
        (
            broken("piles", 2, 6, "black", value="abcde"),
            "pile 3, card 7, black: expected 6 letters, found 5 in 'abcde'",
        ),
        (
            broken("piles", 2, 6, "black", value="abcdez"),
            "pile 3, card 7, black: expected letters among 'abcdefhklmsw', found 'z' in 'abcdez'",
        ),
    ],
)
def test_a_wrong_deck_is_refused_in_one_sentence(deck: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parts.read(deck)
