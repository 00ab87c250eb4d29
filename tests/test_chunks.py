"""Work in pieces: nothing is left out, and a piece takes about as long as it should."""

import pytest

from ludotheque.engine.chunks import timed_chunks


class Clock:
    """Time passes only as work is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("time.perf_counter", clock.perf_counter)
    return clock


def sizes(clock: Clock, total: int, seconds_each: float, **given: int) -> list[int]:
    done: list[int] = []
    for first, size in timed_chunks(total, 1.0, **given):
        assert first == sum(done)
        done.append(size)
        clock.now += size * seconds_each
    return done


def test_pieces_double_until_they_take_their_time(clock: Clock) -> None:
    assert sizes(clock, 40, 0.1) == [1, 2, 4, 8, 10, 10, 5]


def test_a_piece_that_took_too_long_is_followed_by_a_smaller_one(clock: Clock) -> None:
    assert sizes(clock, 20, 0.5, first=8, smallest=2) == [8, 2, 2, 2, 2, 2, 2]


def test_nothing_to_do_has_no_pieces(clock: Clock) -> None:
    assert sizes(clock, 0, 0.1) == []
