"""Gymnasium's own checks, and whole matches in its environments."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, NameNotFound, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from learn_checks import assert_leaks_nothing, assert_replays, short_options
from ludotheque.engine.game import Game, load, slugs
from ludotheque.learn.registration import environment_id
from ludotheque.learn.single import SeatEnv
from ludotheque.learn.vector import SeatVectorEnv

MODES = ("NextStep", "SameStep")
CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


def test_every_game_is_registered_with_the_version_of_its_rules() -> None:
    assert [environment_id(load(slug)) for slug in slugs()] == [
        "ludotheque/StupideVautour-v1",
        "ludotheque/TeamUp-v1",
        "ludotheque/Ubongo-v2",
        "ludotheque/UpAndDown-v2",
        "ludotheque/WhatsUp-v1",
    ]


@pytest.mark.parametrize("slug", slugs())
def test_gymnasium_accepts_the_environment(slug: str) -> None:
    env = gymnasium.make(f"ludotheque.learn:{environment_id(load(slug))}", opponents="novice")
    check_env(env.unwrapped)


@pytest.mark.parametrize(("slug", "seats"), CASES)
@pytest.mark.parametrize("seat", [0, None])
def test_whole_matches_against_bots(slug: str, seats: int, seat: int | None, is_long: bool) -> None:
    """A thousand of each game, at all seat counts together."""
    env = SeatEnv(slug, seats, seat, "novice", short_options(load(slug)))
    rng = np.random.default_rng(3)
    count = -(-1000 // len(load(slug).seats))
    for number in range(count if is_long else 1):
        seen, info = env.reset(seed=number)
        match, is_over, rewards = env.episode.match, False, 0.0
        while not is_over:
            assert_leaks_nothing(match, info["seat"], seen)
            assert (info["action_mask"] == env.action_masks()).all()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            seen, reward, is_over, is_cut, info = env.step(action)
            rewards += reward
            assert not is_cut
        assert_replays(match)
        assert rewards == env.episode.rewards()[info["seat"]]


def test_an_illegal_action_is_replaced_and_costs_what_was_agreed() -> None:
    env = SeatEnv("stupide_vautour", illegal_reward=-0.25)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(0)
    assert reward == -0.25
    assert info["action_mask"].sum() == 14


def test_errors_are_those_that_gymnasium_raises() -> None:
    with pytest.raises(NameNotFound):
        gymnasium.make("ludotheque.learn:ludotheque/Chess-v1")
    with pytest.raises(ValueError, match="whats_up is for 2 to 4 seats, not 9"):
        gymnasium.make("ludotheque.learn:ludotheque/WhatsUp-v1", seats=9)
    with pytest.raises(ValueError, match="there is no seat 2; the seats are 0 to 1"):
        SeatEnv("whats_up", seat=2)
    with pytest.raises(ValueError, match="there is no bot 'oracle'"):
        SeatEnv("whats_up", opponents="oracle")
    env = SeatEnv("whats_up", opponents="novice")
    with pytest.raises(ResetNeeded, match="call reset before the first step"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="31 is not an action; actions are 0 to 30"):
        env.step(31)
    env.close()
    with pytest.raises(ClosedEnvironmentError, match="is closed; make another one"):
        env.step(0)


# Vectors


def vector(slug: str, mode: str, count: int = 5, **more: Any) -> SeatVectorEnv:
    game = load(slug)
    more = {"options": short_options(game)} | more
    return SeatVectorEnv(game, count, game.seats[-1], autoreset_mode=mode, **more)


@pytest.mark.parametrize("mode", MODES)
def test_a_vector_gives_what_its_spaces_say(mode: str) -> None:
    for slug in slugs():
        assert_fits_its_spaces(vector(slug, mode, seat=None), mode)


def assert_fits_its_spaces(envs: SeatVectorEnv, mode: str) -> None:
    assert envs.metadata["autoreset_mode"] == AutoresetMode(mode)
    seen, infos = envs.reset(seed=4)
    assert seen in envs.observation_space
    for _ in range(30):
        actions = envs.random_actions()
        assert actions in envs.action_space
        marked = actions - envs.setting.game.unlisted_moves
        legal = infos["action_mask"][np.arange(5), np.maximum(marked, 0)] == 1
        unread = ~infos["action_mask"].any(axis=1)
        assert (legal | unread | (marked < 0)).all()
        seen, rewards, ended, cut, infos = envs.step(actions)
        assert seen in envs.observation_space
        assert (rewards.dtype, ended.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert not cut.any()


@pytest.mark.parametrize("mode", MODES)
def test_in_whole_matches_a_vector_shows_the_plain_view_and_the_plain_legal_moves(
    mode: str, is_long: bool
) -> None:
    for slug in slugs():
        envs, ended = vector(slug, mode, seat=None), 0
        wanted = 1000 if is_long else envs.num_envs
        seen, infos = envs.reset(seed=6)
        while ended < wanted:
            assert_is_plain(envs, seen, infos["action_mask"])
            seen, _, terminations, _, infos = envs.step(envs.random_actions())
            ended += int(terminations.sum())


def assert_is_plain(envs: SeatVectorEnv, seen: Any, masks: Any) -> None:
    """A view can be made of an observation alone, so nothing else is in it."""
    game, layout = envs.setting.game, envs.setting.layout
    start = envs.setting.start(None)
    for i, record in enumerate(envs._states):
        state, own = game.State.fetch(record), i % envs.setting.seats
        view = game.view(state, own)
        assert seen[i].tolist() == layout.flatten(view, own)
        assert layout.unflatten(seen[i], start) == view
        legal = listed_moves(game, view, own) if game.awaits(state, own) else []
        assert (np.flatnonzero(masks[i]) + game.unlisted_moves).tolist() == legal


def listed_moves(game: Game, view: Any, seat: int) -> list[int]:
    """The legal moves but those that are tried rather than listed, which would take long."""
    if not game.unlisted_moves:
        return game.legal_moves(view, seat)
    moves = range(game.unlisted_moves, game.moves)
    return [move for move in moves if game.is_legal(view, seat, move)]


def test_the_same_actions_are_answered_alike_in_both_modes_to_the_end_of_a_match() -> None:
    for slug in slugs():
        next_step, same_step = (vector(slug, mode, 1) for mode in MODES)
        seen = [envs.reset(seed=6)[0] for envs in (next_step, same_step)]
        ended = np.zeros(1, np.bool_)
        while not ended.any():
            assert (seen[0] == seen[1]).all()
            actions = next_step.random_actions().copy()
            assert (same_step.random_actions() == actions).all()
            seen[0], rewards, ended, _, _ = next_step.step(actions)
            seen[1], same_rewards, same_ended, _, infos = same_step.step(actions)
            assert (rewards == same_rewards).all()
            assert (ended == same_ended).all()
        assert (infos["final_obs"] == seen[0]).all()


def test_what_a_vector_has_played_is_played_again_by_the_same_seed_and_actions() -> None:
    for slug in slugs():
        first, again = vector(slug, "SameStep"), vector(slug, "SameStep")
        for envs in (first, again):
            envs.reset(seed=7)
        for _ in range(60):
            actions = first.random_actions().copy()
            again.random_actions()  # takes the same numbers from the streams
            one, other = first.step(actions), again.step(actions)
            assert all((a == b).all() for a, b in zip(one[:4], other[:4], strict=True))


def played(envs: SeatVectorEnv, steps: int) -> list[tuple[Any, ...]]:
    envs.reset(seed=8)
    return [envs.step(envs.random_actions()) for _ in range(steps)]


def test_after_the_end_the_next_step_starts_the_next_match() -> None:
    steps = played(vector("stupide_vautour", "NextStep"), 16)
    for _, rewards, ended, _, infos in steps[:14]:
        assert not ended.any()
        assert (rewards == 0).all()
        assert infos["action_mask"].any(axis=1).all()
    seen, rewards, ended, _, infos = steps[14]
    assert ended.all()
    assert not infos["action_mask"].any()
    assert (seen[:, 5] == 15).all()  # rounds
    seen, rewards, ended, _, infos = steps[15]
    assert not ended.any()
    assert (rewards == 0).all()
    assert (seen[:, 5] == 1).all()


def test_in_the_same_step_the_next_match_has_started_already() -> None:
    next_step, same_step = (played(vector("stupide_vautour", mode), 15)[14] for mode in MODES)
    assert same_step[2].all()
    assert (same_step[0][:, 5] == 1).all()
    assert (same_step[4]["final_obs"] == next_step[0]).all()
    assert same_step[4]["_final_obs"].all()
    assert same_step[1].tolist() == next_step[1].tolist()


def test_vectors_over_parts_of_the_matches_play_what_one_over_all_plays() -> None:
    whole = played(vector("up_and_down", "SameStep", 6), 30)[-1][0]
    parts = [played(vector("up_and_down", "SameStep", 3, first=f), 30)[-1][0] for f in (0, 3)]
    assert (np.concatenate(parts) == whole).all()


def test_in_a_vector_an_illegal_action_is_replaced_and_costs_one() -> None:
    envs = vector("stupide_vautour", "SameStep", 2)
    envs.reset(seed=1)
    _, rewards, _, _, infos = envs.step(np.array([0, 3]))
    assert rewards.tolist() == [-1.0, 0.0]
    assert infos["action_mask"].sum(axis=1).tolist() == [14, 14]


def test_what_is_handed_out_is_kept_unless_asked_otherwise() -> None:
    for copy in (True, False):
        envs = vector("stupide_vautour", "SameStep", copy=copy)
        handed_out = [named(*envs.reset(seed=1))]
        kept = [copied(handed_out[-1])]
        for _ in range(32):  # over the ends of two matches
            actions = envs.random_actions()
            kept_actions = actions.copy()
            seen, rewards, ended, cut, infos = envs.step(actions)
            told = {"actions": actions, "rewards": rewards, "ended": ended, "cut": cut}
            handed_out.append(named(seen, infos) | told)
            kept.append(copied(handed_out[-1]) | {"actions": kept_actions})
        changed = {
            name
            for now, before in zip(handed_out, kept, strict=True)
            for name in now
            if (now[name] != before[name]).any()
        }
        assert changed == (set() if copy else {"seen", "actions", "action_mask", "final_obs"})


def named(seen: Any, infos: dict[str, Any]) -> dict[str, Any]:
    return {"seen": seen} | infos


def copied(arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: array.copy() for name, array in arrays.items()}


def test_what_is_handed_out_may_be_written_to() -> None:
    envs = vector("stupide_vautour", "NextStep")
    for array in named(*envs.reset(seed=1)).values():
        array[:] = 0
    assert envs.reset(seed=1)[1]["_action_mask"].all()


def test_bad_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="the others are 'chaotic', not 'master'"):
        vector("whats_up", "NextStep", opponents="master")
    with pytest.raises(ValueError, match="autoreset mode Disabled: the modes are NextStep, SameS"):
        vector("whats_up", "Disabled")
    envs = vector("whats_up", "NextStep", 2)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(2))
    envs.reset()
    with pytest.raises(InvalidAction, match=r"shape \(3,\), expected \(2,\)"):
        envs.step(np.zeros(3))
    with pytest.raises(InvalidAction, match="beyond 0 to 30"):
        envs.step(np.array([0, 31]))
    for actions, dtype in (([1.7, 0.2], "float64"), ([True, False], "bool"), (["1", "2"], "<U1")):
        with pytest.raises(InvalidAction, match=f"actions are {dtype}, expected integers"):
            envs.step(actions)
    with pytest.raises(ValueError, match="a list of seeds is not needed"):
        envs.reset(seed=[1, 2])
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.reset()


def test_make_vec_makes_compiled_vectors() -> None:
    envs = gymnasium.make_vec("ludotheque.learn:ludotheque/WhatsUp-v1", num_envs=3, seats=4)
    assert isinstance(envs, SeatVectorEnv)
    assert (envs.num_envs, envs.setting.seats) == (3, 4)


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_without_its_libraries_learning_names_the_extra(missing: str) -> None:
    module = {"gymnasium": "vector", "pettingzoo": "aec"}[missing]
    code = f"""
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == {missing!r} else find(name, *more)
import ludotheque.learn
assert {missing!r} not in sys.modules
try:
    import ludotheque.learn.{module}
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    expected = f"{missing} is not installed; pip install 'ludotheque[learn]' brings it"
    assert (done.stdout.strip(), done.stderr) == (expected, "")
