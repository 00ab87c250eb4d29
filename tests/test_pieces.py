"""Work in numbered pieces: the same result however it is shared or interrupted."""

import json
from math import factorial  # other processes can import it
from pathlib import Path
from typing import Any

import pytest

from ludotheque.engine.refused import Refused
from ludotheque.lab.pieces import Saved, done_or_saved, on_processes, on_threads

RUN = {"game": "stupide_vautour", "seed": 7}


def square(number: int) -> int:
    return number * number


def squares(count: int, saved: Saved | None = None, workers: int = 2) -> dict[int, int]:
    return dict(done_or_saved(square, count, on_threads(workers), saved))


@pytest.mark.parametrize("doer", [on_threads(1), on_threads(3), on_processes(1), on_processes(2)])
def test_every_piece_is_done_once(doer: Any) -> None:
    assert sorted(done_or_saved(factorial, 5, doer)) == [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24)]


def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    path, done, limit = tmp_path / "run", [], 3

    def work(number: int) -> int:
        done.append(number)
        if number == limit:
            raise KeyboardInterrupt
        return number * number

    with Saved(path, RUN) as saved, pytest.raises(KeyboardInterrupt):
        list(done_or_saved(work, 5, on_processes(1), saved))
    assert done == [0, 1, 2, 3]
    done, limit = [], 5
    with Saved(path, RUN) as saved:
        again = dict(done_or_saved(work, 5, on_processes(1), saved))
    assert again == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert done == [3, 4]


def test_what_was_being_written_at_the_end_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Saved(path, RUN) as saved:
        squares(3, saved)
    torn = path.read_text()[:-6]
    path.write_text(torn)
    with Saved(path, RUN) as saved:
        assert len(saved.results) == 2
        assert squares(3, saved) == {0: 0, 1: 1, 2: 4}
    assert len(path.read_text().splitlines()) == 4
    with Saved(path, RUN) as saved:
        assert saved.results == {0: 0, 1: 1, 2: 4}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (json.dumps({"kind": "ludotheque run", "version": 1, "run": {**RUN, "seed": 8}}) + "\n",
         "another run: its seed is 8, not 7; name another file"),
        (json.dumps({"kind": "ludotheque run", "version": 1,
                     "run": {"game": "whats_up", "piece_size": 9}}) + "\n",
         "another run: its game is 'whats_up', not 'stupide_vautour', "
         "its seed is unknown, not 7, its piece size is 9, not unknown; name another file"),
        ("{}\n", "is not the file of a run, version 1"),
        ("[]\n", "line 1 cannot be read"),
        ("no JSON\n", "line 1 cannot be read"),
        (json.dumps({"kind": "ludotheque run", "version": 1, "run": RUN}) + "\n7\n",
         "line 2 cannot be read"),
    ],
)  # fmt: skip
def test_another_file_is_refused_and_stays_as_it_is(
    content: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    path.write_text(content)
    with pytest.raises(Refused, match=complaint):
        Saved(path, RUN)
    assert path.read_text() == content


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nowhere/run cannot keep a run: No such file"):
        Saved(tmp_path / "nowhere" / "run", RUN)
