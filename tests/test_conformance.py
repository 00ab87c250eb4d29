"""Every game, at every seat count, obeys what all games obey."""

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.game import Game, load, slugs

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


@pytest.mark.parametrize("name", conformance.CHECKS)
@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_conformance(slug: str, seats: int, name: str) -> None:
    conformance.run(load(slug), seats, name)


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
