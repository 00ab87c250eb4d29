"""A Ray cluster of this machine's own: the same sums, and no piece is lost with its worker."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray

from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.lab import arena
from ludotheque.lab.cluster import chunks, on_ray
from ludotheque.lab.pieces import done_or_saved, on_threads
from ludotheque.lab.simulate import matches_of, run

RAY = [sys.executable, "-m", "ray.scripts.scripts"]


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest) -> Iterator[str]:
    if not request.config.getoption("--long"):
        pytest.skip("a cluster takes half a minute to start")
    start = [*RAY, "start", "--head", "--num-cpus", "2", "--include-dashboard", "false"]
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0"}
    subprocess.run([*start, "--port", "0"], check=True, env=environment, capture_output=True)
    yield "auto"
    ray.shutdown()
    subprocess.run([*RAY, "stop", "--force"], check=True, capture_output=True)


def test_a_cluster_gives_the_same_sums(cluster: str) -> None:
    matches = matches_of(load("stupide_vautour"), 2, 150_000, 3, None, 50_000)
    assert run(matches, on_ray(cluster)).tally == run(matches, on_threads(1)).tally


def test_a_cluster_lets_bots_play_the_matches_of_one_machine(cluster: str) -> None:
    contest = arena.Contest("stupide_vautour", ("regular", "novice", "chaotic"), {}, 4)
    told: list[int] = []
    found = arena.run(contest, 450, on_ray(cluster), told.append)
    assert found == arena.arena(contest, 450)
    assert told == [3 * deals for deals in range(1, 151)]


def test_many_small_pieces_are_sent_together_and_few_large_ones_by_themselves() -> None:
    assert [list(chunk) for chunk in chunks(range(5), 2)] == [[0], [1], [2], [3], [4]]
    many = list(chunks(range(1000), 2))
    assert {len(chunk) for chunk in many[:-1]} == {16}
    assert [number for chunk in many for number in chunk] == list(range(1000))


def test_nothing_to_do_is_done() -> None:
    assert list(chunks([], 2)) == []


def test_a_piece_whose_worker_dies_is_done_again(cluster: str, tmp_path: Path) -> None:
    died = tmp_path / "died"

    def work(number: int) -> int:
        if number == 1 and not died.exists():
            died.touch()
            os._exit(1)
        return number * number

    assert dict(done_or_saved(work, 3, on_ray(cluster))) == {0: 0, 1: 1, 2: 4}
    assert died.exists()


def test_a_cluster_that_is_not_there_is_named() -> None:
    with pytest.raises(Refused, match="--on is 'moon', expected auto or ray://ADDRESS:PORT"):
        on_ray("moon")
