"""What neighbours notice of attacks is judged; in the long run it is measured, too."""

from __future__ import annotations

import pytest

from benchmarks import abuse, soak
from benchmarks.abuse import ATTACKS, Noticed, judged
from benchmarks.soak import Held

SECONDS = 3.0  # of each attack, in the long run


def noticed(ms: float) -> Noticed:
    return Noticed([ms] * 200, [700.0])


def test_the_report_says_which_attack_is_noticed_too_much() -> None:
    found = judged([("chat", noticed(2), noticed(5)), ("moves", noticed(2), noticed(8))], 1)
    assert found.missed == ["moves, 4.0 × the quiet p99"]
    assert "- **Missed:** moves, 4.0 × the quiet p99." in found


def test_the_report_says_that_no_attack_is_noticed_too_much() -> None:
    found = judged([("chat", noticed(2), noticed(5))], 1)
    assert (found.missed, found[-1]) == ([], "It is met everywhere.")


def test_neighbours_of_attackers_play_on(is_long: bool) -> None:
    """It depends on what else the machine does, so it is not part of the daily tests."""
    if not is_long:
        pytest.skip("--long measures what neighbours notice")
    found = judged(abuse.measured(SECONDS), SECONDS)
    assert len(found) > len(ATTACKS)
    assert not found.missed, "\n".join(found)


# What a server holds while tables come and go


def curve(megabytes: float = 0, files: int = 0, threads: int = 0) -> list[Held]:
    """What a server holds that has so much more in the last quarter."""
    flat = [Held(minute, minute, 200.0, 40, 20) for minute in range(18)]
    return flat + [Held(18 + n, 18, 200.0 + megabytes, 40 + files, 20 + threads) for n in range(6)]


@pytest.mark.parametrize(
    ("growth", "told"),
    [
        ({"megabytes": 5}, []),
        ({"megabytes": 12}, ["memory, MB: from 200 to 212"]),
        ({"files": 20}, ["open files: from 40 to 60"]),
        ({"threads": 3}, ["threads: from 20 to 23"]),
    ],
)
def test_a_server_that_grows_is_told_from_one_that_does_not(
    growth: dict[str, int], told: list[str]
) -> None:
    assert soak.judged(curve(**growth), deleted=1).missed == told


def test_a_soak_in_which_no_table_is_deleted_is_none() -> None:
    assert soak.judged(curve(), deleted=0).missed == ["no table was deleted"]
