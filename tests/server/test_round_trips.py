"""How far away a client is: what pings and their pongs tell, and what they do not."""

from __future__ import annotations

import pytest

from ludotheque.server import clock
from ludotheque.server.round_trips import INTERVAL_S, LONGEST_S, LOST_AFTER_S, RoundTrips


class Time:
    """A clock that stands still unless it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def instant(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(clock, "instant", time.instant)
    return time


def measure(trips: RoundTrips, time: Time, seconds: float, match: int = 1) -> None:
    """A ping that takes so long to be answered."""
    time.now += INTERVAL_S
    payload = trips.ping(match)
    assert payload is not None
    time.now += seconds
    trips.pong(payload)


def test_a_message_is_on_its_way_for_half_of_the_smallest_round_trip(time: Time) -> None:
    trips = RoundTrips()
    assert trips.delay_s == 0
    for seconds, delay in ((0.2, 0.1), (0.3, 0.1), (0.05, 0.025), (0.1, 0.025)):
        measure(trips, time, seconds)
        assert trips.delay_s == pytest.approx(delay)


def test_who_holds_pongs_back_gains_half_of_the_longest_round_trip_at_most(time: Time) -> None:
    trips = RoundTrips()
    for seconds in (LONGEST_S, 1, 9, 3600):
        measure(trips, time, seconds)
        assert trips.delay_s <= LONGEST_S / 2


def test_a_pong_that_answers_no_ping_tells_nothing(time: Time) -> None:
    trips = RoundTrips()
    trips.pong(b"")
    payload = trips.ping(1)
    assert payload is not None
    time.now += 0.2
    for guess in (b"", b"12345678", payload[:-1], payload + b"1"):
        trips.pong(guess)
    assert trips.delay_s == 0
    trips.pong(payload)
    time.now += 0.2
    trips.pong(payload)
    assert trips.delay_s == pytest.approx(0.1)


def test_no_two_pings_are_alike(time: Time) -> None:
    trips = RoundTrips()
    payloads = set()
    for _ in range(100):
        time.now += LOST_AFTER_S
        payloads.add(trips.ping(1))
    assert len(payloads) == 100


def test_pings_are_seldom(time: Time) -> None:
    trips = RoundTrips()
    payload = trips.ping(1)
    assert payload is not None
    assert trips.ping(1) is None
    trips.pong(payload)
    time.now += INTERVAL_S - 0.01
    assert trips.ping(1) is None
    time.now += 0.02
    assert trips.ping(1) is not None


def test_a_ping_is_given_up_before_another_is_sent(time: Time) -> None:
    trips = RoundTrips()
    lost = trips.ping(1)
    time.now += LOST_AFTER_S - 1
    assert trips.ping(1) is None
    time.now += 1
    assert trips.ping(1) is not None
    assert lost is not None
    trips.pong(lost)
    assert trips.delay_s == 0


def test_every_match_is_measured_by_itself(time: Time) -> None:
    trips = RoundTrips()
    measure(trips, time, 0.02, match=1)
    payload = trips.ping(2)
    assert trips.delay_s == 0
    time.now += 0.2
    assert payload is not None
    trips.pong(payload)
    assert trips.delay_s == pytest.approx(0.1)
