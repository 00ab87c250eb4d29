"""Random matches: what they add up to does not depend on who plays them, nor on interruptions."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from ludotheque import cli
from ludotheque.engine.game import load
from ludotheque.lab.pieces import on_threads
from ludotheque.lab.simulate import matches_of, run, simulate
from ludotheque.lab.tally import Tally

GAME = load("stupide_vautour")
COMMAND = ["simulate", "stupide_vautour", "--seats", "2", "--games", "600", "--seed", "4"]


def test_the_number_of_threads_changes_nothing() -> None:
    alone, shared = (simulate(GAME, 3, 2000, seed=5, jobs=jobs) for jobs in (1, 4))
    assert alone.tally == shared.tally


def test_the_size_of_pieces_changes_nothing() -> None:
    small, large = (matches_of(GAME, 2, 700, 3, None, smallest) for smallest in (1, 50_000))
    assert (small.pieces, large.pieces) == (234, 1)
    assert run(small, on_threads(2)).tally == run(large, on_threads(2)).tally


def test_a_tally_counts_splits_and_adds() -> None:
    won = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]])
    points = np.array([[4, 4, 1], [0, 2, 3], [-1, -1, -1]])
    tally = Tally.of(won, points, np.array([9, 9, 11]))
    assert tally == Tally(
        3,
        [1, 1, 1],
        [30, 30, 60],
        [900, 900, 3600],
        [Counter({4: 1, 0: 1, -1: 1}), Counter({4: 1, 2: 1, -1: 1}), Counter({1: 1, 3: 1, -1: 1})],
        Counter({9: 2, 11: 1}),
        Counter({2: 1, 1: 1, 0: 1}),
    )
    assert tally.points == [3, 5, 3]
    assert tally.moves == 29
    assert Tally.from_json(json.loads(json.dumps(tally.to_json()))) == tally
    doubled = tally + tally
    assert (doubled.games, doubled.shares, doubled.lengths[9]) == (6, [60, 60, 120], 4)
    assert tally + Tally.empty(3) == tally


def test_a_run_that_was_saved_is_not_played_again(tmp_path: Path) -> None:
    runner, path = CliRunner(), tmp_path / "run"
    first = json.loads(runner.invoke(cli.app, [*COMMAND, "--json", "--save", str(path)]).stdout)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:100]) + "\n")  # as if it had been interrupted there
    again = json.loads(runner.invoke(cli.app, [*COMMAND, "--json", "--save", str(path)]).stdout)
    timed = {"seconds", "games_per_second", "moves_per_second"}
    assert {k: v for k, v in first.items() if k not in timed} == {
        k: v for k, v in again.items() if k not in timed
    }
    assert sorted(path.read_text().splitlines()) == sorted(lines)


def test_a_run_by_other_rules_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, path = CliRunner(), tmp_path / "run"
    runner.invoke(cli.app, [*COMMAND, "--save", str(path)])
    before = path.read_text()
    monkeypatch.setattr(GAME, "version", GAME.version + 1)
    result = runner.invoke(cli.app, [*COMMAND, "--save", str(path)])
    assert str(result.exception) == (
        f"{path} is another run: its rules version is {GAME.version - 1}, not {GAME.version}; "
        "name another file"
    )
    assert path.read_text() == before


@pytest.mark.parametrize("ending", [".json", ".csv", ".parquet"])
def test_the_table_is_written_as_its_ending_says(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"table{ending}"
    result = CliRunner().invoke(cli.app, [*COMMAND, "--json", "--out", str(path)])
    told = json.loads(result.stdout)
    if ending == ".json":
        rows = json.loads(path.read_text())
    elif ending == ".csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
    else:
        rows = parquet.read_table(path).to_pylist()
    assert [int(row["wins"]) for row in rows] == told["wins"]
    assert [round(float(row["mean_score"]), 4) for row in rows] == told["mean_scores"]
    assert list(rows[0]) == [
        "seat", "games", "wins", "victory_share", "victory_share_low", "victory_share_high",
        "mean_score", "mean_score_low", "mean_score_high",
    ]  # fmt: skip
