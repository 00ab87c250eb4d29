"""Every game, at every seat count, obeys what all games obey."""

import json
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.story import Fact
from variants import SMALLEST

COUNTED = "counts_are_unchanged"  # counts small variants itself
CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


@pytest.mark.parametrize("name", conformance.CHECKS)
@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_conformance(slug: str, seats: int, name: str) -> None:
    conformance.run(load(slug), seats, name)


@pytest.mark.parametrize("name", sorted(set(conformance.CHECKS) - {COUNTED}))
@pytest.mark.parametrize(
    ("slug", "seats"),
    [(slug, seats) for slug in SMALLEST for seats in (load(slug).seats[0], load(slug).seats[-1])],
)
def test_the_smallest_variants_conform(slug: str, seats: int, name: str) -> None:
    conformance.run(smallest(slug), seats, name)


@cache
def smallest(slug: str) -> Game:
    """The game whose random matches are all played with these options."""
    game = Game(slug)
    game.playout_options |= SMALLEST[slug]
    return game


@pytest.mark.parametrize("slug", SMALLEST)
def test_the_smallest_variants_are_counted_to_the_end_but_on_a_clock(slug: str) -> None:
    game = load(slug)
    small = json.loads((game.folder / "counts.json").read_text()).get("small", [])
    for name, value in SMALLEST[slug].items():
        assert value == game.options[name].low
        counted = {each["seats"] for each in small if each["options"][name] == value}
        assert counted == (set() if game.timed else set(game.seats))


def test_a_game_whose_draws_share_a_name_is_found_out() -> None:
    game = Game("stupide_vautour")
    game.draw_name = lambda s: s.rounds // 2
    with pytest.raises(AssertionError, match="several draws have one of the names"):
        conformance.run(game, 2, "draws_have_names_of_their_own")


def test_a_game_whose_names_depend_on_what_people_do_is_found_out() -> None:
    game = Game("stupide_vautour")
    game.draw_name = lambda s: 100 * s.rounds + max(s.tops)
    with pytest.raises(AssertionError, match=r"draws \d have a name for all matches"):
        conformance.run(game, 2, "the_same_seeds_give_the_same_draws")


# Stories that are wrong

Tell = Callable[[Any, int, int | None, Any], list[Fact]]
calls = count()


def one(fact: Fact) -> Tell:
    return lambda before, seat, move, after: [fact]


@pytest.mark.parametrize(
    ("tell", "complaint"),
    [
        (one(Fact("begins", "award", {})), "'begins' is not a kind of fact"),
        (one(Fact("award", "won", {"seat": 0})), r"words.toml: story.won is missing in fr"),
        (
            one(Fact("award", "award", {"seat": 0})),
            r"nothing fills {value}, {worth} of story.award",
        ),
        (one(Fact("note", "took", {"seat": 2})), "Fact.*'seat': 2"),
        (one(Fact("reveal", "revealed", {"by_seat": [[5, "7"]]})), "Fact.*by_seat"),
    ],
)
def test_a_fact_without_its_words_is_found_out(
    tell: Tell, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("stupide_vautour")
    monkeypatch.setattr(game.module("story"), "tell", tell)
    with pytest.raises(AssertionError, match=complaint):
        conformance.run(game, 2, "every_fact_has_its_words")


def test_a_story_that_is_not_about_its_viewers_views_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As one that remembers what it has told to others."""
    game = Game("stupide_vautour")

    def tell(before: Any, seat: int, move: int | None, after: Any) -> list[Fact]:
        return [Fact("carry", "carried", {"worth": next(calls)})]

    monkeypatch.setattr(game.module("story"), "tell", tell)
    monkeypatch.setattr(game.module("story"), "is_told", lambda before, seat, move: True)
    with pytest.raises(AssertionError, match=r"viewer -?\d is told .*, or .*"):
        conformance.run(game, 2, "a_story_tells_only_what_its_viewer_may_know")


def test_a_story_that_leaves_out_what_it_tells_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game("stupide_vautour")
    monkeypatch.setattr(game.module("story"), "is_told", lambda before, seat, move: False)
    with pytest.raises(AssertionError, match="is_told leaves out"):
        conformance.run(game, 2, "a_story_tells_only_what_its_viewer_may_know")
