"""The same deal again: who plays it, and what score there is to reach."""

import pytest

from ludotheque.engine.game import Game, load
from ludotheque.engine.option import Value
from ludotheque.engine.refused import Refused

GAME = load("team_up")


def options(**given: Value) -> dict[str, Value]:
    return GAME.complete(given, 2)


@pytest.mark.parametrize(("is_same_team", "mode"), [(True, "challenge"), (False, "competition")])
def test_a_deal_played_again_is_a_challenge_or_a_competition(is_same_team: bool, mode: str) -> None:
    again = GAME.options_again(options(clones="same"), 12, is_same_team)
    assert again == options(clones="same", mode=mode, target=12)


def test_the_target_is_the_best_score_so_far() -> None:
    worse = GAME.options_again(options(mode="challenge", target=12), 7, False)
    better = GAME.options_again(options(mode="challenge", target=12), 15, True)
    assert worse == options(mode="competition", target=12)
    assert better == options(mode="challenge", target=15)


@pytest.mark.parametrize("is_same_team", [True, False])
def test_a_puzzle_stays_a_puzzle(is_same_team: bool) -> None:
    assert GAME.options_again(options(mode="puzzle"), 12, is_same_team) == options(mode="puzzle")


@pytest.mark.parametrize("given", [{"mode": "challenge"}, {"mode": "competition"}, {"target": 12}])
def test_a_fresh_match_has_no_score_to_reach(given: dict[str, object]) -> None:
    with pytest.raises(Refused, match="which only playing an earlier deal again can set"):
        GAME.refuse_replay_options(given)


def test_a_fresh_match_may_be_a_puzzle_or_name_the_defaults() -> None:
    GAME.refuse_replay_options({"mode": "puzzle"})
    GAME.refuse_replay_options(options())


def test_a_hosts_set_is_played_again_in_the_same_way() -> None:
    data = GAME.module("parts").DEFAULT_DATA
    again = Game("team_up", data).options_again(options(), 3, True)
    assert again == options(mode="challenge", target=3)
