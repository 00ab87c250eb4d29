"""Compiled random play: fair, repeatable, apart from its neighbours."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ludotheque.engine import kernels, playouts, rulebook
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.scope import cloned, functions_of, shared_scope
from ludotheque.engine.seats import CHANCE
from ludotheque.lab.simulate import simulate
from ludotheque.search.jit import jit

GAME = load("stupide_vautour")


@pytest.mark.parametrize("slug", slugs())
def test_simulation_is_repeatable_however_it_is_sliced(slug: str) -> None:
    game = load(slug)
    first = simulate(game, game.seats[-1], 40, seed=5)
    again = simulate(game, game.seats[-1], 40, seed=5)
    assert (first.wins, first.points, first.moves) == (again.wins, again.points, again.moves)
    assert sum(first.wins) >= 0
    assert first.moves > 40


def test_another_seed_plays_other_matches() -> None:
    assert simulate(GAME, 2, 50, seed=1).points != simulate(GAME, 2, 50, seed=2).points


def test_random_seats_are_equally_strong() -> None:
    result = simulate(GAME, 4, 40_000, seed=3)
    for wins in result.wins:
        assert abs(wins / 40_000 - 0.25) < 0.02
    for points in result.points:
        assert abs(points / 40_000 - 10) < 0.15


def test_every_set_bit_is_found() -> None:
    bits = 0b1010_0000_0000_0001_0000_0000_0000_1000_0000_0000_0000_0110
    places = [place for place in range(63) if bits >> place & 1]
    assert [playouts.nth_bit(bits, n) for n in range(len(places))] == places
    assert playouts.popcount(bits) == len(places)
    assert playouts.popcount((1 << 62) - 1) == 62


def test_without_sets_of_its_own_a_game_has_those_of_the_moves_that_are_legal() -> None:
    game = load("team_up")
    scope = shared_scope(game, lambda function: function)
    match = Match(game, 2)
    match.play(CHANCE, 0)
    match.play(0, game.parse(0, "draw"))
    match.play(CHANCE, game.parse(CHANCE, "card1"))
    own, default = [-1] * scope["set_count"](), [-1] * scope["set_count"]()
    scope["legal_sets"](match.state, 0, own)
    cloned(functions_of(rulebook)["legal_sets"], scope)(match.state, 0, default)
    assert default == own
    assert any(own)


def test_rolls_are_even_and_streams_do_not_overlap() -> None:
    scope = kernels.compiled(GAME)
    stream = np.zeros(1, np.int64)
    counts = np.zeros(6, np.int64)
    firsts = set()
    for number in range(200):
        stream[0] = scope["stream_start"](0, number)
        firsts.add(int(stream[0]))
        for _ in range(60):
            counts[scope["random_below"](stream, 6)] += 1
    assert len(firsts) == 200
    assert counts.sum() == 12_000
    assert abs(counts - 2000).max() < 200


def cached_in(source: str, boundscheck: bool = False) -> Path:
    """Where the kernels of a module with this source are cached."""
    module = ModuleType("around")
    exec(source, vars(module))
    return kernels.cache_folder(GAME, boundscheck, (playouts, module))


SOURCE = """
from typing import NamedTuple
class Pair(NamedTuple):
    a: int
    b: int
LIMIT = 3
def limited(pair):
    'The lesser.'
    return min(pair.a, LIMIT + 1)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIMIT = 3", "LIMIT = 4"), ("LIMIT + 1", "LIMIT + 2"), ("pair.a", "pair.b"), ("b: int", "")],
)
def test_the_cache_folder_changes_with_what_is_compiled(old: str, new: str) -> None:
    assert cached_in(SOURCE.replace(old, new)) != cached_in(SOURCE)
    assert cached_in(SOURCE, boundscheck=True) != cached_in(SOURCE)


def test_a_comment_does_not_change_the_cache_folder() -> None:
    told = SOURCE.replace("'The lesser.'", "'The lesser of two.'\n    # and at most so much")
    assert told != SOURCE
    assert cached_in(told) == cached_in(SOURCE)


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    assert kernels.cache_folder(GAME, False, (playouts,)).parent == tmp_path
    monkeypatch.delenv("LUDOTHEQUE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kernels.cache_root() == tmp_path / "ludotheque" / "kernels"


def test_a_game_of_its_own_has_kernels_of_its_own() -> None:
    assert kernels.compiled(Game("stupide_vautour")) is not kernels.compiled(GAME)


def test_rolls_that_follow_each_other_are_independent() -> None:
    """Compiled in one piece, so that the optimiser sees both."""
    scope = kernels.compiled(GAME)
    random_below, stream_start = scope["random_below"], scope["stream_start"]

    @jit
    def count_pairs(stream: Any, counts: Any) -> None:
        for number in range(60_000):
            stream[0] = stream_start(7, number)
            first = random_below(stream, 6)
            counts[first, random_below(stream, 6)] += 1

    counts = np.zeros((6, 6), np.int64)
    count_pairs(np.zeros(1, np.int64), counts)
    assert 1_450 < counts.min() <= counts.max() < 1_900
