"""PettingZoo's own suite, and whole matches in its environments."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from learn_checks import MASKED, assert_leaks_nothing, assert_replays, short_options
from ludotheque.engine.game import load, slugs
from ludotheque.learn import aec, parallel

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]
GAMES = [pytest.param(slug, id=slug) for slug in slugs()]
pytestmark = [pytest.mark.filterwarnings(message) for message in MASKED]


def cycles(slug: str) -> int:
    """How often their own checks step; a mask of Ubongo takes longer than a match of others."""
    return 4 if load(slug).unlisted_moves else 40


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_pettingzoo_accepts_the_environments(slug: str, seats: int) -> None:
    api_test(aec.env(slug, seats), num_cycles=cycles(slug))
    parallel_api_test(parallel.parallel_env(slug, seats), num_cycles=cycles(slug))


@pytest.mark.parametrize("slug", slugs())
def test_the_same_seed_gives_the_same_matches(slug: str) -> None:
    seed_test(lambda: aec.env(slug), num_cycles=cycles(slug))
    parallel_seed_test(lambda: parallel.parallel_env(slug), num_cycles=cycles(slug))


@pytest.mark.parametrize("slug", slugs())
def test_the_environments_render(slug: str) -> None:
    render_test(lambda render_mode: aec.env(slug, render_mode=render_mode))


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_whole_matches_agent_by_agent(slug: str, seats: int, is_long: bool) -> None:
    game = load(slug)
    env = aec.env(slug, seats, short_options(game))
    rng = np.random.default_rng(1)
    for number in range(matches(slug, is_long)):
        env.reset(seed=number)
        match = env.unwrapped.episode.match
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, is_over, _, _ = env.last()
            rewards[agent] += reward
            seat = env.possible_agents.index(agent)
            if is_over:
                env.step(None)
                continue
            if rng.random() < 0.1:
                assert_leaks_nothing(match, seat, observation["observation"])
            assert match.legal_moves(seat) == np.flatnonzero(observation["action_mask"]).tolist()
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        assert_replays(match)
        assert list(rewards.values()) == expected_rewards(match, game)


def matches(slug: str, is_long: bool) -> int:
    """At one number of seats; in the long run a thousand at least at all of them together."""
    if load(slug).unlisted_moves:
        return 1000 // len(load(slug).seats) if is_long else 1
    return 1000 if is_long else 3


def expected_rewards(match: Any, game: Any) -> list[float]:
    if game.team or match.seats == 1:
        return [float(score) for score in match.scores]
    share = 1 / len(match.winners) if match.winners else 0.0
    return [share if seat in match.winners else 0.0 for seat in range(match.seats)]


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_whole_matches_of_all_at_once(slug: str, seats: int, is_long: bool) -> None:
    env = parallel.parallel_env(slug, seats, short_options(load(slug)))
    rng = np.random.default_rng(2)
    for number in range(matches(slug, is_long)):
        seen, _ = env.reset(seed=number)
        match = env.episode.match
        while env.agents:
            if rng.random() < 0.1:
                for seat, agent in enumerate(env.agents):
                    assert_leaks_nothing(match, seat, seen[agent]["observation"])
            actions = {
                agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
                for agent in env.agents
                if seen[agent]["action_mask"].any()
            }
            seen, rewards, _, _, _ = env.step(actions)
        assert_replays(match)
        assert list(rewards.values()) == expected_rewards(match, match.game)


def test_sealed_bids_are_asked_for_one_after_the_other_and_seen_by_nobody() -> None:
    env = aec.env("stupide_vautour", 2)
    env.reset(seed=5)
    before = env.observe("seat_1")["observation"].tolist()
    assert env.agent_selection == "seat_0"
    env.step(7)
    assert env.agent_selection == "seat_1"
    after = env.observe("seat_1")["observation"].tolist()
    env.reset(seed=5)
    env.step(12)
    assert env.observe("seat_1")["observation"].tolist() == after != before


def test_an_illegal_action_ends_the_match_and_costs_its_agent_one() -> None:
    env = aec.env("stupide_vautour", 3)
    env.reset(seed=5)
    env.step(0)
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], termination, truncation, _ = env.last()
        assert termination
        assert truncation
        env.step(None)
    assert rewards == {"seat_0": -1.0, "seat_1": 0.0, "seat_2": 0.0}


def test_the_raw_environment_refuses_an_illegal_action_and_changes_nothing() -> None:
    env = aec.raw_env("stupide_vautour", 2)
    env.reset(seed=5)
    for action, message in (
        (0, "seat 0 may not play"),
        (16, "16 is not an action"),
        (None, "None"),
    ):
        with pytest.raises(InvalidAction, match=message):
            env.step(action)
    assert env.agent_selection == "seat_0"


def test_all_at_once_an_illegal_action_is_replaced_and_costs_one() -> None:
    env = parallel.parallel_env("stupide_vautour", 2)
    env.reset(seed=5)
    _, rewards, _, _, _ = env.step({"seat_0": 0, "seat_1": 4})
    assert rewards == {"seat_0": -1.0, "seat_1": 0.0}
    assert env.episode.match.state.tops[1] == 4
    with pytest.raises(InvalidAction, match="seat_0 must act, and no action is given"):
        env.step({"seat_1": 5})


def test_laying_a_card_where_none_may_lie_is_refused_and_takes_time() -> None:
    env = parallel.parallel_env("ubongo", 1)
    env.reset(seed=5)
    ready, lay = load("ubongo").moves - 1, 10 * 32 + 10
    env.step({"seat_0": ready})
    env.step({"seat_0": lay})
    clock = env.episode.match.now
    _, rewards, _, _, _ = env.step({"seat_0": 4096 + lay})
    assert rewards == {"seat_0": 0.0}
    assert env.episode.match.state.places[0][:2] == [lay, -1]
    assert env.episode.match.now == clock + 2000


def test_agent_by_agent_laying_a_card_where_none_may_lie_is_illegal_like_any_other_action() -> None:
    ready, lay = load("ubongo").moves - 1, 10 * 32 + 10
    env, raw = aec.env("ubongo", 1), aec.raw_env("ubongo", 1)
    for each in (env, raw):
        each.reset(seed=5)
        each.step(ready)
        each.step(lay)
        assert each.observe("seat_0")["action_mask"][4096 + lay] == 0
    with pytest.raises(InvalidAction, match="seat 0 may not play"):
        raw.step(4096 + lay)
    env.step(4096 + lay)
    assert env.terminations == {"seat_0": True}
    assert env.rewards == {"seat_0": -1.0}


def test_rewards_are_shares_scores_and_leads_and_the_net_ones_add_up_to_nothing() -> None:
    scores, leads = final_rewards("score"), final_rewards("lead")
    assert len(set(scores)) > 1
    assert leads == [own - max(scores[:i] + scores[i + 1 :]) for i, own in enumerate(scores)]
    mean = sum(scores) / 3
    assert final_rewards("net_score") == pytest.approx([own - mean for own in scores])
    shares = final_rewards("share")
    assert sum(shares) == 1
    assert final_rewards("net_share") == pytest.approx([own - 1 / 3 for own in shares])


def final_rewards(reward: str) -> list[float]:
    """Of a match in which seat n bids its n-th card, or its lowest one if it has fewer."""
    env = parallel.parallel_env("stupide_vautour", 3, reward=reward)
    seen, _ = env.reset(seed=5)
    rewards: dict[str, float] = {}
    while env.agents:
        legal = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in env.agents}
        actions = {a: int(legal[a][n % len(legal[a])]) for n, a in enumerate(env.agents)}
        seen, rewards, _, _, _ = env.step(actions)
    return list(rewards.values())


def test_options_are_the_games_and_a_reset_may_change_them() -> None:
    env = aec.env("stupide_vautour", 2, options={"open_scores": True})
    env.reset(seed=1, options={"ties": "unmatched", "meant_for_a_wrapper": 1})
    options = env.unwrapped.episode.match.options
    chosen = {"ties": "unmatched", "open_discards": False, "open_scores": True, "cards": 15}
    assert options == chosen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "chess"),
        (("team_up", 5), "team_up is for 1 to 4 seats, not 5"),
        (("team_up", 2, {"mode": "odd"}), "mode"),
        (
            ("team_up", 2, None, "fun"),
            "there is no reward 'fun'; the rewards are: share, score, lead, net_share, net_score",
        ),
        (("team_up", 2, None, "lead"), "in team_up here: it has no reward 'lead'"),
        (("ubongo", 1, None, "net_share"), "in ubongo here: it has no reward 'net_share'"),
    ],
)
def test_what_cannot_be_played_is_a_value_error(arguments: Any, message: str) -> None:
    for make in (aec.env, parallel.parallel_env):
        with pytest.raises(ValueError, match=message):
            make(*arguments)


def test_a_closed_environment_and_one_not_reset_say_so() -> None:
    for env in (aec.raw_env("whats_up"), parallel.parallel_env("whats_up")):
        with pytest.raises(ResetNeeded, match="call reset"):
            env.render()
        env.reset()
        env.close()
        with pytest.raises(ClosedEnvironmentError, match="is closed"):
            env.reset()


def test_an_environment_can_be_sent_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(aec.raw_env("whats_up", 3)))
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2"]
